/** Tests of the ranges in the demo's tables. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixOfRange, isInRange } from './version.ts';

test('a range includes its lower end and not its fix', () => {
  assert.ok(isInRange('maven', '5.3.0', '>=5.3.0 <5.3.18'));
  assert.ok(!isInRange('maven', '5.3.18', '>=5.3.0 <5.3.18'));
  assert.ok(!isInRange('maven', '5.2.20', '>=5.3.0 <5.3.18'));
  assert.ok(isInRange('maven', '2.0.1', '<=2.0.1'));
  assert.throws(() => isInRange('maven', '1.0.0', '^1.0.0'), /not a range/);
  assert.equal(fixOfRange('>=5.3.0 <5.3.18'), '5.3.18');
  assert.equal(fixOfRange('<4.17.21'), '4.17.21');
  assert.equal(fixOfRange('<=2.0.1'), null);
});
