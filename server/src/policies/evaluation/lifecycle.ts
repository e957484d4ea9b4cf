/**
 * The lifecycle of a violation, as pure functions: they give its next state after an evaluation of its target or a
 * decision. `evaluate.ts` and `update-violations.ts` do all reading and writing.
 */
import type { ExceptionId, ReferenceId } from '../../domain/ids.ts';
import { type EnforcementMode, enforcementModes, type PolicyMode } from '../../domain/policy-enums.ts';
import { dayMs } from '../../domain/time.ts';
import type { ViolationStatus } from '../../domain/violation-state.ts';

/** A reference on which the target meets the condition now. */
export interface Match {
  referenceId: ReferenceId;
  /** Always true for the default branch. */
  tracked: boolean;
  isDefault: boolean;
  /** Time since which the target has met the condition on this reference. */
  matchedAt: Date;
}

/** The terms of policy, nearest rule and exceptions that hold for a violation in its repository. */
export interface Terms {
  mode: PolicyMode;
  ruleId: string | null;
  /** Severity rank that gives the time to fix. */
  severity: number;
  /** The time to fix that the policy sets; null means that it follows from the severity. */
  windowSeconds: number | null;
  approved: { id: ExceptionId; mode: 'exempt' | 'downgrade'; enforcement: EnforcementMode } | null;
  /** True if an exception was requested and waits for its review. */
  requested: boolean;
}

/** `at` is the time of the findings. `now` is the current time, which is later for a late report. */
export interface Moment {
  at: Date;
  now: Date;
}

export interface ViolationState {
  status: ViolationStatus;
  enforcement: EnforcementMode;
  severity: number;
  referenceId: ReferenceId;
  ruleId: string | null;
  exceptionId: ExceptionId | null;
  firstSeenAt: Date;
  /** The time of the last opening: the first one, or the newest return. */
  openedAt: Date;
  startedAt: Date;
  tracked: boolean;
  dueAt: Date;
  resolvedAt: Date | null;
  snoozedUntil: Date | null;
  snoozeCount: number;
  /** True for an admin's snooze, which holds even if the policy blocks. */
  snoozeOverridesPolicy: boolean;
}

// By severity rank: unknown, info, low, medium, high, critical.
const daysBySeverity = [365, 365, 180, 90, 30, 7];
// A violation that returns within this time was not really fixed, so its time to fix continues.
const sameEpisodeMs = 30 * dayMs;

/**
 * The state after an evaluation; null if there was no violation and there is none now. `terms` null means that the
 * policy no longer applies.
 */
export function nextState(
  before: ViolationState | null,
  matches: Match[],
  terms: Terms | null,
  { at, now }: Moment,
): ViolationState | null {
  if (terms === null || matches.length === 0) return before === null ? null : resolved(before, terms, at);
  const clock = clockOf(before, matches, terms, at);
  const shown = shownMatch(matches);
  const inForce = stateInForce(terms);
  const isAsleep = before?.snoozedUntil && before.snoozedUntil > now;
  const mayBe = inForce.enforcement !== 'block' || before?.snoozeOverridesPolicy;
  const snoozedUntil = isAsleep && mayBe ? before.snoozedUntil : null;
  return {
    ...inForce,
    ...clock,
    dueAt: dueAt(clock.startedAt, clock.severity, terms.windowSeconds),
    referenceId: shown.referenceId,
    ruleId: terms.ruleId,
    firstSeenAt: before?.firstSeenAt ?? earliest(matches),
    openedAt: before && before.resolvedAt === null ? before.openedAt : at,
    resolvedAt: null,
    snoozedUntil,
    snoozeCount: before?.snoozeCount ?? 0,
    snoozeOverridesPolicy: before?.snoozeOverridesPolicy ?? false,
  };
}

// A resolved violation keeps the state of its end.
function resolved(before: ViolationState, terms: Terms | null, at: Date): ViolationState {
  if (before.status === 'resolved') return before;
  return {
    ...before,
    enforcement: terms ? stateInForce(terms).enforcement : before.enforcement,
    status: 'resolved',
    resolvedAt: at > before.firstSeenAt ? at : before.firstSeenAt,
  };
}

/** An approved exception comes before a requested one: an exempt violation does not wait for a review. */
function stateInForce(terms: Terms): Pick<ViolationState, 'status' | 'enforcement' | 'exceptionId'> {
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
 * The time to fix runs from the first match on a tracked reference, or, until there is one, from the first match. It
 * continues after a return within 30 days and starts again after a later return. The highest severity since its start
 * counts.
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

/** The match to show is the one on the default branch, or else the latest. */
function shownMatch(matches: Match[]): Match {
  return matches.reduce((shown, match) => (isShownBefore(match, shown) ? match : shown));
}

function isShownBefore(a: Match, b: Match): boolean {
  if (a.isDefault !== b.isDefault) return a.isDefault;
  const later = a.matchedAt.getTime() - b.matchedAt.getTime();
  return later > 0 || (later === 0 && a.referenceId < b.referenceId);
}
