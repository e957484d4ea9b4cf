import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  packageKeys,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import { npmAudit } from './npm-audit.ts';
import { parseReport } from './parse-report.ts';
import type { ReportFinding } from './report.ts';
import { yarnAudit } from './yarn-audit.ts';

test('version 1: reads a line with everything it says', () => {
  const report = readFixture(yarnAudit, 'version1.jsonl');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/1',
    type: 'dependency',
    severity: 'high',
    title: 'Spade digs outside of its bed',
    description: 'The spade digs anywhere.\n\nUpdate to 1.2.3.',
    rule: 'GHSA-aaaa-bbbb-cccc',
    advisories: ['GHSA-aaaa-bbbb-cccc', 'CVE-2030-0200', 'NPM-1001'],
    package: { purl: 'pkg:npm/%40tools/spade', name: '@tools/spade', version: '1.2.0' },
    fixedVersions: ['1.2.3'],
    cvss: { score: 7.5, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H' },
    cwes: ['CWE-22'],
    artifact: {
      type: 'package_version',
      name: '@tools/spade',
      purl: 'pkg:npm/%40tools/spade@1.2.0',
      digest: null,
    },
    links: ['https://github.com/advisories/GHSA-aaaa-bbbb-cccc', 'https://garden.example/spade'],
    evidence: {
      ...emptyEvidence,
      remediation: 'Update to 1.2.3.',
      dependencyPaths: [['shed', 'rake', '@tools/spade@1.2.0']],
    },
  } satisfies ReportFinding);
});

test('version 1: each path is a row, and the version is the one at the path', () => {
  const report = readFixture(yarnAudit, 'version1.jsonl');
  assert.equal(report.read, 4);
  assert.deepEqual(unreadableIn(report), ['/4']);
  assert.deepEqual(
    findingsOf(report).map(({ pointer, package: named }) => [pointer, named?.version]),
    [
      ['/1', '1.2.0'],
      ['/2', '1.2.0'],
      ['/3', '0.0.8'],
    ],
  );
});

test('version 4: each version in the project is a finding, and deprecations give no finding', () => {
  const report = readFixture(yarnAudit, 'version4.jsonl');
  assert.equal(report.read, 3);
  assert.deepEqual(unreadableIn(report), ['/2']);
  assert.match(report.warnings.join(' '), /deprecated/);
  assert.deepEqual(packageKeys(report), [
    'dependency GHSA-aaaa-bbbb-cccc pkg:npm/%40tools/spade 0.0.8 -',
    'dependency GHSA-aaaa-bbbb-cccc pkg:npm/%40tools/spade 1.2.0 -',
  ]);
  const [first] = findingsOf(report);
  assert.deepEqual(first?.evidence?.dependencyPaths, [
    ['rake@2.0.0', '@tools/spade@0.0.8'],
    ['garden', '@tools/spade@0.0.8'],
  ]);
  assert.deepEqual([first?.sharedRow, first?.fixedVersions], ['/0', ['1.2.3']]);
});

test('without a lock file, and with an error, nothing is closed', () => {
  assert.equal(readFixture(yarnAudit, 'no-lockfile.jsonl').runs[0]?.outcome, 'scanned_nothing');
  const failed =
    '{"type":"error","data":"No answer."}\n{"type":"auditSummary","data":{"totalDependencies":3}}';
  assert.equal(readContent(yarnAudit, failed).runs[0]?.outcome, 'failed');
  assert.equal(recognises(yarnAudit, '{"type":"error","data":"a"}\n{"type":"info","data":"b"}'), false);
});

test('an empty list, which is sent in place of an empty file, is a run without findings', () => {
  const report = parseReport(Buffer.from('[]'), { format: 'yarn-audit' });
  assert.deepEqual([report.read, unreadableIn(report), report.runs.length], [0, [], 1]);
  assert.deepEqual([report.runs[0]?.outcome, report.runs[0]?.findings], ['succeeded', []]);
});

test("the object of npm 6 is npm's, unless an upload names Yarn", () => {
  const object = {
    actions: [],
    advisories: { 1: { id: 1, module_name: 'rope', severity: 'low', url: 'https://npmjs.com/advisories/1' } },
    muted: [],
    metadata: { vulnerabilities: {} },
  };
  const bytes = Buffer.from(JSON.stringify(object));
  assert.equal(parseReport(bytes).format, npmAudit.name);
  const named = parseReport(bytes, { format: 'yarn-audit' });
  assert.deepEqual([named.format, named.runs[0]?.tool, named.read], ['yarn-audit', 'yarn-audit', 1]);
  assert.deepEqual(packageKeys(named), packageKeys(parseReport(bytes)));
});
