/**
 * The change set of a transaction, collected while it works: differences of the counters behind every list (how many
 * vulnerabilities have each packed state, by scope), what became of vulnerabilities on which day, and which targets
 * policies must be evaluated for again. The commit steps take it before the commit (`commit-steps.ts`).
 */

import { type Severity, severityRank, unpackState } from './packed-state.ts';
import { type TargetType, targetTypes } from './policy-enums.ts';

/** What a counter counts: the rows of `vulnerability_count` and `vulnerability_day`. */
export const counterScopes = [
  'workspace',
  'repository',
  'reference',
  'reference_name',
  'default_branches',
] as const;
export type CounterScope = (typeof counterScopes)[number];

export interface ReferenceState {
  referenceId: string;
  fullRef: string;
  onDefault: boolean;
  packed_state: number;
}

/** A vulnerability's own packed state, before and after. */
interface OwnMove {
  repositoryId: string;
  /** Null: it comes. */
  from: number | null;
  /** Null: it goes, merged into another. */
  to: number | null;
  /** When it became so: the scan's time, or that of what a person or the clock did. */
  at: Date;
  /** Since when it was vulnerable. */
  vulnerableAt: Date;
}

/** The columns of `vulnerability_day` beside its key. */
const nothing = { introduced: 0, opened: 0, closed: 0, fixed: 0, fix_seconds: 0 };
export type DayDifference = typeof nothing & {
  scope: CounterScope;
  key: string;
  day: string;
  severity: Severity;
};

export interface CounterDifference {
  scope: CounterScope;
  key: string;
  packed_state: number;
  count: number;
}

export class ChangeSet {
  /** When what has changed became so. Policies date their violations by it; else the time of the commit counts. */
  at: Date | null = null;

  readonly #changes = new Map<string, CounterDifference>();
  readonly #days = new Map<string, DayDifference>();
  readonly #vulnerabilities = new Map<string, string>();
  readonly #created = new Set<string>();
  readonly #targets = new Map<string, Set<TargetType>>();
  readonly #references = new Map<string, string>();
  readonly #later = new Set<string>();

  get isEmpty(): boolean {
    return [
      this.#changes,
      this.#days,
      this.#vulnerabilities,
      this.#targets,
      this.#references,
      this.#later,
    ].every(({ size }) => size === 0);
  }

  /** Policies may ask something of this vulnerability that is different now. */
  markChanged(vulnerabilityId: string, repositoryId: string): void {
    this.#vulnerabilities.set(vulnerabilityId, repositoryId);
  }

  /** It was created in this transaction: none of its violations is stored yet. */
  markCreated(vulnerabilityId: string, repositoryId: string): void {
    this.markChanged(vulnerabilityId, repositoryId);
    this.#created.add(vulnerabilityId);
  }

  /** It was merged into another, so that nothing is left to evaluate. */
  unmark(vulnerabilityId: string): void {
    this.#vulnerabilities.delete(vulnerabilityId);
  }

  /** All targets of these types in the repository; by default of every type but vulnerabilities. */
  markTargetsChanged(repositoryId: string, types: readonly TargetType[] = targetTypes): void {
    const marked = this.#targets.get(repositoryId) ?? new Set();
    for (const type of types) marked.add(type);
    this.#targets.set(repositoryId, marked);
  }

  /** Everything on the reference, such as after it was deployed to another environment. */
  markReferenceChanged(referenceId: string, repositoryId: string): void {
    this.markTargetsChanged(repositoryId);
    this.#references.set(referenceId, repositoryId);
  }

  /** Everything of these repositories is evaluated within a minute, such as after a rename. */
  markForLater(repositoryIds: readonly string[]): void {
    for (const id of repositoryIds) this.#later.add(id);
  }

  /** Reference → repository: the vulnerabilities on it are still to be marked. Gives them once. */
  takeReferences(): Map<string, string> {
    const taken = new Map(this.#references);
    this.#references.clear();
    return taken;
  }

  /** The repositories to be evaluated later. Gives them once. */
  takeForLater(): string[] {
    const taken = [...this.#later];
    this.#later.clear();
    return taken;
  }

  /** The policies have been evaluated for all that is marked. */
  clearMarks(): void {
    this.#vulnerabilities.clear();
    this.#created.clear();
    this.#targets.clear();
  }

  /** Vulnerability → repository. */
  get vulnerabilities(): ReadonlyMap<string, string> {
    return this.#vulnerabilities;
  }

  /** Of these vulnerabilities those that were created in this transaction. */
  get created(): ReadonlySet<string> {
    return this.#created;
  }

  /** Repository → types of which all targets are marked. */
  get targets(): ReadonlyMap<string, ReadonlySet<TargetType>> {
    return this.#targets;
  }

  /** A vulnerability that nobody knew, seen at that time. */
  addNew(repositoryId: string, packed_state: number, at: Date): void {
    this.#addDay(repositoryId, packed_state, at, { introduced: 1 });
    this.moveOwn({ repositoryId, from: null, to: packed_state, at, vulnerableAt: at });
  }

  moveOwn({ repositoryId, from, to, at, vulnerableAt }: OwnMove): void {
    if (from !== null) this.#addOwn(repositoryId, from, -1);
    if (to !== null) this.#addOwn(repositoryId, to, 1);
    const wasOpen = from !== null && isOpen(from);
    const isOpenNow = to !== null && isOpen(to);
    if (wasOpen && isOpenNow && severityRank(from) === severityRank(to)) return;
    if (wasOpen) {
      const isFixed = to !== null && unpackState(to).status === 'fixed';
      const seconds = Math.max(0, Math.round((at.getTime() - vulnerableAt.getTime()) / 1000));
      this.#addDay(repositoryId, from, at, {
        closed: 1,
        ...(isFixed ? { fixed: 1, fix_seconds: seconds } : {}),
      });
    }
    if (isOpenNow) this.#addDay(repositoryId, to, at, { opened: 1 });
  }

  addOnReference({ referenceId, fullRef, onDefault, packed_state }: ReferenceState, n: 1 | -1): void {
    this.#add('reference', referenceId, packed_state, n);
    this.#add('reference_name', fullRef, packed_state, n);
    if (onDefault) this.#add('default_branches', '', packed_state, n);
  }

  /** The differences of counters and days. Gives them once. */
  takeCounters(): { counters: CounterDifference[]; days: DayDifference[] } {
    const counters = [...this.#changes.values()].filter((change) => change.count !== 0);
    const days = [...this.#days.values()];
    this.#changes.clear();
    this.#days.clear();
    return { counters, days };
  }

  #addOwn(repositoryId: string, packed_state: number, n: 1 | -1): void {
    this.#add('workspace', '', packed_state, n);
    this.#add('repository', repositoryId, packed_state, n);
  }

  #add(scope: CounterScope, key: string, packed_state: number, count: number): void {
    const id = `${scope} ${key} ${packed_state}`;
    const change = this.#changes.get(id);
    if (change) change.count += count;
    else this.#changes.set(id, { scope, key, packed_state, count });
  }

  #addDay(repositoryId: string, packed_state: number, at: Date, what: Partial<typeof nothing>): void {
    const day = at.toISOString().slice(0, 10);
    const { severity } = unpackState(packed_state);
    for (const [scope, key] of [
      ['workspace', ''],
      ['repository', repositoryId],
    ] as const) {
      const id = `${scope} ${key} ${day} ${severity}`;
      const row = this.#days.get(id) ?? { ...nothing, scope, key, day, severity };
      for (const [column, n] of Object.entries(what)) row[column as keyof typeof nothing] += n;
      this.#days.set(id, row);
    }
  }
}

function isOpen(packed_state: number): boolean {
  return unpackState(packed_state).status === 'open';
}
