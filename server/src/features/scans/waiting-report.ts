/**
 * The report while it waits: compressed, encrypted with the install's key, in pieces; deleted when its scan is
 * final. A piece is bound to its scan and place, so that none can be moved to another.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Tx } from '../../db/database.ts';

// Small enough for a row that is read whole, large enough that a report of 100 MB is a hundred rows.
const pieceBytes = 1024 * 1024;
const ivBytes = 12;
const tagBytes = 16;

export async function storeReport(
  tx: Tx,
  tenantId: string,
  scanId: string,
  report: Uint8Array,
  key: Buffer,
): Promise<void> {
  // Level 1: reports shrink ten times at any level, and this one is three times as fast as the default.
  const packed = gzipSync(report, { level: 1 });
  for (let piece = 0; piece * pieceBytes < packed.length; piece++) {
    const plain = packed.subarray(piece * pieceBytes, (piece + 1) * pieceBytes);
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(binding(tenantId, scanId, piece));
    const sealed = Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    await tx.query(
      'insert into scan_report (tenant_id, scan_id, piece, ciphertext) values ($1, $2, $3, $4)',
      [tenantId, scanId, piece, sealed],
    );
  }
}

/** The report as it came. Throws where a piece is missing, altered, or sealed with another key. */
export async function loadReport(tx: Tx, tenantId: string, scanId: string, key: Buffer): Promise<Buffer> {
  const rows = await tx.query<{ piece: number; ciphertext: Buffer }>(
    'select piece, ciphertext from scan_report where tenant_id = $1 and scan_id = $2 order by piece',
    [tenantId, scanId],
  );
  if (rows.length === 0) throw new Error('the report is not there any more');
  const pieces = rows.map(({ piece, ciphertext }) => {
    const decipher = createDecipheriv('aes-256-gcm', key, ciphertext.subarray(0, ivBytes))
      .setAAD(binding(tenantId, scanId, piece))
      .setAuthTag(ciphertext.subarray(-tagBytes));
    return Buffer.concat([decipher.update(ciphertext.subarray(ivBytes, -tagBytes)), decipher.final()]);
  });
  return gunzipSync(Buffer.concat(pieces));
}

export async function deleteReport(tx: Tx, tenantId: string, scanId: string): Promise<void> {
  await tx.query('delete from scan_report where tenant_id = $1 and scan_id = $2', [tenantId, scanId]);
}

function binding(tenantId: string, scanId: string, piece: number): Buffer {
  return Buffer.from(`${tenantId} ${scanId} ${piece}`);
}
