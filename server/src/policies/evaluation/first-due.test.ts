import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyId, ReferenceId, RepositoryId, ViolationId } from '../../domain/ids.ts';
import type { TargetId } from '../../domain/policy-enums.ts';
import type { ListedState, StoredViolation } from './evaluate-store.ts';
import { withFirstDue } from './first-due.ts';

const at = new Date(0);
const target = 'target' as TargetId;
const former: ListedState = { packedState: 1, defaultBranchState: null, introducedAt: at };
const now: ListedState = { packedState: 2, defaultBranchState: 3, introducedAt: at };

function violation(id: string, dueAt: number, more: Partial<StoredViolation> = {}): StoredViolation {
  return {
    id: id as ViolationId,
    repositoryId: 'repository' as RepositoryId,
    policyId: `policy of ${id}` as PolicyId,
    targetType: 'vulnerability',
    targetId: target,
    listed: null,
    status: 'open',
    enforcement: 'block',
    severity: 5,
    referenceId: 'main' as ReferenceId,
    ruleId: null,
    exceptionId: null,
    firstSeenAt: at,
    openedAt: at,
    startedAt: at,
    tracked: true,
    dueAt: new Date(dueAt),
    resolvedAt: null,
    snoozedUntil: null,
    snoozeCount: 0,
    snoozeOverridesPolicy: false,
    ...more,
  };
}

/** Returns what each violation holds. */
function listedIn(violations: StoredViolation[], current: ListedState | null): (ListedState | null)[] {
  return withFirstDue(violations, new Map(current && [[target, current]])).map(({ listed }) => listed);
}

test('the violation that is due first holds the vulnerability as it is now, of several with this date the one with the lowest id', () => {
  assert.deepEqual(listedIn([violation('a', 2, { listed: former }), violation('b', 1)], now), [null, now]);
  assert.deepEqual(listedIn([violation('b', 1), violation('a', 1)], now), [null, now]);
});

test('a violation in review or snoozed counts, a resolved or exempt one does not', () => {
  const review = violation('a', 1, { status: 'pending_review', snoozedUntil: new Date(9) });
  assert.deepEqual(listedIn([review, violation('b', 2)], now), [now, null]);
  for (const status of ['resolved', 'waived'] as const) {
    const ended = violation('a', 1, { status, listed: former });
    assert.deepEqual(listedIn([ended, violation('b', 2)], now), [null, now]);
    assert.deepEqual(listedIn([ended], now), [null]);
  }
});

test('a vulnerability that no evaluated policy matches passes to the next violation as it was', () => {
  const ended = violation('a', 1, { status: 'resolved', listed: former });
  assert.deepEqual(listedIn([ended, violation('b', 2)], null), [null, former]);
});

test('violations of different vulnerabilities do not count for each other', () => {
  const other = violation('b', 2, { targetId: 'other' as TargetId, listed: former });
  assert.deepEqual(listedIn([violation('a', 1), other], now), [now, former]);
});

test('a violation that holds the same stays the same object', () => {
  const stored = violation('a', 1, { listed: { ...now } });
  assert.equal(withFirstDue([stored], new Map([[target, now]]))[0], stored);
});
