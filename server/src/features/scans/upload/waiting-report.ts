/**
 * The report while it waits: compressed, encrypted with the install's key, in pieces; deleted when its scan is
 * final, or as many days later as the setting says. Pieces are written as the report comes in, so that none of it is ever whole in memory; pieces whose scan
 * never came to be are swept. A piece is bound to its scan and place, so that none can be moved to another.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createGzip, gunzipSync } from 'node:zlib';
import { type Database, type Tx, tenantTx } from '../../../db/database.ts';

// Small enough for a row that is read whole, large enough that a report of 100 MB is a hundred rows.
const pieceBytes = 1024 * 1024;
const ivBytes = 12;
const tagBytes = 16;

/** Where a piece belongs; part of what it is sealed with. */
export interface ReportPlace {
  tenantId: string;
  scanId: string;
}

/** Writes the report as it comes, each piece in a transaction of its own: a slow sender holds no connection. */
export async function storeReport(
  db: Database,
  place: ReportPlace,
  report: Readable,
  key: Buffer,
): Promise<void> {
  // Level 1: reports shrink ten times at any level, and this one is three times as fast as the default.
  const packed = createGzip({ level: 1 });
  report.on('error', (error) => packed.destroy(error));
  report.pipe(packed);
  let piece = 0;
  const write = async (plain: Buffer): Promise<void> => {
    const sealed = seal(plain, place, piece, key);
    await tenantTx(db, place.tenantId, (tx) =>
      tx.query('insert into scan_report (tenant_id, scan_id, piece, ciphertext) values ($1, $2, $3, $4)', [
        place.tenantId,
        place.scanId,
        piece,
        sealed,
      ]),
    );
    piece++;
  };
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of packed as AsyncIterable<Buffer>) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < pieceBytes) continue;
    await write(Buffer.concat(waiting));
    waiting = [];
    size = 0;
  }
  if (size > 0) await write(Buffer.concat(waiting));
}

/** The pieces as they are stored, in order. */
export async function listPieces(tx: Tx, { tenantId, scanId }: ReportPlace): Promise<Uint8Array[]> {
  const rows = await tx.query<{ ciphertext: Buffer }>(
    'select ciphertext from scan_report where tenant_id = $1 and scan_id = $2 order by piece',
    [tenantId, scanId],
  );
  if (rows.length === 0) throw new Error('the report is not there any more');
  return rows.map((row) => row.ciphertext);
}

/** The report as it came. Throws where a piece is missing, altered, or sealed with another key. */
export function openPieces(pieces: Uint8Array[], place: ReportPlace, key: Buffer): Buffer {
  const packed = Buffer.concat(pieces.map((sealed, piece) => unseal(sealed, place, piece, key)));
  // Into one buffer of the size that stands at the end of gzip, with a byte to spare: in chunks that are joined at the
  // end, a report would be twice in memory.
  return gunzipSync(packed, { chunkSize: Math.max(1024, packed.readUInt32LE(packed.length - 4) + 1) });
}

export async function deleteReport(tx: Tx, { tenantId, scanId }: ReportPlace): Promise<void> {
  await tx.query('delete from scan_report where tenant_id = $1 and scan_id = $2', [tenantId, scanId]);
}

/**
 * Deletes what came before `abandonedBefore` without becoming a scan, and what is kept of scans that were final
 * before `keptUntil`.
 */
export async function deleteOldReports(
  tx: Tx,
  tenantId: string,
  { abandonedBefore, keptUntil }: { abandonedBefore: Date; keptUntil: Date },
): Promise<void> {
  await tx.query(
    `delete from scan_report r
      where r.tenant_id = $1 and r.created_at < $2
        and not exists (select 1 from scan s where s.tenant_id = $1 and s.id = r.scan_id
                           and (s.status < 2 or s.finished_at >= $3))`,
    [tenantId, abandonedBefore, keptUntil],
  );
}

function seal(plain: Buffer, place: ReportPlace, piece: number, key: Buffer): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(binding(place, piece));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function unseal(sealed: Uint8Array, place: ReportPlace, piece: number, key: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes))
    .setAAD(binding(place, piece))
    .setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()]);
}

function binding({ tenantId, scanId }: ReportPlace, piece: number): Buffer {
  return Buffer.from(`${tenantId} ${scanId} ${piece}`);
}
