/**
 * Deletes what old references have shown. A reference that is inactive counts nowhere, but each one of a pull request
 * has a row for every vulnerability and package that its scans showed.
 */
import { type ChangeTx, type Database, importTx, type Tx, tenantReadTx } from '../db/database.ts';
import type { ReferenceState } from '../domain/change-set.ts';
import type { ReferenceId, RepositoryId, TenantId, VulnerabilityId } from '../domain/ids.ts';
import { lockRepository } from '../inventory/repositories/lock.ts';
import { lockVulnerabilities } from '../vulnerabilities/reconcile-store.ts';

const atOnce = 2000;

/**
 * Empties the references that are inactive, not tracked, and have had no scan since `before`: it deletes their
 * locations, claims and packages, in transactions of some thousand vulnerabilities. The location that a vulnerability
 * shows stays, so that no vulnerability is without one. Matches of policies that have ended on emptied references are
 * deleted too. Returns the number of references.
 */
export async function emptyOldReferences(db: Database, tenantId: TenantId, before: Date): Promise<number> {
  const old = await tenantReadTx(db, tenantId, (tx) => listOld(tx, before));
  let emptied = 0;
  for (const reference of old) {
    for (let result: Emptied = 'in part'; result === 'in part'; ) {
      result = await importTx(db, tenantId, (tx) => emptyReference(tx, reference, before));
      if (result === 'whole') emptied++;
    }
  }
  for (const reference of await tenantReadTx(db, tenantId, listWithEndedMatches)) {
    for (let deleted = atOnce; deleted === atOnce; ) {
      deleted = await importTx(db, tenantId, (tx) => deleteEndedMatches(tx, reference));
    }
  }
  return emptied;
}

type Emptied = 'in part' | 'whole' | 'no longer old';

async function emptyReference(
  tx: ChangeTx,
  { id, repository_id }: OldReference,
  before: Date,
): Promise<Emptied> {
  // Imports take this lock first too, so the reference has no scan until the transaction ends.
  await lockRepository(tx, repository_id);
  if (!(await isStillOld(tx, id, before))) return 'no longer old';
  const locked = await lockVulnerabilities(tx, await listShownElsewhere(tx, id));
  const ids = locked.filter((row) => row.primary_reference_id !== id).map((row) => row.id);
  for (const row of await deleteOnReference(tx, id, ids)) tx.changes.addOnReference(row, -1);
  if (locked.length > 0) return 'in part';
  await deletePackages(tx, id);
  await markEmptied(tx, id);
  return 'whole';
}

interface OldReference {
  id: ReferenceId;
  repository_id: RepositoryId;
}

// The base of an active pull request says which of its vulnerabilities are new.
const isOld = `not f.active and not f.tracked and f.last_scanned_at < $2 and f.emptied_at is null
  and not exists (select 1 from reference p where p.tenant_id = $1 and p.repository_id = f.repository_id
                     and p.base_ref = f.full_ref and p.active)`;

async function listOld(tx: Tx, before: Date): Promise<OldReference[]> {
  return tx.query(
    `select f.id, f.repository_id from reference f where f.tenant_id = $1 and ${isOld} order by f.last_scanned_at, f.id`,
    [tx.tenantId, before],
  );
}

async function isStillOld(tx: Tx, id: ReferenceId, before: Date): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from reference f where f.tenant_id = $1 and ${isOld} and f.id = $3 for update of f`,
    [tx.tenantId, before, id],
  );
  return rows.length > 0;
}

/** Lists a batch of the vulnerabilities of this reference that show a location on another one. */
async function listShownElsewhere(tx: Tx, id: ReferenceId): Promise<VulnerabilityId[]> {
  const rows = await tx.query<{ id: VulnerabilityId }>(
    `select v.id from vulnerability_reference r
       join vulnerability v on v.tenant_id = $1 and v.id = r.vulnerability_id and v.primary_reference_id <> $2
      where r.tenant_id = $1 and r.reference_id = $2 limit ${atOnce}`,
    [tx.tenantId, id],
  );
  return rows.map((row) => row.id);
}

async function deleteOnReference(tx: Tx, id: ReferenceId, ids: VulnerabilityId[]): Promise<ReferenceState[]> {
  const values = [tx.tenantId, id, ids];
  const onReference = 'reference_id = $2 and vulnerability_id = any($3::uuid[])';
  await tx.query(
    `delete from location_observation where tenant_id = $1
        and location_id in (select id from vulnerability_location where tenant_id = $1 and ${onReference})`,
    values,
  );
  await tx.query(`delete from vulnerability_location where tenant_id = $1 and ${onReference}`, values);
  await tx.query(
    `delete from vulnerability_reporter where tenant_id = $1 and vulnerability_id = any($3::uuid[])
        and series_id in (select id from scan_series where tenant_id = $1 and reference_id = $2)`,
    values,
  );
  return tx.query<ReferenceState>(
    `delete from vulnerability_reference where tenant_id = $1 and ${onReference}
     returning reference_id as "referenceId", full_ref as "fullRef", packed_state`,
    values,
  );
}

async function deletePackages(tx: Tx, id: ReferenceId): Promise<void> {
  await tx.query('delete from manifest_package where tenant_id = $1 and reference_id = $2', [
    tx.tenantId,
    id,
  ]);
}

/**
 * The series prove nothing any more, so that the reference has no verdict before its next scan. No closure is held, and
 * that scan reads its report again, also if it is the same.
 */
async function markEmptied(tx: Tx, id: ReferenceId): Promise<void> {
  const values = [tx.tenantId, id];
  await tx.query(
    `update location_observation set held = false where tenant_id = $1 and held
        and series_id in (select id from scan_series where tenant_id = $1 and reference_id = $2)`,
    values,
  );
  await tx.query(
    `update scan_series set succeeded_at = null, reader = null, inventory_digest = null, held_closure = null,
            held_scan_id = null
      where tenant_id = $1 and reference_id = $2`,
    values,
  );
  await tx.query(
    "update reference set emptied_at = date_trunc('milliseconds', now()) where tenant_id = $1 and id = $2",
    values,
  );
}

/**
 * Lists the emptied references with a match that has ended. A policy that is evaluated later may have ended it since.
 */
async function listWithEndedMatches(tx: Tx): Promise<OldReference[]> {
  return tx.query(
    `select f.id, f.repository_id from reference f
      cross join lateral (select 1 from violation_reference m
             where m.tenant_id = $1 and m.reference_id = f.id and m.cleared_at is not null limit 1) m
      where f.tenant_id = $1 and f.emptied_at is not null`,
    [tx.tenantId],
  );
}

/** Deletes a batch of the ended matches of the reference, unless it has been scanned again. Returns their number. */
async function deleteEndedMatches(tx: Tx, { id, repository_id }: OldReference): Promise<number> {
  // Without this lock, an import of the reference that writes the same rows could deadlock with the deletion.
  await lockRepository(tx, repository_id);
  const rows = await tx.query(
    `delete from violation_reference
      where tenant_id = $1 and reference_id = $2 and violation_id in (
        select m.violation_id from reference f
          join violation_reference m on m.tenant_id = $1 and m.reference_id = f.id and m.cleared_at is not null
         where f.tenant_id = $1 and f.id = $2 and f.emptied_at is not null limit ${atOnce})
     returning 1`,
    [tx.tenantId, id],
  );
  return rows.length;
}
