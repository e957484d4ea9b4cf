/** Requests about several vulnerabilities, each with the `status_version` that its sender has read. */
import type { Tx } from '../db/database.ts';
import { formatId, type VulnerabilityId } from '../domain/ids.ts';
import { getVulnerabilityIds } from './vulnerability-ids.ts';

export interface NamedVersion {
  id: string;
  status_version?: string;
}

/**
 * Checks that the vulnerabilities still have the versions that the sender has read. `stale` holds the current versions
 * of those that have not, for the conflict.
 */
export class ExpectedVersions {
  readonly #versions = new Map<VulnerabilityId, string[]>();
  readonly stale: Record<string, string> = {};

  /** The vulnerabilities in the order of the request, each once. */
  get ids(): VulnerabilityId[] {
    return [...this.#versions.keys()];
  }

  /** A request may name a vulnerability twice, also by an id that was merged away. Every version given counts. */
  add(id: VulnerabilityId, version: string | undefined): void {
    const versions = this.#versions.get(id) ?? [];
    this.#versions.set(id, version === undefined ? versions : [...versions, version]);
  }

  /** Notes the vulnerability as stale if its version differs from one given. */
  check(current: { id: VulnerabilityId; status_version: number }): void {
    const version = String(current.status_version);
    if (this.#versions.get(current.id)?.some((given) => given !== version)) {
      this.stale[formatId('vulnerability', current.id)] = version;
    }
  }

  get isStale(): boolean {
    return Object.keys(this.stale).length > 0;
  }
}

/** Throws 404 if the workspace lacks one. */
export async function resolveExpected(tx: Tx, named: NamedVersion[]): Promise<ExpectedVersions> {
  const expected = new ExpectedVersions();
  const found = await getVulnerabilityIds(
    tx,
    named.map(({ id }) => id),
  );
  for (const [i, id] of found.entries()) expected.add(id, named[i]?.status_version);
  return expected;
}
