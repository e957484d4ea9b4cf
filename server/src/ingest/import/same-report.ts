/**
 * A report with the content of the last one shows the same findings, so its import reads none of them. It is the last
 * one of all its series, and it was read by the same reader, as complete evidence. Then the series see exactly its
 * findings, whatever people, documents and other tools have decided since.
 */
import { hash } from 'node:crypto';
import type { ChangeTx, Tx } from '../../db/database.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import { type ReferenceId, type ScanId, type SeriesId, uuidOfDigest } from '../../domain/ids.ts';
import { version } from '../../domain/version.ts';
import { type ImportCounts, noCounts } from '../../domain/written-scan.ts';
import type { Limits } from '../../parsers/reading/limits.ts';
import { reconcile } from '../../vulnerabilities/reconcile.ts';
import { alignSuppressions } from './claims.ts';
import type { ImportContext } from './import-context.ts';
import { countLive, insertSeriesScan, updateSeries } from './import-store.ts';

/**
 * Names all that decides what is read from the same bytes: the release with its parsers, the limits, and the key of the
 * install, by which secrets are recognised.
 */
export function readerOf(secret: InstallSecret, limits: Limits): string {
  return uuidOfDigest(hash('sha256', JSON.stringify([version, limits, secret.fingerprint]), 'hex'));
}

/** The scan that showed the same. */
export interface SameReport {
  scanId: ScanId;
  format: string;
  tools: string[];
  counts: ImportCounts;
}

/**
 * Finds the scan that has shown the same as the waiting scan and is still the newest of all its series. Both came with
 * the same rights and parameters.
 */
export async function findSameReport(
  tx: Tx,
  scan: { id: ScanId; reference_id: ReferenceId },
  reader: string,
): Promise<SameReport | null> {
  const [found] = await tx.query<SameReport>(
    `select p.id as "scanId", p.format, p.tools, p.counts
       from (select distinct last_scan_id as id from scan_series where tenant_id = $1 and reference_id = $2) n
       join scan p on p.tenant_id = $1 and p.id = n.id
       join scan s on s.tenant_id = $1 and s.id = $3
      where p.status = 'completed' and p.content_digest = s.content_digest and p.requested_format = s.requested_format
        and p.category is not distinct from s.category and p.source is not distinct from s.source
        and p.force = s.force and p.may_decide = s.may_decide and p.may_override_policy = s.may_override_policy
        and not p.partial and not s.partial and not s.dry_run and p.scanned_at <= s.scanned_at
        and p.warnings = '[]' and p.unreadable = '[]'
        and not exists (
              select 1 from series_scan c join scan_series t on t.tenant_id = $1 and t.id = c.series_id
               where c.tenant_id = $1 and c.scan_id = p.id
                 and (c.detached or c.outcome <> 'succeeded' or t.last_scan_id is distinct from p.id
                   or t.held_closure is not null or t.retired_at is not null or t.reader is distinct from $4))
      order by p.id desc limit 1`,
    [tx.tenantId, scan.reference_id, scan.id, reader],
  );
  return found ?? null;
}

/** Gives the series of the other scan one that shows the same. */
export async function confirmReport(
  tx: ChangeTx,
  context: ImportContext,
  same: SameReport,
): Promise<{ counts: ImportCounts; isLate: boolean; warnings: string[] }> {
  const { scanId, scannedAt } = context;
  const counts: ImportCounts = {
    ...noCounts,
    read: same.counts.read,
    suppressed: same.counts.suppressed,
  };
  for (const { id, last_seq } of await listSeries(tx, same.scanId)) {
    const seq = last_seq + 1;
    await insertSeriesScan(tx, {
      ...{ scanId, seriesId: id, seq, detached: false, late: false, outcome: 'succeeded' },
    });
    // The sender may have gained or lost a right since, or the reference is tracked now.
    const ids = await alignSuppressions(tx, context, { id, late: false, detached: false });
    const cause = { scanId, actorId: null, at: scannedAt };
    if (ids.length > 0) await reconcile(tx, { ids, cause, changes: tx.changes });
    await updateSeries(tx, id, { seq, scannedAt, scanId, succeededAt: scannedAt, reader: context.reader });
    counts.unchanged += await countLive(tx, id);
  }
  return { counts, isLate: false, warnings: [] };
}

async function listSeries(tx: Tx, scanId: ScanId): Promise<{ id: SeriesId; last_seq: number }[]> {
  return tx.query(
    `select t.id, t.last_seq from series_scan c join scan_series t on t.tenant_id = $1 and t.id = c.series_id
      where c.tenant_id = $1 and c.scan_id = $2 order by t.id`,
    [tx.tenantId, scanId],
  );
}
