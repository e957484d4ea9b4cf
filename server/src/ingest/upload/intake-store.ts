/** SQL of the intake: the scans of earlier uploads that may be the same upload. */
import { insertRows } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import type { ReferenceId, RepositoryId, ScanId } from '../../domain/ids.ts';
import { sqlIsUnfinished } from '../scans/store.ts';

/** Finds the scan of the upload with this key. */
export async function findByIdempotencyKey(
  tx: Tx,
  key: string,
): Promise<{ id: ScanId; repository_id: RepositoryId; idempotency_digest: Buffer } | undefined> {
  const [row] = await tx.query<{ id: ScanId; repository_id: RepositoryId; idempotency_digest: Buffer }>(
    `select id, repository_id, idempotency_digest from scan where tenant_id = $1 and idempotency_key = $2`,
    [tx.tenantId, key],
  );
  return row;
}

/** Forgets the keys of scans created before this time, so that they are free again. */
export async function forgetIdempotencyKeys(tx: Tx, before: Date): Promise<void> {
  await tx.query(
    `update scan set idempotency_key = null where tenant_id = $1 and idempotency_key is not null and created_at < $2`,
    [tx.tenantId, before],
  );
}

/**
 * Finds the newest scan since `since` with the same values in these columns. A scan does not count if the same report
 * may say something new: if it failed, if its series was retired since, if another scan of the series or a VEX document
 * for the repository came after it, or if a later scan of the repository waits.
 */
export async function findLatestSame(
  tx: Tx,
  { reference_id: referenceId, ...columns }: { reference_id: ReferenceId } & Record<string, unknown>,
  since: Date,
): Promise<ScanId | undefined> {
  const same = Object.keys(columns).map((column, i) => `${column} is not distinct from $${i + 4}`);
  const [row] = await tx.query<{ id: ScanId }>(
    `select id from scan
      where tenant_id = $1 and reference_id = $2 and created_at >= $3
        and ${same.join(' and ')} and status <> 'failed'
        and not exists (select 1 from series_scan c join scan_series t on t.tenant_id = $1 and t.id = c.series_id
                         where c.tenant_id = $1 and c.scan_id = scan.id and (t.retired_at is not null or t.last_seq > c.seq))
        and not exists (select 1 from scan n
                         where n.tenant_id = $1 and n.repository_id = scan.repository_id and n.id > scan.id and ${sqlIsUnfinished('n.status')} and not n.dry_run)
        and not exists (select 1 from vex_statement x
                         where x.tenant_id = $1 and x.repository_id = scan.repository_id and x.scan_id > scan.id)
      order by id desc limit 1`,
    [tx.tenantId, referenceId, since, ...Object.values(columns)],
  );
  return row?.id;
}

/** True if a worker holds a scan of the workspace. */
export async function isImporting(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(
    `select exists (select 1 from scan where tenant_id = $1 and status = 'running') as found`,
    [tx.tenantId],
  );
  return row?.found ?? false;
}

export async function insertScan(tx: Tx, columns: object): Promise<void> {
  await insertRows(tx, 'scan', [columns]);
}

/** Locks the key until the transaction ends, so that one of two requests with the same key finds the other's scan. */
export async function lockIdempotencyKey(tx: Tx, key: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${tx.tenantId} ${key}`]);
}

/** Returns the size in bytes of all reports that wait or are worked on, decompressed. */
export async function sumWaitingBytes(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ bytes: string }>(
    `select coalesce(sum(report_bytes), 0)::bigint as bytes from scan where tenant_id = $1 and ${sqlIsUnfinished('status')}`,
    [tx.tenantId],
  );
  return Number(row?.bytes);
}
