/**
 * What a transaction has changed, collected while it works and dealt with at its end by `violations/evaluate/finish.ts`: the
 * differences of the counters behind every list (how many vulnerabilities are in each bucket, by scope), what became of
 * vulnerabilities on which day, and what policies must be asked about again. Counters and days are written last, in key
 * order, so that transactions wait for each other briefly and never for ever.
 */
import type { Tx } from '../../db/database.ts';
import { type TargetType, targetTypes } from '../policies/words.ts';
import { severityRank, unpackBucket } from './bucket.ts';

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

/** A vulnerability's own bucket, before and after. */
interface OwnMove {
  repositoryId: string;
  /** Null: it comes. */
  from: number | null;
  /** Null: it goes, merged into another. */
  to: number | null;
  /** When it became so: the scan's time, or that of what a person or the clock did. */
  at: Date;
  /** Since when it was vulnerable. */
  vulnerableAt: Date;
}

/** The columns of `vulnerability_day` beside its key. */
const nothing = { introduced: 0, opened: 0, closed: 0, fixed: 0, fix_seconds: 0 };
type Day = typeof nothing & { scope: number; key: string; day: string; severity: number };

export class Changes {
  readonly #changes = new Map<string, { scope: number; key: string; bucket: number; n: number }>();
  readonly #days = new Map<string, Day>();
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

  /** A vulnerability that nobody knew, seen at that time. */
  addNew(repositoryId: string, bucket: number, at: Date): void {
    this.#addDay(repositoryId, bucket, at, { introduced: 1 });
    this.moveOwn({ repositoryId, from: null, to: bucket, at, vulnerableAt: at });
  }

  moveOwn({ repositoryId, from, to, at, vulnerableAt }: OwnMove): void {
    if (from !== null) this.#addOwn(repositoryId, from, -1);
    if (to !== null) this.#addOwn(repositoryId, to, 1);
    const wasOpen = from !== null && isOpen(from);
    const isOpenNow = to !== null && isOpen(to);
    if (wasOpen && isOpenNow && severityRank(from) === severityRank(to)) return;
    if (wasOpen) {
      const isFixed = to !== null && unpackBucket(to).status === 'fixed';
      const seconds = Math.max(0, Math.round((at.getTime() - vulnerableAt.getTime()) / 1000));
      this.#addDay(repositoryId, from, at, {
        closed: 1,
        ...(isFixed ? { fixed: 1, fix_seconds: seconds } : {}),
      });
    }
    if (isOpenNow) this.#addDay(repositoryId, to, at, { opened: 1 });
  }

  addOnReference({ referenceId, fullRef, onDefault, bucket }: ReferenceBucket, n: 1 | -1): void {
    this.#add(counterScopes.reference, referenceId, bucket, n);
    this.#add(counterScopes.refName, fullRef, bucket, n);
    if (onDefault) this.#add(counterScopes.defaultBranches, '', bucket, n);
  }

  /** The differences of counters and days: the last statements before the commit. */
  async writeCounters(tx: Tx, tenantId: string): Promise<void> {
    const counters = [...this.#changes.values()].filter((change) => change.n !== 0);
    const days = [...this.#days.values()];
    this.#changes.clear();
    this.#days.clear();
    await Promise.all([writeDifferences(tx, tenantId, counters), writeDays(tx, tenantId, days)]);
  }

  #addOwn(repositoryId: string, bucket: number, n: 1 | -1): void {
    this.#add(counterScopes.tenant, '', bucket, n);
    this.#add(counterScopes.repository, repositoryId, bucket, n);
  }

  #add(scope: number, key: string, bucket: number, n: number): void {
    const id = `${scope} ${key} ${bucket}`;
    const change = this.#changes.get(id);
    if (change) change.n += n;
    else this.#changes.set(id, { scope, key, bucket, n });
  }

  #addDay(repositoryId: string, bucket: number, at: Date, what: Partial<typeof nothing>): void {
    const day = at.toISOString().slice(0, 10);
    const severity = severityRank(bucket);
    for (const [scope, key] of [
      [counterScopes.tenant, ''],
      [counterScopes.repository, repositoryId],
    ] as const) {
      const id = `${scope} ${key} ${day} ${severity}`;
      const row = this.#days.get(id) ?? { ...nothing, scope, key, day, severity };
      for (const [column, n] of Object.entries(what)) row[column as keyof typeof nothing] += n;
      this.#days.set(id, row);
    }
  }
}

function isOpen(bucket: number): boolean {
  return unpackBucket(bucket).status === 'open';
}

async function writeDifferences(tx: Tx, tenantId: string, rows: object[]): Promise<void> {
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

async function writeDays(tx: Tx, tenantId: string, rows: Day[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `insert into vulnerability_day as t (tenant_id, scope, key, day, severity, introduced, opened, closed, fixed,
            fix_seconds)
     select $1, d.scope, d.key, d.day, d.severity, d.introduced, d.opened, d.closed, d.fixed, d.fix_seconds
       from json_to_recordset($2::json) as d (scope smallint, key text, day date, severity smallint,
            introduced integer, opened integer, closed integer, fixed integer, fix_seconds bigint)
      order by d.scope, d.key collate "C", d.day, d.severity
     on conflict (tenant_id, scope, key, day, severity) do update set introduced = t.introduced + excluded.introduced,
       opened = t.opened + excluded.opened, closed = t.closed + excluded.closed, fixed = t.fixed + excluded.fixed,
       fix_seconds = t.fix_seconds + excluded.fix_seconds`,
    [tenantId, JSON.stringify(rows)],
  );
}
