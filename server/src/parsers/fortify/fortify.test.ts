import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fieldsOf } from '../../../test/support/fields.ts';
import {
  findingsOf,
  readFixture,
  recognises,
  shownText,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import { zipOf } from '../../../test/support/zip.ts';
import { parseReport } from '../parse-report.ts';
import type { Report, ReportFinding } from '../report.ts';
import { fortify } from './fortify.ts';

const fixture = (name: string): Report => readFixture(fortify, `${name}.xml`);
const textOf = (name: string): string =>
  readFileSync(new URL(`../../../test/fixtures/fortify/${name}.xml`, import.meta.url), 'utf8');
const keysOf = (report: Report): unknown[] =>
  findingsOf(report).map(({ type, rule, path, line, fingerprint }) => [
    type,
    rule,
    path,
    line,
    fingerprint?.value ?? null,
  ]);

const query = `    return db.query("select * from bed where name = '" + bed + "'");`;

/** The issue that the report and the results of one scan both have. */
const injection: ReportFinding = {
  pointer:
    '/ReportDefinition/ReportSection[2]/SubSection[2]/IssueListing[1]/Chart[1]/GroupingSection[1]/Issue[1]',
  type: 'sast',
  severity: 'critical',
  title: 'SQL Injection',
  description: 'The method find() in Beds.java builds a query of input.',
  rule: 'AAAA0000-0001-0001-0001-000000000001',
  advisories: [],
  relatedAdvisories: [],
  package: null,
  fixedVersions: [],
  cvss: null,
  cwes: ['CWE-89', 'CWE-564'],
  path: 'src/main/java/garden/Beds.java',
  pathIsTarget: false,
  line: 12,
  artifact: null,
  fingerprint: { scheme: 'fortify-instance', value: '0A0B0C0D0E0F00010002000300040005', pathFree: false },
  code: query,
  rawCode: null,
  secret: null,
  links: [],
  suppression: null,
  verified: false,
  exploitable: false,
  committedAt: null,
  sharedRow: null,
  evidence: {
    snippet: {
      text: `    String bed = request.getParameter("bed");\n\n${query}\n  }\n`,
      firstLine: 10,
      markedFrom: 12,
      markedTo: 12,
    },
    dataFlow: [
      { path: 'src/main/java/garden/Beds.java', line: 10, text: 'getParameter()' },
      { path: 'src/main/java/garden/Beds.java', line: 12, text: 'query()' },
    ],
    help: 'A query must not be built of input.',
    remediation: 'Use parameters.',
    dependencyPaths: [],
  },
};

test('reads an issue of a report with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], injection);
  assert.deepEqual(fieldsOf(report.runs, 'tool', 'toolVersion', 'category', 'outcome', 'showsScan'), [
    ['fortify', '31.1.0.0007', '', 'succeeded', true],
  ]);
});

test('an issue under several headings is one finding, and one without a rule is unreadable', () => {
  const report = fixture('before');
  assert.deepEqual(
    keysOf(report).map((key) => String(key)),
    [
      'sast,AAAA0000-0001-0001-0001-000000000001,src/main/java/garden/Beds.java,12,0A0B0C0D0E0F00010002000300040005',
      'sast,AAAA0000-0001-0001-0001-000000000002,conf/gate.properties,1,1A0B0C0D0E0F00010002000300040005',
      'sast,AAAA0000-0001-0001-0001-000000000002,src/main/java/garden/Rose.java,3,2A0B0C0D0E0F00010002000300040005',
    ],
  );
  assert.deepEqual([report.read, report.unreadable.length], [5, 1]);
  assert.match(report.warnings.join(), /listed? several times|lists several times/);
  const [after] = findingsOf(fixture('after'));
  assert.deepEqual([after?.code, after?.line, after?.severity], [query, 22, 'high']);
  assert.deepEqual(after?.fingerprint, injection.fingerprint);
});

test('passwords are masked in the report and in the results, and nothing around them is kept', () => {
  for (const name of ['before', 'results']) {
    const [, gate] = findingsOf(fixture(name));
    assert.deepEqual([gate?.path, gate?.code], ['conf/gate.properties', 'gate.password=****'], name);
    assert.equal(gate?.evidence?.snippet?.text, 'gate.password=****');
    assert.ok(!/roses-are|violets-are|hunter/.test(shownText(fixture(name))), name);
  }
  const rose = findingsOf(fixture('before'))[2];
  assert.deepEqual(
    [rose?.code, rose?.evidence, rose?.suppression?.reason],
    [null, null, 'It is the name of a rose.'],
  );
});

test('a report of a part of the issues closes nothing, and a template shows nothing', () => {
  const outcome = (report: Report): unknown[] =>
    report.runs.map((run) => [run.outcome, run.showsScan, report.read]);
  assert.deepEqual(outcome(fixture('part')), [['failed', true, 2]]);
  assert.match(fixture('part').warnings.join(), /only a part of the issues/);
  assert.deepEqual(outcome(fixture('after')), [['succeeded', true, 1]]);
  const more = textOf('after').replace('found 1 issue', 'found 1,001 issues');
  assert.deepEqual(outcome(parseReport(Buffer.from(more))), [['failed', true, 1]]);
  assert.deepEqual(outcome(fixture('template')), [['scanned_nothing', false, 0]]);
});

test('the results give the same issue as the report, with the whole data flow', () => {
  const report = fixture('results');
  assert.deepEqual(findingsOf(report)[0], {
    ...injection,
    pointer: '/FVDL/Vulnerabilities[1]/Vulnerability[1]',
    links: ['https://garden.example/beds'],
    evidence: {
      snippet: {
        text: `  Bed find(Request request) {\n    String bed = request.getParameter("bed");\n\n${query}\n  }\n`,
        firstLine: 9,
        markedFrom: 12,
        markedTo: 12,
      },
      dataFlow: [
        { path: 'src/main/java/garden/Beds.java', line: 10, text: 'getParameter(return)' },
        { path: 'src/main/java/garden/Beds.java', line: 12, text: 'query(0)' },
      ],
      help: 'A query must not be built of input.',
      remediation: 'Use parameters.',
      dependencyPaths: [],
    },
  } satisfies ReportFinding);
  assert.deepEqual(fieldsOf(findingsOf(report), 'title', 'severity', 'path'), [
    ['SQL Injection', 'critical', 'src/main/java/garden/Beds.java'],
    // The probability of the instance comes before that of the rule.
    ['Password Management: Hardcoded Password', 'high', 'conf/gate.properties'],
    ['Poor Style', 'unknown', null],
  ]);
  assert.deepEqual([report.read, unreadableIn(report)], [4, ['/FVDL/Vulnerabilities[1]/Vulnerability[4]']]);
  const nothing = textOf('results').replace('<NumberFiles>3', '<NumberFiles>0');
  assert.equal(parseReport(Buffer.from(nothing)).runs[0]?.outcome, 'scanned_nothing');
});

test('impact and likelihood give the four words of the priority order', () => {
  const severityOf = (impact: string, probability: string): string | undefined => {
    const text = textOf('results')
      .replace('"Impact">4.0', `"Impact">${impact}`)
      .replace('"Probability">4.0', `"Probability">${probability}`);
    return findingsOf(parseReport(Buffer.from(text)))[0]?.severity;
  };
  assert.deepEqual(
    [severityOf('2.5', '3.125'), severityOf('2.5', '3.1'), severityOf('2.4', '5'), severityOf('2.4', '1')],
    ['critical', 'high', 'medium', 'low'],
  );
});

const audit = `<ns2:Audit xmlns:ns2="xmlns://www.fortify.com/schema/audit"><ns2:IssueList>
<ns2:Issue instanceId="1A0B0C0D0E0F00010002000300040005" suppressed="true"><ns2:ThreadedComments>
<ns2:Comment><ns2:Content>First thought.</ns2:Content></ns2:Comment>
<ns2:Comment><ns2:Content>The gate is gone.</ns2:Content><ns2:Username>ada</ns2:Username></ns2:Comment>
</ns2:ThreadedComments></ns2:Issue>
<ns2:Issue instanceId="5A0B0C0D0E0F00010002000300040005"><ns2:Tag id="87F2364F-dcd4-49e6-861d-f8d3f351686b"><ns2:Value>Not an Issue</ns2:Value></ns2:Tag></ns2:Issue>
<ns2:Issue instanceId="0A0B0C0D0E0F00010002000300040005" suppressed="false"><ns2:Tag id="87f2364f-dcd4-49e6-861d-f8d3f351686b"><ns2:Value>Exploitable</ns2:Value></ns2:Tag></ns2:Issue>
</ns2:IssueList></ns2:Audit>`;

test('the archive of a project joins its results with what people decided', () => {
  const report = parseReport(
    zipOf({
      'src-archive/Beds.java': 'class Beds {}',
      'audit.fvdl.mac': 'x',
      'audit.xml': audit,
      'audit.fvdl': textOf('results'),
    }),
  );
  assert.deepEqual(
    findingsOf(report).map(({ title, suppression, exploitable }) => [
      title,
      suppression?.reason ?? null,
      exploitable,
    ]),
    [
      ['SQL Injection', null, true],
      ['Password Management: Hardcoded Password', 'The gate is gone.', false],
      ['Poor Style', 'Not an issue, by the audit in Fortify.', false],
    ],
  );
  assert.deepEqual(
    [report.read, report.unreadable[0]?.pointer],
    [4, '/audit.fvdl/FVDL/Vulnerabilities[1]/Vulnerability[4]'],
  );
  const plain = parseReport(zipOf({ 'shed/audit.fvdl': textOf('results') }));
  assert.deepEqual(keysOf(plain), keysOf(fixture('results')));
  const both = zipOf({ 'audit.fvdl': textOf('results'), 'webinspect.xml': textOf('webinspect') });
  assert.deepEqual(
    parseReport(both).runs.map(({ tool, findings }) => [tool, findings.length]),
    [
      ['fortify', 3],
      ['webinspect', 2],
    ],
  );
  assert.throws(() => parseReport(zipOf({ 'audit.fvdl': '<Other/>' })), /send the report inside it/);
});

test('reads an issue of WebInspect without requests, responses and cookies', () => {
  const report = fixture('webinspect');
  const [cookie] = findingsOf(report);
  assert.deepEqual(
    [cookie?.type, cookie?.rule, cookie?.title, cookie?.severity, cookie?.path, cookie?.description],
    [
      'dast',
      '4720',
      'Cookie Security: Cookie not Sent Over SSL',
      'medium',
      'https://garden.example/gate/',
      'The gate sets session=****; path=/ openly.',
    ],
  );
  assert.deepEqual(
    [cookie?.links, cookie?.evidence?.help, cookie?.evidence?.remediation],
    [
      ['http://garden.example/cookies'],
      'Anybody may enter http://garden.example/gate?sessionId=****',
      'Set secure.',
    ],
  );
  assert.ok(!JSON.stringify(report).includes('topsecret'));
  assert.deepEqual([report.read, unreadableIn(report)], [3, ['/Scan/Issues[1]/Issue[3]']]);
  assert.deepEqual(
    report.runs.map(({ tool, category, analysisTypes }) => [tool, category, analysisTypes.join()]),
    [['webinspect', 'Garden gate', 'dast']],
  );
  const [search] = findingsOf(fixture('sessions'));
  assert.deepEqual(
    [search?.pointer, search?.path, search?.code, search?.severity, search?.cwes],
    ['/Sessions/Session[1]/Issues/Issue[1]', 'https://garden.example/search', 'q', 'critical', ['CWE-79']],
  );
});

test('other XML with the same roots is not taken', () => {
  for (const text of ['<Scan><Name>x</Name></Scan>', '<Sessions><Session/></Sessions>', '<Report/>']) {
    assert.equal(recognises(fortify, text), false, text);
  }
});
