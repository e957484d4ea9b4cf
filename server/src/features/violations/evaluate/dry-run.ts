/**
 * What a policy would do, without doing it: repository by repository, reading only. Bounded in time for who waits for an
 * answer; then it says how far it came.
 */
import { type Database, tenantReadTx } from '../../../db/database.ts';
import { planPolicies } from '../../policies/apply.ts';
import { type MatchRow, matchQuery } from '../../policies/compile.ts';
import type { Condition } from '../../policies/condition.ts';
import type { PolicyInput } from '../../policies/document.ts';
import { listRepositoryIds } from '../../policies/progress.ts';
import { listPlaces, nearestRule } from '../../policies/rules.ts';
import type { TargetType } from '../../policies/words.ts';
import { listUndecided } from './scope-store.ts';

export interface DryRun {
  /** Targets that would be violations. */
  matches: number;
  repositories: number;
  /** References whose verdict would be block by this policy alone, before anything is compared with a base. */
  blocked_references: number;
  /** All repositories were asked. */
  complete: boolean;
}

const pageSize = 100;
const batchSize = 10_000;

/** As if it were active. Throws InvalidPolicies. */
export async function dryRunPolicy(
  db: Database,
  tenantId: string,
  input: PolicyInput,
  limitMs: number,
  place?: (i: number) => string,
): Promise<DryRun> {
  const until = Date.now() + limitMs;
  const result: DryRun = { matches: 0, repositories: 0, blocked_references: 0, complete: true };
  const [planned] = await tenantReadTx(db, tenantId, (tx) => planPolicies(tx, tenantId, [input], place));
  if (!planned) return result;
  const { values, rules } = planned;
  for (let afterId: string | null = null; ; ) {
    const after: string | null = afterId;
    const { page, places } = await tenantReadTx(db, tenantId, async (tx) => {
      const ids = await listRepositoryIds(tx, tenantId, after, pageSize);
      return { page: ids, places: await listPlaces(tx, tenantId, ids) };
    });
    for (const repositoryId of page) {
      if (Date.now() > until) return { ...result, complete: false };
      const there = places.get(repositoryId);
      const applied = there ? nearestRule({ rules, enforcementMode: values.enforcementMode }, there) : null;
      if (!applied) continue;
      const blocks = applied.mode === 'block';
      const met = await listMatches(db, tenantId, repositoryId, values);
      const rows = met.filter((row) => blocks || !row.decided);
      if (rows.length === 0) continue;
      result.repositories++;
      result.matches += new Set(rows.map((row) => row.target_id)).size;
      if (blocks) result.blocked_references += new Set(rows.map((row) => row.reference_id)).size;
    }
    if (page.length < pageSize) return result;
    afterId = page.at(-1) ?? null;
  }
}

async function listMatches(
  db: Database,
  tenantId: string,
  repositoryId: string,
  { targetType, condition }: { targetType: TargetType; condition: Condition },
): Promise<MatchRow[]> {
  return tenantReadTx(db, tenantId, async (tx) => {
    const all = targetType === 'vulnerability' ? await listUndecided(tx, tenantId, repositoryId) : [];
    const rows: MatchRow[] = [];
    for (let start = 0; start === 0 || start < all.length; start += batchSize) {
      const { sql, values } = matchQuery({
        tenantId,
        repositoryIds: [repositoryId],
        target: targetType,
        conditions: [condition],
        ids: all.slice(start, start + batchSize),
        now: new Date(),
      });
      for (const row of await tx.query<MatchRow>(sql, values)) rows.push(row);
    }
    return rows;
  });
}
