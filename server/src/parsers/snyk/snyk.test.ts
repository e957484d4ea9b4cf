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
  recognises,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import type { Report, ReportFinding } from '../report.ts';
import { snyk } from './snyk.ts';

const fixture = (name: string): Report => readFixture(snyk, `${name}.json`);
const runsIn = (report: Report): unknown[] =>
  report.runs.map(({ tool, category, outcome, analysisTypes }) => [
    tool,
    category,
    outcome,
    analysisTypes.join(),
  ]);

test('reads a vulnerability with everything it says, and with the paths of all its rows', () => {
  const report = fixture('before');
  const [trowel, twin, ...others] = findingsOf(report);
  assert.deepEqual(trowel, {
    ...emptyFinding,
    pointer: '/vulnerabilities/0',
    type: 'dependency',
    severity: 'medium',
    title: 'Loose handle in trowel',
    description:
      '## Overview\nThe handle of the trowel comes off.\n\n## Remediation\nUpgrade `trowel` to version 2.0.1 or higher.\n## References\n- [Trowels](https://trowels.example/)',
    rule: 'SNYK-JS-TROWEL-101',
    advisories: ['SNYK-JS-TROWEL-101', 'CVE-2031-0101', 'GHSA-2222-3333-4444'],
    package: { purl: 'pkg:npm/trowel', name: 'trowel', version: '1.0.0' },
    fixedVersions: ['2.0.1', '1.9.8'],
    cvss: { score: 7.5, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' },
    cwes: ['CWE-672', 'CWE-1035'],
    path: 'package-lock.json',
    artifact: { type: 'package_version', name: 'trowel', purl: 'pkg:npm/trowel@1.0.0', digest: null },
    links: ['https://security.snyk.io/vuln/SNYK-JS-TROWEL-101', 'https://trowels.example/loose'],
    evidence: {
      ...emptyEvidence,
      remediation: 'Upgrade tools@2.2.0 to tools@2.3.0.',
      dependencyPaths: [
        ['rake@3.0.0', 'trowel@1.0.0'],
        ['tools@2.2.0', 'box@1.0.0', 'trowel@1.0.0'],
      ],
    },
  } satisfies ReportFinding);
  assert.deepEqual({ ...twin, pointer: '/vulnerabilities/0' }, trowel);
  assert.deepEqual(
    others.map(({ type, severity, advisories, exploitable, suppression }) => [
      type,
      severity,
      advisories[0],
      exploitable,
      suppression,
    ]),
    [
      ['license', 'high', 'license:GPL-3.0', false, null],
      ['malware', 'critical', 'SNYK-JS-MOLE-102', false, null],
      ['dependency', 'critical', 'SNYK-JS-HOE-103', true, null],
      [
        'dependency',
        'medium',
        'SNYK-JS-WEED-104',
        false,
        { by: 'file', reason: 'The garden has none.', expiresAt: '2031-12-31T00:00:00.000Z' },
      ],
      [
        'dependency',
        'medium',
        'SNYK-JS-WEED-105',
        false,
        { by: 'file', reason: 'Patched by Snyk.', expiresAt: null },
      ],
    ],
  );
  assert.equal(report.read, 7);
  assert.deepEqual(others[2]?.relatedAdvisories, ['CVE-2031-0103', 'CVE-2031-0104']);
  assert.equal(others[3]?.evidence?.remediation, 'Upgrade `trowel` to version 2.0.1 or higher.');
  assert.deepEqual(runsIn(report), [
    ['snyk-open-source', 'package-lock.json', 'succeeded', 'dependency,license,malware'],
  ]);
  assert.deepEqual(runsIn(fixture('after')), [
    ['snyk-open-source', 'package-lock.json', 'succeeded', 'dependency'],
  ]);
});

test('each project of a list is a run, told apart by its file or its name', () => {
  const report = fixture('projects');
  assert.deepEqual(runsIn(report), [
    ['snyk-open-source', 'house/pom.xml', 'succeeded', 'dependency'],
    ['snyk-open-source', 'build.gradle garden/gate', 'succeeded', 'dependency'],
    ['snyk-open-source', 'build.gradle garden/fence', 'succeeded', 'dependency'],
    ['snyk-open-source', 'lawn', 'succeeded', 'dependency'],
    ['snyk-open-source', '', 'failed', 'dependency'],
  ]);
  assert.deepEqual(
    findingsOf(report).map(({ pointer, path, package: named }) => [pointer, path, named?.purl]),
    [['/0/vulnerabilities/0', 'house/pom.xml', 'pkg:maven/garden.green/mower']],
  );
  assert.match(report.warnings.join(), /could not test every project/);
  assert.deepEqual(runsIn(fixture('failed')), [['snyk-open-source', '', 'failed', 'dependency']]);
});

test('an image is one run with the packages of its system and of all its programs', () => {
  for (const [name, shed, category, keys] of [
    [
      'container',
      'registry.example/garden/shed',
      'garden/shed',
      [
        'container SNYK-DEBIAN12-SPADE-201=CVE-2031-0201 pkg:deb/debian/libspade 1:2.28-10 target',
        'dependency SNYK-JS-TROWEL-101=CVE-2031-0101=GHSA-2222-3333-4444 pkg:npm/trowel 1.0.0 srv/door/package.json',
      ],
    ],
    [
      'container-list',
      'shed',
      'shed',
      [
        'container SNYK-ALPINE320-SPADE-201=CVE-2031-0201 pkg:apk/alpine/spade 1.0-r0 target',
        'dependency SNYK-PYTHON-RAKE-202=CVE-2031-0101=GHSA-2222-3333-4444 pkg:pypi/rake-tool 0.9 srv/door/requirements.txt',
      ],
    ],
  ] as const) {
    const report = fixture(name);
    assert.deepEqual(packageKeys(report), keys);
    assert.deepEqual(runsIn(report), [['snyk-container', category, 'succeeded', 'dependency,container']]);
    assert.deepEqual(report.runs[0]?.image, { name: shed, tag: '1.2' });
  }
});

test('all files of infrastructure are one run, and ignored issues are suppressed', () => {
  const report = fixture('iac');
  assert.deepEqual(runsIn(report), [['snyk-iac', '', 'succeeded', 'iac']]);
  assert.equal(report.read, 4);
  assert.deepEqual(unreadableIn(report), [
    '/0/infrastructureAsCodeIssues/2',
    '/0/infrastructureAsCodeIssues/3',
  ]);
  const [open, ignored] = findingsOf(report);
  assert.deepEqual(
    [open?.rule, open?.severity, open?.path, open?.line, open?.code, open?.evidence?.remediation],
    ['SNYK-CC-TF-4', 'high', 'clouds/bucket.tf', 8, 'resource.bucket[shed].acl', 'Set `acl` to private'],
  );
  assert.equal(open?.description, 'The bucket is public\n\nEverybody can read it');
  assert.deepEqual([open?.suppression, ignored?.suppression?.by], [null, 'file']);
  const [single] = findingsOf(fixture('iac-single'));
  assert.deepEqual([single?.code, single?.line], ['resource.bucket[shed]', null]);
});

test('the export of issues has a run for each product and a finding for each location', () => {
  const report = fixture('issues');
  assert.deepEqual(runsIn(report), [
    ['snyk-open-source', '', 'succeeded', 'dependency,license'],
    ['snyk-code', '', 'succeeded', 'sast'],
    ['snyk-iac', '', 'succeeded', 'iac'],
  ]);
  assert.equal(report.read, 8);
  assert.deepEqual(
    findingsOf(report).map(({ pointer, type, rule, path, line, code, package: named, suppression }) => [
      pointer,
      type,
      rule,
      path,
      line,
      code,
      named?.version ?? null,
      suppression?.by ?? null,
    ]),
    [
      ['/data/0', 'dependency', 'SNYK-PYTHON-RAKE-202', null, null, null, '0.9', null],
      ['/data/1', 'dependency', 'SNYK-PYTHON-RAKE-203', null, null, null, '0.9', 'file'],
      ['/data/3', 'license', 'snyk:lic:pip:rake-tool:GPL-3.0', null, null, null, '0.9', null],
      ['/data/3', 'license', 'snyk:lic:pip:rake-tool:GPL-3.0', null, null, null, '0.8', null],
      ['/data/4', 'sast', 'python/PT', 'shed/door.py', 14, null, null, null],
      ['/data/5', 'iac', 'SNYK-CC-TF-4', null, null, 'resource.bucket[shed].acl', null, null],
    ],
  );
  const [rake, , license] = findingsOf(report);
  assert.deepEqual(
    [rake?.title, rake?.cvss?.score, rake?.fixedVersions, rake?.advisories, rake?.cwes],
    [
      'Loose handle in Rake.Tool',
      7.5,
      ['1.0', '0.9.1'],
      ['SNYK-PYTHON-RAKE-202', 'CVE-2031-0202'],
      ['CWE-672'],
    ],
  );
  assert.deepEqual(
    [rake?.sharedRow, license?.sharedRow, license?.advisories],
    [null, '/data/3', ['license:GPL-3.0']],
  );
  assert.deepEqual(unreadableIn(report), ['/data/6', '/data/7']);
  assert.match(report.warnings.join(), /resolved/);
  assert.equal(fixture('issues-empty').read, 0);
});

test('rows that cannot be understood are unreadable, and an empty project is a success', () => {
  const report = fixture('broken');
  assert.equal(report.read, 9);
  assert.deepEqual(unreadableIn(report), [
    '/0',
    '/1',
    '/2/filtered/ignore',
    '/2/vulnerabilities/0',
    '/2/vulnerabilities/1',
    '/2/vulnerabilities/2',
    '/2/applications/1/vulnerabilities/0',
  ]);
  assert.deepEqual(
    findingsOf(report).map(({ rule, severity, package: named }) => [rule, severity, named?.name ?? null]),
    [
      ['SNYK-JS-TROWEL-101', 'unknown', null],
      ['12', 'unknown', 'trowel'],
    ],
  );
  assert.deepEqual(runsIn(fixture('empty')), [
    ['snyk-open-source', 'package-lock.json', 'succeeded', 'dependency'],
  ]);
});

test('thousands of paths to one package take no longer than thousands of packages', () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => ({
    id: 'SNYK-JS-TROWEL-101',
    name: 'trowel',
    version: '1.0.0',
    from: ['shed@1.0.0', `box-${index}@1.0.0`, 'trowel@1.0.0'],
  }));
  // Processor time is measured, because other tests run in parallel. Linear work takes a tenth of the limit.
  const started = process.cpuUsage();
  const report = readContent(snyk, { ok: false, org: 'green', vulnerabilities: rows });
  assert.ok(process.cpuUsage(started).user < 5_000_000);
  assert.equal(findingsOf(report)[0]?.evidence?.dependencyPaths.length, 10);
});

test('other lists of vulnerabilities are not recognised', () => {
  for (const other of [
    { vulnerabilities: [] },
    { vulnerabilities: {}, ok: true, dependencyCount: 1 },
    { jsonapi: { version: '1.0' }, data: [{ type: 'project' }] },
    { data: [{ type: 'issue' }] },
    { ok: false, error: 'no' },
    [],
  ]) {
    assert.equal(recognises(snyk, other), false, JSON.stringify(other));
  }
});

test('a path that could not be tested closes nothing in the other files of infrastructure', () => {
  const file = {
    ok: true,
    packageManager: 'terraformconfig',
    targetFile: 'a.tf',
    infrastructureAsCodeIssues: [],
  };
  const failure = { ok: false, error: 'The file cannot be parsed.', path: 'b.tf' };
  const project = { ok: true, packageManager: 'npm', dependencyCount: 1, vulnerabilities: [] };
  const report = readContent(snyk, [file, failure]);
  assert.deepEqual(runsIn(report), [['snyk-iac', '', 'failed', 'iac']]);
  assert.match(report.warnings.join(), /could not test every project/);
  assert.deepEqual(fieldsOf(readContent(snyk, [file, failure, project]).runs, 'tool', 'outcome'), [
    ['snyk-open-source', 'failed'],
    ['snyk-iac', 'succeeded'],
  ]);
});

test('exports of single projects are in series of their own', () => {
  const categoryOf = (query: string): unknown => {
    const attributes = { type: 'code', key: 'python/PT', title: 'Loose handle', status: 'open' };
    const self = `/rest/orgs/garden/issues?version=2024-10-15${query}`;
    const data = [{ type: 'issue', attributes }];
    return readContent(snyk, { jsonapi: { version: '1.0' }, links: { self }, data }).runs[0]?.category;
  };
  const [shed, house] = ['0a1b2c3d-1111-4222-8333-444455556666', '9f8e7d6c-1111-4222-8333-444455556666'];
  assert.equal(categoryOf(`&scan_item.id=${shed}&scan_item.type=project`), shed);
  assert.equal(categoryOf(`&scan_item.id=${house}&scan_item.type=project`), house);
  assert.equal(categoryOf(''), '', 'of the whole organization');
});
