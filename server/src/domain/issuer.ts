/** Issuers of OpenID Connect providers, in the one form in which they are compared and stored. */

export const issuerRule = 'must be a URL starting with https: or http:, without query and fragment';

/**
 * Without the slash at its end. Undefined for what is no issuer: OpenID Connect Core 1.0 wants a URL without query and
 * fragment, so that a "#" can end it where it is stored before a subject.
 */
export function parseIssuer(text: unknown): string | undefined {
  if (typeof text !== 'string' || /[?#\s]/.test(text)) return undefined;
  const url = URL.parse(text);
  return url && ['https:', 'http:'].includes(url.protocol) ? text.replace(/\/$/, '') : undefined;
}
