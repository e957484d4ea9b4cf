/**
 * Writes the violations of targets after their evaluation, with their matches and events, by the rules of
 * `lifecycle.ts`.
 */

import type { ChangeTx } from '../../db/database.ts';
import { batches } from '../../domain/batches.ts';
import {
  newId,
  nilId,
  type PolicyId,
  type ReferenceId,
  type RepositoryId,
  type VulnerabilityId,
} from '../../domain/ids.ts';
import { severities } from '../../domain/packed-state.ts';
import type { PolicyMode, TargetId, TargetType } from '../../domain/policy-enums.ts';
import { isUnresolved, packViolation, unpackViolation } from '../../domain/violation-state.ts';
import type { EventClock } from '../../events/event-clock.ts';
import type { MatchRow } from '../definition/compile.ts';
import type { Policy } from '../definition/policy.ts';
import { slaSeconds } from '../definition/sla.ts';
import { type ChangedViolation, noteViolationEvents } from '../violation-events.ts';
import {
  type ListedState,
  listedOf,
  listMatchesOfViolations,
  listShownElsewhere,
  listStoredExceptions,
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

// Statements of this many rows take longer than their round trips, and need few megabytes.
export const maxRowsAtOnce = 4_000;
// A vulnerability that is evaluated on all references has a row for each active one, of nearly a kilobyte of memory.
export const maxMatchesAtOnce = 40_000;

/** The rule of a policy that applies in a repository. */
export interface AppliedRule {
  mode: PolicyMode;
  ruleId: string | null;
}

export interface Context {
  tx: ChangeTx;
  moment: Moment;
  policies: Policy[];
  /** Null means that the policy does not apply in the repository. */
  applied: (policy: Policy, repositoryId: RepositoryId) => AppliedRule | null;
  /** Holds the event clock from the first call on, and returns its position. */
  eventClock: () => Promise<EventClock>;
}

/** A row with the policies whose conditions it meets. */
export interface PolicyMatches {
  row: MatchRow;
  policies: Policy[];
}

interface Group {
  repositoryId: RepositoryId;
  targetId: TargetId;
  policy: Policy;
  stored: StoredViolation | null;
  rows: MatchRow[];
}

/**
 * Writes the violations of these targets. With `referenceIds`, the matches are those on these references, and the
 * targets are returned, unwritten, whose violations need the matches on the other references too.
 */
export async function updateViolations(
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
    listStoredExceptions(
      tx,
      knownIds,
      [...new Set(groups.map((group) => group.repositoryId))],
      context.moment.now,
    ),
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
    for (const some of batches(rows, maxRowsAtOnce)) writes.push(writeViolations(tx, some, isNew));
    for (const some of batches(matched, maxRowsAtOnce)) writes.push(writeMatches(tx, some, isNew));
  }
  await Promise.all(writes);
  return needOthers;
}

/**
 * The changed violations, and those that hold another vulnerability than before, also of policies that are not
 * evaluated.
 */
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
  const live = new Map(before.map((row) => [row.referenceId, row]));
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
  const stored = new Map(before.map((row) => [row.referenceId, row]));
  const matched = new Set(matches.map((match) => match.referenceId));
  const ended = before.filter((row) => !matched.has(row.referenceId));
  return [
    ...matches
      .filter(({ referenceId }) => {
        const was = stored.get(referenceId);
        return was?.packed_state !== packedState || was.dueAt.getTime() !== violation.dueAt.getTime();
      })
      .map((match) => rowOf(match.referenceId, match.matchedAt, null)),
    ...ended.map((row) => rowOf(row.referenceId, row.matchedAt, later(at, row.matchedAt))),
  ];
}

/**
 * Pull requests, exempt violations, policies that no longer apply, and vulnerabilities that are not fixed do not count
 * in the times to fix.
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
  applied: AppliedRule | null,
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
