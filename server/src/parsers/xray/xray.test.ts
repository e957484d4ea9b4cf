import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../../test/support/fields.ts';
import {
  emptyFinding,
  findingsOf,
  packageKeys,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import type { Report, ReportFinding } from '../report.ts';
import { xray } from './xray.ts';

const fixture = (name: string): Report => readFixture(xray, `${name}.json`);
const runsIn = (report: Report): unknown[] =>
  report.runs.map(({ tool, category, image, findings }) => [
    tool,
    category,
    image?.name ?? null,
    image?.tag ?? null,
    findings.length,
  ]);

test('reads a row of a report with everything it says', () => {
  const report = fixture('rows');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/rows/0',
    type: 'dependency',
    severity: 'high',
    title: 'Loose handle',
    description: 'The handle of the trowel comes off.',
    rule: 'XRAY-101',
    advisories: ['XRAY-101', 'CVE-2031-0101'],
    package: { purl: 'pkg:npm/%40green/trowel', name: '@green/trowel', version: '1.0.0' },
    fixedVersions: ['2.0.1', '1.9.8'],
    cvss: { score: 7.5, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' },
    path: 'green/shed',
    pathIsTarget: true,
    artifact: {
      type: 'package_version',
      name: '@green/trowel',
      purl: 'pkg:npm/%40green/trowel@1.0.0',
      digest: null,
    },
    links: ['https://trowels.example/loose'],
  } satisfies ReportFinding);
  assert.equal(report.read, 5);
});

test('each artifact is a run, and several CVEs of one issue are related to it', () => {
  const report = fixture('rows');
  assert.deepEqual(runsIn(report), [
    ['xray', 'green/shed', 'green/shed', '1.2', 3],
    ['xray', 'garden.green:house', null, null, 1],
    ['xray', 'generic://shed.zip', null, null, 1],
  ]);
  assert.deepEqual(packageKeys(report), [
    'container XRAY-102 pkg:rpm/libspade1 1:2.28-10 target',
    'dependency XRAY-101=CVE-2031-0101 pkg:npm/%40green/trowel 1.0.0 target',
    'dependency XRAY-104=CVE-2031-0104 pkg:maven/garden.green/mower 4.1 target',
    'dependency XRAY-105=CVE-2031-0105 pkg:golang/gates.example/gate 1.2.0 target',
    'dependency XRAY-106 undefined - target',
  ]);
  const spade = findingsOf(report).find(({ rule }) => rule === 'XRAY-102');
  assert.deepEqual(
    [spade?.severity, spade?.cvss?.score, spade?.relatedAdvisories],
    ['info', 9.1, ['CVE-2031-0102', 'CVE-2031-0103']],
  );
  assert.deepEqual(runsIn(fixture('rows-empty')), [['xray', '', null, null, 0]]);
});

test('the export of components is read, where a CVE stands for a missing id', () => {
  const report = fixture('components');
  assert.deepEqual(packageKeys(report), [
    'container CVE-2031-0101 pkg:deb/debian/libspade 2:1.6.4-3 -',
    'container XRAY-202=CVE-2031-0102 pkg:apk/alpine/hoe 1.0-r0 -',
    // A license with a CVE is a vulnerability.
    'dependency GPL-3.0=CVE-2031-0103 pkg:pypi/rake-tool 0.9 -',
  ]);
  const [spade] = findingsOf(report);
  assert.deepEqual(
    [spade?.cvss, spade?.cwes, spade?.fixedVersions],
    [
      { score: 9.8, vector: 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
      ['CWE-787', 'CWE-119'],
      ['2:1.6.4-3+deb12u1'],
    ],
  );
});

test('an issue of an artifact is a finding for each package, and licenses give the inventory', () => {
  const report = fixture('artifacts');
  assert.equal(report.read, 3);
  assert.deepEqual(runsIn(report), [
    ['xray', 'shed', 'shed', '1.2', 4],
    ['xray', 'garden.green:house', null, null, 0],
  ]);
  assert.deepEqual(
    findingsOf(report).map(({ pointer, sharedRow, package: named, cvss }) => [
      pointer,
      sharedRow,
      named?.purl ?? null,
      cvss?.score ?? null,
    ]),
    [
      ['/artifacts/0/issues/0', '/artifacts/0/issues/0', 'pkg:apk/alpine/spade', 5.9],
      ['/artifacts/0/issues/0', '/artifacts/0/issues/0', 'pkg:apk/alpine/libspade', 5.9],
      ['/artifacts/0/issues/1', null, 'pkg:maven/mower-jvm', null],
      ['/artifacts/0/issues/2', null, null, 5.9],
    ],
  );
  assert.deepEqual(
    report.runs[0]?.manifests.map(({ path, type, packages }) => [
      path,
      type,
      packages.map(({ name, licenses }) => [name, licenses]),
    ]),
    [
      [
        'shed',
        'image',
        [
          ['spade', ['GPL-3.0']],
          ['garden.green:mower-jvm', ['GPL-3.0']],
          ['libspade', []],
        ],
      ],
    ],
  );
});

test('a scan by the command line has chains of packages and what to do', () => {
  const report = fixture('scans');
  const [trowel, other, license] = findingsOf(report);
  assert.deepEqual(
    [trowel?.evidence, trowel?.fixedVersions, trowel?.links, trowel?.sharedRow, other?.package?.version],
    [
      {
        snippet: null,
        dataFlow: [],
        help: null,
        remediation: 'Do not pull.',
        dependencyPaths: [['tools@2.2.0', 'trowel@1.0.0']],
      },
      ['2.0.1'],
      ['https://trowels.example/loose', 'https://more.example/'],
      '/0/vulnerabilities/0',
      '1.1.0',
    ],
  );
  assert.deepEqual(
    [license?.type, license?.rule, license?.advisories, license?.package?.purl],
    ['license', 'GPL-3.0', ['license:GPL-3.0'], 'pkg:npm/rake'],
  );
  assert.equal(report.read, 2);
});

test('rows that cannot be understood are unreadable, and other lists are not recognised', () => {
  const report = fixture('broken');
  assert.deepEqual(unreadableIn(report), ['/rows/0', '/rows/2', '/rows/3']);
  assert.deepEqual(fieldsOf(findingsOf(report), 'rule', 'severity', 'package'), [
    ['XRAY-101', 'unknown', null],
    ['', 'high', null],
  ]);
  for (const other of [
    { rows: [] },
    { total_count: 1, data: [{ id: 1 }] },
    { artifacts: [{ name: 'shed' }] },
    { artifacts: [] },
    [{ scan_id: '1' }],
  ]) {
    assert.equal(recognises(xray, other), false, JSON.stringify(other));
  }
});

test('the name of an artifact is a path inside of the repository', () => {
  const row = { issue_id: 'XRAY-1', vulnerable_component: 'npm://rake:1.0', severity: 'High' };
  const pathsOf = (impacted_artifact: string): unknown[] =>
    findingsOf(readContent(xray, { total_rows: 1, rows: [{ ...row, impacted_artifact }] })).map(
      ({ path }) => path,
    );
  assert.deepEqual(pathsOf('../../garden\\shed'), ['garden/shed']);
  assert.deepEqual(pathsOf('generic://shed.zip'), ['shed.zip']);
});

test('a build with another checksum keeps the series and the path of its artifact', () => {
  const row = { issue_id: 'XRAY-1', vulnerable_component: 'npm://rake:1.0', severity: 'High' };
  for (const digest of ['9c1f'.repeat(16), '07ad'.repeat(16)]) {
    const impacted_artifact = `generic://sha256:${digest}/shed.jar`;
    const report = readContent(xray, { total_rows: 1, rows: [{ ...row, impacted_artifact }] });
    assert.deepEqual(runsIn(report), [['xray', 'generic://shed.jar', null, null, 1]]);
    assert.equal(findingsOf(report)[0]?.path, 'shed.jar');
  }
});

test('one page of several closes nothing', () => {
  const row = {
    issue_id: 'XRAY-101',
    vulnerable_component: 'npm://rake:1.0',
    impacted_artifact: 'gav://a:b:1',
  };
  for (const page of [
    { total_rows: 2, rows: [row] },
    { total_rows: 2, rows: [] },
    {
      total_count: 2,
      data: [{ source_comp_id: 'npm://rake:1.0', issue_type: 'security', summary: 'Loose' }],
    },
  ]) {
    const report = readContent(xray, page);
    assert.equal(report.runs[0]?.outcome, 'failed');
    assert.match(report.warnings.join(), /one page of several/);
  }
  assert.equal(fixture('rows').runs[0]?.outcome, 'succeeded');
});
