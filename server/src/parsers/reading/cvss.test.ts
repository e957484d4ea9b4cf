import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cvssOf, cvssOfVector, severityOf } from './cvss.ts';

test('scores vectors of version 3 as the specification does', () => {
  // The examples of the specification, and the edges of the equations.
  for (const [metrics, score] of [
    ['AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
    ['AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10],
    ['AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4],
    ['AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', 3.1],
    ['AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
    ['AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 7.8],
    ['AV:P/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 6.8],
    ['AV:A/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:H', 9.3],
    ['AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0],
  ] as const) {
    assert.equal(cvssOfVector(`CVSS:3.1/${metrics}`)?.score, score, metrics);
    assert.equal(cvssOfVector(`CVSS:3.0/${metrics}`)?.score, score, metrics);
  }
});

test('no score for part of a vector, another version, or another text', () => {
  for (const text of [
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H',
    'CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
    'AV:N/AC:L/Au:N/C:P/I:P/A:P',
    'high',
    '',
  ]) {
    assert.equal(cvssOfVector(text), null, text);
  }
  assert.equal(cvssOf(11, null), null);
  assert.deepEqual(cvssOf(5, 'a <b>'), { score: 5, vector: null });
});

test('a word that says nothing gives way to the score', () => {
  assert.equal(severityOf('MODERATE', 9.8), 'medium');
  assert.equal(severityOf('unknown', 9.8), 'critical');
  assert.equal(severityOf(null, null), 'unknown');
});
