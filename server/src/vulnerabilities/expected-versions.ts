/** Requests about several vulnerabilities, each with the `status_version` that its sender has read. */
import type { Tx } from '../db/database.ts';
import { statusVersionConflict } from '../domain/errors.ts';
import { formatId, type VulnerabilityId } from '../domain/ids.ts';
import { type LockedVulnerability, lockVulnerabilities } from './reconcile-store.ts';
import { getVulnerabilityIds } from './vulnerability-ids.ts';

export interface NamedVersion {
  id: string;
  status_version?: string;
}

/** The current versions of the vulnerabilities whose version differs from one given. */
export type StaleVersions = Record<string, string>;

/**
 * Locks the vulnerabilities and checks that they still have the versions that the sender has read. Returns their ids in
 * the order of the request, each once, and their rows in the order of the ids. Throws 404 if the workspace lacks one,
 * and 409 if one has another version than given, or if another name has joined it while this waited for its lock; the
 * error shows the result of `showStale`.
 */
export async function lockExpected(
  tx: Tx,
  named: NamedVersion[],
  showStale: (stale: StaleVersions) => unknown = (stale) => stale,
): Promise<{ ids: VulnerabilityId[]; locked: LockedVulnerability[] }> {
  const found = await getVulnerabilityIds(
    tx,
    named.map(({ id }) => id),
  );
  const ids = [...new Set(found)];
  const sorted = [...ids].sort();
  // A statement that waits for a lock still reads other tables as they were before it waited. So the first one shows
  // the names that the sender may know, and the second one those that have joined since.
  const waited = await lockVulnerabilities(tx, sorted);
  const locked = await lockVulnerabilities(tx, sorted);
  const joinedBefore = new Map(waited.map((row) => [row.id, row.joined_at?.getTime()]));
  // A request may name a vulnerability twice, also by an id that was merged away. Every version given counts.
  const given = Map.groupBy(named, (_, i) => found[i]);
  const stale: StaleVersions = {};
  for (const { id, status_version, joined_at: joinedAt } of locked) {
    const current = String(status_version);
    const isOther = given.get(id)?.some((one) => (one.status_version ?? current) !== current);
    if (isOther || joinedBefore.get(id) !== joinedAt?.getTime())
      stale[formatId('vulnerability', id)] = current;
  }
  if (Object.keys(stale).length > 0) throw statusVersionConflict(showStale(stale));
  return { ids, locked };
}
