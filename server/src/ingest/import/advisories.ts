/**
 * Resolves which advisory a package finding is about, independent of the name that the tool uses. Names belong to a
 * workspace, so the report of one tenant cannot merge vulnerabilities of another. A name counts in the whole workspace
 * if an admin's key with `vulnerabilities:write` taught it, otherwise only in the repository of the report; the name of
 * the workspace comes first. The names of a report are learned before its import, in a short transaction, so that
 * parallel imports never wait for each other's names.
 */
import { insertRows } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import { newId, nilId, type RepositoryId } from '../../domain/ids.ts';
import { type NamedAdvisories, onlyCve, type TaughtName } from '../prepare/advisory-names.ts';
import { markPendingMerges } from './pending-merge-store.ts';

/** A learned name is the first id of a finding, with the advisory that it means. */
export interface LearnedName {
  name: string;
  advisory: string;
  learnedAt: Date;
  /** An admin's key with `vulnerabilities:write` taught it, so it counts in the whole workspace. */
  trusted: boolean;
}

export interface ResolvedAdvisories {
  /**
   * Returns the canonical advisory of a finding: its CVE if it has exactly one, else the advisory that its first id is
   * learned to mean, else that id.
   */
  canonical(finding: NamedAdvisories): string;
  /**
   * Returns the learned name by which the finding got its advisory, or null if the finding itself names the advisory.
   */
  learned(finding: NamedAdvisories): LearnedName | null;
}

/** The scan that teaches names. Its id is null for names of the loaded advisories. */
interface NameTeacher {
  id: string | null;
  repository_id: RepositoryId;
  uploaded_by: string | null;
  may_override_policy: boolean;
}

/**
 * Stores new names, and marks the repositories in which two vulnerabilities may now be one. A name that already means
 * another CVE becomes ambiguous and joins nothing from now on. A name that an admin has forgotten stays forgotten.
 */
export async function learnNames(tx: Tx, taught: TaughtName[], scan: NameTeacher): Promise<void> {
  if (taught.length === 0) return;
  const known = await tx.query<{
    alias: string;
    repository_id: RepositoryId;
    advisory: string;
    state: string;
  }>(
    `select alias, repository_id, advisory, state from advisory_alias
      where tenant_id = $1 and alias = any($2::text[]) and repository_id in ($3, $4)`,
    [tx.tenantId, taught.map(({ alias }) => alias), nilId, scan.repository_id],
  );
  // A name from a sender who may override a policy counts in all repositories.
  const where = scan.may_override_policy ? nilId : scan.repository_id;
  const ofWorkspace = new Set(known.filter((row) => row.repository_id === nilId).map((row) => row.alias));
  const before = new Map(known.filter((row) => row.repository_id === where).map((row) => [row.alias, row]));
  // This filter needs no lock on the known names, and it nearly always leaves nothing to write.
  const changed = taught.filter(({ alias, advisory }) => {
    // A key that may not override a policy must not teach another meaning of a name that the whole workspace knows.
    if (!scan.may_override_policy && ofWorkspace.has(alias)) return false;
    const row = before.get(alias);
    return !row || (row.advisory !== advisory && row.state === 'joins');
  });
  if (changed.length === 0) return;
  const learnedAt = new Date();
  const rows = await insertRows<{ alias: string; state: string }>(
    tx,
    'advisory_alias',
    changed.map(({ alias, advisory }) => ({
      id: newId(),
      alias,
      repository_id: where,
      advisory: advisory ?? '',
      state: advisory === null ? 'ambiguous' : 'joins',
      learned_at: learnedAt,
      taught_by: scan.uploaded_by,
      scan_id: scan.id,
    })),
    {
      order: 's.alias collate "C"',
      conflict: `(tenant_id, alias, repository_id) do update set state = 'ambiguous'
        where t.advisory <> excluded.advisory and t.state = 'joins'`,
      returning: 't.alias, t.state',
    },
  );
  await markPendingMerges(
    tx,
    rows.filter((row) => row.state === 'joins').map((row) => row.alias),
    scan.may_override_policy ? null : scan.repository_id,
  );
}

/** Resolves the ids of findings by the names that are learned for this repository. */
export async function resolveAdvisories(
  tx: Tx,
  repositoryId: RepositoryId,
  findings: NamedAdvisories[],
): Promise<ResolvedAdvisories> {
  const asked = new Set<string>();
  for (const { advisories } of findings) {
    const [first] = advisories;
    if (first !== undefined && onlyCve(advisories) === undefined) asked.add(first);
  }
  const known =
    asked.size > 0 ? await findNames(tx, repositoryId, [...asked]) : new Map<string, LearnedName>();
  const learned = ({ advisories }: NamedAdvisories): LearnedName | null =>
    onlyCve(advisories) === undefined ? (known.get(advisories[0] ?? '') ?? null) : null;
  return {
    canonical: (finding) =>
      onlyCve(finding.advisories) ?? learned(finding)?.advisory ?? finding.advisories[0] ?? '',
    learned,
  };
}

async function findNames(
  tx: Tx,
  repositoryId: RepositoryId,
  ids: string[],
): Promise<Map<string, LearnedName>> {
  const rows = await tx.query<{
    alias: string;
    advisory: string;
    state: string;
    learned_at: Date;
    trusted: boolean;
  }>(
    `select distinct on (alias) alias, advisory, state, learned_at, repository_id = $3 as trusted from advisory_alias
      where tenant_id = $1 and alias = any($2::text[]) and repository_id in ($3, $4)
      order by alias, repository_id`,
    [tx.tenantId, ids, nilId, repositoryId],
  );
  return new Map(
    rows
      .filter((row) => row.state === 'joins')
      .map(({ alias, advisory, learned_at: learnedAt, trusted }) => [
        alias,
        { name: alias, advisory, learnedAt, trusted },
      ]),
  );
}
