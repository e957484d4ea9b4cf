import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cvssOf, cvssOfVector, cvssOfVectors, severityOf } from './cvss.ts';

test('vectors of version 3 have the score of the specification', () => {
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

test('vectors of version 2 have their base score', () => {
  for (const [vector, score] of [
    ['AV:N/AC:L/Au:N/C:N/I:N/A:C', 7.8],
    ['AV:N/AC:L/Au:N/C:C/I:C/A:C', 10],
    ['AV:L/AC:H/Au:N/C:C/I:C/A:C', 6.2],
  ] as const) {
    assert.deepEqual(cvssOfVector(vector), { score, vector });
  }
});

test('vectors of version 4.0 have their base score', () => {
  for (const [metrics, score] of [
    ['AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.3],
    ['AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.7],
    ['AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N', 8.3],
    ['AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N', 5.1],
    ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N', 6.9],
    ['AV:L/AC:L/AT:N/PR:H/UI:N/VC:N/VI:N/VA:N/SC:H/SI:N/SA:N', 5.9],
    ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N', 8.7],
    ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', 10],
  ] as const) {
    assert.equal(cvssOfVector(`CVSS:4.0/${metrics}`)?.score, score, metrics);
  }
});

test('threat, temporal and supplemental metrics do not change the base score', () => {
  const three = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  assert.equal(cvssOfVector(`${three}/E:U/RL:O`)?.score, 9.8);
  const four = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N';
  assert.equal(cvssOfVector(`${four}/E:U/S:P/U:Amber`)?.score, 9.3);
});

test('the newest CVSS version of several vectors is used, and a broken vector is skipped', () => {
  const two = 'AV:N/AC:L/Au:N/C:P/I:P/A:P';
  const three = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  const four = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N';
  assert.equal(cvssOfVectors([two, three, four])?.vector, four);
  assert.equal(cvssOfVectors([two, three])?.vector, three);
  assert.equal(cvssOfVectors(['CVSS:4.0/AV:N', two])?.vector, two);
  assert.equal(cvssOfVectors([]), null);
});

test('a partial vector, an unknown version and another text have no score', () => {
  for (const text of [
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H',
    'CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1/AV:Q/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/XX:Y',
    'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H',
    'CVSS:5.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
    'AV:N/AC:L/Au:N/C:P/I:P',
    `CVSS:3.1/${'A:H/'.repeat(100)}`,
    'high',
    '',
  ]) {
    assert.equal(cvssOfVector(text), null, text);
    assert.equal(cvssOfVector(text), null, `${text}, asked again`);
  }
  assert.equal(cvssOf(11, null), null);
  assert.deepEqual(cvssOf(5, 'a <b>'), { score: 5, vector: null });
});

test('an unknown label falls back to the score', () => {
  assert.equal(severityOf('MODERATE', 9.8), 'medium');
  assert.equal(severityOf('unknown', 9.8), 'critical');
  assert.equal(severityOf(null, null), 'unknown');
});

const advisories = fileURLToPath(new URL('../../../../../shared/intel/advisories/', import.meta.url));

test('vectors of published advisories have the score that is published with them', (t) => {
  if (!existsSync(advisories)) {
    t.skip('../shared/intel/advisories is not here: published scores were not compared');
    return;
  }
  let count = 0;
  for (const folder of ['cve', 'csaf', 'nvd']) {
    for (const file of readdirSync(`${advisories}${folder}`)) {
      JSON.parse(readFileSync(`${advisories}${folder}/${file}`, 'utf8'), (_key, value) => {
        if (typeof value?.vectorString === 'string' && typeof value.baseScore === 'number') {
          assert.equal(cvssOfVector(value.vectorString)?.score, value.baseScore, value.vectorString);
          count++;
        }
        return value;
      });
    }
  }
  assert.ok(count >= 5, `only ${count} vectors`);
});
