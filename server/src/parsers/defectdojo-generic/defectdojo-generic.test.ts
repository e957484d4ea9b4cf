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
} from '../../../test/support/format-reports.ts';
import { parseReport } from '../parse-report.ts';
import { type Report, ReportError, type ReportFinding } from '../report.ts';
import { defectdojoGeneric } from './defectdojo-generic.ts';

const fixture = (name: string): Report => readFixture(defectdojoGeneric, `${name}.json`);

test('reads a finding in code with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/findings/0',
    type: 'sast',
    severity: 'high',
    title: 'The door opens for everybody',
    description: 'The lock is never checked.\n\nAnybody may enter.',
    rule: 'open-door',
    cwes: ['CWE-306', 'CWE-287'],
    path: 'src/door.py',
    line: 7,
    fingerprint: { scheme: 'unique_id_from_tool', value: 'door-0001-garden', pathFree: false },
    code: 'door.open',
    links: ['https://garden.example/doors'],
    evidence: {
      ...emptyEvidence,
      dataFlow: [
        { path: 'src/visitor.py', line: 3, text: 'visitor.name' },
        { path: 'src/door.py', line: 7, text: 'door.open' },
      ],
      remediation: 'Check the lock.',
    },
  } satisfies ReportFinding);
  assert.equal(report.read, 9);
  assert.deepEqual(unreadableIn(report), ['/findings/7', '/findings/8']);
  assert.deepEqual(
    report.runs.map(({ tool, toolVersion, category }) => [tool, toolVersion, category]),
    [['garden-watch', '3.1', 'The garden']],
  );
});

test('a component is a package with its advisory', () => {
  assert.deepEqual(
    packageKeys(fixture('before')).filter((key) => key.includes('pkg:')),
    [
      'dependency  pkg:npm/%40tools/rake 2.0.0 -',
      'dependency GHSA-aaaa-bbbb-cccc=CVE-2031-0200 pkg:npm/spade 1.2.0 package-lock.json',
    ],
  );
  const spade = findingsOf(fixture('before')).find((finding) => finding.package?.name === 'spade');
  assert.deepEqual(
    [spade?.cvss?.score, spade?.fixedVersions, spade?.rule],
    [7.5, ['1.2.3'], 'GHSA-aaaa-bbbb-cccc'],
  );
});

test('each address is a location of one vulnerability', () => {
  const web = findingsOf(fixture('before')).filter(({ type }) => type === 'dast');
  assert.deepEqual(
    web.map(({ path, code, sharedRow }) => [path, code, sharedRow]),
    [
      ['https://garden.example/gate', 'key', '/findings/2'],
      ['https://garden.example:8443/gate', 'key', '/findings/2'],
    ],
  );
});

test('reviewed findings are suppressed, and mitigated ones are left out', () => {
  const report = fixture('before');
  const [toy, shed] = findingsOf(report).filter(({ suppression }) => suppression !== null);
  assert.deepEqual(
    [toy?.suppression?.reason, toy?.line, toy?.cwes],
    ['Marked as a false positive.', null, []],
  );
  assert.deepEqual(
    [shed?.suppression?.reason, shed?.severity, shed?.type],
    ['Marked as inactive.', 'unknown', 'other'],
  );
  assert.match(report.warnings.join(' '), /mitigated/);
});

test('a report without a type has the name of the format, and a name with a number is no category', () => {
  assert.deepEqual(
    fixture('after').runs.map(({ tool, category }) => [tool, category]),
    [['defectdojo-generic', '']],
  );
  assert.deepEqual(fixture('empty').runs[0]?.analysisTypes, []);
  const report = readContent(defectdojoGeneric, { name: 'Scan of 2031-02-03', findings: [] });
  assert.equal(report.runs[0]?.category, '');
});

test('a field of another type counts as missing', () => {
  const row = {
    title: 't',
    severity: 'High',
    description: 'd',
    active: {},
    false_p: [],
    endpoints: [{ host: '..' }],
  };
  const [finding] = findingsOf(readContent(defectdojoGeneric, { findings: [row] }));
  assert.deepEqual([finding?.suppression, finding?.path], [null, null]);
});

test('nothing but an empty list of findings needs the name of the format', () => {
  const bytes = Buffer.from('{"findings":[]}');
  assert.throws(() => parseReport(bytes), ReportError);
  assert.equal(parseReport(bytes, { format: 'defectdojo-generic' }).read, 0);
  assert.equal(
    recognises(defectdojoGeneric, { findings: [{ title: 't', severity: 4, issue_id: 1 }] }),
    false,
  );
});

test('CSV gives the same findings as JSON, by its own names of the columns', () => {
  const report = readFixture(defectdojoGeneric, 'before.csv');
  const [gate, spade, toy, shed] = findingsOf(report);
  assert.deepEqual(gate, {
    ...emptyFinding,
    pointer: '/1',
    type: 'dast',
    severity: 'low',
    title: 'The gate has no lock',
    description: 'The gate is open,\nday and night.\n\nAnybody may enter.',
    rule: '',
    cwes: ['CWE-306', 'CWE-287'],
    path: 'https://garden.example/gate',
    links: ['https://garden.example/gates'],
    evidence: { ...emptyEvidence, remediation: 'Add a lock.' },
  } satisfies ReportFinding);
  assert.deepEqual(
    [spade?.rule, spade?.relatedAdvisories, spade?.severity, spade?.fixedVersions, spade?.path],
    [
      'GHSA-aaaa-bbbb-cccc',
      ['GHSA-aaaa-bbbb-cccc', 'CVE-2031-0200'],
      'high',
      ['1.2.3'],
      'garden.example:8080/tools',
    ],
  );
  assert.deepEqual(
    [toy, shed].map((finding) => [finding?.pointer, finding?.type, finding?.suppression?.reason]),
    [
      ['/4', 'other', 'Marked as a false positive.'],
      ['/5', 'other', 'Marked as inactive.'],
    ],
  );
  assert.deepEqual([report.read, unreadableIn(report)], [6, ['/7']]);
  assert.match(report.warnings.join(' '), /mitigated/);
  assert.deepEqual(
    report.runs.map(({ tool, category, analysisTypes }) => [tool, category, analysisTypes.join()]),
    [['defectdojo-generic', '', 'other,dast']],
  );
  assert.deepEqual(
    findingsOf(readFixture(defectdojoGeneric, 'after.csv')).map(({ rule, path, line }) => [rule, path, line]),
    [
      ['CVE-2031-0200', 'garden.example:8080/tools', null],
      ['', 'https://garden.example/gate', null],
    ],
  );
});

test('CSV of which most columns are not those of DefectDojo is not taken', () => {
  assert.equal(recognises(defectdojoGeneric, 'Title,Severity,Description,Bed,Crop\n'), true);
  assert.equal(recognises(defectdojoGeneric, 'Title,Severity,Description,Bed,Crop,Soil\n'), false);
  assert.equal(recognises(defectdojoGeneric, 'Title,Severity,Date\nA,High,2031-01-01\n'), false);
});
