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
import { policiesTesting } from '../definition/ages.ts';
import { type MatchRow, matchQuery } from '../definition/compile.ts';
import { clausesOf } from '../definition/condition.ts';
import { factsOfTools } from '../definition/facts.ts';
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
  listShownElsewhere,
  listStoredExceptions,
  listViolationsOfPolicies,
  listViolationsOfTargets,
  listViolationsOn,
  listWithToolsOnlyThere,
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
import { type Match, type Moment, nextState, type Terms, type ViolationState } from './lifecycle.ts';
import { moveViolations } from './merged-violations.ts';

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
  /** Repository → types of targets other than vulnerabilities → the only references on which they have changed; null means all. */
  targets: ReadonlyMap<RepositoryId, ReadonlyMap<TargetType, ReadonlySet<ReferenceId> | null>>;
  /** The time of the violations. It may be the earlier time of a report. */
  at: Date;
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
  let clock: Promise<Date> | null = null;
  const context: Context = {
    tx,
    evaluation,
    moment: { at: evaluation.at, now },
    policies,
    applied: appliedIn(scopesByRepository),
    eventClock: () => {
      clock ??= holdEventClock(tx, now);
      return clock;
    },
  };
  await evaluateVulnerabilities(context);
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
  moment: Moment;
  policies: Policy[];
  /** Null means that the policy does not apply in the repository. */
  applied: (policy: Policy, repositoryId: RepositoryId) => Applied | null;
  /** Holds the event clock from the first call on, and returns its time. */
  eventClock: () => Promise<Date>;
}

/**
 * Evaluates one batch after the other. A vulnerability that has changed on some references alone is evaluated on these,
 * and again on all if the result says more than whether its violations match there (ADR 116).
 */
async function evaluateVulnerabilities(context: Context): Promise<void> {
  const { tx, policies, evaluation } = context;
  const { vulnerabilities, changedOn } = evaluation;
  const areToolsTested = policiesTesting(policies, factsOfTools).length > 0;
  const [everywhere, onSome]: [VulnerabilityId[], VulnerabilityId[]] = [[], []];
  for (const id of vulnerabilities.keys()) (changedOn?.has(id) ? onSome : everywhere).push(id);
  for (const ids of batches(onSome, batchSize)) {
    const referenceIds = [...new Set(ids.flatMap((id) => [...(changedOn?.get(id) ?? [])]))];
    const withToolsOnlyThere = areToolsTested
      ? await listWithToolsOnlyThere(tx, ids, referenceIds)
      : new Set();
    const shared = ids.filter((id) => !withToolsOnlyThere.has(id));
    const needOthers = await evaluateBatch(context, shared, referenceIds);
    everywhere.push(...ids.filter((id) => withToolsOnlyThere.has(id) || needOthers.has(id)));
  }
  for (const ids of batches(everywhere, batchSize)) await evaluateBatch(context, ids, null);
}

/** Evaluates on these references; null means all. Returns the vulnerabilities that must be evaluated on all instead. */
async function evaluateBatch(
  context: Context,
  ids: VulnerabilityId[],
  referenceIds: ReferenceId[] | null,
): Promise<Set<TargetId>> {
  if (ids.length === 0) return new Set();
  const { tx, evaluation } = context;
  const repositoryOf = (id: VulnerabilityId): RepositoryId =>
    evaluation.vulnerabilities.get(id) as RepositoryId;
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
  const stored = referenceIds
    ? await listViolationsOn(
        tx,
        type,
        policyIds,
        referenceIds,
        matches.map(({ row }) => row),
      )
    : await listViolationsOfPolicies(tx, repositoryIds, policyIds);
  const needOthers = await updateViolations(context, type, matches, stored, referenceIds);
  return needOthers.size > 0;
}

/** A row with the policies whose conditions it meets. */
interface PolicyMatches {
  row: MatchRow;
  policies: Policy[];
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

interface Group {
  repositoryId: RepositoryId;
  targetId: TargetId;
  policy: Policy;
  stored: StoredViolation | null;
  rows: MatchRow[];
}

/**
 * Writes the violations of these targets. With `referenceIds`, the matches are those on these references, and the targets
 * are returned, unwritten, whose violations need the matches on the other references too.
 */
async function updateViolations(
  context: Context,
  targetType: TargetType,
  matches: PolicyMatches[],
  stored: StoredViolation[],
  referenceIds: ReferenceId[] | null,
): Promise<Set<TargetId>> {
  const { tx } = context;
  const groups = groupsOf(context, matches, stored);
  const needOthers = new Set<TargetId>();
  if (groups.length === 0) return needOthers;
  const known = groups.flatMap((group) => group.stored ?? []);
  const knownIds = known.map(({ id }) => id);
  const [before, elsewhere, exceptions] = await Promise.all([
    listMatchesOfViolations(tx, knownIds, referenceIds),
    referenceIds && listShownElsewhere(tx, known, referenceIds),
    listStoredExceptions(tx, knownIds, [...new Set(groups.map((group) => group.repositoryId))]),
  ]);
  const exceptionsBySubject = groupBySubject(exceptions);
  const outcomes = groups.flatMap((group) => {
    const shown = elsewhere?.get(group.stored?.id ?? nilId) ?? null;
    const was = before.get(group.stored?.id ?? nilId) ?? [];
    const outcome = evaluateGroup(context, targetType, group, was, shown, exceptionsBySubject);
    if (referenceIds && outcome?.needsOthers) needOthers.add(group.targetId);
    return outcome ? [{ group, outcome }] : [];
  });
  const violations: ChangedViolation[] = [];
  const evaluated: ChangedViolation[] = [];
  const references: Record<'created' | 'known', WrittenMatch[]> = { created: [], known: [] };
  for (const { group, outcome } of outcomes) {
    if (needOthers.has(group.targetId)) continue;
    const violation = { before: group.stored, after: outcome.violation };
    evaluated.push(violation);
    if (outcome.isChanged) violations.push(violation);
    if (group.stored && outcome.terms) countResolution(tx, group.stored, outcome.violation);
    references[group.stored ? 'known' : 'created'].push(...outcome.references);
    tx.changes.markVerdicts(outcome.references.map((row) => row.reference_id));
  }
  await noteViolationEvents(tx, violations, context.moment, context.eventClock);
  const written = writtenOf(
    evaluated,
    new Set(violations),
    matches,
    stored.filter(({ targetId }) => !needOthers.has(targetId)),
  );
  // The writes are not awaited one by one, so that the next batch is serialized while the database works on the last.
  const writes: Promise<void>[] = [];
  for (const isNew of [true, false]) {
    const rows = written.filter(({ before: was }) => (was === null) === isNew).map(({ after }) => after);
    const matched = references[isNew ? 'created' : 'known'];
    for (const some of batches(rows, batchSize)) writes.push(writeViolations(tx, some, isNew));
    for (const some of batches(matched, batchSize)) writes.push(writeMatches(tx, some, isNew));
  }
  await Promise.all(writes);
  return needOthers;
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
  { moment, applied }: Context,
  targetType: TargetType,
  { repositoryId, targetId, policy, stored, rows }: Group,
  before: StoredViolationReference[],
  shownElsewhere: Match | null,
  exceptions: ExceptionsBySubject,
): {
  violation: StoredViolation;
  terms: Terms | null;
  isChanged: boolean;
  /** See `needsOthers`. */
  needsOthers: boolean;
  references: WrittenMatch[];
} | null {
  const { at } = moment;
  const live = new Map(before.filter((row) => row.clearedAt === null).map((row) => [row.referenceId, row]));
  const here = rows.map(
    (row): Match => ({
      referenceId: row.reference_id,
      tracked: row.tracked,
      isDefault: row.is_default,
      matchedAt: live.get(row.reference_id)?.matchedAt ?? at,
    }),
  );
  const matches = shownElsewhere ? [...here, shownElsewhere] : here;
  const terms = termsOf(
    policy,
    applied(policy, repositoryId),
    { rows, stored },
    exceptionsOf(exceptions, stored, policy, repositoryId),
  );
  const next = nextState(stored, matches, terms, moment);
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
  const references = referencesOf(violation, next.status === 'resolved' ? [] : here, before, at);
  return {
    violation,
    terms,
    isChanged: stored === null || differs(stored, next),
    needsOthers: stored !== null && needsOthers(stored, violation, matches),
    references,
  };
}

/** The matches on other references are needed to know which one is shown, or their rows change too. */
function needsOthers(before: StoredViolation, after: StoredViolation, matches: Match[]): boolean {
  return (
    (before.status !== 'resolved' && !matches.some((match) => match.referenceId === before.referenceId)) ||
    packedStateOf(after) !== packedStateOf(before) ||
    after.dueAt.getTime() !== before.dueAt.getTime()
  );
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

/**
 * Pull requests, exempt violations, policies that no longer apply, and vulnerabilities that are not fixed do not count in
 * the times to fix.
 */
function countResolution(tx: ChangeTx, before: StoredViolation, after: StoredViolation): void {
  const { resolvedAt, dueAt, severity, targetId } = after;
  if (resolvedAt === null || !before.tracked || !isUnresolved(before.status)) return;
  if (
    after.targetType === 'vulnerability' &&
    !tx.changes.fixed.get(targetId as VulnerabilityId)?.has(before.referenceId)
  )
    return;
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
  { rows, stored }: Pick<Group, 'rows' | 'stored'>,
  exceptions: StoredException[],
): Terms | null {
  if (!applied) return null;
  const approved = exceptions.find((row) => row.status === 'approved');
  const ranks = rows.flatMap((row) => row.severity ?? []);
  const ofPolicy = severities.indexOf(policy.severity ?? 'unknown');
  // Without rows the violation is shown on another reference, where its severity has not changed.
  const severity =
    ranks.length > 0 ? Math.max(...ranks) : stored && rows.length === 0 ? stored.severity : ofPolicy;
  return {
    ...applied,
    severity,
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
