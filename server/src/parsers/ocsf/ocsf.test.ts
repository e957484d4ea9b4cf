import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../../test/support/fields.ts';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  packageKeys,
  readContent,
  readFixture,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import { asff } from '../asff/asff.ts';
import type { ReportFinding } from '../report.ts';
import { ocsf } from './ocsf.ts';

test('reads a failed check with everything it says', () => {
  const report = readFixture(ocsf, 'before.json');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/0',
    type: 'iac',
    severity: 'high',
    title: 'Gates are closed',
    description: 'gate is open.\n\nCheck that the gate is closed.',
    rule: 'garden_gate_open',
    path: 'arn:aws:s3:::gate',
    code: 'arn:aws:s3:::gate',
    links: ['https://docs.example/garden', 'https://docs.example/close'],
    evidence: {
      ...emptyEvidence,
      help: 'Anybody may enter.',
      remediation: 'Close the gate.\n\naws garden close-gate',
    },
  } satisfies ReportFinding);
  assert.equal(report.read, 7);
  assert.deepEqual(unreadableIn(report), ['/5', '/6']);
  assert.deepEqual(fieldsOf(report.runs, 'tool', 'toolVersion', 'category'), [
    ['prowler', '5.4.0', 'aws/000000000031'],
  ]);
});

test('passed checks are no findings, muted ones are suppressed, and each region of an account is a location', () => {
  const report = readFixture(ocsf, 'before.json');
  assert.match(report.warnings.join(' '), /passed/);
  const [, here, there, wall] = findingsOf(report);
  assert.deepEqual([here?.severity, there?.severity], ['info', 'critical']);
  assert.deepEqual([here?.path, there?.path], ['000000000031', '000000000031']);
  assert.notEqual(here?.code, there?.code);
  assert.equal(wall?.suppression?.by, 'file');
});

test('a check without a result is no finding, and its earlier finding stays open', () => {
  const report = (status_code: string, status = 'New') => {
    const row = {
      class_uid: 2004,
      finding_info: { title: 'Beds are watered' },
      metadata: { event_code: 'garden_bed_dry', product: { name: 'Prowler' } },
      cloud: { account: { uid: '000000000031' }, provider: 'aws' },
      resources: [{ uid: 'arn:aws:s3:::bed' }],
      status,
      status_code,
    };
    return readContent(ocsf, [row, { ...row, resources: [] }]);
  };
  const failed = findingsOf(report('FAIL'));
  assert.equal(failed.length, 2);
  for (const status of ['MANUAL', 'NOT_AVAILABLE']) {
    const { runs, read, warnings } = report(status);
    assert.deepEqual([runs[0]?.findings, read], [[], 2]);
    assert.deepEqual(runs[0]?.gaps, [
      { rule: 'garden_bed_dry', path: failed[0]?.path },
      { rule: 'garden_bed_dry' },
    ]);
    assert.match(warnings.join(), /without a result/);
  }
  assert.deepEqual(report('MANUAL', 'Resolved').runs[0]?.gaps, [], 'a resolved one may be closed');
});

test("Prowler's findings are the same in its older shape and in Security Hub's format", () => {
  const keys = (finding: ReportFinding | undefined): string =>
    [finding?.type, finding?.rule, finding?.path, finding?.code].join(' ');
  const [now] = findingsOf(readFixture(ocsf, 'before.json'));
  const version3 = readFixture(ocsf, 'version3.json');
  assert.deepEqual([version3.read, findingsOf(version3).length], [2, 1]);
  assert.equal(keys(findingsOf(version3)[0]), keys(now));
  const hub = findingsOf(readFixture(asff, 'before.json')).find(({ rule }) => rule === 'garden_gate_open');
  assert.equal(keys(hub), keys(now));
  assert.equal(hub?.severity, now?.severity);
});

test('a line for each finding, of several products', () => {
  const report = readFixture(ocsf, 'lines.jsonl');
  assert.deepEqual(fieldsOf(report.runs, 'tool', 'category'), [
    ['aws-inspector', 'aws/000000000031'],
    ['aws-guardduty', 'aws/000000000031'],
    ['aws-security-hub', 'aws/000000000031'],
  ]);
  assert.deepEqual(packageKeys({ ...report, runs: report.runs.slice(0, 1) }), [
    'dependency CVE-2031-0001 pkg:npm/rake 2.0.0 eu-garden-1/tools/shed',
    'dependency CVE-2031-0001 pkg:npm/spade 1.2.0 eu-garden-1/tools/shed/app/package-lock.json',
  ]);
  const [spade, , digging, gate, door] = findingsOf(report);
  assert.deepEqual([spade?.cwes, spade?.cvss?.score, spade?.fixedVersions], [['CWE-22'], 9.8, ['1.2.3']]);
  assert.deepEqual([digging?.type, digging?.rule], ['other', 'Backdoor:Garden-Digging']);
  assert.deepEqual([gate?.rule, gate?.sharedRow, door?.sharedRow], ['Garden.1', '/2', '/2']);
});

test('code that a vulnerability names is a finding in a file', () => {
  const row = {
    class_uid: 2002,
    severity_id: 3,
    metadata: { product: { name: 'Garden Watch' } },
    finding_info: { title: 'The door is open', uid: 'u', analytic: { uid: 'open-door' } },
    vulnerabilities: [{ affected_code: [{ file: { path: 'src/door.py' }, start_line: 3 }] }],
  };
  const [finding] = findingsOf(readContent(ocsf, row));
  assert.deepEqual(
    [finding?.type, finding?.rule, finding?.path, finding?.line, finding?.severity],
    ['sast', 'open-door', 'src/door.py', 3, 'medium'],
  );
});
