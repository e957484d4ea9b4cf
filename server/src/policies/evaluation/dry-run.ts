/**
 * A dry run counts the effects of a policy, repository by repository, and lists some of them. It only inserts the
 * missing rows of analyses, which any evaluation of such a policy inserts (`ensureAnalyses`). It has a time limit,
 * because a person waits for the answer, which says how far it came. Dry runs have their own connections, and a
 * workspace has at most one of them at a time.
 */

import { senderGone } from '../../db/connection-share.ts';
import { type Database, dryRunTx, type Tx, tenantReadTx, tenantTx } from '../../db/database.ts';
import { queryCanceled } from '../../db/error-codes.ts';
import type { ReferenceId, RepositoryId, TenantId } from '../../domain/ids.ts';
import type { TargetId, TargetType } from '../../domain/policy-enums.ts';
import { ensureAnalyses } from '../analyses.ts';
import { planPolicies } from '../definition/apply.ts';
import { type MatchRow, matchQuery } from '../definition/compile.ts';
import type { Condition } from '../definition/condition.ts';
import type { PolicyInput } from '../definition/document.ts';
import { listRepositorySizes } from '../definition/progress-store.ts';
import { listRepositoryScopes } from '../definition/rule-scope-store.ts';
import { nearestRule } from '../definition/rules.ts';
import { listUndecided } from './scope-store.ts';

export interface DryRun {
  /** Targets that would be violations. */
  matches: number;
  repositories: number;
  /** References that this policy alone would block, before any comparison with a base. */
  blocked_references: number;
  /** True if the run has evaluated all repositories. */
  complete: boolean;
  /** The first matches, in the order of the repositories. */
  found: FoundMatch[];
}

export interface FoundMatch {
  targetId: TargetId;
  repositoryId: RepositoryId;
  /** The default branch if it matches there. It is the id of the repository if the match has no reference. */
  referenceId: ReferenceId;
  blocks: boolean;
}

const pageSize = 100;
const batchSize = 10_000;
// PostgreSQL accepts no longer timeout. The operator's dry run has no limit, so it gets this one.
const longestTimeoutMs = 2 ** 31 - 1;

interface DryRunOptions {
  limitMs: number;
  /** Maximum number of matches to list. */
  listed: number;
  path?: (i: number) => string;
}

/** Evaluates the policy as if it were active, within `limitMs`. Throws DomainError with all mistakes. */
export async function dryRunPolicy(
  db: Database,
  tenantId: TenantId,
  input: PolicyInput,
  { limitMs, listed, path }: DryRunOptions,
): Promise<DryRun> {
  const until = Date.now() + limitMs;
  const isOver = senderGone();
  const result: DryRun = { matches: 0, repositories: 0, blocked_references: 0, complete: true, found: [] };
  const [planned] = await tenantReadTx(db, tenantId, (tx) => planPolicies(tx, [input], path));
  if (!planned) return result;
  const { values, rules } = planned;
  try {
    await addRepositories();
  } catch (error) {
    // The time limit ended a running statement, so the answer holds the counts up to that moment.
    if ((error as { code?: string }).code !== queryCanceled) throw error;
    result.complete = false;
  }
  return result;

  function read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return dryRunTx(db, tenantId, Math.min(until - Date.now(), longestTimeoutMs), work);
  }

  async function addRepositories(): Promise<void> {
    for (let afterId: RepositoryId | null = null; ; ) {
      const after: RepositoryId | null = afterId;
      const { page, scopesByRepository } = await read(async (tx) => {
        const repositories = await listRepositorySizes(tx, after, pageSize);
        const ids: RepositoryId[] = repositories.map((row) => row.id);
        return { page: ids, scopesByRepository: await listRepositoryScopes(tx, ids) };
      });
      // Without an active policy nobody has needed these rows yet.
      if (values.targetType === 'analysis') await tenantTx(db, tenantId, (tx) => ensureAnalyses(tx, page));
      for (const repositoryId of page) {
        if (Date.now() > until || isOver()) {
          result.complete = false;
          return;
        }
        const there = scopesByRepository.get(repositoryId);
        const applied = there ? nearestRule({ rules, enforcementMode: values.enforcementMode }, there) : null;
        if (applied) {
          const met = await read((tx) => listMatches(tx, repositoryId, values));
          addMatches(result, met, applied.mode === 'block', listed);
        }
      }
      if (page.length < pageSize) return;
      afterId = page.at(-1) ?? null;
    }
  }
}

function addMatches(result: DryRun, met: MatchRow[], blocks: boolean, listed: number): void {
  const rows = met.filter((row) => blocks || !row.decided);
  if (rows.length === 0) return;
  const byTarget = new Map<string, MatchRow>();
  for (const row of rows)
    if (row.is_default || !byTarget.has(row.target_id)) byTarget.set(row.target_id, row);
  result.repositories++;
  result.matches += byTarget.size;
  for (const row of [...byTarget.values()].slice(0, listed - result.found.length)) {
    const { target_id: targetId, repository_id: repositoryId, reference_id: referenceId } = row;
    result.found.push({ targetId, repositoryId, referenceId, blocks });
  }
  if (blocks) result.blocked_references += new Set(rows.map((row) => row.reference_id)).size;
}

async function listMatches(
  tx: Tx,
  repositoryId: RepositoryId,
  { targetType, condition }: { targetType: TargetType; condition: Condition },
): Promise<MatchRow[]> {
  const all = targetType === 'vulnerability' ? await listUndecided(tx, [repositoryId]) : [];
  const rows: MatchRow[] = [];
  for (let start = 0; start === 0 || start < all.length; start += batchSize) {
    const { sql, values } = matchQuery({
      tenantId: tx.tenantId,
      repositoryIds: [repositoryId],
      target: targetType,
      conditions: [condition],
      ids: all.slice(start, start + batchSize).map((row) => row.id),
      now: new Date(),
    });
    for (const row of await tx.query<MatchRow>(sql, values)) rows.push(row);
  }
  return rows;
}
