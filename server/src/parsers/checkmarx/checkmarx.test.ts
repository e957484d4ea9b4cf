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
  shownText,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import { types } from '../../domain/packed-state.ts';
import type { Report, ReportFinding } from '../report.ts';
import { sarif } from '../sarif/sarif.ts';
import { checkmarx } from './checkmarx.ts';

const fixture = (name: string): Report => readFixture(checkmarx, name);

test('reads a result of CxSAST with everything it says', () => {
  const report = fixture('before.xml');
  const line = '    String find(@Param String seed) {';
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/CxXMLResults/Query[1]/Result[1]',
    type: 'sast',
    severity: 'high',
    title: 'SQL Injection',
    rule: 'SQL Injection',
    cwes: ['CWE-89'],
    path: 'beds/src/Seeds.java',
    line: 14,
    fingerprint: { scheme: 'cxsast/similarityId', value: '-1145061043', pathFree: false },
    code: line,
    links: ['https://cx.garden.example/CxWebClient/ViewerMain.aspx?scanid=2031001&projectid=7&pathid=1'],
    evidence: {
      ...emptyEvidence,
      snippet: { text: line, firstLine: 14, markedFrom: 14, markedTo: 14 },
      dataFlow: [
        { path: 'beds/src/Seeds.java', line: 14, text: 'String find(@Param String seed) {' },
        {
          path: 'beds/src/Store.java',
          line: 31,
          text: 'shed.query("select * from bed where seed = " + seed);',
        },
      ],
    },
  } satisfies ReportFinding);
  assert.deepEqual([report.read, report.unreadable], [4, []]);
  assert.deepEqual(fieldsOf(report.runs, 'tool', 'toolVersion', 'category', 'analysisTypes', 'outcome'), [
    ['checkmarx', '9.9.1', 'greenhouse', ['sast'], 'succeeded'],
  ]);
});

test('CxSAST: what is not exploitable is suppressed, a proposal is not, and what is fixed is no finding', () => {
  const report = fixture('before.xml');
  assert.deepEqual(
    findingsOf(report).map(({ rule, severity, suppression }) => [
      rule,
      severity,
      suppression?.reason ?? null,
    ]),
    [
      ['SQL Injection', 'high', null],
      [
        'SQL Injection',
        'low',
        'Marked as not exploitable in Checkmarx. Head Gardener greenhouse, [Friday, May 2, 2031]: The shed is closed.',
      ],
      ['Use Of Hardcoded Password', 'info', null],
    ],
  );
  assert.match(report.warnings.join(), /calls fixed/);
});

test('no secret of a query about passwords is left, in any report', () => {
  for (const name of ['before.xml', 'results.json']) {
    const report = fixture(name);
    assert.ok(findingsOf(report).some(({ rule }) => rule === 'Use Of Hardcoded Password'));
    assert.ok(!shownText(report).includes('topsecret'), name);
  }
  assert.equal(findingsOf(fixture('before.xml'))[2]?.code, '    open("****");');
  const [, password] = findingsOf(fixture('results.json'));
  assert.equal(
    password?.description,
    'The application uses the hard-coded password "****" to open the gate.',
  );
});

test('a result is the same in another line, with another separator of folders and another severity', () => {
  const [after] = findingsOf(fixture('after.xml'));
  const [before] = findingsOf(fixture('before.xml'));
  assert.deepEqual(
    [after?.rule, after?.path, after?.code, after?.fingerprint, after?.severity, after?.line],
    [before?.rule, before?.path, before?.code, before?.fingerprint, 'critical', 19],
  );
});

test('reads the results of each engine of Checkmarx One', () => {
  const report = fixture('results.json');
  assert.deepEqual(fieldsOf(findingsOf(report), 'type', 'severity', 'rule', 'path', 'line'), [
    ['sast', 'high', 'SQL Injection', 'beds/src/Seeds.java', 14],
    ['sast', 'low', 'Use Of Hardcoded Password', 'gate/Gate.java', 9],
    ['iac', 'medium', 'Missing User Instruction', 'shed/Dockerfile', 1],
    ['dependency', 'critical', 'CVE-2031-0101', 'package.json', null],
    ['dependency', 'critical', 'CVE-2031-0101', 'shed/package.json', null],
    ['malware', 'high', 'Cx20310101-aaaa', 'pom.xml', null],
    ['container', 'info', 'CVE-2031-0104', 'shed/Dockerfile', null],
    ['secret', 'high', 'Gate Key', 'gate/keys.env', 3],
    ['other', 'low', 'Code-Review', null, null],
  ]);
  assert.deepEqual([report.read, report.unreadable, report.runs[0]?.outcome], [9, [], 'succeeded']);
  const [query, password, user, trowel, , , spade, key] = findingsOf(report);
  assert.deepEqual(
    [query?.code, query?.cwes, query?.fingerprint?.scheme, query?.evidence?.dataFlow.map(({ text }) => text)],
    [null, ['CWE-89'], 'checkmarx-one/similarityId', ['seed', 'query']],
  );
  assert.equal(
    password?.suppression?.reason,
    'Marked as not exploitable in Checkmarx. The gate is a drawing.',
  );
  assert.equal(
    user?.description,
    "A user should be specified.\n\nThe 'Dockerfile' does not contain any 'USER' instruction",
  );
  assert.equal(user?.evidence?.remediation, "The 'Dockerfile' should contain the 'USER' instruction");
  assert.deepEqual(
    [
      trowel?.sharedRow,
      trowel?.fixedVersions,
      trowel?.cvss?.score,
      trowel?.links,
      trowel?.evidence?.dependencyPaths,
    ],
    [
      '/results/3',
      ['1.2.0'],
      9.8,
      ['https://trowels.example/loose'],
      [['tools@2.2.0', 'green-trowel@1.0.0-beta.2']],
    ],
  );
  assert.deepEqual([spade?.cvss, spade?.pathIsTarget], [null, false]);
  assert.deepEqual(
    [key?.secret, key?.verified, key?.evidence?.remediation],
    [{ value: null, maskedLine: 'GATE_KEY=****' }, true, 'Change the lock.'],
  );
  assert.deepEqual(packageKeys(report).slice(0, 4), [
    'container CVE-2031-0104 pkg:deb/debian/libspade 1.6.4-3+deb12u1 shed/Dockerfile',
    'dependency CVE-2031-0101 pkg:npm/green-trowel 1.0.0-beta.2 package.json',
    'dependency CVE-2031-0101 pkg:npm/green-trowel 1.0.0-beta.2 shed/package.json',
    'iac  undefined - shed/Dockerfile',
  ]);
});

/** The SARIF that the command line writes for three of the results. */
const sarifLog = {
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: 'Checkmarx One',
          version: '1.0',
          rules: [
            {
              id: 'SQL Injection - 1779421333800271656 (sast)',
              name: 'SQL Injection',
              properties: { 'security-severity': '7.0' },
            },
            { id: 'CVE-2031-0101 (sca)', name: 'Cve20310101', properties: { 'security-severity': '9.0' } },
            { id: 'CVE-2031-0104 (containers)', properties: { 'security-severity': '1.0' } },
            {
              id: 'Gate Key - gate-key (sscs-secret-detection)',
              name: 'Gate Key',
              properties: { 'security-severity': '7.0' },
            },
          ],
        },
      },
      results: [
        {
          ruleId: 'SQL Injection - 1779421333800271656 (sast)',
          level: 'error',
          message: { text: 'SQL Injection' },
          locations: [],
          codeFlows: [
            {
              threadFlows: [
                {
                  locations: [
                    { location: locationAt('beds/src/Seeds.java', 14) },
                    { location: locationAt('beds/src/Store.java', 31) },
                  ],
                },
              ],
            },
          ],
        },
        {
          ruleId: 'CVE-2031-0101 (sca)',
          level: 'error',
          message: { text: 'Npm-green-trowel-1.0.0-beta.2 (CVE-2031-0101)' },
          locations: [locationAt('package.json', 1)],
        },
        {
          ruleId: 'CVE-2031-0104 (containers)',
          level: 'note',
          message: { text: ' (CVE-2031-0104)' },
          locations: [locationAt('shed/Dockerfile', 1)],
        },
        {
          ruleId: 'Gate Key - gate-key (sscs-secret-detection)',
          level: 'error',
          message: { text: 'A key lies in the open.' },
          locations: [locationAt('gate/keys.env', 3, 'GATE_KEY=wooden17Gate')],
        },
      ],
    },
  ],
};

function locationAt(uri: string, startLine: number, text?: string): unknown {
  const snippet = text === undefined ? {} : { snippet: { text } };
  return { physicalLocation: { artifactLocation: { uri }, region: { startLine, ...snippet } } };
}

test('the SARIF of the command line gives the same rules, types, severities and locations', () => {
  const keyOf = ({ type, severity, rule, path, code, package: named, secret }: ReportFinding): unknown[] => [
    type,
    severity,
    rule,
    path,
    code,
    type === 'container' ? null : named,
    secret,
  ];
  const own = findingsOf(fixture('results.json'));
  const read = readContent(sarif, sarifLog);
  assert.equal(read.runs[0]?.tool, 'checkmarx');
  assert.deepEqual(
    findingsOf(read).map(keyOf),
    [own[0], own[3], own[6], own[7]].flatMap((finding) => (finding === undefined ? [] : [keyOf(finding)])),
  );
  const [flow] = findingsOf(read);
  assert.deepEqual(
    flow?.evidence?.dataFlow.map(({ path, line }) => [path, line]),
    [
      ['beds/src/Seeds.java', 14],
      ['beds/src/Store.java', 31],
    ],
  );
});

test('older SARIF names the steps of a flow as locations, and the rule by its number', () => {
  const report = readContent(sarif, {
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Checkmarx AST',
            rules: [{ id: '1779421333800271656 (sast)', name: 'SQL_Injection' }],
          },
        },
        results: [
          {
            ruleId: '1779421333800271656 (sast)',
            message: { text: 'SQL Injection' },
            locations: [locationAt('beds/src/Seeds.java', 14), locationAt('a/Store.java', 31)],
          },
        ],
      },
    ],
  });
  assert.deepEqual(
    findingsOf(report).map(({ rule, path, line, evidence }) => [rule, path, line, evidence?.dataFlow.length]),
    [['SQL Injection', 'beds/src/Seeds.java', 14, 2]],
  );
});

test('the report of Checkmarx One gives the same findings as its results, with the advice about a weakness', () => {
  const results = findingsOf(fixture('results.json'));
  const report = fixture('report.json');
  const keyOf = (finding: ReportFinding | undefined): unknown[] => [
    finding?.type,
    finding?.severity,
    finding?.rule,
    finding?.package,
    finding?.fingerprint,
    finding?.description,
    finding?.cwes,
    finding?.cvss,
  ];
  const [query, other, user, trowel] = findingsOf(report);
  assert.deepEqual([query, user, trowel].map(keyOf), [results[0], results[2], results[3]].map(keyOf));
  assert.deepEqual([query?.path, query?.line], ['beds/src/Seeds.java', 14]);
  assert.deepEqual(
    [query?.evidence?.help, query?.evidence?.remediation],
    ['Anybody reads the beds.\n\nThe query is built from a text.', 'Use parameters.'],
  );
  assert.deepEqual(
    [other?.path, other?.line, other?.suppression?.by, other?.evidence?.dataFlow.length],
    ['beds/src/Seeds.java', 20, 'file', 2],
  );
  assert.deepEqual([report.read, report.unreadable], [4, []]);
  assert.deepEqual(fieldsOf(report.runs, 'category', 'analysisTypes'), [
    ['greenhouse', ['dependency', 'sast', 'iac']],
  ]);
  const [old] = findingsOf(fixture('report-languages.json'));
  assert.deepEqual(
    [old?.pointer, old?.rule, old?.path, old?.fingerprint],
    [
      '/scanResults/sast/languages/0/queries/0/vulnerabilities/0',
      'SQL Injection',
      query?.path,
      query?.fingerprint,
    ],
  );
});

test('what engines found that did not run stays open', () => {
  const gapsOf = (report: Report): unknown[] =>
    report.runs.flatMap(({ gaps }) => gaps.map(({ type }) => type));
  const row = (type: string, status = 'RECURRENT'): unknown => ({
    type,
    status,
    state: 'TO_VERIFY',
    similarityId: '31',
    data: { queryName: 'SQL_Injection', packageIdentifier: 'Npm-rake-1.0.0' },
  });
  const results = (...rows: unknown[]): Report =>
    readContent(checkmarx, { results: rows, totalCount: rows.length, scanID: 'hidden' });
  const otherTypes = ['other', 'secret', 'dast', 'license'];
  assert.deepEqual(
    gapsOf(results(row('sast'))).sort(),
    [...otherTypes, 'dependency', 'iac', 'container', 'malware'].sort(),
  );
  assert.deepEqual(
    gapsOf(results(row('sast'), row('sca', 'FIXED'))).sort(),
    [...otherTypes, 'iac', 'container'].sort(),
  );
  assert.match(results(row('sast')).warnings.join(), /stay open/);
  assert.equal(gapsOf(results(row('unheard'))).length, types.length, 'an engine that is not known');
  assert.deepEqual(gapsOf(results()), [], 'results without rows may close the last finding of each engine');
  assert.ok(gapsOf(fixture('report-languages.json')).includes('dependency'), 'it names SAST alone');
  assert.ok(!gapsOf(fixture('report.json')).includes('dependency'), 'it names SCA too');
});

test('a section of the report with lists of unknown names is not taken for empty', () => {
  const report = readContent(checkmarx, {
    reportId: '1',
    scanResults: { resultsList: [] },
    scaScanResults: { risks: [{ cve: 'CVE-2031-0101' }] },
  });
  assert.equal(report.runs[0]?.outcome, 'failed');
  assert.match(report.warnings.join(), /shape that is not known/);
});

test('rows that cannot be understood are unreadable, and one page of a scan closes nothing', () => {
  const report = fixture('broken.json');
  assert.deepEqual(unreadableIn(report), [
    '/results/0',
    '/results/1',
    '/results/2',
    '/results/3',
    '/results/4',
  ]);
  assert.deepEqual(
    findingsOf(report).map(({ type, severity, title, package: named, line }) => [
      type,
      severity,
      title,
      named?.purl ?? null,
      line,
    ]),
    [
      ['other', 'unknown', 'The gate is open.', null, null],
      ['dependency', 'unknown', 'CVE-2031-0105', null, null],
    ],
  );
  assert.equal(report.runs[0]?.outcome, 'failed');
  const xml = fixture('broken.xml');
  assert.deepEqual([xml.read, unreadableIn(xml)], [3, ['/CxXMLResults/Query[1]/Result[1]']]);
  assert.deepEqual(fieldsOf(findingsOf(xml), 'rule', 'title', 'path', 'line', 'severity'), [
    ['', 'Finding without a query', 'gate/Open.java', null, 'unknown'],
    ['Open Gate', 'Open Gate', null, null, 'unknown'],
  ]);
});

test('a scan without results is read, and results of others are not recognised', () => {
  assert.deepEqual(
    [fixture('results-empty.json'), fixture('empty.xml')].map(({ read, runs }) => [
      read,
      runs.map(({ outcome, showsScan }) => [outcome, showsScan]),
    ]),
    [
      [0, [['succeeded', false]]],
      [0, [['scanned_nothing', false]]],
    ],
  );
  for (const other of [
    { results: [], totalCount: 0 },
    { results: [{ type: 'sast', status: 'NEW' }] },
    { scanResults: null, total: 0 },
    { scanResults: [], reportId: null, results: [{ type: 'x' }] }.results,
    '<CxResults/>',
  ]) {
    assert.equal(recognises(checkmarx, other), false, JSON.stringify(other));
  }
});
