/**
 * A report with the content of the last one shows the same findings, so its import reads none of them. It is the last
 * one of all its series, and it was read by the same reader, as complete evidence. Then the series see exactly its
 * findings, whatever people, documents and other tools have decided since.
 */
import { hash } from 'node:crypto';
import type { ChangeTx } from '../../db/database.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import { uuidOfDigest } from '../../domain/ids.ts';
import { version } from '../../domain/version.ts';
import { type ImportCounts, noCounts } from '../../domain/written-scan.ts';
import type { Limits } from '../../parsers/reading/limits.ts';
import { reconcile } from '../../vulnerabilities/reconcile.ts';
import { alignSuppressions } from './claims.ts';
import type { ImportContext } from './import-context.ts';
import { countLive } from './observation-store.ts';
import { listSeriesOfScan, type SameReport } from './same-report-store.ts';
import { insertSeriesScan, updateSeries } from './series-row-store.ts';

/**
 * Names all that decides what is read from the same bytes: the release with its parsers, the limits, and the key of the
 * install, by which secrets are recognised.
 */
export function readerOf(secret: InstallSecret, limits: Limits): string {
  return uuidOfDigest(hash('sha256', JSON.stringify([version, limits, secret.fingerprint]), 'hex'));
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
  for (const { id, last_seq } of await listSeriesOfScan(tx, same.scanId)) {
    const seq = last_seq + 1;
    await insertSeriesScan(tx, {
      ...{ scanId, seriesId: id, seq, detached: false, late: false, outcome: 'succeeded' },
    });
    // The sender may have gained or lost a right since, or the reference is tracked now.
    const ids = await alignSuppressions(tx, context, { id, seq, late: false, detached: false }, []);
    const cause = { scanId, actorId: null, at: scannedAt };
    if (ids.length > 0) await reconcile(tx, { ids, changedOn: [context.reference.id], cause });
    await updateSeries(tx, id, { seq, scannedAt, scanId, succeededAt: scannedAt, reader: context.reader });
    counts.unchanged += await countLive(tx, id);
  }
  return { counts, isLate: false, warnings: [] };
}
