import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExceptionId, ReferenceId } from '../../domain/ids.ts';
import { dueAt, type Match, nextState, type Terms, type ViolationState } from './lifecycle.ts';

const hour = 3_600_000;
const days = (n: number): Date => new Date(Date.UTC(2026, 0, 1) + n * 24 * hour);
const [medium, high, critical] = [3, 4, 5];

function match(reference: string, since: number, more: Partial<Match> = {}): Match {
  const referenceId = reference as ReferenceId;
  return { referenceId, tracked: false, isDefault: false, matchedAt: days(since), ...more };
}
const main = (since: number): Match => match('main', since, { tracked: true, isDefault: true });

const terms: Terms = {
  mode: 'block',
  ruleId: null,
  severity: high,
  windowSeconds: null,
  approved: null,
  requested: false,
};

/** Returns the violation on a day, with the matches of that day. */
function on(
  day: number,
  before: ViolationState | null,
  matches: Match[],
  now: Partial<Terms> | null = {},
): ViolationState {
  const at = days(day);
  const state = nextState(before, matches, now === null ? null : { ...terms, ...now }, { at, now: at });
  assert.ok(state);
  return state;
}

test('without a match there is no violation', () => {
  const moment = { at: days(0), now: days(0) };
  assert.equal(nextState(null, [], terms, moment), null);
  assert.equal(nextState(null, [main(0)], null, moment), null, 'a policy that does not apply');
});

test('the first match opens a violation, and the time to fix depends on severity or policy', () => {
  const state = on(2, null, [main(1)], { ruleId: 'rule' });
  assert.deepEqual(state, {
    status: 'open',
    enforcement: 'block',
    severity: high,
    referenceId: 'main',
    ruleId: 'rule',
    exceptionId: null,
    firstSeenAt: days(1),
    openedAt: days(2),
    startedAt: days(1),
    tracked: true,
    dueAt: days(31),
    resolvedAt: null,
    snoozedUntil: null,
    snoozeCount: 0,
    snoozeOverridesPolicy: false,
  });
  assert.deepEqual(on(0, null, [main(0)], { windowSeconds: 36 * 3600 }).dueAt, days(1.5));
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((severity) => dueAt(days(0), severity, null).getTime() - days(0).getTime()),
    [365, 365, 180, 90, 30, 7].map((n) => n * 24 * hour),
  );
});

test('the time to fix runs from the first match on a tracked reference, until then from the first match', () => {
  const branch = on(5, null, [match('a', 0), match('b', 5)]);
  assert.deepEqual([branch.startedAt, branch.tracked], [days(0), false]);
  const still = on(9, branch, [match('b', 5), match('c', 9)]);
  assert.deepEqual(still.startedAt, days(0), 'the first one is gone, its time is not');
  const merged = on(10, still, [match('b', 5), main(10)]);
  assert.deepEqual([merged.startedAt, merged.tracked, merged.dueAt], [days(10), true, days(40)]);
  assert.deepEqual(merged.firstSeenAt, days(0));
  const released = on(12, merged, [main(10), match('v1', 12, { tracked: true })]);
  assert.deepEqual(released.startedAt, days(10), 'another tracked one begins nothing');
  const left = on(14, released, [match('b', 5)]);
  assert.deepEqual([left.startedAt, left.tracked], [days(10), true], 'back on a branch alone');
  assert.deepEqual(on(15, left, [match('b', 5), main(15)]).startedAt, days(10));
  const both = on(3, null, [match('a', 0), main(3)]);
  assert.deepEqual(both.startedAt, days(3), 'at once on both');
});

test('a violation without a match is resolved once, and keeps its fields', () => {
  const open = on(0, null, [main(0)], { severity: critical, ruleId: 'rule' });
  const resolved = on(3, open, [], { ruleId: 'another' });
  assert.deepEqual(resolved, { ...open, status: 'resolved', resolvedAt: days(3) });
  assert.equal(on(9, resolved, []), resolved, 'nothing more happens to it');
  assert.equal(on(9, resolved, [], null), resolved);
  assert.deepEqual(on(3, open, [main(0)], null), resolved, 'nor where the policy does not apply any more');
  const late = nextState(open, [], terms, { at: days(-1), now: days(3) });
  assert.deepEqual(late?.resolvedAt, days(0), 'a late report does not end it before it began');
});

test('a violation that returns within 30 days keeps its due date, and later it gets a new one', () => {
  const open = on(0, null, [main(0)]);
  const resolved = on(10, open, []);
  for (const day of [11, 40]) {
    const back = on(day, resolved, [main(day)]);
    assert.deepEqual([back.status, back.startedAt, back.dueAt], ['open', days(0), days(30)], `day ${day}`);
    assert.equal(back.resolvedAt, null);
  }
  const later = on(40.01, resolved, [main(40.01)]);
  assert.deepEqual([later.startedAt, later.dueAt], [days(40.01), days(70.01)]);
  assert.deepEqual(later.firstSeenAt, days(0), 'it is the same violation');
  const onBranch = on(50, resolved, [match('a', 50)]);
  assert.deepEqual([onBranch.startedAt, onBranch.tracked], [days(50), false], 'and starts without its past');
  assert.deepEqual(on(60, onBranch, [main(60)]).startedAt, days(60));
  const early = nextState(resolved, [main(5)], terms, { at: days(5), now: days(11) });
  assert.deepEqual(early?.startedAt, days(0), 'a late report, from before it was resolved');
});

test('a raised severity shortens the time to fix, and a lowered one does not extend it', () => {
  const open = on(0, null, [main(0)], { severity: high });
  const raised = on(1, open, [main(0)], { severity: critical });
  assert.deepEqual([raised.severity, raised.dueAt], [critical, days(7)]);
  const lowered = on(2, raised, [main(0)], { severity: medium });
  assert.deepEqual([lowered.severity, lowered.dueAt], [critical, days(7)]);
  const back = on(20, on(5, lowered, []), [main(20)], { severity: medium });
  assert.deepEqual(back.dueAt, days(7), 'nor does a short absence');
  const anew = on(90, on(50, back, []), [main(90)], { severity: medium });
  assert.deepEqual([anew.severity, anew.dueAt], [medium, days(180)], 'a long one does');
  assert.deepEqual(
    on(1, open, [main(0)], { severity: critical, windowSeconds: 14 * 24 * 3600 }).dueAt,
    days(14),
    "the policy's own time is for all severities",
  );
});

test('the shown reference is the default branch, else the latest match', () => {
  assert.equal(on(9, null, [match('b', 9), main(1), match('c', 5)]).referenceId, 'main');
  assert.equal(on(9, null, [match('b', 4), match('c', 5), match('a', 1)]).referenceId, 'c');
  for (const matches of [
    [match('b', 4), match('a', 4)],
    [match('a', 4), match('b', 4)],
  ]) {
    assert.equal(on(9, null, matches).referenceId, 'a', 'of two at once always the same');
  }
});

test('a requested exception changes nothing, an approved one waives, and a refused or ended one opens again', () => {
  const open = on(0, null, [main(0)]);
  const pending = on(1, open, [main(0)], { requested: true });
  assert.deepEqual(
    [pending.status, pending.enforcement, pending.exceptionId],
    ['pending_review', 'block', null],
  );
  const approved = { id: 'o' as ExceptionId, mode: 'exempt', enforcement: 'none' } as const;
  for (const requested of [false, true]) {
    const waived = on(2, pending, [main(0)], { approved, requested });
    assert.deepEqual([waived.status, waived.enforcement, waived.exceptionId], ['waived', 'none', 'o']);
    assert.deepEqual(waived.dueAt, open.dueAt);
    const ended = on(60, waived, [main(0)]);
    assert.deepEqual([ended.status, ended.enforcement, ended.exceptionId], ['open', 'block', null]);
    assert.deepEqual(ended.dueAt, open.dueAt, 'its due date is unchanged');
  }
  const resolved = on(5, on(2, pending, [main(0)], { approved }), [], { approved });
  assert.deepEqual([resolved.status, resolved.enforcement], ['resolved', 'none']);
});

test('a downgrade keeps the violation open with the weaker mode, and never makes it stricter', () => {
  const downgrade = (enforcement: 'monitor' | 'warn') =>
    ({ id: 'o' as ExceptionId, mode: 'downgrade', enforcement }) as const;
  for (const [mode, to, effective] of [
    ['block', 'warn', 'warn'],
    ['block', 'monitor', 'monitor'],
    ['warn', 'monitor', 'monitor'],
    ['monitor', 'warn', 'monitor'],
    ['warn', 'warn', 'warn'],
  ] as const) {
    const state = on(0, null, [main(0)], { mode, approved: downgrade(to) });
    assert.deepEqual([state.status, state.enforcement, state.exceptionId], ['open', effective, 'o']);
  }
  const asksMore = on(0, null, [main(0)], { approved: downgrade('warn'), requested: true });
  assert.deepEqual([asksMore.status, asksMore.enforcement], ['pending_review', 'warn']);
});

test('a snooze ends by the clock, whatever the time of a report, and the time to fix goes on meanwhile', () => {
  const open = on(0, null, [main(0)]);
  const snoozed = { ...open, snoozedUntil: days(14), snoozeCount: 1, snoozeOverridesPolicy: true };
  const byMember = on(13, { ...snoozed, snoozeOverridesPolicy: false }, [main(0)]);
  assert.equal(byMember.snoozedUntil, null, 'where the policy blocks, a member’s snooze holds nothing up');
  const asleep = on(13, snoozed, [main(0)]);
  assert.deepEqual([asleep.snoozedUntil, asleep.snoozeCount, asleep.dueAt], [days(14), 1, open.dueAt]);
  const awake = on(14, snoozed, [main(0)]);
  assert.deepEqual([awake.snoozedUntil, awake.snoozeCount], [null, 1]);
  const late = nextState(snoozed, [main(0)], terms, { at: days(13), now: days(15) });
  assert.equal(late?.snoozedUntil, null, 'a late report wakes it too');
  const back = on(10, on(5, snoozed, []), [main(10)]);
  assert.deepEqual(back.snoozedUntil, days(14), 'gone and back in between: it sleeps on');
});

test('the time of the opening is set when a violation opens or returns, and stays in between', () => {
  const open = on(10, null, [main(10)]);
  assert.deepEqual(on(12, open, [main(10)]).openedAt, days(10));
  const gone = on(14, open, []);
  assert.deepEqual(gone.openedAt, days(10));
  assert.deepEqual(on(16, gone, [main(16)]).openedAt, days(16));
});
