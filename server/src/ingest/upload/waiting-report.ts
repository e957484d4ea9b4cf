/**
 * The report while it waits: in pieces, each compressed and encrypted with the install's key; deleted when its scan is
 * final, or as many days later as the setting says. Pieces are written as the report comes in, so that none of it is ever
 * whole in memory; pieces whose scan never came to be are swept. A piece is bound to its scan and place, so that none can
 * be moved to another.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { type Database, type Tx, tenantTx } from '../../db/database.ts';

// Before compression. Small enough to compress in some hundredths of a second, large enough that a report of 100 MB is
// fifty rows.
const pieceBytes = 2 * 1024 * 1024;
const compress = promisify(gzip);
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
  let number = 0;
  const write = async (plain: Buffer): Promise<void> => {
    // Level 1: reports shrink ten times at any level, and this one is three times as fast as the default.
    const sealed = seal(await compress(plain, { level: 1 }), place, number, key);
    await tenantTx(db, place.tenantId, (tx) =>
      tx.query('insert into scan_report (tenant_id, scan_id, piece, ciphertext) values ($1, $2, $3, $4)', [
        place.tenantId,
        place.scanId,
        number,
        sealed,
      ]),
    );
    number++;
  };
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of report as AsyncIterable<Buffer>) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < pieceBytes) continue;
    const plain = Buffer.concat(waiting);
    waiting = [];
    size = 0;
    await inTurn(place.tenantId, () => write(plain));
  }
  if (size > 0) await inTurn(place.tenantId, () => write(Buffer.concat(waiting)));
}

const turns = new Map<string, Promise<void>>();

/**
 * Runs the work of a workspace one after another: its reports keep at most one processor busy, however many it sends at
 * once. The work must end by itself.
 */
async function inTurn(tenantId: string, work: () => Promise<void>): Promise<void> {
  const mine = (turns.get(tenantId) ?? Promise.resolve()).then(work);
  const ended = mine.catch(() => {});
  turns.set(tenantId, ended);
  try {
    await mine;
  } finally {
    if (turns.get(tenantId) === ended) turns.delete(tenantId);
  }
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
  const packed = pieces.map((sealed, piece) => unseal(sealed, place, piece, key));
  // The size of each piece stands at the end of gzip. Into one buffer of all sizes, with a byte to spare: in chunks that are
  // joined at the end, a report would be twice in memory.
  const size = packed.reduce((sum, piece) => sum + piece.readUInt32LE(piece.length - 4), 0);
  return gunzipSync(Buffer.concat(packed), { chunkSize: Math.max(1024, size + 1) });
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
                           and (s.status in ('queued', 'running') or s.finished_at >= $3))`,
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
