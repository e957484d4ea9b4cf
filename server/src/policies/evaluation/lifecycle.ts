/**
 * The rules of a violation's life, as plain functions: what it is after its target was asked about, or somebody has
 * decided. Nothing here reads or writes; `evaluate.ts` does.
 */
import { type EnforcementMode, enforcementModes, type PolicyMode } from '../../domain/policy-enums.ts';
import type { ViolationStatus } from '../../domain/violation-state.ts';

/** One place where the target meets the condition now. */
export interface Match {
  referenceId: string;
  /** The default branch always is. */
  tracked: boolean;
  isDefault: boolean;
  /** Since when it has met it there. */
  matchedAt: Date;
}

/** What holds for it where it is: policy, nearest rule, exceptions. */
export interface Terms {
  mode: PolicyMode;
  ruleId: string | null;
  /** Rank that the time to fix goes by. */
  severity: number;
  /** The policy's own time to fix; null: by severity. */
  windowSeconds: number | null;
  approved: { id: string; mode: 'exempt' | 'downgrade'; enforcement: EnforcementMode } | null;
  /** An exception was asked for and waits for its review. */
  requested: boolean;
}

/** When what was found was so; and what the clock says, which is later for a report that took its time. */
export interface Moment {
  at: Date;
  now: Date;
}

export interface ViolationState {
  status: ViolationStatus;
  enforcement: EnforcementMode;
  severity: number;
  referenceId: string;
  ruleId: string | null;
  exceptionId: string | null;
  firstSeenAt: Date;
  lastSeenAt: Date;
  startedAt: Date;
  tracked: boolean;
  dueAt: Date;
  resolvedAt: Date | null;
  snoozedUntil: Date | null;
  snoozeCount: number;
  /** An admin's snooze: it holds where the policy blocks too. */
  snoozeOverridesPolicy: boolean;
}

const dayMs = 24 * 3600 * 1000;
// By severity rank: unknown, info, low, medium, high, critical.
const daysBySeverity = [365, 365, 180, 90, 30, 7];
// What comes back sooner was never gone for good: its time goes on.
const sameEpisodeMs = 30 * dayMs;

/** Null: there was no violation, and there is none. `terms` null: the policy does not apply here any more. */
export function nextState(
  before: ViolationState | null,
  matches: Match[],
  terms: Terms | null,
  { at, now }: Moment,
): ViolationState | null {
  if (terms === null || matches.length === 0) return before === null ? null : resolved(before, terms, at);
  const clock = clockOf(before, matches, terms, at);
  const shown = shownMatch(matches);
  const stands = standing(terms);
  const isAsleep = before?.snoozedUntil && before.snoozedUntil > now;
  const mayBe = stands.enforcement !== 'block' || before?.snoozeOverridesPolicy;
  const snoozedUntil = isAsleep && mayBe ? before.snoozedUntil : null;
  return {
    ...stands,
    ...clock,
    dueAt: dueAt(clock.startedAt, clock.severity, terms.windowSeconds),
    referenceId: shown.referenceId,
    ruleId: terms.ruleId,
    firstSeenAt: before?.firstSeenAt ?? earliest(matches),
    lastSeenAt: before && before.resolvedAt === null ? before.lastSeenAt : at,
    resolvedAt: null,
    snoozedUntil,
    snoozeCount: before?.snoozeCount ?? 0,
    snoozeOverridesPolicy: before?.snoozeOverridesPolicy ?? false,
  };
}

// What is resolved stays as it was when it ended.
function resolved(before: ViolationState, terms: Terms | null, at: Date): ViolationState {
  if (before.status === 'resolved') return before;
  return {
    ...before,
    enforcement: terms ? standing(terms).enforcement : before.enforcement,
    status: 'resolved',
    resolvedAt: at > before.firstSeenAt ? at : before.firstSeenAt,
  };
}

/** Approved before asked for: what is exempt waits for nobody. */
function standing(terms: Terms): Pick<ViolationState, 'status' | 'enforcement' | 'exceptionId'> {
  const { approved, requested, mode } = terms;
  if (approved?.mode === 'exempt') return { status: 'waived', enforcement: 'none', exceptionId: approved.id };
  return {
    status: requested ? 'pending_review' : 'open',
    enforcement: approved ? weaker(mode, approved.enforcement) : mode,
    exceptionId: approved?.id ?? null,
  };
}

function weaker(a: EnforcementMode, b: EnforcementMode): EnforcementMode {
  return enforcementModes.indexOf(a) <= enforcementModes.indexOf(b) ? a : b;
}

/**
 * The time to fix runs from the first match on a tracked reference, until then from the first match; after a return
 * within 30 days as before, later from the return. The highest severity since then counts.
 */
function clockOf(
  before: ViolationState | null,
  matches: Match[],
  terms: Terms,
  at: Date,
): Pick<ViolationState, 'startedAt' | 'tracked' | 'severity'> {
  const onTracked = matches.filter((match) => match.tracked);
  const isSame =
    before !== null &&
    (before.resolvedAt === null || at.getTime() - before.resolvedAt.getTime() <= sameEpisodeMs);
  if (!isSame) {
    const tracked = onTracked.length > 0;
    return { startedAt: earliest(tracked ? onTracked : matches), tracked, severity: terms.severity };
  }
  const severity = Math.max(before.severity, terms.severity);
  if (before.tracked || onTracked.length === 0) {
    return { startedAt: before.startedAt, tracked: before.tracked, severity };
  }
  return { startedAt: earliest(onTracked), tracked: true, severity };
}

export function dueAt(startedAt: Date, severity: number, windowSeconds: number | null): Date {
  const ms = windowSeconds === null ? (daysBySeverity[severity] ?? 365) * dayMs : windowSeconds * 1000;
  return new Date(startedAt.getTime() + ms);
}

function earliest(matches: Match[]): Date {
  return new Date(Math.min(...matches.map((match) => match.matchedAt.getTime())));
}

/** The default branch, else the latest match. */
function shownMatch(matches: Match[]): Match {
  const [shown] = [...matches].sort(
    (a, b) =>
      Number(b.isDefault) - Number(a.isDefault) ||
      b.matchedAt.getTime() - a.matchedAt.getTime() ||
      (a.referenceId < b.referenceId ? -1 : 1),
  );
  if (!shown) throw new RangeError('it matches nowhere');
  return shown;
}
