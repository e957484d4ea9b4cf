import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf } from '../../../test/support/fields.ts';
import { findingsOf, readContent, readFixture, unreadableIn } from '../../../test/support/format-reports.ts';
import { processorMs } from '../../../test/support/processor-time.ts';
import type { Report } from '../report.ts';
import { spdx } from './spdx.ts';

const context = 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld';

function readElements(elements: unknown[]): Report {
  return readContent(spdx, { '@context': context, '@graph': elements });
}

function spade(id: string): object {
  return { type: 'software_Package', spdxId: id, name: id, software_packageUrl: `pkg:npm/${id}@1` };
}

function associated(from: string, ...to: string[]): object {
  return { type: 'Relationship', relationshipType: 'hasAssociatedVulnerability', from, to };
}

function vex(kind: string, from: string, to: string[], more: object = {}): object {
  return { type: `security_Vex${kind}VulnAssessmentRelationship`, from, to, ...more };
}

test('the packages of a graph are a manifest without its subject', () => {
  const { runs, read, warnings } = readFixture(spdx, 'graph-3.0.json');
  const [run] = runs;
  assert.deepEqual(
    [read, run?.tool, run?.category, run?.image],
    [5, 'spdx', 'green/shed', { name: 'registry.example/green/shed', tag: '1.0' }],
  );
  assert.deepEqual(run?.manifests, [
    {
      path: 'green/shed',
      type: 'image',
      packages: [
        {
          purl: 'pkg:npm/%40tools/spade',
          name: '@tools/spade',
          version: '2.0.0',
          licenses: ['MIT OR Apache-2.0'],
          direct: true,
        },
        {
          purl: 'pkg:golang/garden.example/hose',
          name: 'garden.example/hose',
          version: '1.2.3',
          licenses: [],
          direct: false,
        },
      ],
    },
  ]);
  assert.deepEqual(warnings, ['Packages without a package URL were left out of the inventory.']);
});

test('a vulnerability of a package is a finding with its best score and newest statement', () => {
  const report = readFixture(spdx, 'graph-3.0.json');
  const named = { purl: 'pkg:golang/garden.example/hose', name: 'garden.example/hose', version: '1.2.3' };
  const hose = findingsOf(report).find(({ package: found }) => found?.purl === named.purl);
  assert.deepEqual(hose, {
    pointer: '/@graph/15',
    type: 'dependency',
    severity: 'high',
    title: 'Hoses burst',
    description: 'Hoses burst under too much pressure.',
    rule: 'CVE-2031-0001',
    advisories: ['CVE-2031-0001', 'GHSA-2222-3333-4444'],
    relatedAdvisories: [],
    package: named,
    fixedVersions: [],
    cvss: { score: 7.5, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H' },
    cwes: ['CWE-400'],
    path: null,
    pathIsTarget: false,
    line: null,
    artifact: {
      type: 'package_version',
      name: 'garden.example/hose',
      purl: 'pkg:golang/garden.example/hose@1.2.3',
      digest: null,
    },
    fingerprint: null,
    rawCode: null,
    code: null,
    secret: null,
    links: ['https://cve.example/CVE-2031-0001'],
    suppression: null,
    verified: false,
    exploitable: true,
    committedAt: null,
    sharedRow: null,
    evidence: {
      snippet: null,
      dataFlow: [],
      help: null,
      remediation: 'Use a thicker hose.',
      dependencyPaths: [],
    },
  });
  assert.deepEqual(
    findingsOf(report).map(({ pointer, rule, package: found, severity }) => [
      pointer,
      rule,
      found?.purl,
      severity,
    ]),
    [
      ['/@graph/5/externalRef/0', 'CVE-2031-0005', 'pkg:npm/%40tools/spade', 'unknown'],
      ['/@graph/15', 'CVE-2031-0001', named.purl, 'high'],
      ['/@graph/16', 'CVE-2031-0001', 'pkg:generic/rake', 'high'],
    ],
  );
});

test('the newest statement about a package counts, and one about the subject covers the repository', () => {
  const hose = { purl: 'pkg:golang/garden.example/hose', name: 'garden.example/hose', version: '1.2.3' };
  assert.deepEqual(readFixture(spdx, 'graph-3.0.json').statements, [
    {
      pointer: '/@graph/21',
      advisories: ['CVE-2031-0001', 'GHSA-2222-3333-4444'],
      status: 'affected',
      reason: 'Use a thicker hose.',
      package: hose,
      at: '2031-02-02T00:00:00.000Z',
    },
    {
      pointer: '/@graph/22',
      advisories: ['CVE-2031-0002'],
      status: 'not_affected',
      reason: 'vulnerable_code_not_in_execute_path: The hose is never opened.',
      package: hose,
      at: '2031-01-20T00:00:00.000Z',
    },
    {
      pointer: '/@graph/23',
      advisories: ['CVE-2031-0002'],
      status: 'fixed',
      reason: null,
      package: null,
      at: '2031-01-02T03:04:05.000Z',
    },
  ]);
});

test('a statement about the only package of a document is about that package', () => {
  const document = { type: 'SpdxDocument', spdxId: 'd', rootElement: ['spade'] };
  const report = readElements([document, spade('spade'), vex('NotAffected', 'CVE-2031-0001', ['spade'])]);
  assert.deepEqual(
    report.statements.map(({ status, package: named }) => [status, named?.purl]),
    [['not_affected', 'pkg:npm/spade']],
  );
  assert.deepEqual(findingsOf(report), []);
});

test('statements of one time are taken at their worst, and withdrawn ones say nothing', () => {
  const report = readElements([
    spade('a'),
    vex('NotAffected', 'CVE-2031-0001', ['a']),
    vex('Affected', 'CVE-2031-0001', ['a']),
    vex('Fixed', 'CVE-2031-0002', ['a'], { security_withdrawnTime: '2031-01-01T00:00:00Z' }),
    {
      type: 'security_Vulnerability',
      spdxId: 'v3',
      name: 'CVE-2031-0003',
      security_withdrawnTime: '2031-01-01',
    },
    associated('a', 'v3'),
  ]);
  assert.deepEqual(fieldOf(report.statements, 'status'), ['affected']);
  assert.deepEqual(fieldOf(findingsOf(report), 'rule'), ['CVE-2031-0001']);
  assert.equal(report.warnings.length, 2);
});

test('a document with statements about other documents is no run', () => {
  const report = readElements([vex('Fixed', 'urn:x:CVE-2031-0001', ['pkg:npm/spade@1'])]);
  assert.deepEqual([report.runs, report.read, report.statements[0]?.package?.purl], [[], 1, 'pkg:npm/spade']);
});

test('a score alone associates, and what has no id or package is left out', () => {
  const report = readElements([
    null,
    7,
    { type: 'software_Package' },
    { '@type': ['software:Package'], '@id': 'a', name: 'a', packageUrl: 'pkg:npm/a@1' },
    {
      type: 'security_CvssV4VulnAssessmentRelationship',
      from: 'CVE-2031-0001',
      to: 'a',
      security_score: 9.5,
    },
    associated('a', 'urn:nameless'),
    associated('nowhere', 'CVE-2031-0002'),
    { type: 'Relationship', relationshipType: 'hasAssociatedVulnerability', from: null, to: null },
  ]);
  assert.deepEqual(
    findingsOf(report).map(({ rule, severity, package: named }) => [rule, severity, named?.purl]),
    [['CVE-2031-0001', 'critical', 'pkg:npm/a']],
  );
  assert.deepEqual(unreadableIn(report), ['/@graph/5']);
  assert.equal(report.read, 3);
  assert.match(report.warnings.join(), /Vulnerabilities of elements that are no packages/);
});

test('drafts with their elements inside of the document are read', () => {
  const report = readContent(spdx, {
    '@context': context,
    type: 'SpdxDocument',
    name: 'shed',
    rootElement: [],
    element: [spade('a'), spade('b')],
  });
  assert.deepEqual(
    report.runs[0]?.manifests.map(({ path, packages }) => [path, packages.length]),
    [['shed', 2]],
  );
});

test('the last license of a package with many is listed', () => {
  const to = Array.from({ length: 61 }, (_, index) => `https://spdx.org/licenses/L-${index}`);
  const report = readElements([
    spade('spade'),
    { type: 'Relationship', relationshipType: 'hasDeclaredLicense', from: 'spade', to },
  ]);
  assert.equal(report.runs[0]?.manifests[0]?.packages[0]?.licenses.at(-1), 'L-60');
});

test('long ids and long lists take linear time', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `CVE-2031-${10_000 + index}`);
  const started = processorMs();
  const long = 'x'.repeat(500_000);
  const report = readElements([
    { ...spade('a'), spdxId: long },
    associated(long, ...many),
    { type: 'Relationship', relationshipType: 'hasDeclaredLicense', from: long, to: many },
    vex('Fixed', 'CVE-2031-10000', [long]),
  ]);
  assert.ok(processorMs() - started < 5000, `it takes ${processorMs() - started} ms`);
  assert.equal(findingsOf(report).length, many.length - 1);
});
