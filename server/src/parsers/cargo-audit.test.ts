import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../test/support/fields.ts';
import {
  findingsOf,
  packageKeys,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import { cargoAudit } from './cargo-audit.ts';

test('warnings as a list and by kind give the same findings; two are new', () => {
  const stays = [
    'dependency RUSTSEC-2030-0001=CVE-2030-0300 pkg:cargo/hose 0.4.7 -',
    'dependency RUSTSEC-2030-0002 pkg:cargo/pot 0.1.0 -',
  ];
  assert.deepEqual(packageKeys(readFixture(cargoAudit, 'before.json')), stays);
  assert.deepEqual(packageKeys(readFixture(cargoAudit, 'after.json')), [
    ...stays,
    'dependency RUSTSEC-2030-0003 pkg:cargo/rope 1.0.0 -',
    'dependency RUSTSEC-2030-0004 pkg:cargo/shed 2.0.0 -',
  ]);
});

test('reads a vulnerability with everything it says', () => {
  const [hose] = findingsOf(readFixture(cargoAudit, 'before.json'));
  assert.deepEqual(
    [hose?.pointer, hose?.severity, hose?.title, hose?.description, hose?.relatedAdvisories],
    ['/vulnerabilities/list/0', 'high', 'hose breaks', 'It breaks.', ['CVE-2030-0399']],
  );
  assert.deepEqual(hose?.cvss, { score: 7.8, vector: 'CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H' });
  assert.deepEqual(hose?.fixedVersions, ['1.1.0', '0.4.8', '0.3.2']);
  assert.deepEqual(hose?.links, [
    'https://rustsec.org/advisories/RUSTSEC-2030-0001',
    'https://garden.example/hose',
    'https://garden.example/ref',
  ]);
});

test('warnings rank low, do not count as rows, and yanked crates give no finding', () => {
  const report = readFixture(cargoAudit, 'after.json');
  assert.equal(report.read, 3);
  assert.deepEqual(fieldsOf(findingsOf(report), 'rule', 'severity'), [
    ['RUSTSEC-2030-0003', 'unknown'],
    ['RUSTSEC-2030-0001', 'high'],
    ['RUSTSEC-2030-0002', 'info'],
    ['RUSTSEC-2030-0004', 'low'],
  ]);
  assert.deepEqual(unreadableIn(report), ['/vulnerabilities/list/2']);
  assert.match(report.warnings.join(' '), /yanked/);
});

test('null where a list should be; npm writes vulnerabilities as well', () => {
  const empty = { lockfile: {}, vulnerabilities: { found: false, count: 0, list: null }, warnings: null };
  assert.equal(readContent(cargoAudit, empty).read, 0);
  assert.equal(recognises(cargoAudit, { auditReportVersion: 2, vulnerabilities: {} }), false);
});
