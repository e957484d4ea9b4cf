/**
 * Reads the claims from which the values of vulnerabilities follow. If claims have changed only on known references,
 * those of the other references need not be read where they cannot matter: before the change they have added to the
 * values that the vulnerability has, and a claim can only raise a value. So if the claims on the tracked and the
 * changed references alone give these values, all claims together do (ADR 117).
 */
import type { Tx } from '../db/database.ts';
import type { ReferenceId, SeriesId, VulnerabilityId } from '../domain/ids.ts';
import { unpackState } from '../domain/packed-state.ts';
import { type CountingClaim, listCountingClaims, listSeriesOfReferences } from './claim-store.ts';
import type { LockedVulnerability } from './reconcile-store.ts';
import { agree } from './status.ts';

/** `changedOn` are the references on which claims have changed; if there are none, all claims are read. */
export async function listDecidingClaims(
  tx: Tx,
  locked: LockedVulnerability[],
  changedOn: readonly ReferenceId[],
): Promise<Map<VulnerabilityId, CountingClaim[]>> {
  if (changedOn.length === 0) return listByVulnerability(tx, locked);
  const seriesIds = await listSeriesOfReferences(tx, {
    trackedIn: [...new Set(locked.map((row) => row.repository_id))],
    references: changedOn,
  });
  const nearby = await listByVulnerability(tx, locked, seriesIds);
  const undecided = locked.filter((current) => !giveItsValues(current, nearby.get(current.id) ?? []));
  return new Map([...nearby, ...(await listByVulnerability(tx, undecided))]);
}

async function listByVulnerability(
  tx: Tx,
  locked: LockedVulnerability[],
  seriesIds?: SeriesId[],
): Promise<Map<VulnerabilityId, CountingClaim[]>> {
  if (locked.length === 0) return new Map();
  const claims = await listCountingClaims(
    tx,
    locked.map(({ id }) => id),
    seriesIds,
  );
  return Map.groupBy(claims, (claim) => claim.vulnerability_id);
}

/**
 * True if these claims, among them all on tracked references, give the values that the vulnerability has. Three values
 * need no comparison: the title and the suppressions come from the claims on tracked references, and malware stays
 * malware. While a vulnerability is rejected, it does not show whether a tool on another reference has proved it.
 */
function giveItsValues(current: LockedVulnerability, claims: CountingClaim[]): boolean {
  if (!claims.some((claim) => claim.tracked)) return false;
  const { severity, fixVersion, cvssScore, exploitable, verified, historyOnly } = agree(
    claims,
    current.package,
  );
  const traits = unpackState(current.packed_state);
  return (
    severity === traits.severity &&
    fixVersion === current.fix_version &&
    cvssScore === current.cvss_score &&
    historyOnly === (traits.source === 'git_history') &&
    (exploitable || verified) === (current.exploitable_at !== null) &&
    (verified || traits.confirmed || traits.status !== 'rejected')
  );
}
