/**
 * Evaluation tests changed targets against each policy and updates their stored violations. It is the same after an
 * import, a decision, an exception, a change of a policy, and when the clock makes work due. Each batch of targets of
 * one type takes a fixed number of statements, whatever the number of policies.
 *
 * Evaluation starts with the lock of the repositories (`repository_evaluation`), which a transaction takes after the
 * locks of its vulnerabilities. A later evaluation therefore sees all rows that this one has written.
 */

import type { ChangeTx } from '../../db/database.ts';
import { batches, batchesByWeight } from '../../domain/batches.ts';
import type { MergedVulnerabilities } from '../../domain/change-set.ts';
import type { PolicyId, ReferenceId, RepositoryId, VulnerabilityId } from '../../domain/ids.ts';
import { type TargetId, type TargetType, targetTypes } from '../../domain/policy-enums.ts';
import { type EventClock, holdEventClock } from '../../events/event-clock.ts';
import { ensureAnalyses } from '../analyses.ts';
import { policiesTesting } from '../definition/ages.ts';
import { type MatchRow, matchQuery } from '../definition/compile.ts';
import { clausesOf } from '../definition/condition.ts';
import { factsOfTools } from '../definition/facts.ts';
import type { Policy } from '../definition/policy.ts';
import { listRepositoryScopes } from '../definition/rule-scope-store.ts';
import { nearestRule, type RepositoryScopes } from '../definition/rules.ts';
import { listPolicies } from '../definition/store.ts';
import { endUncovered } from '../exceptions/uncovered.ts';
import {
  listViolationsOfTargets,
  listViolationsOn,
  listWithToolsOnlyThere,
  lockEvaluations,
} from './evaluate-store.ts';
import { moveViolations } from './merged-violations.ts';
import { countActiveReferences } from './scope-store.ts';
import {
  type AppliedRule,
  type Context,
  maxMatchesAtOnce,
  maxRowsAtOnce,
  type PolicyMatches,
  updateViolations,
} from './update-violations.ts';

export interface Evaluation {
  /** Null means all policies. */
  policyIds: PolicyId[] | null;
  /** Vulnerability → repository. */
  vulnerabilities: ReadonlyMap<VulnerabilityId, RepositoryId>;
  /** The vulnerabilities among these whose facts have changed on some references alone, and these references. */
  changedOn?: ReadonlyMap<VulnerabilityId, ReadonlySet<ReferenceId>>;
  /** The vulnerabilities among these that have no stored violations yet. */
  created?: ReadonlySet<VulnerabilityId>;
  /** The vulnerabilities among these that findings under another name have joined. */
  joined?: ReadonlySet<VulnerabilityId>;
  /** The merges into some of these, in their order. */
  merged?: readonly MergedVulnerabilities[];
  /**
   * Repository → types of targets other than vulnerabilities → the only references on which they have changed; null
   * means all.
   */
  targets: ReadonlyMap<RepositoryId, ReadonlyMap<TargetType, ReadonlySet<ReferenceId> | null>>;
  /** The time of the violations. It may be the earlier time of a report. */
  at: Date;
}

/** Writes the violations of these targets, and marks the verdicts of the references on which they have changed. */
export async function evaluate(tx: ChangeTx, evaluation: Evaluation): Promise<void> {
  const repositoryIds = [
    ...new Set([...evaluation.vulnerabilities.values(), ...evaluation.targets.keys()]),
  ].sort();
  if (repositoryIds.length === 0) return;
  // Lock before reading policies: an evaluation after a change of policies waits here, and then sees these writes.
  const lockedAt = await lockEvaluations(tx, repositoryIds);
  // The sweep may have met an age while this evaluation waited, and would not find it again.
  const now = new Date(Math.max(evaluation.at.getTime(), lockedAt.getTime()));
  for (const merged of evaluation.merged ?? []) await moveViolations(tx, merged);
  await endUncovered(tx, [...(evaluation.joined ?? [])]);
  const known = await listPolicies(tx);
  if (!known.some((policy) => policy.revision > 0)) return;
  const policies = known.filter(
    (policy) => evaluation.policyIds === null || evaluation.policyIds.includes(policy.id),
  );
  const scopesByRepository = await listRepositoryScopes(tx, repositoryIds);
  let clock: Promise<EventClock> | null = null;
  const context: Context = {
    tx,
    moment: { at: evaluation.at, now },
    policies,
    applied: appliedIn(scopesByRepository),
    eventClock: () => {
      clock ??= holdEventClock(tx, now);
      return clock;
    },
  };
  await evaluateVulnerabilities(context, evaluation);
  for (const type of targetTypes) {
    if (type === 'vulnerability') continue;
    const [everywhere, onSome]: [RepositoryId[], RepositoryId[]] = [[], []];
    const referenceIds: ReferenceId[] = [];
    for (const [repositoryId, types] of evaluation.targets) {
      const references = types.get(type);
      if (references === undefined) continue;
      (references === null ? everywhere : onSome).push(repositoryId);
      referenceIds.push(...(references ?? []));
    }
    const needsOthers = await evaluateTargets(context, type, onSome, referenceIds);
    await evaluateTargets(context, type, needsOthers ? [...everywhere, ...onSome] : everywhere, null);
  }
}

/** Remembers the nearest rule, so that it is worked out once for each policy and repository. */
function appliedIn(scopesByRepository: Map<RepositoryId, RepositoryScopes>): Context['applied'] {
  const known = new Map<Policy, Map<RepositoryId, AppliedRule | null>>();
  return (policy, repositoryId) => {
    const ofPolicy = known.get(policy) ?? new Map<RepositoryId, AppliedRule | null>();
    known.set(policy, ofPolicy);
    const before = ofPolicy.get(repositoryId);
    if (before !== undefined) return before;
    const scopes = scopesByRepository.get(repositoryId);
    const nearest = scopes && policy.status === 'active' ? nearestRule(policy, scopes) : null;
    const applied = nearest && { mode: nearest.mode, ruleId: nearest.rule?.id ?? null };
    ofPolicy.set(repositoryId, applied);
    return applied;
  };
}

/**
 * Evaluates one batch after the other. A vulnerability that has changed on some references alone is evaluated on these,
 * and again on all if the result says more than whether its violations match there (ADR 116).
 */
async function evaluateVulnerabilities(context: Context, evaluation: Evaluation): Promise<void> {
  const { tx, policies } = context;
  const { vulnerabilities, changedOn } = evaluation;
  const areToolsTested = policiesTesting(policies, factsOfTools).length > 0;
  const [everywhere, onSome]: [VulnerabilityId[], VulnerabilityId[]] = [[], []];
  for (const id of vulnerabilities.keys()) (changedOn?.has(id) ? onSome : everywhere).push(id);
  for (const ids of batches(onSome, maxRowsAtOnce)) {
    const referenceIds = [...new Set(ids.flatMap((id) => [...(changedOn?.get(id) ?? [])]))];
    const withToolsOnlyThere = areToolsTested
      ? await listWithToolsOnlyThere(tx, ids, referenceIds)
      : new Set();
    const shared = ids.filter((id) => !withToolsOnlyThere.has(id));
    const needOthers = await evaluateBatch(context, evaluation, shared, referenceIds);
    everywhere.push(...ids.filter((id) => withToolsOnlyThere.has(id) || needOthers.has(id)));
  }
  if (everywhere.length === 0) return;
  const repositoryOf = repositoryIn(evaluation);
  const active = await countActiveReferences(tx, [...new Set(everywhere.map(repositoryOf))]);
  // A new vulnerability is on the reference of its report alone.
  const matchesOf = (id: VulnerabilityId): number =>
    evaluation.created?.has(id) ? 1 : (active.get(repositoryOf(id)) ?? 1);
  for (const ids of batchesByWeight(everywhere, maxRowsAtOnce, maxMatchesAtOnce, matchesOf)) {
    await evaluateBatch(context, evaluation, ids, null);
  }
}

function repositoryIn({ vulnerabilities }: Evaluation): (id: VulnerabilityId) => RepositoryId {
  return (id) => vulnerabilities.get(id) as RepositoryId;
}

/** Evaluates on these references; null means all. Returns the vulnerabilities that must be evaluated on all instead. */
async function evaluateBatch(
  context: Context,
  evaluation: Evaluation,
  ids: VulnerabilityId[],
  referenceIds: ReferenceId[] | null,
): Promise<Set<TargetId>> {
  if (ids.length === 0) return new Set();
  const { tx } = context;
  const repositoryOf = repositoryIn(evaluation);
  const known = ids.filter((id) => !evaluation.created?.has(id));
  const [matches, stored] = await Promise.all([
    listMatches(context, 'vulnerability', [...new Set(ids.map(repositoryOf))], { ids, referenceIds }),
    listViolationsOfTargets(tx, known.map(repositoryOf), known),
  ]);
  return updateViolations(context, 'vulnerability', matches, stored, referenceIds);
}

/** Evaluates on these references; null means all. Returns true if some targets must be evaluated on all instead. */
async function evaluateTargets(
  context: Context,
  type: TargetType,
  repositoryIds: RepositoryId[],
  referenceIds: ReferenceId[] | null,
): Promise<boolean> {
  const { tx, policies } = context;
  const policyIds = policies.flatMap(({ id, targetType }) => (targetType === type ? id : []));
  if (policyIds.length === 0 || repositoryIds.length === 0) return false;
  if (type === 'analysis') await ensureAnalyses(tx, repositoryIds);
  const matches = await listMatches(context, type, repositoryIds, { ids: [], referenceIds });
  const targets = matches.map(({ row }) => row);
  const stored = await listViolationsOn(tx, type, policyIds, { repositoryIds, referenceIds }, targets);
  const needOthers = await updateViolations(context, type, matches, stored, referenceIds);
  return needOthers.size > 0;
}

/** The matches of targets with the conditions of active policies, in repositories where those policies apply. */
async function listMatches(
  { tx, moment, policies, applied }: Context,
  target: TargetType,
  repositoryIds: RepositoryId[],
  targets: { ids: TargetId[]; referenceIds: ReferenceId[] | null },
): Promise<PolicyMatches[]> {
  const due = policies.filter(
    (policy) =>
      policy.status === 'active' &&
      policy.targetType === target &&
      repositoryIds.some((id) => applied(policy, id) !== null),
  );
  const matches: PolicyMatches[] = [];
  for (const some of batchesByClauses(due)) {
    const { sql, values } = matchQuery({
      tenantId: tx.tenantId,
      repositoryIds,
      target,
      conditions: some.map((policy) => policy.condition),
      ...targets,
      now: moment.now,
    });
    for (const row of await tx.query<MatchRow>(sql, values)) {
      const met = row.met.flatMap((i) => {
        const policy = some[i];
        const there = policy && applied(policy, row.repository_id);
        // A decision that does not override policies counts for all policies except those that block.
        return there && (!row.decided || there.mode === 'block') ? policy : [];
      });
      if (met.length > 0) matches.push({ row, policies: met });
    }
  }
  return matches;
}

// A clause takes one of the 65,535 parameters that PostgreSQL allows; the limit is lower to keep planning cheap.
const maxClausesAtOnce = 5_000;

/** Gives one batch, unless the policies have more than `maxClausesAtOnce` clauses. */
export function batchesByClauses(policies: Policy[]): Iterable<Policy[]> {
  return batchesByWeight(
    policies,
    policies.length,
    maxClausesAtOnce,
    ({ condition }) => clausesOf(condition).length,
  );
}
