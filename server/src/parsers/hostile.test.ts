/** Reports written to break a parser. Reports changed at random are in `server/test/fuzz`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf } from '../../test/support/fields.ts';
import { processorMs } from '../../test/support/processor-time.ts';
import { parseReport } from './parse-report.ts';
import { type Report, ReportError, runsWithUnreadableRows } from './report.ts';

function attempt(content: string): Report | ReportError {
  try {
    return parseReport(Buffer.from(content));
  } catch (error) {
    assert.ok(
      error instanceof ReportError,
      `${error instanceof Error ? error.stack : error}\n${content.slice(0, 300)}`,
    );
    return error;
  }
}

function read(value: unknown): Report {
  const report = attempt(JSON.stringify(value));
  assert.ok(!(report instanceof ReportError), String(report));
  return report;
}

test('names such as __proto__ and constructor are ordinary names', () => {
  const report = attempt(
    `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"constructor","rules":[{"id":"__proto__"}]}},
      "originalUriBaseIds":{"__proto__":{"uri":"file:///x/"}},
      "results":[{"ruleId":"__proto__","message":{"id":"constructor"},"__proto__":{"level":"error"},
        "locations":[{"physicalLocation":{"artifactLocation":{"uri":"a","uriBaseId":"__proto__"}}}]},
        {"ruleId":"toString","message":{"text":"m"},"fingerprints":{"__proto__":{"x":1}}}]}]}`,
  );
  assert.ok(!(report instanceof ReportError));
  assert.deepEqual(
    report.runs[0]?.findings.map(({ rule, severity, path }) => [rule, severity, path]),
    [
      ['__proto__', 'medium', 'a'],
      ['toString', 'medium', null],
    ],
  );
  assert.equal(Object.hasOwn(Object.prototype, 'level'), false);
});

test('a text of a megabyte is cut with a warning', () => {
  const report = read({
    version: '2.1.0',
    runs: [{ results: [{ ruleId: 'R'.repeat(2000), message: { text: `${'word '.repeat(300_000)}` } }] }],
    $schema: 'sarif',
  });
  const [finding] = report.runs[0]?.findings ?? [];
  assert.equal(finding?.description?.length, 65_536);
  assert.ok((finding?.title.length ?? 0) <= 500);
  assert.equal(finding?.rule.length, 500);
  assert.equal(report.warnings.length, 3);
});

test('control characters and halves of surrogate pairs are removed', () => {
  const report = read({
    SchemaVersion: 2,
    ArtifactName: 'a\u0000b',
    Results: [
      {
        Target: 'x\u0000y',
        Vulnerabilities: [
          { VulnerabilityID: 'CVE-1\u0007', PkgName: 'p\ud800', Title: 't\u001b[0m', Description: 'd\r\ne' },
        ],
      },
    ],
  });
  assert.ok(!/\\u0000|\\u0007|\\u001b|\\ud800|\\r/.test(JSON.stringify(report)));
  assert.equal(report.runs[0]?.findings[0]?.description, 'd\ne');
});

test('a short report does not grow into a long one, and circles of references end', () => {
  const report = read({
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'T', rules: [{ id: 'R', messageStrings: { m: { text: '{0}'.repeat(100_000) } } }] },
        },
        originalUriBaseIds: { A: { uri: 'a/', uriBaseId: 'B' }, B: { uri: 'b/', uriBaseId: 'A' } },
        results: [
          {
            ruleId: 'R',
            message: { id: 'm', arguments: ['x'.repeat(100_000)] },
            locations: [{ physicalLocation: { artifactLocation: { uri: 'f', uriBaseId: 'A' } } }],
          },
        ],
      },
    ],
  });
  assert.ok((report.runs[0]?.findings[0]?.description?.length ?? 0) <= 1_048_576);
});

test('parsing time grows linearly with the size of the report', () => {
  const slashes = '/'.repeat(400_000);
  const log = (name: string): unknown => ({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name, rules: [{ id: 'a' }] } },
        automationDetails: { id: slashes },
        results: [
          `a${slashes}`,
          ' '.repeat(400_000),
          '('.repeat(400_000),
          `Package: ${':'.repeat(400_000)}`,
          '['.repeat(400_000),
        ].map((text) => ({
          ruleId: text,
          message: { text },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: `https://h/${text}` },
                region: { snippet: { text } },
              },
            },
          ],
        })),
      },
    ],
  });
  for (const name of ['T', 'Grype', 'gitleaks', `${'-'.repeat(400_000)}x`]) {
    const started = processorMs();
    read(log(name));
    assert.ok(processorMs() - started < 3000, `${name.slice(0, 10)} takes ${processorMs() - started} ms`);
  }
});

test('a list of another type hides its rows, so its run closes nothing', () => {
  const trivy = { SchemaVersion: 2, ArtifactName: '.' };
  const scan = { scanInfo: { engineVersion: '9' }, reportSchema: '1.1' };
  const source = { source: { path: 'go.mod', type: 'lockfile' } };
  const operator = { apiVersion: 'aquasecurity.github.io/v1alpha1', kind: 'VulnerabilityReport' };
  const hidden = '@{VulnerabilityID=CVE-2031-0001} @{VulnerabilityID=CVE-2031-0002}';
  for (const report of [
    { ...trivy, Results: hidden },
    { ...trivy, Results: [{ Target: 'go.mod', Class: 'lang-pkgs', Vulnerabilities: hidden }] },
    { ClusterName: 'garden', Resources: [{ Kind: 'Pod', Name: 'shed', Results: hidden }] },
    { check_type: 'terraform', results: { failed_checks: hidden }, summary: { failed: 2 } },
    { ...scan, dependencies: hidden },
    { ...scan, dependencies: [{ fileName: 'a.jar', vulnerabilities: { name: 'CVE-2031-0001' } }] },
    { results: [{ ...source, packages: hidden }] },
    { results: [{ ...source, packages: [{ package: { name: 'a' }, vulnerabilities: hidden }] }] },
    { ok: false, org: 'green', vulnerabilities: [], applications: hidden },
    { ok: false, org: 'green', vulnerabilities: [], filtered: { ignore: hidden } },
    { ...operator, report: { vulnerabilities: hidden } },
    { '@version': '2.16', site: { '@name': 'https://garden.example', alerts: { alertitem: [] } } },
    { summaryDetails: {}, resources: [], results: [{ resourceID: 'a', controls: hidden }] },
    { Controls: [{ node_type: 'master', tests: hidden }] },
    [{ scan_id: '1', component_id: 'shed', vulnerabilities: hidden }],
  ]) {
    const { runs, unreadable } = read(report);
    const text = JSON.stringify(report);
    assert.deepEqual(fieldOf(unreadable, 'reason'), ['It is not a list.'], text);
    const [run] = runs;
    assert.ok(run && (run.outcome === 'failed' || runsWithUnreadableRows([run], unreadable).size > 0), text);
  }
});
