/**
 * The secret part of an invitation's link holds the ids of workspace and invitation, and 32 random bytes. Only the
 * digest of these bytes is stored.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type InvitationId, isTenantId, type TenantId, uuidOfDigest } from '../../domain/ids.ts';

const tenantBytes = 8;
const secretStart = tenantBytes + 16;
const secretBytes = 32;

export interface InvitationToken {
  tenantId: TenantId;
  id: InvitationId;
  digest: Buffer;
}

export function createSecret(): { secret: Buffer; digest: Buffer } {
  const secret = randomBytes(secretBytes);
  return { secret, digest: digestOf(secret) };
}

export function formatInvitationToken(tenantId: TenantId, id: InvitationId, secret: Buffer): string {
  const tenant = Buffer.alloc(tenantBytes);
  tenant.writeBigUInt64BE(BigInt(tenantId));
  return Buffer.concat([tenant, bytesOf(id), secret]).toString('base64url');
}

/** Parses a token; undefined if the text does not have its form. */
export function parseInvitationToken(text: string): InvitationToken | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== secretStart + secretBytes || bytes.toString('base64url') !== text) return undefined;
  const tenantId = String(bytes.readBigUInt64BE());
  if (!isTenantId(tenantId)) return undefined;
  return {
    tenantId,
    id: uuidOfDigest(bytes.toString('hex', tenantBytes, secretStart)) as InvitationId,
    digest: digestOf(bytes.subarray(secretStart)),
  };
}

export function isSameDigest(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function digestOf(secret: Buffer): Buffer {
  return createHash('sha256').update(secret).digest();
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}
