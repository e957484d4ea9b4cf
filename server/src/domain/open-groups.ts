/** The groups of open vulnerabilities, and their changes by a transaction. */
import type { RepositoryId } from './ids.ts';
import { type Severity, severities, severityRank } from './packed-state.ts';
import { RowsByKeys } from './rows-by-keys.ts';

export const groupings = ['package', 'rule', 'repository'] as const;
export type Grouping = (typeof groupings)[number];

/**
 * The scopes of the table `open_group`: vulnerabilities that are open on tracked references, and on default branches.
 */
export type OpenGroupScope = 'workspace' | 'default_branches';

/** The fields of a vulnerability that decide its groups. */
export interface GroupMember {
  repository_id: RepositoryId;
  package: string | null;
  /** Null only in a package. Empty if the report names none. */
  rule: string | null;
}

export type GroupDifference = Record<Severity, number> & {
  scope: OpenGroupScope;
  kind: Grouping;
  /** The package, the rule, or the id of the repository. */
  name: string;
};

const none = Object.fromEntries(severities.map((severity) => [severity, 0])) as Record<Severity, number>;

export class GroupDifferences {
  readonly #rows = new RowsByKeys<OpenGroupScope, Grouping, string, GroupDifference>();

  /** Adds an open vulnerability of this packed state to its groups, or removes it. */
  add(scope: OpenGroupScope, member: GroupMember, packedState: number, n: 1 | -1): void {
    const severity = severities[severityRank(packedState)] ?? 'unknown';
    this.#add(scope, 'repository', member.repository_id, severity, n);
    if (member.package !== null) this.#add(scope, 'package', member.package, severity, n);
    else if (member.rule) this.#add(scope, 'rule', member.rule, severity, n);
  }

  take(): GroupDifference[] {
    return this.#rows.take().filter((row) => severities.some((severity) => row[severity] !== 0));
  }

  #add(scope: OpenGroupScope, kind: Grouping, name: string, severity: Severity, n: 1 | -1): void {
    this.#rows.getOrCreate(scope, kind, name, () => ({ ...none, scope, kind, name }))[severity] += n;
  }
}
