/**
 * The part of a webhook that only the server may read: its address, which may hold a token, and its signing secrets.
 * They are encrypted with a key of the install and bound to their webhook, so that a copied row is of no use elsewhere.
 */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { InstallSecret } from '../../db/install-secret.ts';
import { seal, unseal } from '../../db/seal.ts';
import type { TenantId, WebhookId } from '../../domain/ids.ts';

export interface WebhookSecrets {
  url: string;
  /** As Standard Webhooks writes it: `whsec_` and base64. Null if the receiver checks no signature. */
  current: string | null;
  /** The secret before the last rotation signs too until `until`. */
  previous: { secret: string; until: string } | null;
}

// Standard Webhooks asks for 24 to 64 bytes; SHA-256 gains nothing from more than 32.
const secretBytes = 32;

export function newSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

const ownerOf = (tenantId: TenantId, webhookId: WebhookId): string => `${tenantId} ${webhookId}`;

export function sealSecrets(
  secrets: WebhookSecrets,
  tenantId: TenantId,
  webhookId: WebhookId,
  install: InstallSecret,
): Buffer {
  return seal(JSON.stringify(secrets), ownerOf(tenantId, webhookId), install.key('webhook'));
}

/** Null if the bytes are of another webhook, or were encrypted by an install with another secret. */
export function openSecrets(
  sealed: Buffer,
  tenantId: TenantId,
  webhookId: WebhookId,
  install: InstallSecret,
): WebhookSecrets | null {
  try {
    return JSON.parse(unseal(sealed, ownerOf(tenantId, webhookId), install.key('webhook')).toString());
  } catch {
    return null;
  }
}

/** The reason why a webhook whose secrets cannot be opened is of no use. */
export const otherInstall =
  'Its address and secret were encrypted with another secret of the install. Delete it and make a new one.';

/**
 * The headers of a request; with a secret also those of Standard Webhooks. During a rotation there is a signature by
 * each of the two secrets.
 */
export function requestHeaders(
  { current, previous }: WebhookSecrets,
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'merlon-webhooks',
  };
  if (current === null) return headers;
  const secrets = previous !== null && new Date(previous.until) > at ? [current, previous.secret] : [current];
  return {
    ...headers,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
