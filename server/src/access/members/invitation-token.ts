/**
 * The secret part of an invitation's link holds the ids of workspace and invitation, and 32 random bytes. Only the
 * digest of these bytes is stored.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { InvitationId, TenantId } from '../../domain/ids.ts';

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
  return Buffer.concat([bytesOf(tenantId), bytesOf(id), secret]).toString('base64url');
}

/** Parses a token; undefined if the text does not have its form. */
export function parseInvitationToken(text: string): InvitationToken | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== 32 + secretBytes || bytes.toString('base64url') !== text) return undefined;
  return {
    tenantId: uuidOf(bytes.subarray(0, 16)) as TenantId,
    id: uuidOf(bytes.subarray(16, 32)) as InvitationId,
    digest: digestOf(bytes.subarray(32)),
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

function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
