/**
 * Evaluation tests changed targets against each policy and updates their stored violations. It is the same after an
 * import, a decision, an exception, a change of a policy, and when the clock makes work due. Each batch of targets of
 * one type takes a fixed number of statements, whatever the number of policies.
 *
 * Evaluation starts with the lock of the repositories (`repository_evaluation`), which a transaction takes after the locks
 * of its vulnerabilities. A later evaluation therefore sees all rows that this one has written.
 */

import type { ChangeTx } from '../../db/database.ts';
import { batches, batchesByWeight } from '../../domain/batches.ts';
import type { MergedVulnerabilities } from '../../domain/change-set.ts';
import {
  newId,
  nilId,
  type PolicyId,
  type ReferenceId,
  type RepositoryId,
  type VulnerabilityId,
} from '../../domain/ids.ts';
import { severities } from '../../domain/packed-state.ts';
import { type PolicyMode, type TargetId, type TargetType, targetTypes } from '../../domain/policy-enums.ts';
import { isUnresolved, packViolation, unpackViolation } from '../../domain/violation-state.ts';
import { holdEventClock } from '../../events/event-clock.ts';
import { ensureAnalyses } from '../analyses.ts';
import { type MatchRow, matchQuery } from '../definition/compile.ts';
import { clausesOf } from '../definition/condition.ts';
import type { Policy } from '../definition/policy.ts';
import { listRepositoryScopes } from '../definition/rule-scope-store.ts';
import { nearestRule, type RepositoryScopes } from '../definition/rules.ts';
import { slaSeconds } from '../definition/sla.ts';
import { listPolicies } from '../definition/store.ts';
import { endUncovered } from '../exceptions/uncovered.ts';
import { type ChangedViolation, noteViolationEvents } from '../violation-events.ts';
import {
  type ListedState,
  listedOf,
  listMatchesOfViolations,
  listStoredExceptions,
  listViolationsOfPolicies,
  listViolationsOfTargets,
  lockEvaluations,
  packedStateOf,
  type StoredException,
  type StoredViolation,
  type StoredViolationReference,
  type WrittenMatch,
  writeMatches,
  writeViolations,
} from './evaluate-store.ts';
import { isSameListed, withFirstDue } from './first-due.ts';
import { type Match, nextState, type Terms, type ViolationState } from './lifecycle.ts';
import { moveViolations } from './merged-violations.ts';

export interface Evaluation {
  /** Null means all policies. */
  policyIds: PolicyId[] | null;
  /** Vulnerability → repository. */
  vulnerabilities: ReadonlyMap<VulnerabilityId, RepositoryId>;
  /** The vulnerabilities among these that have no stored violations yet. */
  created?: ReadonlySet<VulnerabilityId>;
  /** The vulnerabilities among these that findings under another name have joined. */
  joined?: ReadonlySet<VulnerabilityId>;
  /** The merges into some of these, in their order. */
  merged?: readonly MergedVulnerabilities[];
  /** Repository → types of targets other than vulnerabilities. */
  targets: ReadonlyMap<RepositoryId, ReadonlySet<TargetType>>;
  at: Date;
  /** The current time, by which ages are measured. `at` may be the earlier time of a report. */
  now: Date;
}

// Statements of this many rows take longer than their round trips, and need few megabytes.
const batchSize = 4_000;

/** Writes the violations of these targets, and marks the verdicts of the references on which they have changed. */
export async function evaluate(tx: ChangeTx, evaluation: Evaluation): Promise<void> {
  const repositoryIds = [
    ...new Set([...evaluation.vulnerabilities.values(), ...evaluation.targets.keys()]),
  ].sort();
  if (repositoryIds.length === 0) return;
  // Lock before reading policies: an evaluation after a change of policies waits here, and then sees these writes.
  await lockEvaluations(tx, repositoryIds);
  for (const merged of evaluation.merged ?? []) await moveViolations(tx, merged);
  await endUncovered(tx, [...(evaluation.joined ?? [])]);
  const known = await listPolicies(tx);
  if (!known.some((policy) => policy.revision > 0)) return;
  const policies = known.filter(
    (policy) => evaluation.policyIds === null || evaluation.policyIds.includes(policy.id),
  );
  const scopesByRepository = await listRepositoryScopes(tx, repositoryIds);
  const context: Context = {
    tx,
    evaluation,
    policies,
    applied: appliedIn(scopesByRepository),
    eventClock: null,
  };
  await evaluateVulnerabilities(context);
  for (const type of targetTypes) {
    if (type === 'vulnerability') continue;
    const targetIds = [...evaluation.targets].flatMap(([id, types]) => (types.has(type) ? [id] : []));
    if (targetIds.length > 0) await evaluateTargets(context, type, targetIds);
  }
}

/** Remembers the nearest rule, so that it is worked out once for each policy and repository. */
function appliedIn(scopesByRepository: Map<RepositoryId, RepositoryScopes>): Context['applied'] {
  const known = new Map<Policy, Map<RepositoryId, Applied | null>>();
  return (policy, repositoryId) => {
    const ofPolicy = known.get(policy) ?? new Map<RepositoryId, Applied | null>();
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

interface Applied {
  mode: PolicyMode;
  ruleId: string | null;
}

interface Context {
  tx: ChangeTx;
  evaluation: Evaluation;
  policies: Policy[];
  /** Null means that the policy does not apply in the repository. */
  applied: (policy: Policy, repositoryId: RepositoryId) => Applied | null;
  /** The time of the event clock, once a batch has needed it. */
  eventClock: Promise<Date> | null;
}

/** Evaluates one batch after the other, in the order of their ids. */
async function evaluateVulnerabilities(context: Context): Promise<void> {
  const { tx, evaluation } = context;
  const repositoryOf = (id: VulnerabilityId): RepositoryId =>
    evaluation.vulnerabilities.get(id) as RepositoryId;
  for (const ids of batches([...evaluation.vulnerabilities.keys()], batchSize)) {
    const known = ids.filter((id) => !evaluation.created?.has(id));
    const [matches, stored] = await Promise.all([
      listMatches(context, 'vulnerability', [...new Set(ids.map(repositoryOf))], ids),
      listViolationsOfTargets(tx, known.map(repositoryOf), known),
    ]);
    await updateViolations(context, 'vulnerability', matches, stored);
  }
}

async function evaluateTargets(
  context: Context,
  type: TargetType,
  repositoryIds: RepositoryId[],
): Promise<void> {
  const { tx, policies } = context;
  const ofType = policies.filter((policy) => policy.targetType === type);
  if (ofType.length === 0) return;
  if (type === 'analysis') await ensureAnalyses(tx, repositoryIds);
  const matches = await listMatches(context, type, repositoryIds, []);
  const stored = await listViolationsOfPolicies(
    tx,
    repositoryIds,
    ofType.map((policy) => policy.id),
  );
  await updateViolations(context, type, matches, stored);
}

/** A row with the policies whose conditions it meets. */
interface PolicyMatches {
  row: MatchRow;
  policies: Policy[];
}

/** The matches of targets with the conditions of active policies, in repositories where those policies apply. */
async function listMatches(
  { tx, evaluation, policies, applied }: Context,
  target: TargetType,
  repositoryIds: RepositoryId[],
  ids: TargetId[],
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
      ids,
      now: evaluation.now,
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

interface Group {
  repositoryId: RepositoryId;
  targetId: TargetId;
  policy: Policy;
  stored: StoredViolation | null;
  rows: MatchRow[];
}

async function updateViolations(
  context: Context,
  targetType: TargetType,
  matches: PolicyMatches[],
  stored: StoredViolation[],
): Promise<void> {
  const { tx, evaluation } = context;
  const groups = groupsOf(context, matches, stored);
  if (groups.length === 0) return;
  const known = groups.flatMap((group) => (group.stored ? [group.stored.id] : []));
  const [before, exceptions] = await Promise.all([
    listMatchesOfViolations(tx, known),
    listStoredExceptions(tx, known, [...new Set(groups.map((group) => group.repositoryId))]),
  ]);
  const exceptionsBySubject = groupBySubject(exceptions);
  const violations: ChangedViolation[] = [];
  const evaluated: ChangedViolation[] = [];
  const references: Record<'created' | 'known', WrittenMatch[]> = { created: [], known: [] };
  for (const group of groups) {
    const outcome = evaluateGroup(
      context,
      targetType,
      group,
      before.get(group.stored?.id ?? nilId) ?? [],
      exceptionsBySubject,
    );
    if (!outcome) continue;
    const violation = { before: group.stored, after: outcome.violation };
    evaluated.push(violation);
    if (outcome.isChanged) violations.push(violation);
    if (group.stored && outcome.terms) countResolution(tx, group.stored, outcome.violation);
    references[group.stored ? 'known' : 'created'].push(...outcome.references);
    tx.changes.markVerdicts(outcome.references.map((row) => row.reference_id));
  }
  await noteViolationEvents(tx, violations, evaluation, () => {
    context.eventClock ??= holdEventClock(tx, evaluation.now);
    return context.eventClock;
  });
  const written = writtenOf(evaluated, new Set(violations), matches, stored);
  // The writes are not awaited one by one, so that the next batch is serialized while the database works on the last.
  const writes: Promise<void>[] = [];
  for (const isNew of [true, false]) {
    const rows = written.filter(({ before: was }) => (was === null) === isNew).map(({ after }) => after);
    const matched = references[isNew ? 'created' : 'known'];
    for (const some of batches(rows, batchSize)) writes.push(writeViolations(tx, some, isNew));
    for (const some of batches(matched, batchSize)) writes.push(writeMatches(tx, some, isNew));
  }
  await Promise.all(writes);
}

/** The changed violations, and those that hold another vulnerability than before, also of policies that are not evaluated. */
function writtenOf(
  evaluated: ChangedViolation[],
  changed: ReadonlySet<ChangedViolation>,
  matches: PolicyMatches[],
  stored: StoredViolation[],
): ChangedViolation[] {
  const known = new Set(evaluated.map(({ after }) => after.id));
  const others = stored.filter(({ id }) => !known.has(id)).map((row) => ({ before: row, after: row }));
  const all = [...evaluated, ...others];
  const current = new Map<TargetId, ListedState>();
  for (const { row } of matches) {
    const listed = current.has(row.target_id) ? null : listedOf(row);
    if (listed !== null) current.set(row.target_id, listed);
  }
  const listed = withFirstDue(
    all.map(({ after }) => after),
    current,
  );
  return all.flatMap((violation, at) => {
    const { before } = violation;
    const after = listed[at] ?? violation.after;
    const isWritten = changed.has(violation) || !isSameListed(before?.listed ?? null, after.listed);
    return isWritten ? { before, after } : [];
  });
}

function groupsOf({ policies }: Context, matches: PolicyMatches[], stored: StoredViolation[]): Group[] {
  const byId = new Map(policies.map((policy) => [policy.id, policy]));
  const groups: Group[] = [];
  /** Repository and target → policy → group. */
  const known = new Map<string, Map<PolicyId, Group>>();
  const ofTarget = (repositoryId: RepositoryId, targetId: TargetId): Map<PolicyId, Group> => {
    const key = `${repositoryId} ${targetId}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = new Map<PolicyId, Group>();
    known.set(key, made);
    return made;
  };
  const add = (there: Map<PolicyId, Group>, group: Group): void => {
    there.set(group.policy.id, group);
    groups.push(group);
  };
  for (const row of stored) {
    const policy = byId.get(row.policyId);
    // The stored violation belongs to a policy that is not evaluated now.
    if (!policy) continue;
    const { repositoryId, targetId } = row;
    add(ofTarget(repositoryId, targetId), { repositoryId, targetId, policy, stored: row, rows: [] });
  }
  for (const { row, policies: met } of matches) {
    const { repository_id: repositoryId, target_id: targetId } = row;
    const there = ofTarget(repositoryId, targetId);
    for (const policy of met) {
      const group = there.get(policy.id);
      if (group) group.rows.push(row);
      else add(there, { repositoryId, targetId, policy, stored: null, rows: [row] });
    }
  }
  return groups;
}

function evaluateGroup(
  { evaluation, applied }: Context,
  targetType: TargetType,
  { repositoryId, targetId, policy, stored, rows }: Group,
  before: StoredViolationReference[],
  exceptions: ExceptionsBySubject,
): {
  violation: StoredViolation;
  terms: Terms | null;
  isChanged: boolean;
  references: WrittenMatch[];
} | null {
  const { at } = evaluation;
  const live = new Map(before.filter((row) => row.clearedAt === null).map((row) => [row.referenceId, row]));
  const matches = rows.map(
    (row): Match => ({
      referenceId: row.reference_id,
      tracked: row.tracked,
      isDefault: row.is_default,
      matchedAt: live.get(row.reference_id)?.matchedAt ?? at,
    }),
  );
  const terms = termsOf(
    policy,
    applied(policy, repositoryId),
    rows,
    exceptionsOf(exceptions, stored, policy, repositoryId),
  );
  const next = nextState(stored, matches, terms, evaluation);
  if (next === null) return null;
  const id = stored?.id ?? newId<'violation'>();
  const listed = stored?.listed ?? null;
  const violation: StoredViolation = {
    ...next,
    id,
    repositoryId,
    policyId: policy.id,
    targetType,
    targetId,
    listed,
  };
  const references = referencesOf(violation, next.status === 'resolved' ? [] : matches, before, at);
  return { violation, terms, isChanged: stored === null || differs(stored, next), references };
}

/** The changed rows of the references on which the violation matches, and of those on which it no longer does. */
function referencesOf(
  violation: StoredViolation,
  matches: Match[],
  before: StoredViolationReference[],
  at: Date,
): WrittenMatch[] {
  const packedState = packedStateOf(violation);
  const cleared = packViolation({ ...unpackViolation(packedState), status: 'resolved', snoozed: false });
  const rowOf = (referenceId: ReferenceId, matchedAt: Date, clearedAt: Date | null): WrittenMatch => ({
    violation_id: violation.id,
    reference_id: referenceId,
    policy_id: violation.policyId,
    packed_state: clearedAt === null ? packedState : cleared,
    due_at: violation.dueAt,
    matched_at: matchedAt,
    cleared_at: clearedAt,
  });
  const rows = matches.map((match) => rowOf(match.referenceId, match.matchedAt, null));
  if (before.length === 0) return rows;
  const stored = new Map(before.map((row) => [row.referenceId, row]));
  const matched = new Set(matches.map((match) => match.referenceId));
  for (const { referenceId, matchedAt, clearedAt } of before) {
    if (!matched.has(referenceId))
      rows.push(rowOf(referenceId, matchedAt, later(clearedAt ?? at, matchedAt)));
  }
  return rows.filter((row) => {
    const was = stored.get(row.reference_id);
    const isSame =
      was?.packed_state === row.packed_state &&
      was.dueAt.getTime() === row.due_at.getTime() &&
      (was.clearedAt === null) === (row.cleared_at === null);
    return !isSame;
  });
}

/** Pull requests, exempt violations, and policies that no longer apply do not count in the times to fix. */
function countResolution(tx: ChangeTx, before: StoredViolation, after: StoredViolation): void {
  const { resolvedAt, dueAt, severity } = after;
  if (resolvedAt === null || !before.tracked || !isUnresolved(before.status)) return;
  tx.changes.addResolved(after.repositoryId, {
    severity: severities[severity] ?? 'unknown',
    at: resolvedAt,
    dueAt,
  });
}

function later(a: Date, b: Date): Date {
  return a > b ? a : b;
}

/** The key is a violation id, or a policy id and a repository id. */
type ExceptionsBySubject = Map<string, StoredException[]>;

function groupBySubject(rows: StoredException[]): ExceptionsBySubject {
  const found: ExceptionsBySubject = new Map();
  for (const row of rows) {
    const key = row.violation_id ?? `${row.policy_id} ${row.repository_id}`;
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return found;
}

/** Exceptions of the violation itself come before those of the policy in the repository. */
function exceptionsOf(
  exceptions: ExceptionsBySubject,
  stored: StoredViolation | null,
  policy: Policy,
  repositoryId: RepositoryId,
): StoredException[] {
  return [
    ...(exceptions.get(stored?.id ?? '') ?? []),
    ...(exceptions.get(`${policy.id} ${repositoryId}`) ?? []),
  ];
}

function termsOf(
  policy: Policy,
  applied: Applied | null,
  rows: MatchRow[],
  exceptions: StoredException[],
): Terms | null {
  if (!applied) return null;
  const approved = exceptions.find((row) => row.status === 'approved');
  const ranks = rows.flatMap((row) => row.severity ?? []);
  return {
    ...applied,
    severity: ranks.length > 0 ? Math.max(...ranks) : severities.indexOf(policy.severity ?? 'unknown'),
    windowSeconds: policy.actions.sla ? slaSeconds(policy.actions.sla.window) : null,
    approved: approved ? { id: approved.id, mode: approved.mode, enforcement: approved.enforcement } : null,
    requested: exceptions.some((row) => row.status === 'requested'),
  };
}

function differs(a: ViolationState, b: ViolationState): boolean {
  return (
    a.status !== b.status ||
    a.enforcement !== b.enforcement ||
    a.severity !== b.severity ||
    a.referenceId !== b.referenceId ||
    a.ruleId !== b.ruleId ||
    a.exceptionId !== b.exceptionId ||
    a.tracked !== b.tracked ||
    a.snoozeCount !== b.snoozeCount ||
    a.startedAt.getTime() !== b.startedAt.getTime() ||
    a.dueAt.getTime() !== b.dueAt.getTime() ||
    a.resolvedAt?.getTime() !== b.resolvedAt?.getTime() ||
    a.snoozedUntil?.getTime() !== b.snoozedUntil?.getTime()
  );
}
