/**
 * Resolves which advisory a package finding is about, independent of the name that the tool uses. Names belong to a
 * workspace, so the report of one tenant cannot merge vulnerabilities of another. A name counts in the whole workspace
 * if an admin's key with `vulnerabilities:write` taught it, otherwise only in the repository of the report; the name of
 * the workspace comes first. The names of a report are learned before its import, in a short transaction, so that
 * parallel imports never wait for each other's names.
 */
import type { Tx } from '../../db/database.ts';
import { newId, nilId, type RepositoryId } from '../../domain/ids.ts';
import { type NamedAdvisories, onlyCve, type TaughtName } from '../prepare/advisory-names.ts';
import { findNames, type LearnedName, listAliases, upsertAliases } from './alias-store.ts';
import { markPendingMerges } from './pending-merge-store.ts';

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
  const known = await listAliases(
    tx,
    scan.repository_id,
    taught.map(({ alias }) => alias),
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
  const rows = await upsertAliases(
    tx,
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
