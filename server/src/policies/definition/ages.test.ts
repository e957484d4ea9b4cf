import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../domain/ids.ts';
import type { PolicyStatus, TargetType } from '../../domain/policy-enums.ts';
import { agesOf } from './ages.ts';
import type { Condition } from './condition.ts';
import type { Policy } from './policy.ts';

function policy(targetType: TargetType, condition: Condition, status: PolicyStatus = 'active'): Policy {
  return {
    id: newId(),
    key: 'key',
    name: 'name',
    type: 'custom',
    status,
    targetType,
    enforcementMode: 'warn',
    severity: null,
    config: null,
    condition,
    actions: {},
    revision: 1,
    evaluatedRevision: 1,
    progress: null,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    rules: [],
  };
}

test('each age of a condition is listed for its day and the day after, as an equal age holds for one day', () => {
  const aged = policy('vulnerability', {
    all: [
      { fact: 'age_days', operator: '>', value: 30 },
      { any: [{ not: { fact: 'age_days', operator: 'in', value: [7, 90] } }] },
      { fact: 'cvss_score', operator: '>', value: 5 },
    ],
  });
  const unscanned = policy('analysis', { not: { fact: 'days_since_last_scan', operator: '<', value: 0 } });
  assert.deepEqual(agesOf([aged, unscanned]), { vulnerability: [7, 8, 30, 31, 90, 91], analysis: [0, 1] });
});

test('several policies make one list, in order and each age once', () => {
  const older = (value: number) =>
    policy('vulnerability', { all: [{ fact: 'age_days', operator: '>=', value }] });
  assert.deepEqual(agesOf([older(100), older(9), older(10), older(9)]).vulnerability, [9, 10, 11, 100, 101]);
});

test('a condition about stale scans is due after thirty days, without a number in the condition', () => {
  const stale = policy('analysis', { all: [{ fact: 'vulnerable_reason', operator: '==', value: 'stale' }] });
  assert.deepEqual(agesOf([stale]), { vulnerability: [], analysis: [30] });
});

test('inactive policies and conditions without an age are not due by the clock', () => {
  const old: Condition = { all: [{ fact: 'age_days', operator: '>', value: 30 }] };
  const severe: Condition = { all: [{ fact: 'severity', operator: '==', value: 'high' }] };
  assert.deepEqual(
    agesOf([
      policy('vulnerability', old, 'draft'),
      policy('vulnerability', old, 'disabled'),
      policy('vulnerability', severe),
      policy('analysis', { all: [{ fact: 'analysis_type', operator: '==', value: 'sast' }] }),
    ]),
    { vulnerability: [], analysis: [] },
  );
});
