import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../../test/support/fields.ts';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  readContent,
  readFixture,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import type { Report, ReportFinding } from '../report.ts';
import { checkov } from './checkov.ts';

const fixture = (name: string): Report => readFixture(checkov, `${name}.json`);

test('a check is the same in the list and the object, when its block has moved and grown', () => {
  const keys = (name: string): string[] =>
    findingsOf(fixture(name)).map(({ rule, path, code }) => `${rule} ${path} ${code}`);
  const before = new Set(keys('before'));
  const after = new Set(keys('after'));
  assert.deepEqual([...before.intersection(after)], ['CKV_GDN_1 infra/gates/front.tf garden_gate.front']);
  assert.deepEqual([...after.difference(before)], ['CKV_GDN_4 infra/gates/front.tf garden_gate.front']);
});

test('reads a check with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/0/results/failed_checks/0',
    type: 'iac',
    severity: 'medium',
    title: 'Ensure the gate is locked',
    rule: 'CKV_GDN_1',
    path: 'infra/gates/front.tf',
    line: 10,
    code: 'garden_gate.front',
    links: ['https://docs.example/gate'],
    evidence: {
      ...emptyEvidence,
      snippet: {
        text: 'resource "garden_gate" "front" {\n}\n',
        firstLine: 10,
        markedFrom: 10,
        markedTo: 11,
      },
    },
  } satisfies ReportFinding);
  assert.equal(report.read, 9);
  assert.deepEqual(unreadableIn(report), ['/0/results/failed_checks/2', '/0/results/failed_checks/3']);
  assert.match(report.warnings.join(), /could not parse/);
  assert.deepEqual(
    fieldsOf(report.runs, 'tool', 'toolVersion', 'category', 'history'),
    [['checkov', '3.2.0', '', false]],
    'all frameworks are one run',
  );
});

test('started at the root of a container, the path begins where Checkov was pointed to', () => {
  const [, bell] = findingsOf(fixture('before'));
  assert.deepEqual([bell?.path, bell?.line, bell?.severity], ['gates/front.tf', null, 'low']);
});

test('a skipped check is suppressed beside the code', () => {
  const [, , painted] = findingsOf(fixture('before'));
  assert.equal(painted?.rule, 'CKV_GDN_3');
  assert.deepEqual(painted?.suppression, { by: 'source', reason: 'Paint is on order', expiresAt: null });
});

test('secrets are masked, and their hash is left out', () => {
  const report = fixture('before');
  const [, , , masked, bare] = findingsOf(report);
  assert.deepEqual([masked?.type, masked?.severity, masked?.code], ['secret', 'high', null]);
  assert.equal(masked?.secret?.value, null);
  assert.equal(masked?.secret?.maskedLine, 'gate_key = "****"\n');
  assert.deepEqual([masked?.evidence, bare?.evidence], [null, null]);
  assert.equal(bare?.secret?.maskedLine, 'gate_key = "****"\n');
  const text = JSON.stringify(report);
  assert.ok(!text.includes('gdn_Zx') && !text.includes('5baa61e4'));
});

test('packages and licenses are read as such', () => {
  const [, , , , , rake, hedge] = findingsOf(fixture('before'));
  assert.deepEqual(
    [rake?.type, rake?.severity, rake?.rule, rake?.path, rake?.package],
    [
      'dependency',
      'high',
      'CVE-2031-0002',
      'requirements.txt',
      { purl: 'pkg:pypi/garden-rake', name: 'Garden_Rake', version: '1.2.2' },
    ],
  );
  assert.deepEqual(rake?.advisories, ['CVE-2031-0002']);
  assert.deepEqual(rake?.fixedVersions, ['1.2.3', '2.0.1']);
  assert.deepEqual(rake?.cvss, { score: 7.5, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H' });
  assert.deepEqual(
    [hedge?.type, hedge?.rule, hedge?.package?.purl],
    ['license', 'GPL-3.0', 'pkg:pypi/hedge'],
  );
});

test('the bare summary is a run with the outcome scanned_nothing', () => {
  const report = readContent(
    checkov,
    '{"passed":0,"failed":0,"skipped":0,"parsing_errors":0,"resource_count":0,"checkov_version":"3.1.0"}',
  );
  assert.deepEqual(
    [report.read, report.runs.length, report.runs[0]?.toolVersion, report.runs[0]?.outcome],
    [0, 1, '3.1.0', 'scanned_nothing'],
  );
});

const stepCheck = (resource: string, file = 'ci.yml', check_id = 'CKV_GHA_2'): object => ({
  check_id,
  file_path: `/.github/workflows/${file}`,
  file_line_range: [20, 24],
  resource,
});

function stepCodes(results: object): unknown[] {
  const report = { check_type: 'github_actions', results, summary: {} };
  return findingsOf(readContent(checkov, report)).map(({ code }) => code);
}

test('a step of a workflow is named without its number, unless it has no name', () => {
  const codes = (...resources: string[]): unknown[] =>
    stepCodes({ failed_checks: resources.map((resource) => stepCheck(resource)), passed_checks: [] });
  assert.deepEqual(codes('jobs(build).steps[2](Run (all) steps)', 'jobs(test).steps[2](Run (all) steps)'), [
    'jobs(build).steps(Run (all) steps)',
    'jobs(test).steps(Run (all) steps)',
  ]);
  const others = [
    'jobs(build).steps[2](None)',
    'jobs(build).steps[3](None)',
    'jobs(build)',
    'garden_gate.front[2](a)',
  ];
  assert.deepEqual(codes(...others), others);
  assert.deepEqual(codes('jobs(test).steps[2](Run)'), ['jobs(test).steps(Run)'], 'the job stays');
});

test('steps of one name in a job of a file keep their numbers, also beside one that passed', () => {
  const [second, third] = ['jobs(build).steps[2](Run)', 'jobs(build).steps[3](Run)'];
  assert.deepEqual(stepCodes({ failed_checks: [stepCheck(second), stepCheck(third)] }), [second, third]);
  assert.deepEqual(stepCodes({ failed_checks: [stepCheck(third)], passed_checks: [stepCheck(second)] }), [
    third,
  ]);
  const alone = [stepCheck(second)];
  assert.deepEqual(stepCodes({ failed_checks: alone }), [second], 'with --quiet');
  assert.deepEqual(stepCodes({ failed_checks: alone, passed_checks: [] }), ['jobs(build).steps(Run)']);
  const elsewhere = { failed_checks: [stepCheck(second), stepCheck(third, 'other.yml')], passed_checks: [] };
  assert.deepEqual(stepCodes(elsewhere), ['jobs(build).steps(Run)', 'jobs(build).steps(Run)']);
  const twoRules = {
    failed_checks: [stepCheck(second), stepCheck(second, 'ci.yml', 'CKV_GHA_3')],
    passed_checks: [],
  };
  assert.deepEqual(stepCodes(twoRules), ['jobs(build).steps(Run)', 'jobs(build).steps(Run)']);
});

test('a resource of half a megabyte does not take long', () => {
  const resource = `jobs(${').steps[1]('.repeat(40_000)}`;
  const start = performance.now();
  const codes = stepCodes({ failed_checks: [stepCheck(`${resource}x`), stepCheck(`${resource}x)`)] });
  assert.ok(performance.now() - start < 2_000);
  assert.match(String(codes[0]), /^jobs\(\)\.steps\[1\]/);
});
