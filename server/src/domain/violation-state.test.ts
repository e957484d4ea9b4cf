import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enforcementModes, targetTypes } from './policy-enums.ts';
import {
  isBlocking,
  isWarning,
  packedStatesWhere,
  packViolation,
  unpackViolation,
  type ViolationTraits,
  violationStatuses,
} from './violation-state.ts';

function allTraits(): ViolationTraits[] {
  const all: ViolationTraits[] = [];
  for (const enforcement of enforcementModes)
    for (const status of violationStatuses)
      for (const targetType of targetTypes)
        for (const snoozed of [false, true]) all.push({ enforcement, status, targetType, snoozed });
  return all;
}

test('every combination has its own number, which fits a smallint and unpacks to the same traits', () => {
  const seen = new Set<number>();
  for (const traits of allTraits()) {
    const packedState = packViolation(traits);
    assert.ok(packedState >= 0 && packedState <= 32_767 && !seen.has(packedState));
    seen.add(packedState);
    assert.deepEqual(unpackViolation(packedState), traits);
  }
  assert.equal(seen.size, 4 * 4 * 8 * 2);
});

test('the numbers of stored packed states do not change', () => {
  const traits = { enforcement: 'block', status: 'pending_review', targetType: 'analysis' } as const;
  // The number of the first release: a change of the layout would need a migration.
  assert.equal(packViolation({ ...traits, snoozed: true }), 3 * 256 + 1 * 32 + 4 * 2 + 1);
  assert.equal(unpackViolation(0).enforcement, 'none');
});

test('a number that no combination gives is refused', () => {
  const known = new Set(allTraits().map(packViolation));
  for (let packedState = -1; packedState <= 2_048; packedState++) {
    if (known.has(packedState)) assert.doesNotThrow(() => unpackViolation(packedState));
    else assert.throws(() => unpackViolation(packedState), RangeError, String(packedState));
  }
});

test('an open violation or one in review blocks by mode block unless snoozed, and a requested exception does not change that', () => {
  const blocking = packedStatesWhere(isBlocking).map(unpackViolation);
  assert.equal(blocking.length, 2 * targetTypes.length);
  for (const { enforcement, status, snoozed } of blocking) {
    assert.equal(enforcement, 'block');
    assert.ok(status === 'open' || status === 'pending_review');
    assert.equal(snoozed, false);
  }
  for (const traits of allTraits()) {
    if (traits.status !== 'open') continue;
    assert.equal(isBlocking({ ...traits, status: 'pending_review' }), isBlocking(traits));
  }
});

test('an unresolved violation warns by mode warn or block, also when snoozed; a waived or resolved one does not', () => {
  const warning = packedStatesWhere(isWarning).map(unpackViolation);
  assert.equal(warning.length, 2 * 2 * 2 * targetTypes.length);
  for (const { enforcement, status } of warning) {
    assert.ok(enforcement === 'block' || enforcement === 'warn');
    assert.ok(status === 'open' || status === 'pending_review');
  }
  for (const packedState of packedStatesWhere(isBlocking)) assert.ok(isWarning(unpackViolation(packedState)));
});
