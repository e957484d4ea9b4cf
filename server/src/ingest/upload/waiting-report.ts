/**
 * A waiting report is stored in pieces, each compressed and encrypted with the key of the install. It is deleted
 * when its scan is final, or as many days later as the setting says. Pieces are written as the report arrives, so that
 * an upload never holds the whole report; the sweep deletes pieces without a scan. Each piece is bound to its scan and
 * its number, so that it cannot be moved to another.
 */

import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib';
import { type Database, type Tx, tenantTx } from '../../db/database.ts';
import type { DueCondition } from '../../db/due-tenants.ts';
import { seal, unseal } from '../../db/seal.ts';
import type { ScanId, TenantId } from '../../domain/ids.ts';
import { sqlIsUnfinished } from '../scans/store.ts';
import { ReusedBuffer } from './reused-buffer.ts';

// The size before compression. It compresses in some thousandths of a second, and a report of 100 MB is only fifty
// rows.
const pieceBytes = 2 * 1024 * 1024;
// Reports shrink as much at higher levels, which take longer.
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const compress = promisify<Buffer, typeof fastest, Buffer>(zstdCompress);

/** The owner of a piece; the encryption authenticates it. */
export interface ReportId {
  tenantId: TenantId;
  scanId: ScanId;
}

/** A report that is stored whole, before it has become a scan. */
export interface WaitingReport extends ReportId {
  /** SHA-256 of the decompressed report. */
  digest: Buffer;
  /** The digest of what it shows (`report-digest.ts`). */
  contentDigest: Buffer;
  /** The size of the decompressed report in bytes. */
  bytes: number;
}

/** Stores the report as it arrives. Each piece has its own transaction, so that a slow sender holds no connection. */
export async function storeReport(
  db: Database,
  reportId: ReportId,
  report: Readable,
  key: Buffer,
): Promise<void> {
  let number = 0;
  const write = async (plain: Buffer): Promise<void> => {
    const sealed = seal(await pack(plain), ownerOf(reportId, number), key);
    await tenantTx(db, reportId.tenantId, (tx) =>
      tx.query('insert into scan_report (tenant_id, scan_id, piece, ciphertext) values ($1, $2, $3, $4)', [
        reportId.tenantId,
        reportId.scanId,
        number,
        sealed,
      ]),
    );
    number++;
  };
  const waiting = new ReusedBuffer();
  const writeWaiting = async (): Promise<void> => {
    await inTurn(db, reportId.tenantId, () => write(waiting.bytes));
    waiting.remove(waiting.size);
  };
  for await (const chunk of report as AsyncIterable<Buffer>) {
    waiting.add(chunk);
    if (waiting.size >= pieceBytes) await writeWaiting();
  }
  // An empty report has a piece too, so that its scan can say that it is empty.
  if (waiting.size > 0 || number === 0) await writeWaiting();
}

const sizeBytes = 4;
/** The least size of a buffer that zlib takes. */
const leastChunk = 64;

/** Compresses a piece. Its size comes first, so that one buffer of the size of the report is enough to open it. */
async function pack(plain: Buffer): Promise<Buffer> {
  const size = Buffer.alloc(sizeBytes);
  size.writeUInt32LE(plain.length);
  return Buffer.concat([size, await compress(plain, fastest)]);
}

/** Runs the work in the workspace's turn (`commonShares`). The work must end by itself. */
async function inTurn(db: Database, tenantId: TenantId, work: () => Promise<void>): Promise<void> {
  const giveBack = await db.shares.piece.take(tenantId);
  try {
    await work();
  } finally {
    giveBack();
  }
}

/** A stored report: its pieces in order, each compressed and encrypted. */
export type SealedReport = Uint8Array[];

/** Returns the waiting report of a scan; null if it is not there. */
export async function readReport(tx: Tx, { tenantId, scanId }: ReportId): Promise<SealedReport | null> {
  const rows = await tx.query<{ ciphertext: Buffer }>(
    'select ciphertext from scan_report where tenant_id = $1 and scan_id = $2 order by piece',
    [tenantId, scanId],
  );
  return rows.length === 0 ? null : rows.map((row) => row.ciphertext);
}

/** Returns the report as it arrived. Throws if a piece is missing, altered, or sealed with another key. */
export function openReport(report: SealedReport, reportId: ReportId, key: Buffer): Buffer {
  const packed = report.map((bytes, piece) => unseal(bytes, ownerOf(reportId, piece), key));
  const opened = Buffer.allocUnsafeSlow(packed.reduce((sum, piece) => sum + piece.readUInt32LE(), 0));
  let size = 0;
  for (const piece of packed) {
    const pieceSize = piece.readUInt32LE();
    // Without a buffer for the whole piece, its bytes are put together from many small ones. A full buffer gets
    // another.
    const plain = zstdDecompressSync(piece.subarray(sizeBytes), { chunkSize: pieceSize + leastChunk });
    if (plain.length !== pieceSize) throw new Error('a piece of a report has another size than it says');
    size += plain.copy(opened, size);
  }
  return opened;
}

export async function deleteReport(tx: Tx, { tenantId, scanId }: ReportId): Promise<void> {
  await tx.query('delete from scan_report where tenant_id = $1 and scan_id = $2', [tenantId, scanId]);
}

/**
 * Deletes a report unless it has become a scan. The commit of the scan must have ended, because this sees no other
 * scan.
 */
export async function forgetReport(tx: Tx, { tenantId, scanId }: ReportId): Promise<void> {
  await tx.query(
    `delete from scan_report where tenant_id = $1 and scan_id = $2
        and not exists (select 1 from scan where tenant_id = $1 and id = $2)`,
    [tenantId, scanId],
  );
}

// Reports of the kept time that have no scan are searched for only so long after they are abandoned, because each
// minute would otherwise look at every kept report. One that no sweep finds by then is deleted when the kept time ends.
const abandonedFor = "interval '2 days'";

// A report is older than the end of its scan, so the index of `created_at` finds the few that this reads. Without the
// lower bound, a plan for any values expects a third of all reports and does not use that index.
const isExpired = (tenantId: string, abandonedBefore: string, keptUntil: string): string =>
  `r.tenant_id = ${tenantId} and r.created_at < least(${abandonedBefore}, ${keptUntil}) and r.created_at > '-infinity'
     and not exists (select 1 from scan s where s.tenant_id = ${tenantId} and s.id = r.scan_id
                        and (${sqlIsUnfinished('s.status')} or s.finished_at >= ${keptUntil}))`;

const isAbandoned = (tenantId: string, abandonedBefore: string): string =>
  `r.tenant_id = ${tenantId} and r.created_at < ${abandonedBefore} and r.created_at >= ${abandonedBefore} - ${abandonedFor}
     and not exists (select 1 from scan s where s.tenant_id = ${tenantId} and s.id = r.scan_id)`;

/** True in SQL if `deleteOldReports` has work. Both times are SQL expressions. */
export const oldReportsDue = (abandonedBefore: string, keptUntil: string): DueCondition[] =>
  [isExpired('asked_tenant', abandonedBefore, keptUntil), isAbandoned('asked_tenant', abandonedBefore)].map(
    (condition) => `exists (select 1 from scan_report r where ${condition})`,
  );

/**
 * Deletes reports from before `abandonedBefore` that never became a scan, and reports of scans that were final before
 * `keptUntil`.
 */
export async function deleteOldReports(
  tx: Tx,
  { abandonedBefore, keptUntil }: { abandonedBefore: Date; keptUntil: Date },
): Promise<void> {
  const { tenantId } = tx;
  await tx.query(`delete from scan_report r where ${isExpired('$1', '$2::timestamptz', '$3::timestamptz')}`, [
    tenantId,
    abandonedBefore,
    keptUntil,
  ]);
  await tx.query(`delete from scan_report r where ${isAbandoned('$1', '$2::timestamptz')}`, [
    tenantId,
    abandonedBefore,
  ]);
}

// The text that binds a piece to its report.
function ownerOf({ tenantId, scanId }: ReportId, piece: number): string {
  return `${tenantId} ${scanId} ${piece}`;
}
