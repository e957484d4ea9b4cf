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
import { bandit } from './bandit.ts';
import type { Report, ReportFinding } from './report.ts';
import { sarif } from './sarif/sarif.ts';

const fixture = (name: string): Report => readFixture(bandit, `${name}.json`);
const keysOf = (finding: ReportFinding | undefined): unknown[] => [
  finding?.type,
  finding?.rule,
  finding?.path,
  finding?.line,
  finding?.severity,
  finding?.code?.trim(),
];

test('reads an issue with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/results/0',
    type: 'sast',
    severity: 'low',
    title: 'Use of assert detected.',
    description: 'Use of assert detected.',
    rule: 'B101',
    cwes: ['CWE-703'],
    path: 'src/spade.py',
    line: 12,
    code: '    assert bed',
    links: [
      'https://bandit.readthedocs.io/en/1.8.0/plugins/b101_assert_used.html',
      'https://cwe.mitre.org/data/definitions/703.html',
    ],
    evidence: {
      ...emptyEvidence,
      snippet: {
        text: 'def dig(bed):\n    assert bed\n    return bed',
        firstLine: 11,
        markedFrom: 12,
        markedTo: 12,
      },
    },
  } satisfies ReportFinding);
  assert.equal(report.read, 6);
  assert.deepEqual(unreadableIn(report), ['/results/4', '/results/5']);
  assert.match(report.warnings.join(' '), /could not read some files/);
});

test('an issue keeps its code in another line, and one of several lines begins at the first', () => {
  const [, , shell, odd] = findingsOf(fixture('before'));
  const [shellAfter, moved] = findingsOf(fixture('after'));
  assert.deepEqual([moved?.code, moved?.line], ['    assert bed', 82]);
  assert.deepEqual(keysOf(shellAfter), keysOf(shell));
  assert.deepEqual([shell?.path, shell?.line, shell?.code], ['src/water.py', 20, 'run(']);
  assert.deepEqual([shell?.evidence?.snippet?.markedFrom, shell?.evidence?.snippet?.markedTo], [20, 22]);
  assert.deepEqual([odd?.severity, odd?.code, odd?.line], ['unknown', null, 12]);
});

test('a quoted password is in no text', () => {
  const [, gate] = findingsOf(fixture('before'));
  assert.equal(gate?.title, 'Possible hardcoded password.');
  assert.equal(gate?.path, 'src/gate.py');
  assert.ok(!shownText(gate).includes('wood'));
  assert.match(gate?.evidence?.snippet?.text ?? '', /open_gate\('\*{4}',/);
});

test("a password that Bandit's SARIF quotes is in no text, and the finding is that of its JSON", () => {
  const [, gate] = findingsOf(fixture('before'));
  const snippet = (startLine: number, text: string): object => ({ startLine, snippet: { text } });
  const [same, elsewhere] = findingsOf(
    readContent(sarif, {
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'Bandit', rules: [{ id: 'B105', name: 'hardcoded_password_string' }] } },
          results: [
            {
              ruleId: 'B105',
              level: 'note',
              message: { text: "Possible hardcoded password: 'wood'" },
              locations: ['src/gate.py', 'src/shed.py'].map((uri) => ({
                physicalLocation: {
                  artifactLocation: { uri },
                  region: { ...snippet(4, "gate_password = 'wood'\n"), endLine: 4 },
                  contextRegion: snippet(3, "\ngate_password = 'wood'\nopen_gate('wood',\n"),
                },
              })),
            },
          ],
        },
      ],
    }),
  );
  assert.deepEqual(
    [same?.rule, same?.severity, same?.path, same?.line, same?.code?.trim(), same?.rawCode?.trim()],
    [gate?.rule, gate?.severity, gate?.path, gate?.line, gate?.code, gate?.rawCode],
  );
  assert.deepEqual(
    [same?.rawCode?.trim(), same?.title, same?.description],
    ["gate_password = 'wood'", gate?.title, gate?.description],
  );
  assert.equal(same?.evidence?.snippet?.text.trimEnd(), gate?.evidence?.snippet?.text);
  assert.ok(!shownText([same, elsewhere]).includes('wood'));
});

test("Bandit's SARIF of the same scan gives the same finding", () => {
  const [shell] = findingsOf(fixture('before')).filter(({ rule }) => rule === 'B602');
  const [same] = findingsOf(
    readContent(sarif, {
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'Bandit', rules: [{ id: 'B602', name: 'shell' }] } },
          results: [
            {
              ruleId: 'B602',
              level: 'error',
              message: { text: 'A shell runs the text.' },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'src/water.py' },
                    region: { startLine: 20, endLine: 21, snippet: { text: 'run(\n' } },
                    contextRegion: {
                      startLine: 20,
                      endLine: 22,
                      snippet: { text: 'run(\n    text,\n    shell=True)\n' },
                    },
                  },
                },
              ],
            },
          ],
        },
      ],
    }),
  );
  assert.deepEqual(keysOf(same), keysOf(shell));
});

test('a run without a file shows nothing, and an empty one is clean', () => {
  assert.equal(fixture('empty').runs[0]?.outcome, 'succeeded');
  assert.equal(fixture('no-file').runs[0]?.outcome, 'scanned_nothing');
  const failed = readContent(bandit, {
    errors: [{ filename: 'a', reason: 'r' }],
    metrics: { _totals: { loc: 0 } },
    results: [],
  });
  assert.equal(failed.runs[0]?.outcome, 'failed');
});
