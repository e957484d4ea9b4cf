/**
 * Owns the place of a finding on a running site: the address without what changes from request to request.
 * Must never contact it.
 */
import { normalisePath } from './paths.ts';
import { redact } from './redact.ts';

const maxAddress = 4096;

/**
 * Scheme, host and path, without user, query, fragment and the session's id in the path; `host:port` and what
 * else is no web address as it stands. Percent-encoding stays, for it may be the attack.
 */
export function webPlace(address: string): string | null {
  const text = address.trim().slice(0, maxAddress).toWellFormed();
  if (/^(?:https?|wss?):\/\//i.test(text) && URL.canParse(text)) {
    const url = new URL(text);
    // `/shop;jsessionid=1A2B/cart`
    const path = url.pathname.replace(/;[A-Za-z_-]{1,40}=[^/;]*/g, '');
    return redact(`${url.protocol}//${url.host}${path}`);
  }
  const plain = normalisePath(text.replace(/[?#].*$/s, ''));
  return plain === null ? null : redact(plain);
}

/** Web addresses out of running text or markup, in order; a sign that ends a sentence is no part of one. */
export function addressesIn(text: string): string[] {
  const found = text.slice(0, 65_536).matchAll(/(?<![a-z])https?:\/\/[^\s<>"'`|)\]]+/gi);
  return Array.from(found, ([address]) => address.replace(/[.,;:]+$/, ''));
}
