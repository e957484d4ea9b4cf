/** The rules of the operator for addresses that admins of workspaces choose: those of webhooks and issue trackers. */
import { type BlockList, isIP } from 'node:net';
import type { Config } from '../../config.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import { invalidInput } from '../../domain/errors.ts';
import { lengthRule } from '../../domain/field-rules.ts';
import { isPlainName } from '../../domain/plain-name.ts';
import { hostOf, isAllowed, type OutboundOptions } from './outbound-request.ts';
import { isPublicAddress, networksOf } from './public-address.ts';

export interface OutboundRules {
  /** Encrypts the secrets of receivers. */
  secret: InstallSecret;
  /** Networks that are reached although they are not public. */
  allowed: BlockList;
  /** False if the operator allows no network that is not public: then addresses must be https. */
  allowsHttp: boolean;
}

export function outboundRules(
  { webhookNetworks }: Pick<Config, 'webhookNetworks'>,
  secret: InstallSecret,
): OutboundRules {
  return { secret, allowed: networksOf(webhookNetworks), allowsHttp: webhookNetworks.length > 0 };
}

/** The options of requests to receivers. */
export function outboundOptionsOf({ webhookNetworks }: Pick<Config, 'webhookNetworks'>): OutboundOptions {
  return { allowed: networksOf(webhookNetworks), usesSystemNames: webhookNetworks.length > 0 };
}

/**
 * Checks an address as far as it can be checked without the network: a name is resolved and checked at each request.
 * The answer of this check must not say what a name resolves to. `example` is shown in the error, and `maxLength` is in
 * characters. Throws DomainError on `url`.
 */
export function checkedAddress(
  text: string,
  { allowed, allowsHttp }: Omit<OutboundRules, 'secret'>,
  { example, maxLength }: { example: string; maxLength: number },
): URL {
  const given = text.trim();
  const url = URL.parse(given);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || !isPlainName(given)) {
    throw invalidInput(`Must be an address such as ${example}.`, 'url');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidInput('Must have no user and no password.', 'url');
  }
  if (url.href.length > maxLength) throw invalidInput(lengthRule(maxLength), 'url');
  if (url.protocol === 'http:' && !allowsHttp) {
    const rule = 'Must begin with https://, so that nobody on the way can read what is sent.' as const;
    throw invalidInput(`${rule} The operator can allow http (MERLON_WEBHOOK_NETWORKS).`, 'url');
  }
  const host = hostOf(url);
  if (isIP(host) !== 0 && !isPublicAddress(host) && !isAllowed(host, allowed)) {
    const rule = `Must be a public address, which ${host} is not.` as const;
    throw invalidInput(`${rule} The operator can allow its network (MERLON_WEBHOOK_NETWORKS).`, 'url');
  }
  return url;
}
