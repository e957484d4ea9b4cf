import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../../test/support/fields.ts';
import {
  findingsOf,
  packageKeys,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import { dependencyCheck } from './dependency-check.ts';

const hose = 'dependency CVE-2030-0400 pkg:maven/org.garden/hose 1.2 lib/hose-1.2.jar';

test('the same project in XML and JSON gives the same packages, one gone and one new', () => {
  const before = readFixture(dependencyCheck, 'before-2.5.xml');
  const after = readFixture(dependencyCheck, 'after-11.json');
  const green = 'dependency CVE-2030-0401 pkg:maven/org.garden/hose 1.2 lib/hose-1.2.jar';
  assert.deepEqual(packageKeys(before), [
    hose,
    green,
    'dependency GHSA-2222-3333-4444 pkg:npm/spade 2.0.0 package.json',
  ]);
  assert.deepEqual(packageKeys(after), [hose, green, 'dependency CVE-2030-0402 pkg:npm/rake 3 package.json']);
  const common = [before, after].map((report) =>
    findingsOf(report)
      .filter(({ package: named }) => named?.name === 'org.garden:hose')
      .map((finding) => ({ ...finding, pointer: null })),
  );
  assert.deepEqual(common[1], common[0]);
  for (const [report, version] of [
    [before, '6.5.3'],
    [after, '11.1.0'],
  ] as const) {
    const [run] = report.runs;
    assert.deepEqual(
      [report.read, run?.tool, run?.toolVersion, run?.category, run?.outcome],
      [2, 'dependency-check', version, '', 'succeeded'],
    );
    assert.deepEqual([report.unreadable, report.warnings], [[], []]);
  }
});

test('a vulnerability gives a finding with all its fields', () => {
  const [burst, green, bent] = findingsOf(readFixture(dependencyCheck, 'before-2.5.xml'));
  assert.deepEqual(burst?.cvss, { score: 7.5, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H' });
  assert.deepEqual(
    [burst?.severity, burst?.title, burst?.fixedVersions, burst?.cwes, burst?.links, burst?.suppression],
    ['high', 'The hose bursts.', ['1.3'], ['CWE-400'], ['https://garden.example/burst'], null],
  );
  assert.equal(burst?.pointer, '/analysis/dependencies[1]/dependency[1]/vulnerabilities[1]/vulnerability[1]');
  assert.deepEqual(green?.suppression, { by: 'file', reason: 'We like green.', expiresAt: null });
  assert.equal(bent?.severity, 'medium');
  const [rake] = findingsOf(readFixture(dependencyCheck, 'after-11.json'));
  assert.equal(rake?.pointer, '/dependencies/0/vulnerabilities/0');
  assert.deepEqual([rake?.cvss?.score, rake?.exploitable, rake?.cwes], [9.3, true, ['CWE-20']]);
});

test('reports of old versions, which name packages and scores differently, are read', () => {
  const report = readFixture(dependencyCheck, 'old-1.7.xml');
  assert.deepEqual(packageKeys(report), [
    'dependency CVE-2030-0400 pkg:maven/org.garden/hose 1.2 .m2/repository/org/garden/hose/1.2/hose-1.2.jar',
    'dependency CVE-2030-0403 pkg:generic/garden/tap - tools/tap.dll',
  ]);
  const [burst, tap] = findingsOf(report);
  assert.deepEqual(burst?.cvss, { score: 4.3, vector: 'AV:N/AC:M/Au:N/C:N/I:N/A:P' });
  assert.deepEqual([burst?.severity, burst?.cwes, burst?.fixedVersions], ['medium', ['CWE-400'], []]);
  assert.deepEqual([tap?.severity, tap?.title], ['unknown', 'CVE-2030-0403 in garden/tap']);
});

test('all packages are listed, and those of related files', () => {
  for (const name of ['before-2.5.xml', 'after-11.json']) {
    const [manifest] = readFixture(dependencyCheck, name).runs[0]?.manifests ?? [];
    assert.deepEqual([manifest?.path, manifest?.type], ['.', 'maven']);
    const packages = manifest?.packages.map(({ purl, licenses }) => `${purl} ${licenses.join()}`) ?? [];
    assert.ok(
      packages.includes('pkg:maven/org.garden/hose Apache License 2.0: https://licenses.example/apache'),
    );
    assert.ok(packages.includes('pkg:maven/org.garden/hose-api '));
    assert.equal(packages.length, 3);
  }
});

test('an error of a whole source makes the run incomplete, and an error in one file does not', () => {
  const report = (exception: unknown): object => ({
    reportSchema: '1.1',
    scanInfo: { engineVersion: '11.1.0', analysisExceptions: [{ exception }] },
    dependencies: [],
  });
  const states = [
    { message: 'AnalysisException: encrypted entry', stackTrace: ['x.ArchiveAnalyzer.extract(A.java:1)'] },
    { message: 'AnalysisException: failed', cause: { message: 'Failed to request component-reports' } },
    { message: 'AnalysisException', stackTrace: ['x.NodeAuditAnalyzer.analyze(N.java:1)'] },
  ].map((exception) => {
    const { runs, warnings } = readContent(dependencyCheck, report(exception));
    assert.equal(warnings.length, 1);
    return runs[0]?.outcome;
  });
  assert.deepEqual(states, ['succeeded', 'failed', 'failed']);
  const xml = `<analysis xmlns="https://jeremylong.github.io/DependencyCheck/dependency-check.4.1.xsd"><scanInfo><analysisExceptions><exception><message>a</message><stackTrace><trace>b</trace></stackTrace><cause><message>UpdateException</message></cause></exception></analysisExceptions></scanInfo></analysis>`;
  assert.equal(readContent(dependencyCheck, xml).runs[0]?.outcome, 'failed');
});

test('bad rows are unreadable, and the others are read', () => {
  const report = readContent(dependencyCheck, {
    scanInfo: { engineVersion: 7 },
    dependencies: [
      null,
      {
        vulnerabilities: [null, { name: '' }, { name: 'CVE-1', severity: null, references: 3 }],
        packages: 'x',
      },
      { vulnerabilities: null, suppressedVulnerabilities: [0] },
    ],
  });
  assert.equal(report.read, 5);
  assert.deepEqual(unreadableIn(report), [
    '/dependencies/0',
    '/dependencies/1/vulnerabilities/0',
    '/dependencies/1/vulnerabilities/1',
    '/dependencies/2/suppressedVulnerabilities/0',
  ]);
  assert.deepEqual(fieldsOf(findingsOf(report), 'rule', 'title', 'package', 'path'), [
    ['CVE-1', 'CVE-1', null, null],
  ]);
});

test('only reports of Dependency-Check are recognised', () => {
  assert.ok(recognises(dependencyCheck, { reportSchema: '1.1', scanInfo: { engineVersion: '1' } }));
  assert.ok(!recognises(dependencyCheck, { dependencies: [], scanInfo: {} }));
  assert.ok(!recognises(dependencyCheck, { dependencies: [{ name: 'a', vulns: [] }] }));
  assert.ok(!recognises(dependencyCheck, '<analysis xmlns="urn:other"/>'));
});
