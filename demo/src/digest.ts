/**
 * All random-looking values of the demo: digests of a seed and of names.
 *
 * The same parts give the same value on every machine and in every order of calls. There is no state, and no other code
 * of the demo may use a clock or a random source.
 */
import { createHash } from 'node:crypto';

export type DigestPart = string | number;

/** 40 hex digits, like a commit. */
export function commitSha(...parts: readonly DigestPart[]): string {
  return createHash('sha1').update(parts.join('\n')).digest('hex');
}

/** 64 hex digits, like an image digest. */
export function imageDigest(...parts: readonly DigestPart[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

/** 128 hex digits, like Semgrep's fingerprints. */
export function longDigest(...parts: readonly DigestPart[]): string {
  return createHash('blake2b512').update(parts.join('\n')).digest('hex');
}

/** A whole number from 0 up to, not including, `limit`. */
export function pickNumber(limit: number, ...parts: readonly DigestPart[]): number {
  return createHash('sha1').update(parts.join('\n')).digest().readUInt32BE(0) % limit;
}
