/**
 * The location of a finding on a running site: the address without the parts that change with each request. It must
 * never contact the site.
 */
import { maxPathLength } from './limits.ts';
import { normalisePath } from './paths.ts';
import { redact } from './redact.ts';

/**
 * Gives scheme, host and path, without user, query, fragment and the session's id in the path. `host:port` and anything
 * else that is no web address stays as it is. Percent-encoding stays, because it may be the attack.
 */
export function webLocation(address: string): string | null {
  const text = address.trim().slice(0, maxPathLength).toWellFormed();
  if (/^(?:https?|wss?):\/\//i.test(text) && URL.canParse(text)) {
    const url = new URL(text);
    // A name of dots is no host, and would be read as the parent of a path.
    if (/^\.+$/.test(url.hostname)) return plainLocation(url.pathname);
    // `/shop;jsessionid=1A2B/cart`
    const path = url.pathname.replace(/;[A-Za-z_-]{1,40}=[^/;]*/g, '');
    return bounded(`${url.protocol}//${url.host}${path}`);
  }
  return plainLocation(text.replace(/[?#].*$/s, ''));
}

function plainLocation(text: string): string | null {
  const plain = normalisePath(text);
  return plain === null ? null : bounded(plain);
}

// Percent-encoding makes an address up to nine times as long.
function bounded(location: string): string {
  return redact(location).slice(0, maxPathLength).toWellFormed();
}

/** Returns the web addresses of running text or markup, in order. A sign that ends a sentence is not included. */
export function addressesIn(text: string): string[] {
  const found = text.slice(0, 65_536).matchAll(/(?<![a-z])https?:\/\/[^\s<>"'`|)\]]+/gi);
  return Array.from(found, ([address]) => address.replace(/[.,;:]+$/, ''));
}
