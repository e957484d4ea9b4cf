import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  readContent,
  readFixture,
  shownText,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import { gosec } from './gosec.ts';
import type { Report, ReportFinding } from './report.ts';
import { sarif } from './sarif/sarif.ts';

const fixture = (name: string): Report => readFixture(gosec, `${name}.json`);

test('reads an issue with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/Issues/0',
    type: 'sast',
    severity: 'low',
    title: 'Errors unhandled.',
    description: 'Errors unhandled.',
    rule: 'G104',
    cwes: ['CWE-703'],
    path: 'shed/door.go',
    line: 79,
    code: '\tdoor.Open()',
    links: ['https://cwe.mitre.org/data/definitions/703.html'],
    evidence: {
      ...emptyEvidence,
      snippet: {
        text: '\topen := true\n\tdoor.Open()\n\treturn',
        firstLine: 78,
        markedFrom: 79,
        markedTo: 79,
      },
    },
  } satisfies ReportFinding);
  assert.equal(report.read, 6);
  assert.deepEqual(unreadableIn(report), ['/Issues/4', '/Issues/5']);
  assert.equal(report.runs[0]?.toolVersion, '2.22.0');
  assert.match(report.warnings.join(' '), /could not build/);
});

test('a range of lines, and the code without numbers of version 2.0', () => {
  const [, lock] = findingsOf(fixture('before'));
  assert.deepEqual([lock?.line, lock?.code], [36, '\tc := conf{\n\t\tskip: true,\n\t}']);
  assert.equal(lock?.evidence?.remediation, 'Do not skip it.');
  const [old] = findingsOf(fixture('version2'));
  const [door] = findingsOf(fixture('before'));
  assert.deepEqual([old?.path, old?.code?.trim()], [door?.path, door?.code?.trim()]);
});

test('issues that were suppressed are suppressed findings', () => {
  const [, , global, comment] = findingsOf(fixture('before'));
  assert.deepEqual(global?.suppression, { by: 'file', reason: 'Globally suppressed.', expiresAt: null });
  assert.deepEqual(comment?.suppression, { by: 'source', reason: 'only wood', expiresAt: null });
  const [bare] = findingsOf(
    readContent(gosec, { Issues: [{ rule_id: 'G1', nosec: true }], Stats: { found: 1 } }),
  );
  assert.deepEqual(bare?.suppression, { by: 'source', reason: null, expiresAt: null });
});

test("gosec's SARIF of the same scan gives the same findings", () => {
  const rows: [string, string, number, number, string][] = [
    ['G104', 'LOW', 79, 79, '78: \topen := true\n79: \tdoor.Open()\n80: \treturn\n'],
    [
      'G402',
      'HIGH',
      36,
      38,
      '35: func f() {\n36: \tc := conf{\n37: \t\tskip: true,\n38: \t}\n39: \treturn c\n',
    ],
  ];
  const levels: Record<string, string> = { LOW: 'warning', HIGH: 'error' };
  const report = readContent(sarif, {
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'gosec',
            rules: rows.map(([id, severity]) => ({ id, properties: { tags: ['security', severity] } })),
          },
        },
        results: rows.map(([ruleId, severity, startLine, endLine, text], ruleIndex) => ({
          ruleId,
          ruleIndex,
          level: levels[severity],
          message: { text: 'Errors unhandled.' },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'shed/door.go' },
                region: { startLine, endLine, snippet: { text } },
              },
            },
          ],
        })),
      },
    ],
  });
  const keys = (findings: readonly ReportFinding[]): unknown[] =>
    findings.map(({ rule, path, line, severity, code }) => [rule, path, line, severity, code]);
  assert.deepEqual(keys(findingsOf(report)), keys(findingsOf(fixture('before')).slice(0, 2)));
});

test('a run without a file shows nothing, and an empty one is clean', () => {
  assert.equal(fixture('empty').runs[0]?.outcome, 'succeeded');
  assert.equal(fixture('no-file').runs[0]?.outcome, 'scanned_nothing');
  const failed = { 'Golang errors': { x: [] }, Issues: [], Stats: { files: 0, found: 0 } };
  assert.equal(readContent(gosec, failed).runs[0]?.outcome, 'failed');
});

test('a package that could not be loaded closes nothing, and a file that could not be built is a gap', () => {
  const runOf = (name: string): unknown => {
    const report = { 'Golang errors': { [name]: [] }, Issues: [], Stats: { files: 9, found: 0 } };
    const { outcome, gaps } = readContent(gosec, report).runs[0] ?? {};
    return [outcome, gaps];
  };
  assert.deepEqual(runOf('shed/door.go'), ['succeeded', [{ path: 'shed/door.go' }]]);
  const unloaded = [
    'shed',
    'shed/go.mod',
    '',
    '-',
    '/srv/_ci/shed',
    'C:\\_ci\\shed',
    '/home/runner/_work/a/a/shed',
  ];
  for (const name of unloaded) assert.deepEqual(runOf(name), ['failed', []], name);
  const neverBuilt = ['shed/testdata/wood', '/srv/ci/testdata', '_old/shed', '/home/runner/_work/a/a/_old'];
  for (const name of neverBuilt) assert.deepEqual(runOf(name), ['succeeded', []], name);
});

test('a credential in code is masked, in the JSON and in SARIF, and another one is another vulnerability', () => {
  const text = (secret: string): string =>
    `8: var other = "${secret}-2"\n9: var roses string = "${secret}"\n10: \n`;
  const issue = (secret: string): unknown => ({
    severity: 'HIGH',
    cwe: { id: '798' },
    rule_id: 'G101',
    details: 'Potential hardcoded credentials',
    file: 'shed/door.go',
    line: '9',
    code: text(secret),
    autofix: `Do not write ${secret} here.`,
  });
  const json = readContent(gosec, { Issues: [issue('rake-and-rose'), issue('hoe-and-lily')], Stats: {} });
  const result = (secret: string): unknown => ({
    ruleId: 'G101',
    message: { text: 'Potential hardcoded credentials' },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'shed/door.go' },
          region: { startLine: 9, endLine: 9, snippet: { text: text(secret) } },
        },
      },
    ],
    fixes: [{ description: { text: `Do not write ${secret} here.` } }],
  });
  const run = {
    tool: { driver: { name: 'gosec' } },
    results: [result('rake-and-rose'), result('hoe-and-lily')],
  };
  const log = readContent(sarif, { version: '2.1.0', runs: [run] });
  for (const report of [json, log]) {
    assert.doesNotMatch(shownText(report), /rake-and-rose|hoe-and-lily/);
    const [rake, hoe] = findingsOf(report);
    assert.deepEqual(
      [rake?.title, rake?.code],
      ['Potential hardcoded credentials', 'var roses string = "****"'],
    );
    assert.deepEqual(
      [rake?.rawCode, hoe?.rawCode],
      ['var roses string = "rake-and-rose"', 'var roses string = "hoe-and-lily"'],
    );
    assert.equal(rake?.evidence?.remediation, 'Do not write **** here.');
  }
});
