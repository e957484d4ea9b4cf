/**
 * The part of a webhook that only the server may read: its address, which may hold a token, and its signing secrets. They
 * are encrypted with a key of the install and bound to their webhook, so that a copied row is of no use elsewhere.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { TenantId } from '../../domain/ids.ts';

export interface WebhookSecrets {
  url: string;
  /** As Standard Webhooks writes it: `whsec_` and base64. */
  current: string;
  /** The secret before the last rotation signs too until `until`. */
  previous: { secret: string; until: string } | null;
}

// Standard Webhooks asks for 24 to 64 bytes; SHA-256 gains nothing from more than 32.
const secretBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

export function newSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

const ownerOf = (tenantId: TenantId, webhookId: string): Buffer => Buffer.from(`${tenantId} ${webhookId}`);

export function sealSecrets(
  secrets: WebhookSecrets,
  tenantId: TenantId,
  webhookId: string,
  key: Buffer,
): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(ownerOf(tenantId, webhookId));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(secrets)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Null if the bytes are of another webhook, or were encrypted by an install with another secret. */
export function openSecrets(
  sealed: Buffer,
  tenantId: TenantId,
  webhookId: string,
  key: Buffer,
): WebhookSecrets | null {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(ownerOf(tenantId, webhookId))
    .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  try {
    const content = Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]);
    return JSON.parse(content.toString());
  } catch {
    return null;
  }
}

/** The headers of Standard Webhooks. During a rotation there is a signature by each of the two secrets. */
export function signedHeaders(
  { current, previous }: WebhookSecrets,
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  const secrets = previous !== null && new Date(previous.until) > at ? [current, previous.secret] : [current];
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'merlon-webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
