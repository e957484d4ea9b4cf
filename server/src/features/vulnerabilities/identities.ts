/** Identities of vulnerabilities beside those that reports give: digests, hex of 32 bytes. */
import { createHash } from 'node:crypto';

/** Of a vulnerability that is known by its places alone. */
export function ownIdentity(vulnerabilityId: string): string {
  return `${vulnerabilityId.replaceAll('-', '')}${'0'.repeat(32)}`;
}

/** Under which a person's split keeps the findings of one file apart from the vulnerability they were part of. */
export function pinnedIdentity(identity: string, path: string): string {
  // The identity has a fixed length: what follows it is the path.
  return createHash('sha256').update(`pinned ${identity} ${path}`).digest('hex');
}
