/**
 * A person corrects a wrong match: two vulnerabilities become one, or some locations of one become another. Both are
 * permanent, so later reports follow the correction.
 */

import { type Actor, recordAudit } from '../../access/audit/record.ts';
import type { ChangeTx, Tx } from '../../db/database.ts';
import { conflictingInput, orNotFound, resourceNotFound } from '../../domain/errors.ts';
import { formatId, getId, newId, type VulnerabilityId } from '../../domain/ids.ts';
import { packState, unpackState } from '../../domain/packed-state.ts';
import { markTeamsChangedIn } from '../../inventory/code-owners/code-owners-store.ts';
import { type CheckStill, lockRepository } from '../../inventory/repositories/lock.ts';
import { updateCves } from '../../vulnerabilities/cves.ts';
import type { Cause } from '../../vulnerabilities/events.ts';
import { insertIdentities, pinnedIdentity } from '../../vulnerabilities/identities.ts';
import { reconcile } from '../../vulnerabilities/reconcile.ts';
import { listReferenceIds } from '../../vulnerabilities/reconcile-scope-store.ts';
import { lockVulnerabilities } from '../../vulnerabilities/reconcile-store.ts';
import { getVulnerabilityIds } from '../../vulnerabilities/vulnerability-ids.ts';
import { mergeVulnerabilities } from '../merge/merge.ts';
import {
  copyEvidence,
  copyReporters,
  dropEmptyReferences,
  endEmptyReporters,
  insertSplit,
  listIdentities,
  listKinds,
  listRepositoriesWith,
  listSameLocations,
  moveLocations,
} from './split-merge-store.ts';

/**
 * Merges the others into the one that stays; their ids lead to it from now on. Throws 404, and 422 for a vulnerability
 * of another repository.
 */
export async function mergeByHand(
  tx: ChangeTx,
  request: { into: string; others: string[]; reason: string },
  actor: Actor,
  checkStill?: CheckStill,
): Promise<{ id: VulnerabilityId }> {
  const [survivor, ...others] = await lockAndResolve(tx, [request.into, ...request.others], checkStill);
  const into = orNotFound(survivor);
  const distinct = [...new Set(others)].filter((id) => id !== into);
  // The vulnerabilities are already one, so a repeated request changes nothing.
  if (distinct.length === 0) return { id: into };
  if ((await listKinds(tx, [into, ...distinct])).length > 1) {
    throw conflictingInput('Must be vulnerabilities of one kind: in packages, secrets or in code.', 'others');
  }
  const cause = causeOf(actor);
  tx.changes.at = cause.at;
  await mergeVulnerabilities(tx, {
    merges: distinct.map((from) => ({ from, into })),
    cause,
    reason: request.reason,
  });
  await recordAudit(tx, actor, 'vulnerability.merge', into, {
    merged: distinct.map((id) => formatId('vulnerability', id)),
    reason: request.reason,
  });
  return { id: into };
}

/**
 * Creates a new vulnerability from the locations and those like them on other references (the same file of a package or
 * secret, the same evidence of code). Throws 404, and 422 if no location would be left.
 */
export async function splitByHand(
  tx: ChangeTx,
  request: { vulnerability: string; locations: string[]; reason: string },
  actor: Actor,
  checkStill?: CheckStill,
): Promise<{ id: VulnerabilityId }> {
  const id = orNotFound((await lockAndResolve(tx, [request.vulnerability], checkStill))[0]);
  const locations = request.locations.map((text) => getId('location', text));
  const [locked] = await lockVulnerabilities(tx, [id]);
  const current = orNotFound(locked);
  const repositoryId = current.repository_id;
  const { chosen, others } = await listSameLocations(tx, id, locations);
  if (new Set(chosen.filter((row) => row.named).map((row) => row.id)).size < new Set(locations).size) {
    throw resourceNotFound();
  }
  const [first] = chosen;
  if (!first || others === 0) {
    throw conflictingInput(
      'Must leave at least one location: these are all locations of the vulnerability.',
      'locations',
    );
  }
  const cause = causeOf(actor);
  const { changes } = tx;
  changes.at = cause.at;
  const split = newId<'vulnerability'>();
  const traits = unpackState(current.packed_state);
  // The new vulnerability has no decision; the reconcile below sets its status.
  const packedState = packState({
    ...traits,
    status: 'fixed',
    reach: 'tracked',
    triaged: false,
    assigned: false,
  });
  await insertSplit(tx, {
    id: split,
    from: id,
    packed_state: packedState,
    referenceId: first.reference_id,
    locationId: first.id,
  });
  const { at } = cause;
  changes.moveOwn({ of: current, from: null, to: packedState, at, vulnerableAt: current.vulnerable_at });
  const identities = await listIdentities(tx, id);
  const paths = new Set(chosen.filter((row) => !row.is_code).map((row) => row.path));
  const pins = [...paths].flatMap((path) =>
    identities.map((identity) => ({
      identity: pinnedIdentity(identity, path),
      vulnerabilityId: split,
      pinned: true,
    })),
  );
  await insertIdentities(tx, repositoryId, pins);
  await moveLocations(
    tx,
    split,
    chosen.map((row) => row.id),
  );
  await updateCves(tx, [split]);
  await copyEvidence(tx, id, split);
  await copyReporters(tx, id, split);
  await endEmptyReporters(tx, [id, split]);
  for (const row of await dropEmptyReferences(tx, id)) {
    const { reference_id: referenceId, full_ref: fullRef } = row;
    changes.addOnReference({ referenceId, fullRef, packed_state: row.packed_state }, -1);
  }
  const { reason } = request;
  await reconcile(tx, {
    ids: [id, split],
    changedOn: await listReferenceIds(tx, [id, split]),
    cause,
    change: (row) => ({
      events: [
        row.id === id
          ? { kind: 'split', reason, data: { into: formatId('vulnerability', split) } }
          : { kind: 'split', reason, data: { from: formatId('vulnerability', id) } },
      ],
    }),
  });
  // The new one has the team of the other, and its file may be that of another team.
  await markTeamsChangedIn(tx, [repositoryId]);
  await recordAudit(tx, actor, 'vulnerability.split', id, {
    split: formatId('vulnerability', split),
    locations: chosen.length,
    reason,
  });
  return { id: split };
}

function causeOf({ actorId }: Actor): Cause {
  return { scanId: null, actorId, at: new Date() };
}

/**
 * Returns the ids after locking their repository, so that earlier merges are visible and no later one can change them.
 * Throws 404, and 422 for ids of several repositories.
 */
async function lockAndResolve(tx: Tx, texts: string[], checkStill?: CheckStill): Promise<VulnerabilityId[]> {
  const before = await getVulnerabilityIds(tx, texts);
  const [repositoryId] = await listRepositoriesWith(tx, before);
  // All were merged away between the two reads, so another attempt finds their survivors.
  if (repositoryId === undefined) return lockAndResolve(tx, texts, checkStill);
  await lockRepository(tx, repositoryId, checkStill);
  const ids = await getVulnerabilityIds(tx, texts);
  if ((await listRepositoriesWith(tx, ids)).length > 1) {
    throw conflictingInput('Must be vulnerabilities of the same repository.', 'others');
  }
  return ids;
}
