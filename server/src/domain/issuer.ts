/** Issuers of OpenID Connect providers. All code compares and stores them in this one form. */

export const issuerForm = 'a URL starting with https: or http:, without query and fragment';

/**
 * Returns the issuer without a final slash, or undefined if the text is no issuer. OpenID Connect Core 1.0 requires a
 * URL without query and fragment, so a "#" can separate a stored issuer from the subject after it.
 */
export function parseIssuer(text: unknown): string | undefined {
  if (typeof text !== 'string' || /[?#\s]/.test(text)) return undefined;
  const url = URL.parse(text);
  return url && ['https:', 'http:'].includes(url.protocol) ? text.replace(/\/$/, '') : undefined;
}
