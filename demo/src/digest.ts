/**
 * Everything in the demo that looks random: digests of a seed and of names.
 *
 * The same parts give the same value on every machine and in every order of calls; there is no state, and no
 * clock or random source may be used beside it.
 */
import { createHash } from 'node:crypto';

export type DigestPart = string | number;

/** 40 hex digits, as of a commit. */
export function commitSha(...parts: readonly DigestPart[]): string {
  return createHash('sha1').update(parts.join('\n')).digest('hex');
}

/** 64 hex digits, as of an image. */
export function imageDigest(...parts: readonly DigestPart[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

/** 128 hex digits, as Semgrep's fingerprints are. */
export function longDigest(...parts: readonly DigestPart[]): string {
  return createHash('blake2b512').update(parts.join('\n')).digest('hex');
}

/** A whole number from 0 to below `limit`. */
export function pickNumber(limit: number, ...parts: readonly DigestPart[]): number {
  return createHash('sha1').update(parts.join('\n')).digest().readUInt32BE(0) % limit;
}
