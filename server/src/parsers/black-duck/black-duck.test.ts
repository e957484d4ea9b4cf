import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  emptyFinding,
  findingsOf,
  packageKeys,
  readFixture,
  recognises,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import { zipOf } from '../../../test/support/zip.ts';
import { parseReport } from '../parse-report.ts';
import { type Report, ReportError, type ReportFinding } from '../report.ts';
import { blackDuck } from './black-duck.ts';

const fixture = (name: string): Report => readFixture(blackDuck, `${name}.csv`);
const textOf = (name: string): string =>
  readFileSync(new URL(`../../../test/fixtures/black-duck/${name}.csv`, import.meta.url), 'utf8');

test('reads a row with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/1',
    type: 'dependency',
    severity: 'critical',
    title: 'Spades dig outside of their bed. Rakes do not.',
    description: 'Spades dig outside of their bed. Rakes do not.',
    rule: 'CVE-2031-0200',
    advisories: ['CVE-2031-0200', 'BDSA-2031-0007'],
    package: { purl: 'pkg:npm/%40tools/spade', name: '@tools/spade', version: '1.2.0' },
    cvss: { score: 7.5, vector: null },
    cwes: ['CWE-22', 'CWE-23'],
    artifact: {
      type: 'package_version',
      name: '@tools/spade',
      purl: 'pkg:npm/%40tools/spade@1.2.0',
      digest: null,
    },
    links: ['https://garden.example/CVE-2031-0200'],
    exploitable: true,
  } satisfies ReportFinding);
  assert.deepEqual([report.read, unreadableIn(report)], [6, ['/6']]);
  assert.deepEqual(
    report.runs.map(({ tool, category, showsScan, analysisTypes }) => [
      tool,
      category,
      showsScan,
      analysisTypes.join(),
    ]),
    [['black-duck', '', true, 'dependency,container']],
  );
});

test('origins name packages, and a component without one is known by its name', () => {
  assert.deepEqual(packageKeys(fixture('before')), [
    'container CVE-2031-0201 pkg:deb/debian/hose 3.1-4 -',
    'dependency BDSA-2031-0009 pkg:generic/Old%20Shed 2 -',
    'dependency CVE-2031-0200=BDSA-2031-0007 pkg:npm/%40tools/spade 1.2.0 -',
    'dependency CVE-2031-0203 pkg:golang/garden.example/can 1.0.0 -',
  ]);
  assert.deepEqual(packageKeys(fixture('after')), [
    'dependency CVE-2031-0200 pkg:npm/%40tools/spade 1.2.0 -',
    'dependency CVE-2031-0203 pkg:golang/garden.example/can 1.1.0 -',
  ]);
});

test('the older columns are read, and numbers of VulnDB have its name', () => {
  const report = fixture('old');
  assert.deepEqual(packageKeys(report), [
    'dependency VULNDB-103918 pkg:maven/org.garden/spade 1.2 -',
    'dependency VULNDB-47464 pkg:maven/org.garden/spade 1.2 -',
  ]);
  assert.equal(report.read, 3);
  assert.match(report.warnings.join(), /remediated/);
});

test('what a person set aside is suppressed, and a word without a meaning leaves the score', () => {
  const reasons = [...findingsOf(fixture('before')), ...findingsOf(fixture('old'))].map(
    ({ suppression }) => suppression?.reason ?? null,
  );
  assert.deepEqual(reasons, [
    null,
    'Component not present',
    'It is torn down in May.',
    null,
    null,
    'A duplicate in Black Duck.',
  ]);
  const can = findingsOf(fixture('before')).at(-1);
  assert.deepEqual([can?.severity, can?.title], ['medium', 'CVE-2031-0203 in garden.example/can']);
});

test('the archive says where components are, and each file is a location of one vulnerability', () => {
  const sources = [
    'Component id,Version id,Origin id,Component name,Path,Archive context',
    'c1,v1,o1,Spade,/home/runner/work/shop/shop/b/spade.js,',
    'c1,v1,o1,Spade,/lib/spade.jar,/shed/tools.war!/',
    'c1,v1,o9,Spade,/elsewhere.js,',
    'c2,v2,o2,Garden Hose,,',
  ].join('\n');
  const bytes = zipOf({
    'Garden-1.0/components_2031-01-04.csv': 'whatever',
    'Garden-1.0/source_2031-01-04.csv': sources,
    'Garden-1.0/security_2031-01-04.csv': textOf('before'),
  });
  const report = parseReport(bytes);
  assert.deepEqual(
    findingsOf(report).map(({ pointer, path, sharedRow }) => [
      pointer.split('/').at(-1),
      path,
      sharedRow !== null,
    ]),
    [
      ['1', 'b/spade.js', true],
      ['1', 'shed/tools.war!/lib/spade.jar', true],
      ['2', null, false],
      ['3', null, false],
      ['5', null, false],
    ],
  );
  assert.deepEqual(
    [report.read, report.unreadable[0]?.pointer],
    [6, '/Garden-1.0~1security_2031-01-04.csv/6'],
  );
});

test('an archive with sources and no risks shows a scan, and CSV without rows does not', () => {
  const bytes = zipOf({ 'security.csv': textOf('empty'), 'files.csv': 'Project id,Path\np1,/a.jar\n' });
  assert.deepEqual(
    [parseReport(bytes).read, parseReport(bytes).runs[0]?.showsScan, fixture('empty').runs[0]?.showsScan],
    [0, true, false],
  );
});

test('a component in thousands of files has some of them as locations, whatever their order', () => {
  const rows = Array.from({ length: 2000 }, (_, number) => `c1,v1,o1,/f${1000 + number}.js`);
  const read = (lines: readonly string[]): Report =>
    parseReport(
      zipOf({
        'source.csv': ['Component id,Version id,Origin id,Path', ...lines].join('\n'),
        'security.csv': textOf('after'),
      }),
    );
  const report = read(rows);
  assert.deepEqual(findingsOf(read(rows.toReversed())), findingsOf(report));
  assert.equal(findingsOf(report).filter(({ path }) => path !== null).length, 50);
  assert.match(report.warnings.join(), /more than 50 files/);
});

test('an archive with other CSV, or none, is refused with the advice to send the report', () => {
  for (const members of [{ 'security.csv': 'Title,Severity\n' }, { 'report.csv': textOf('before') }]) {
    assert.throws(
      () => parseReport(zipOf(members)),
      (error) => error instanceof ReportError && /send the report inside it/.test(error.message),
    );
  }
  assert.equal(recognises(blackDuck, 'Vulnerability id,Remediation status,Bed\n'), false);
});
