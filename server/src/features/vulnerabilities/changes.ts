/**
 * What a transaction has changed, collected while it works and dealt with at its end by `violations/evaluate/finish.ts`: the
 * differences of the counters behind every list (how many vulnerabilities are in each bucket, by scope), and what
 * policies must be asked about again. The counters are written last, in key order, so that transactions wait for each
 * other briefly and never for ever.
 */
import type { Tx } from '../../db/database.ts';
import { type TargetType, targetTypes } from '../policies/words.ts';

/** Stored numbers of `vulnerability_count.scope`. */
export const counterScopes = {
  tenant: 0,
  repository: 1,
  reference: 2,
  refName: 3,
  defaultBranches: 4,
} as const;

export interface ReferenceBucket {
  referenceId: string;
  fullRef: string;
  onDefault: boolean;
  bucket: number;
}

export class Changes {
  readonly #changes = new Map<string, { scope: number; key: string; bucket: number; n: number }>();
  readonly #vulnerabilities = new Map<string, string>();
  readonly #fresh = new Set<string>();
  readonly #targets = new Map<string, Set<TargetType>>();

  /** Something that a policy may ask of this vulnerability is another now. */
  touch(vulnerabilityId: string, repositoryId: string): void {
    this.#vulnerabilities.set(vulnerabilityId, repositoryId);
  }

  /** It was made in this transaction: nothing is stored of its violations yet. */
  touchNew(vulnerabilityId: string, repositoryId: string): void {
    this.touch(vulnerabilityId, repositoryId);
    this.#fresh.add(vulnerabilityId);
  }

  /** It was merged away: there is nothing to ask any more. */
  forget(vulnerabilityId: string): void {
    this.#vulnerabilities.delete(vulnerabilityId);
  }

  /** All targets of these types in the repository; by default of every type. */
  touchAll(repositoryId: string, types: readonly TargetType[] = targetTypes): void {
    const touched = this.#targets.get(repositoryId) ?? new Set();
    for (const type of types) touched.add(type);
    this.#targets.set(repositoryId, touched);
  }

  /** Vulnerability → repository. */
  get vulnerabilities(): ReadonlyMap<string, string> {
    return this.#vulnerabilities;
  }

  /** Of these vulnerabilities those that are new. */
  get fresh(): ReadonlySet<string> {
    return this.#fresh;
  }

  /** Repository → types of targets, all of which are touched. */
  get targets(): ReadonlyMap<string, ReadonlySet<TargetType>> {
    return this.#targets;
  }

  /** A vulnerability's own bucket; `n` is 1 when it comes, -1 when it goes. */
  addOwn(repositoryId: string, bucket: number, n: 1 | -1): void {
    this.#add(counterScopes.tenant, '', bucket, n);
    this.#add(counterScopes.repository, repositoryId, bucket, n);
  }

  addOnReference({ referenceId, fullRef, onDefault, bucket }: ReferenceBucket, n: 1 | -1): void {
    this.#add(counterScopes.reference, referenceId, bucket, n);
    this.#add(counterScopes.refName, fullRef, bucket, n);
    if (onDefault) this.#add(counterScopes.defaultBranches, '', bucket, n);
  }

  /** The counters' differences: the last statement before the commit. */
  async writeCounters(tx: Tx, tenantId: string): Promise<void> {
    const rows = [...this.#changes.values()].filter((change) => change.n !== 0);
    this.#changes.clear();
    if (rows.length === 0) return;
    await tx.query(
      `insert into vulnerability_count as c (tenant_id, scope, key, bucket, n)
       select $1, d.scope, d.key, d.bucket, d.n
         from json_to_recordset($2::json) as d (scope smallint, key text, bucket smallint, n integer)
        order by d.scope, d.key collate "C", d.bucket
       on conflict (tenant_id, scope, key, bucket) do update set n = c.n + excluded.n`,
      [tenantId, JSON.stringify(rows)],
    );
  }

  #add(scope: number, key: string, bucket: number, n: number): void {
    const id = `${scope} ${key} ${bucket}`;
    const change = this.#changes.get(id);
    if (change) change.n += n;
    else this.#changes.set(id, { scope, key, bucket, n });
  }
}
