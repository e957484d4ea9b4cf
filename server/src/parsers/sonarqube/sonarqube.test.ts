import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../../test/support/fields.ts';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import type { Report, ReportFinding } from '../report.ts';
import { sonarqube } from './sonarqube.ts';

const fixture = (name: string): Report => readFixture(sonarqube, `${name}.json`);

test('reads an issue with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/issues/0',
    type: 'sast',
    severity: 'critical',
    title: "Change this code to not build the query from the visitor's text.",
    description: "Change this code to not build the query from the visitor's text.",
    rule: 'python:S3649',
    path: 'src/shed.py',
    line: 12,
    fingerprint: {
      scheme: 'sonarqube-line-hash',
      value: 'aa11bb22cc33dd44ee55ff6600112233',
      pathFree: false,
    },
    evidence: {
      ...emptyEvidence,
      dataFlow: [
        { path: 'src/door.py', line: 3, text: "Source: the visitor's text." },
        { path: 'src/shed.py', line: 12, text: 'Sink: the text is run as a query.' },
      ],
    },
  } satisfies ReportFinding);
  assert.equal(report.read, 8);
  assert.deepEqual(unreadableIn(report), ['/issues/6', '/issues/7']);
  assert.deepEqual(fieldsOf(report.runs, 'tool', 'category', 'outcome'), [
    ['sonarqube', 'garden', 'succeeded'],
  ]);
});

test('a smell is no security problem, and a component without a path in its key has the path of the table', () => {
  const smell = findingsOf(fixture('before'))[1];
  assert.deepEqual([smell?.type, smell?.severity, smell?.path], ['other', 'info', 'src/gate.py']);
});

test('reviewed issues are suppressed with the reason, and fixed ones are no findings', () => {
  const report = fixture('before');
  const reviewed = findingsOf(report).filter(({ suppression }) => suppression !== null);
  assert.deepEqual(
    reviewed.map(({ rule, suppression }) => [rule, suppression?.by, suppression?.reason]),
    [
      ['python:S2068', 'file', 'Marked as a false positive in SonarQube. The key opens a toy.'],
      ['python:S2069', 'file', 'Accepted in SonarQube: it will not be fixed.'],
      ['python:S4000', 'file', 'Accepted in SonarQube: it will not be fixed.'],
    ],
  );
  assert.deepEqual([reviewed[2]?.path, reviewed[2]?.severity], [null, 'medium']);
  assert.match(report.warnings.join(' '), /closed or fixed/);
});

test('one page of several closes nothing', () => {
  const report = fixture('after-page');
  assert.equal(report.runs[0]?.outcome, 'failed');
  assert.match(report.warnings.join(' '), /one page/);
  const [moved] = findingsOf(report).filter(({ rule }) => rule === 'python:S3649');
  assert.deepEqual(
    [moved?.line, moved?.fingerprint],
    [80, findingsOf(fixture('before'))[0]?.fingerprint],
    'another line and another key, as on a branch, but the same hash',
  );
});

test('hotspots are a series of their own; a safe one is suppressed, an acknowledged one is open', () => {
  const report = fixture('hotspots');
  assert.equal(report.runs[0]?.category, 'garden/hotspots');
  assert.equal(report.read, 4);
  assert.deepEqual(
    findingsOf(report).map(({ rule, severity, line, suppression }) => [
      rule,
      severity,
      line,
      suppression?.by,
    ]),
    [
      ['python:S5000', 'high', 9, undefined],
      ['python:S5001', 'low', 10, 'file'],
      ['python:S5003', 'medium', 12, undefined],
    ],
  );
  const [bare] = findingsOf(fixture('rows'));
  assert.deepEqual([bare?.rule, bare?.path, bare?.pointer], ['', 'src/gate.py', '/0']);
});

test('sonar-report gives the same issue, with the help of its rule', () => {
  const [finding] = findingsOf(fixture('sonar-report'));
  const [known] = findingsOf(fixture('before'));
  assert.deepEqual(
    [finding?.rule, finding?.path, finding?.line, finding?.severity, finding?.title],
    [known?.rule, known?.path, known?.line, known?.severity, known?.title],
  );
  assert.equal(fixture('sonar-report').runs[0]?.category, 'garden');
  assert.deepEqual(finding?.cwes, ['CWE-89']);
  assert.match(finding?.evidence?.help ?? '', /^A visitor may change the query\.\n/);
  assert.equal(finding?.links.length, 1);
});

test('an empty answer is recognised, and a list of issues of another tool is not', () => {
  assert.equal(fixture('empty').read, 0);
  assert.match(fixture('empty').warnings.join(' '), /names no project/);
  assert.equal(recognises(sonarqube, { issues: [] }), false);
  assert.equal(recognises(sonarqube, { issues: [{ rule: 'r', title: 't' }] }), false);
});

test('each project of a report is a run', () => {
  const row = (project: string): unknown => ({
    rule: 'r:1',
    severity: 'MAJOR',
    component: `${project}:a/b.ts`,
    status: 'OPEN',
    message: 'm',
  });
  const report = readContent(sonarqube, { issues: [row('org:garden'), row('shed'), row('org:garden')] });
  assert.deepEqual(
    report.runs.map(({ category, findings }) => [category, findings.length]),
    [
      ['org:garden', 2],
      ['shed', 1],
    ],
  );
  assert.equal(findingsOf(report)[0]?.path, 'a/b.ts');
});

test('as many rows as a full page, without the answer around them, close nothing', () => {
  const row = { rule: 'js:S1', component: 'garden:a.js', severity: 'MAJOR', message: 'm' };
  const outcome = (length: number): unknown =>
    readContent(
      sonarqube,
      Array.from({ length }, () => row),
    ).runs[0]?.outcome;
  assert.deepEqual([outcome(99), outcome(100), outcome(500)], ['succeeded', 'failed', 'failed']);
});

test('an issue without a severity has the highest one of its impacts', () => {
  const severityOf = (...severities: string[]): unknown => {
    const impacts = severities.map((severity) => ({ softwareQuality: 'SECURITY', severity }));
    const issue = { rule: 'js:S1', component: 'garden:a.js', status: 'OPEN', message: 'm', impacts };
    return findingsOf(readContent(sonarqube, { issues: [issue] }))[0]?.severity;
  };
  assert.equal(severityOf('LOW', 'HIGH', 'MEDIUM'), 'high');
  assert.equal(severityOf('OTHER', 'INFO'), 'info');
  assert.equal(severityOf('OTHER'), 'unknown');
});
