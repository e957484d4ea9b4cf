import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import { kubeBench } from './kube-bench.ts';
import type { Report, ReportFinding } from './report.ts';

const fixture = (name: string): Report => readFixture(kubeBench, `${name}.json`);

test('reads a failed check with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/Controls/0/tests/0/results/0',
    type: 'iac',
    severity: 'medium',
    title: '1.1.1 Ensure that the gate is closed',
    description: "Garden Files\n\nThe gate is open\n\nExpected: '--open' is equal to 'false'",
    rule: '1.1.1',
    path: 'master',
    pathIsTarget: true,
    code: 'master\nEnsure that the gate is closed',
    evidence: {
      ...emptyEvidence,
      snippet: {
        text: '/bin/ps -ef | grep gate\nActual: gate --open=true --gate-token=[redacted]',
        firstLine: null,
        markedFrom: null,
        markedTo: null,
      },
      remediation: 'Close the gate.',
    },
  } satisfies ReportFinding);
  assert.equal(report.read, 2, 'FAIL alone is counted');
  assert.match(report.warnings.join(), /WARN need a check by a person/);
});

test('the values of options about tokens, passwords and secrets are redacted, with either separator', () => {
  const shown = (audit: string): unknown => {
    const results = [{ test_number: '1.1', status: 'FAIL', audit }];
    const report = readContent(kubeBench, { Controls: [{ node_type: 'master', tests: [{ results }] }] });
    return findingsOf(report)[0]?.evidence?.snippet?.text;
  };
  assert.equal(shown('gate --gate-token abc --open'), 'gate --gate-token [redacted] --open');
  assert.equal(
    shown('gate x--password=abc "--Secret-File=abc"'),
    'gate x--password=[redacted] "--Secret-File=[redacted]"',
  );
  assert.equal(shown('gate --open --token=abc'), 'gate --open --token=[redacted]');
  assert.equal(shown('gate -token=abc --open=a --tokens'), 'gate -token=abc --open=a --tokens');
});

test('each kind of node is a run, and one without checks changes nothing', () => {
  assert.deepEqual(
    fixture('before').runs.map(({ tool, category, pointer, outcome, showsScan, findings }) => [
      tool,
      category,
      pointer,
      outcome,
      showsScan,
      findings.length,
    ]),
    [
      ['kube-bench', 'master', '/Controls/0', 'succeeded', true, 2],
      ['kube-bench', 'node', '/Controls/1', 'succeeded', true, 0],
    ],
  );
  assert.match(fixture('before').warnings.join(), /checked nothing on some kinds of nodes/);
});

test('reads the list and the single object of older versions', () => {
  const list = fixture('list');
  assert.deepEqual(
    [list.read, list.runs.map(({ category, pointer }) => [category, pointer])],
    [2, [['master', '']]],
  );
  const [check] = findingsOf(list);
  assert.deepEqual([check?.rule, check?.title], ['1.1.1', '1.1.1 Ensure that the gate is closed']);
  const [single] = findingsOf(fixture('single'));
  assert.deepEqual([single?.rule, single?.path, single?.pointer], ['4.2', 'node', '/tests/0/results/0']);
});

test('checks without a number or with another status are unreadable, the others are read', () => {
  const report = fixture('broken');
  assert.deepEqual(unreadableIn(report), [
    '/Controls/0',
    '/Controls/1/tests/1/results/0',
    '/Controls/1/tests/1/results/1',
    '/Controls/1/tests/1/results/2',
    '/Controls/1/tests/1/results/3',
  ]);
  assert.deepEqual([report.read, findingsOf(report)[0]?.title], [6, '1.3 8']);
});

test('a report without controls has scanned nothing', () => {
  assert.deepEqual([fixture('empty').read, fixture('empty').runs[0]?.outcome], [0, 'scanned_nothing']);
  assert.equal(recognises(kubeBench, { tests: [] }), false);
});
