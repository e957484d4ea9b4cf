import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../test/support/fields.ts';
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
import { cyclonedx } from './cyclonedx/cyclonedx.ts';
import { dependencyTrack } from './dependency-track.ts';
import type { Report, ReportFinding } from './report.ts';

const fixture = (name: string): Report => readFixture(dependencyTrack, `${name}.json`);

test('reads a finding with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/findings/0',
    type: 'dependency',
    severity: 'high',
    title: 'Loose handle',
    description: 'The handle of the trowel comes off.',
    rule: 'GHSA-aaaa-bbbb-2031',
    advisories: ['GHSA-aaaa-bbbb-2031', 'CVE-2031-0101'],
    package: { purl: 'pkg:npm/%40green/trowel', name: '@green/trowel', version: '1.0.0' },
    cvss: { score: 7.5, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' },
    cwes: ['CWE-79', 'CWE-80'],
    artifact: {
      type: 'package_version',
      name: '@green/trowel',
      purl: 'pkg:npm/%40green/trowel@1.0.0',
      digest: null,
    },
    links: ['https://index.example/CVE-2031-0101', 'https://trowels.example/loose'],
    exploitable: true,
    evidence: {
      ...emptyEvidence,
      remediation: 'Update to version 1.2.0 or later.',
    },
  } satisfies ReportFinding);
  assert.deepEqual([report.read, report.unreadable], [5, []]);
  assert.deepEqual(fieldsOf(report.runs, 'tool', 'toolVersion', 'category', 'analysisTypes'), [
    ['dependency-track', '5.1.0', 'greenhouse', ['dependency', 'container']],
  ]);
});

test('a review is a suppression with its words, and what is resolved is no finding', () => {
  const report = fixture('before');
  assert.deepEqual(
    findingsOf(report).map(({ rule, suppression }) => [rule, suppression?.by, suppression?.reason]),
    [
      ['GHSA-aaaa-bbbb-2031', undefined, undefined],
      ['CVE-2031-0102', 'file', 'Marked as a false positive in Dependency-Track. Nobody waters with it.'],
      ['CVE-2031-0104', 'file', 'Suppressed in Dependency-Track.'],
      ['INT-2031', 'file', 'Marked as not affected in Dependency-Track.'],
    ],
  );
  assert.match(report.warnings.join(), /calls resolved/);
});

test('several CVEs of the aliases are related, and a severity without a meaning gives way to the score', () => {
  const [, hose, spade, rake] = findingsOf(fixture('before'));
  assert.deepEqual(
    [hose?.advisories, hose?.relatedAdvisories, hose?.cwes],
    [['CVE-2031-0102'], ['GHSA-cccc-dddd-2031', 'CVE-2031-0103', 'sonatype-2031-0103'], ['CWE-401']],
  );
  assert.deepEqual([spade?.type, spade?.severity, spade?.cvss?.vector], ['container', 'critical', null]);
  assert.deepEqual([rake?.severity, rake?.title], ['unknown', 'INT-2031 in tools/rake']);
  const [shears] = findingsOf(fixture('after'));
  assert.deepEqual([shears?.package?.purl, shears?.cvss?.score], ['pkg:pypi/garden-shears', 9.3]);
});

test('a finding has the package and the advisory that the export as CycloneDX gives', () => {
  const components = [
    {
      'bom-ref': 'a',
      type: 'library',
      group: '@green',
      name: 'trowel',
      version: '1.0.0',
      purl: 'pkg:npm/%40green/trowel@1.0.0',
    },
    { 'bom-ref': 'b', type: 'library', group: 'tools', name: 'rake' },
  ];
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { tools: [{ vendor: 'OWASP', name: 'Dependency-Track', version: '5.1.0' }] },
    components,
    vulnerabilities: [
      { id: 'GHSA-aaaa-bbbb-2031', source: { name: 'GITHUB' }, affects: [{ ref: 'a' }] },
      { id: 'INT-2031', source: { name: 'INTERNAL' }, affects: [{ ref: 'b' }] },
    ],
  };
  const keys = (report: Report): string[] =>
    findingsOf(report).map(({ rule, package: named }) => `${rule} ${named?.purl} ${named?.version}`);
  const exported = readContent(cyclonedx, bom);
  assert.equal(exported.runs[0]?.tool, 'dependency-track');
  const [trowel, , , rake] = keys(fixture('before'));
  assert.deepEqual(keys(exported), [trowel, rake]);
});

test('the list of the API has a run for each project', () => {
  const report = fixture('api');
  assert.deepEqual(
    report.runs.map(({ category, findings }) => [
      category,
      findings.map(({ rule, severity }) => [rule, severity]),
    ]),
    [
      ['greenhouse', [['CVE-2031-0101', 'info']]],
      ['pump house', [['CVE-2031-0102', 'medium']]],
    ],
  );
});

test('a list of the API that is as long as a full page closes nothing', () => {
  const row = {
    component: { name: 'trowel', version: '1.0.0', projectName: 'greenhouse' },
    vulnerability: { vulnId: 'CVE-2031-0101' },
    analysis: {},
  };
  const rows = (count: number): unknown[] => Array.from({ length: count }, () => row);
  const outcome = (content: unknown): unknown => readContent(dependencyTrack, content).runs[0]?.outcome;
  assert.deepEqual(
    [99, 100, 101, 300].map((count) => outcome(rows(count))),
    ['succeeded', 'failed', 'succeeded', 'failed'],
  );
  const whole = {
    meta: { application: 'Dependency-Track' },
    project: { name: 'greenhouse' },
    findings: rows(100),
  };
  assert.equal(outcome(whole), 'succeeded');
});

test('a project without findings is read, and shows no scan', () => {
  for (const report of [
    fixture('empty'),
    readContent(dependencyTrack, { meta: { application: 'Dependency-Track' }, project: { name: 'shed' } }),
  ]) {
    assert.deepEqual(
      [report.read, report.runs.map(({ category, showsScan }) => [category, showsScan])],
      [0, [['shed', false]]],
    );
  }
});

test('a row without an id or a component is unreadable, and fields of other types count as missing', () => {
  const report = fixture('broken');
  assert.deepEqual(unreadableIn(report), ['/findings/0', '/findings/1', '/findings/2']);
  assert.deepEqual(packageKeys(report), ['dependency CVE-2031-0105 pkg:generic/gate 3 -']);
  const [gate] = findingsOf(report);
  assert.deepEqual(
    [gate?.severity, gate?.cvss, gate?.cwes, gate?.suppression],
    ['unknown', null, ['CWE-306'], null],
  );
  for (const other of [
    { meta: {}, project: {}, findings: [] },
    { meta: { application: 'Dependency-Track' }, findings: {} },
    [{ component: {}, vulnerability: {} }],
    { findings: [{ component: {}, vulnerability: {}, analysis: {} }] },
  ]) {
    assert.equal(recognises(dependencyTrack, other), false, JSON.stringify(other));
  }
});
