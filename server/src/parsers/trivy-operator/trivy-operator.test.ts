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
import { trivyOperator } from './trivy-operator.ts';

const fixture = (name: string): Report => readFixture(trivyOperator, `${name}.json`);
const runsIn = (report: Report): unknown[] =>
  report.runs.map(({ tool, category, outcome, analysisTypes, findings }) => [
    `${tool} ${category}`,
    outcome,
    analysisTypes.join(),
    findings.length,
  ]);

test('reads a vulnerability with everything it says', () => {
  const report = fixture('single');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/report/vulnerabilities/0',
    type: 'container',
    severity: 'high',
    title: 'libspade: bends',
    rule: 'CVE-2031-0201',
    advisories: ['CVE-2031-0201'],
    package: { purl: 'pkg:deb/debian/libspade', name: 'libspade', version: '1:2.28-10' },
    fixedVersions: ['1:2.28-11'],
    cvss: { score: 9.8, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
    path: 'garden/ReplicaSet/shed',
    artifact: {
      type: 'package_version',
      name: 'libspade',
      purl: 'pkg:deb/debian/libspade@1:2.28-10',
      digest: null,
    },
    links: ['https://cve.example/CVE-2031-0201', 'https://more.example/CVE-2031-0201'],
  } satisfies ReportFinding);
  const [run] = report.runs;
  assert.deepEqual(runsIn(report), [
    ['trivy VulnerabilityReport/garden/ReplicaSet/shed/door', 'succeeded', 'dependency,container', 2],
  ]);
  assert.deepEqual(
    [run?.toolVersion, run?.image],
    ['0.60.0', { name: 'registry.example/green/shed', tag: '1.2' }],
  );
  assert.deepEqual(packageKeys(fixture('single-old')), [
    'container CVE-2031-0203 pkg:apk/alpine/spade 1.34.1-r4 garden/ReplicaSet/shed',
  ]);
});

test('the reports of one kind and namespace are one run, and passed checks are no rows', () => {
  const report = fixture('list');
  assert.equal(report.read, 5);
  assert.deepEqual(runsIn(report), [
    ['trivy VulnerabilityReport/garden', 'succeeded', 'dependency,container', 3],
    ['trivy ConfigAuditReport/garden', 'succeeded', 'iac', 1],
    ['trivy ExposedSecretReport/garden', 'succeeded', 'secret', 1],
  ]);
  assert.match(report.warnings.join(), /no reports/);
  const check = findingsOf(report).find(({ type }) => type === 'iac');
  assert.deepEqual(
    [check?.rule, check?.path, check?.severity, check?.evidence?.remediation],
    ['KSV-0014', 'garden/ReplicaSet/shed', 'low', 'Set readOnlyRootFilesystem.'],
  );
  const secret = findingsOf(report).find(({ type }) => type === 'secret');
  assert.deepEqual(
    [secret?.rule, secret?.path, secret?.secret],
    [
      'garden-key',
      'garden/CronJob/water/root/key.txt',
      { value: null, maskedLine: 'key = "********************"' },
    ],
  );
});

test('an object with a list for each kind is read, with the packages of an SBOM', () => {
  const report = fixture('kinds');
  assert.deepEqual(runsIn(report), [
    ['trivy VulnerabilityReport/lawn', 'succeeded', 'dependency,container', 2],
    ['trivy RbacAssessmentReport/garden', 'succeeded', 'iac', 1],
    ['trivy ClusterRbacAssessmentReport', 'succeeded', 'iac', 1],
    ['trivy SbomReport/garden', 'succeeded', '', 0],
  ]);
  assert.deepEqual(
    report.runs
      .flatMap(({ manifests }) => manifests)
      .map(({ path, type, packages }) => [path, type, packages.map(({ purl }) => purl)]),
    [['garden/ReplicaSet/shed/door', 'image', ['pkg:npm/trowel', 'pkg:deb/debian/libspade']]],
  );
});

test('a benchmark is read by its checks, or by the number of failures of its controls', () => {
  assert.deepEqual(fieldsOf(findingsOf(fixture('compliance')), 'pointer', 'rule', 'path'), [
    ['/status/detailReport/results/0/checks/0', 'KCV-0001', 'garden-rules'],
  ]);
  assert.deepEqual(
    fieldsOf(findingsOf(fixture('compliance-summary')), 'pointer', 'rule', 'title', 'severity'),
    [['/0/status/summaryReport/controlCheck/0', '1.1', 'Gates are closed', 'high']],
  );
});

test('a workload that is deployed again has the same location', () => {
  const [before, after] = ['shed-5d9c7b8f4', 'shed-6c8f9d7b5'].map((name) =>
    readContent(trivyOperator, {
      apiVersion: 'aquasecurity.github.io/v1alpha1',
      kind: 'ConfigAuditReport',
      metadata: {
        name: `replicaset-${name}`,
        labels: {
          'trivy-operator.resource.kind': 'ReplicaSet',
          'trivy-operator.resource.name': name,
          'trivy-operator.resource.namespace': 'garden',
        },
      },
      report: { checks: [{ checkID: 'KSV-0014', success: false }] },
    }),
  );
  assert.deepEqual(before, after);
});

test('a document without reports scanned nothing, and an image without vulnerabilities is clean', () => {
  for (const name of ['empty', 'empty-list']) {
    assert.deepEqual(runsIn(fixture(name)), [['trivy ', 'scanned_nothing', '', 0]]);
  }
  assert.deepEqual(runsIn(fixture('clean')), [
    ['trivy VulnerabilityReport/garden/ReplicaSet/shed/door', 'succeeded', 'dependency,container', 0],
  ]);
});

test('rows that cannot be understood are unreadable, and other resources are not recognised', () => {
  const report = fixture('broken');
  assert.deepEqual(unreadableIn(report), [
    '/0',
    '/1/report/vulnerabilities/0',
    '/1/report/vulnerabilities/1',
    '/1/report/vulnerabilities/2',
    '/2/report/checks/0',
    '/2/report/checks/1',
    '/4/report/secrets/0',
    '/4/report/secrets/1',
  ]);
  assert.equal(report.read, 10);
  assert.deepEqual(fieldsOf(findingsOf(report), 'rule', 'severity'), [
    ['7', 'unknown'],
    ['KSV-0014', 'low'],
  ]);
  for (const other of [
    { apiVersion: 'v1', kind: 'List', items: [] },
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: {} },
    { apiVersion: 'wgpolicyk8s.io/v1alpha2', kind: 'PolicyReport', results: [] },
    [],
  ]) {
    assert.equal(recognises(trivyOperator, other), false, JSON.stringify(other));
  }
});

test('a package of an older report has the ecosystem that its name shows', () => {
  const rows = ['github.com/garden/gate', '@tools/rake', 'garden.green:mower', 'spade'].map((resource) => ({
    vulnerabilityID: 'CVE-2031-0001',
    resource,
    installedVersion: '1.0.0',
  }));
  const report = readContent(trivyOperator, {
    apiVersion: 'aquasecurity.github.io/v1alpha1',
    kind: 'VulnerabilityReport',
    report: { vulnerabilities: rows },
  });
  assert.deepEqual(
    findingsOf(report).map(({ package: named }) => named?.purl),
    [
      'pkg:golang/github.com/garden/gate',
      'pkg:npm/%40tools/rake',
      'pkg:maven/garden.green/mower',
      'pkg:generic/spade',
    ],
  );
});
