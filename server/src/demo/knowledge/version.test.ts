/** The one ordering of versions that the demo's tables rely on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareVersions, fixOfRange, isInRange } from './version.ts';

test('versions of all ecosystems in the tables are ordered', () => {
  const rising = [
    ['4.9.0', '4.17.20'],
    ['2.13.2', '2.13.2.1'],
    ['5.2.9.RELEASE', '5.2.20.RELEASE'],
    ['4.1.94.Final', '4.1.108.Final'],
    ['1:2.39.2-1.1', '1:2.39.5-0+deb12u1'],
    ['3.0.11-1~deb12u2', '3.0.13-1~deb12u1'],
    ['7.88.1-10', '7.88.1-10+deb12u4'],
    ['8.1.2-r0', '8.4.0-r0'],
  ] as const;
  for (const [older, newer] of rising) {
    assert.ok(compareVersions(older, newer) < 0, `${older} < ${newer}`);
    assert.ok(compareVersions(newer, older) > 0, `${newer} > ${older}`);
    assert.equal(compareVersions(newer, newer), 0);
  }
});

test('a range holds its lower end and not its fix', () => {
  assert.ok(isInRange('5.3.0', '>=5.3.0 <5.3.18'));
  assert.ok(!isInRange('5.3.18', '>=5.3.0 <5.3.18'));
  assert.ok(!isInRange('5.2.20', '>=5.3.0 <5.3.18'));
  assert.ok(isInRange('2.0.1', '<=2.0.1'));
  assert.throws(() => isInRange('1.0.0', '^1.0.0'), /not a range/);
  assert.equal(fixOfRange('>=5.3.0 <5.3.18'), '5.3.18');
  assert.equal(fixOfRange('<4.17.21'), '4.17.21');
  assert.equal(fixOfRange('<=2.0.1'), null);
});
