import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  readContent,
  readFixture,
  recognises,
  shownText,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import type { Report, ReportFinding } from '../report.ts';
import { sarif } from '../sarif/sarif.ts';
import { semgrep } from './semgrep.ts';

const fixture = (name: string): Report => readFixture(semgrep, `${name}.json`);

test('a finding is the same in another line, order, indentation and with other words', () => {
  const keys = (name: string): string[] =>
    findingsOf(fixture(name)).map(({ rule, path, fingerprint, code, package: named }) =>
      [rule, path, fingerprint?.value, code?.trim(), named?.purl].join(' '),
    );
  const before = new Set(keys('before'));
  const after = new Set(keys('after'));
  assert.deepEqual([...before.intersection(after)].sort(), [
    'CVE-2031-0001 package-lock.json   pkg:npm/%40garden/spade',
    "garden.python.open-door shed/door.py aa11bb22cc33dd44ee55ff6600112233_0 door.open(request.args['key']) ",
  ]);
  assert.deepEqual(
    [...after.difference(before)],
    ['garden.python.unlocked-gate shed/gate.py  gate.unlock() '],
  );
  assert.equal(before.difference(after).size, 3);
});

test('reads a finding in code with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/results/0',
    type: 'sast',
    severity: 'high',
    title: 'The door is opened with a key from the request. Anybody may have sent it.',
    description: 'The door is opened with a key from the request. Anybody may have sent it.',
    rule: 'garden.python.open-door',
    cwes: ['CWE-78'],
    path: 'shed/door.py',
    line: 12,
    fingerprint: {
      scheme: 'matchBasedId/v1',
      value: 'aa11bb22cc33dd44ee55ff6600112233_0',
      pathFree: false,
    },
    code: "  door.open(request.args['key'])",
    links: ['https://rules.example/garden.python.open-door', 'https://garden.example/door'],
    evidence: {
      ...emptyEvidence,
      snippet: { text: "  door.open(request.args['key'])", firstLine: 12, markedFrom: 12, markedTo: 12 },
    },
  } satisfies ReportFinding);
  assert.equal(report.read, 7);
  assert.deepEqual(unreadableIn(report), ['/results/5', '/results/6']);
  assert.equal(report.warnings.length, 1, 'one for all errors');
  assert.deepEqual(
    report.runs.map(({ tool, toolVersion, outcome, manifests }) => [
      tool,
      toolVersion,
      outcome,
      manifests.length,
    ]),
    [['semgrep', '1.90.0', 'succeeded', 0]],
  );
});

test('without a login there is neither fingerprint nor code, and the severity may come from the rule', () => {
  const [, open, ignored] = findingsOf(fixture('before'));
  assert.deepEqual([open?.fingerprint, open?.code, open?.line], [null, null, null]);
  assert.deepEqual([open?.severity, open?.cwes, open?.path], ['critical', ['CWE-362'], 'shed/window.py']);
  assert.deepEqual(ignored?.suppression, { by: 'source', reason: null, expiresAt: null });
  assert.equal(ignored?.severity, 'low');
});

test('a supply chain finding is a finding of its package', () => {
  const spade = findingsOf(fixture('before'))[3];
  assert.deepEqual(
    [spade?.type, spade?.severity, spade?.rule, spade?.path, spade?.line, spade?.exploitable],
    ['dependency', 'high', 'CVE-2031-0001', 'package-lock.json', 52, true],
  );
  assert.deepEqual(spade?.advisories, ['CVE-2031-0001', 'GHSA-aaaa-bbbb-cccc']);
  assert.deepEqual(spade?.package, {
    purl: 'pkg:npm/%40garden/spade',
    name: '@garden/spade',
    version: '2.0.0',
  });
  assert.deepEqual(spade?.fixedVersions, ['2.0.1', '1.9.9']);
  assert.deepEqual([spade?.fingerprint, spade?.code], [null, null]);
  assert.equal(findingsOf(fixture('after'))[1]?.exploitable, false);
});

test('a secret that Semgrep has tried is a secret, and masked', () => {
  const report = fixture('before');
  const gate = findingsOf(report)[4];
  assert.deepEqual([gate?.type, gate?.verified, gate?.severity], ['secret', true, 'critical']);
  assert.deepEqual(gate?.secret, { value: null, maskedLine: 'GATE_CODE=****' });
  assert.ok(!JSON.stringify(report).includes('gdn-90ab'));
});

test('the same finding by SARIF has the same identity', () => {
  const log = {
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Semgrep OSS', rules: [{ id: 'garden.python.open-door' }] } },
        results: [
          {
            ruleId: 'garden.python.open-door',
            level: 'error',
            message: { text: 'The door is opened with a key from the request. Anybody may have sent it.' },
            fingerprints: { 'matchBasedId/v1': 'aa11bb22cc33dd44ee55ff6600112233_0' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'shed/door.py', uriBaseId: '%SRCROOT%' },
                  region: { startLine: 12, snippet: { text: "  door.open(request.args['key'])" } },
                },
              },
            ],
          },
        ],
      },
    ],
  };
  const [bySarif] = readContent(sarif, log).runs;
  const [byJson] = fixture('before').runs;
  assert.equal(bySarif?.tool, byJson?.tool);
  const same = { pointer: '', links: [], cwes: [] };
  assert.deepEqual({ ...bySarif?.findings[0], ...same }, { ...byJson?.findings[0], ...same });
});

test('a credential in code is masked wherever it is quoted, as in SARIF, and the finding stays one in code', () => {
  const secret = 'ROSEANDRAKE'.repeat(3);
  const lines = `  gateKey: ${secret}`;
  const rule = 'garden.secrets.found-key';
  const message = `The key ${secret} is in the code.`;
  const json = {
    version: '1.95.0',
    errors: [],
    results: [
      {
        check_id: rule,
        path: 'shed/gate.yml',
        start: { line: 3 },
        end: { line: 3 },
        extra: {
          lines,
          message,
          severity: 'ERROR',
          fix: `gateKey: "${secret}"`,
          metadata: { cwe: ['CWE-798: Use of Hard-coded Credentials'] },
          dataflow_trace: {
            taint_source: ['CliLoc', [{ path: 'shed/gate.yml', start: { line: 3 } }, secret]],
          },
        },
      },
    ],
  };
  const region = { startLine: 3, snippet: { text: lines } };
  const log = {
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'Semgrep OSS', rules: [{ id: rule, properties: { tags: ['CWE-798: Key'] } }] },
        },
        results: [
          {
            ruleId: rule,
            level: 'error',
            message: { text: message },
            locations: [{ physicalLocation: { artifactLocation: { uri: 'shed/gate.yml' }, region } }],
          },
        ],
      },
    ],
  };
  for (const report of [readContent(semgrep, json), readContent(sarif, log)]) {
    assert.ok(!shownText(report).includes('ROSE'), shownText(report));
    const [found] = findingsOf(report);
    assert.deepEqual(
      [found?.type, found?.title, found?.code, found?.rawCode],
      ['sast', 'The key **** is in the code.', '  gateKey: ****', lines],
    );
    assert.equal(found?.evidence?.snippet?.text, '  gateKey: ****');
  }
});

test('an empty report is recognised, and similar formats are not', () => {
  const isSemgrep = (value: unknown): boolean => recognises(semgrep, value);
  assert.ok(isSemgrep({ results: [], errors: [] }));
  assert.ok(isSemgrep({ results: [], errors: [], paths: { scanned: [] }, version: '1.1.0', more: 1 }));
  assert.ok(!isSemgrep({ results: [], errors: [], generated_at: '', metrics: {} }), 'Bandit');
  assert.ok(!isSemgrep({ results: [{ test_id: 'B101' }], errors: [] }));
  assert.ok(!isSemgrep({ results: [] }));
});

test('the trace of tainted data goes from the source over its variables to the sink, also through calls', () => {
  const location = (line: number) => ({ path: 'src/bed.ts', start: { line }, end: { line } });
  const trace = {
    taint_source: ['CliLoc', [location(2), 'seed()']],
    intermediate_vars: [{ location: location(3), content: 'x' }],
    taint_sink: [
      'CliCall',
      [
        [location(4), 'sow(x)'],
        [{ location: location(9), content: 'y' }],
        ['CliLoc', [location(10), 'open(y)']],
      ],
    ],
  };
  const report = readContent(semgrep, {
    results: [
      {
        check_id: 'r',
        path: 'src/bed.ts',
        start: { line: 4 },
        extra: { dataflow_trace: trace, fix: 'sow(safe(x))' },
      },
    ],
    errors: [],
  });
  const evidence = report.runs[0]?.findings[0]?.evidence;
  assert.deepEqual(
    evidence?.dataFlow.map(({ path, line, text }) => `${path}:${line} ${text}`),
    ['2 seed()', '3 x', '4 sow(x)', '9 y', '10 open(y)'].map((step) => `src/bed.ts:${step}`),
  );
  assert.equal(evidence?.remediation, '```\nsow(safe(x))\n```');
});

test('a file that has grown too big counts as unfinished, and an excluded one does not', () => {
  const skipped = [
    { path: 'src/bed.js', reason: 'exceeded_size_limit' },
    { path: 'src/rake.js', reason: 'too_many_matches' },
    { path: 'test/bed.js', reason: 'semgrepignore_patterns_match' },
    { path: 'src/hoe.js', reason: 'analysis_failed_parser_or_internal_error' },
  ];
  const report = readContent(semgrep, { results: [], errors: [], paths: { scanned: ['a.js'], skipped } });
  assert.deepEqual(report.runs[0]?.gaps, [{ path: 'src/bed.js' }, { path: 'src/rake.js' }]);
});
