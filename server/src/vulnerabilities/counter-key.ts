/** The key of the counters of a reference name, in code and in SQL. */
import { hash } from 'node:crypto';
import { uuidOfDigest } from '../domain/ids.ts';

/** The key of a full reference name. People choose these names, so the digest must be one without known collisions. */
export function referenceNameKey(fullRef: string): string {
  return uuidOfDigest(hash('sha256', fullRef, 'hex'));
}

/** SQL of the same key, for rows that are counted in the database. */
export function sqlReferenceNameKey(fullRef: string): string {
  return `encode(substr(sha256(convert_to(${fullRef}, 'UTF8')), 1, 16), 'hex')::uuid`;
}
