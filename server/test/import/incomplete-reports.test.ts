/** Tests of reports with gaps: a part that a scanner or Merlon could not read does not prove that anything is fixed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tenantReadTx } from '../../src/db/database.ts';
import { listNewestBySeries, listScansById, type ScanDetailRow } from '../../src/ingest/scans/store.ts';
import { createTestDatabase } from '../support/database.ts';
import { importInTurn } from '../support/import-in-turn.ts';
import { type CodeResult, type PackageResult, sarif, trivy } from '../support/reports.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const database = await createTestDatabase();
const { tenant } = await createTestWorkspace(database, 'acme');

/** Imports the reports in their order, one day apart, and returns the scan of the last one. */
async function importDaily(
  reports: (object | string)[],
  last: { force?: boolean } = {},
): Promise<ScanDetailRow> {
  const sent = reports.map((report, index) => ({ report, ...(index === reports.length - 1 ? last : {}) }));
  const scan = (await importInTurn(database, 24, sent)).at(-1);
  assert.ok(scan);
  return scan;
}

const fixedBy = async (
  reports: (object | string)[],
  last?: { force?: boolean },
): Promise<number | undefined> => (await importDaily(reports, last)).counts?.fixed;

const results: CodeResult[] = Array.from({ length: 10 }, (_, index) => ({
  rule: 'bed.untested-soil',
  path: `src/bed-${index}.ts`,
  line: index + 1,
}));

function withNotifications(
  report: ReturnType<typeof sarif>,
  ...toolExecutionNotifications: object[]
): object {
  const invocations = [{ executionSuccessful: true, toolExecutionNotifications }];
  return { ...report, runs: report.runs.map((run) => ({ ...run, invocations })) };
}

function withUnreadable(report: ReturnType<typeof sarif>): object {
  const [run] = report.runs;
  return { ...report, runs: [{ ...run, results: [...(run?.results ?? []), 1, 2, 3] }] };
}

test('a run with unreadable rows closes nothing, and the scan says so', async () => {
  const scan = await importDaily([sarif(results), withUnreadable(sarif(results.slice(0, 8)))]);
  assert.equal(scan.counts?.fixed, 0);
  assert.equal(scan.counts?.unreadable, 3);
  assert.match(
    scan.warnings.join('\n'),
    /could not be read: vulnerabilities that their run does not show stay open/,
  );
});

test('a run of which no row could be read counts as failed', async () => {
  const scan = await importDaily([sarif(results), withUnreadable(sarif([]))]);
  assert.equal(scan.counts?.fixed, 0);
  const { rows } = await database.owner.query('select outcome from series_scan where scan_id = $1', [
    scan.id,
  ]);
  assert.deepEqual(rows, [{ outcome: 'failed' }]);
});

test('a run with unreadable rows closes what it does not show when it is forced', async () => {
  assert.equal(
    await fixedBy([sarif(results), withUnreadable(sarif(results.slice(0, 8)))], { force: true }),
    2,
  );
});

test('unreadable rows of one run do not keep another run of the report from closing', async () => {
  const [first, second] = [sarif(results), sarif(results, { tool: 'Greenhouse' })];
  const fewer = sarif(results.slice(0, 9), { tool: 'Greenhouse' });
  const both = { ...first, runs: [...first.runs, ...second.runs] };
  const broken = withUnreadable(sarif(results.slice(0, 8))) as typeof first;
  assert.equal(await fixedBy([both, { ...first, runs: [...broken.runs, ...fewer.runs] }]), 1);
});

const semgrep = (paths: string[], errors: object[] = []) => ({
  version: '1.90.0',
  errors,
  paths: { scanned: paths },
  results: paths.map((path) => ({
    check_id: 'bed.untested-soil',
    path,
    start: { line: 3 },
    extra: { severity: 'ERROR', message: 'The soil is not tested.', lines: 'plant()' },
  })),
});
const beds = ['src/a.ts', 'src/b.ts', 'src/c.ts'];
const timeout = { level: 'warn', type: 'Timeout', path: 'src/a.ts', message: 'Timeout at src/a.ts' };

test('a file that ran into a time limit keeps its vulnerabilities, and others are fixed', async () => {
  const scan = await importDaily([semgrep(beds), semgrep(['src/c.ts'], [timeout])]);
  assert.equal(scan.counts?.fixed, 1);
  assert.match(scan.warnings.join('\n'), /did not examine everything/);
  assert.equal(await fixedBy([semgrep(beds), semgrep(['src/c.ts'], [timeout]), semgrep(['src/c.ts'])]), 1);
});

test('a fatal error of Semgrep closes nothing, whatever was found', async () => {
  for (const type of ['Fatal error', 'OOM during interfile analysis', 'Timeout during interfile analysis']) {
    const fatal = { level: 'error', type, message: 'Segmentation fault' };
    assert.equal(await fixedBy([semgrep(beds), semgrep(['src/c.ts'], [fatal])]), 0, type);
    const notification = {
      descriptor: { id: type },
      level: 'error',
      message: { text: 'Segmentation fault' },
    };
    for (const tool of ['Semgrep OSS', 'Opengrep OSS']) {
      const report = withNotifications(sarif(results.slice(0, 8), { tool }), notification);
      assert.equal(await fixedBy([sarif(results, { tool }), report]), 0, `${type} in SARIF of ${tool}`);
    }
  }
});

test('a file or a rule with which Semgrep did not finish keeps its vulnerabilities in SARIF too', async () => {
  for (const [text, fixed] of [
    ['Timeout when running rules.bed.untested-soil on src/bed-9.ts:\n ', 1],
    ['Out of memory at line src/bed-9.ts:3:\n too large', 1],
    ['Rule parse error in rule bed.untested-soil:\n no pattern', 0],
    ['Syntax error when running rules.bed.untested-soil on src/bed-9.ts:\n ', 2],
  ] as const) {
    const notification = { descriptor: { id: text.split(' when ')[0] }, level: 'warning', message: { text } };
    const report = withNotifications(sarif(results.slice(0, 8)), notification);
    assert.equal(await fixedBy([sarif(results), report]), fixed, text);
  }
});

test('a vulnerability that is missing in a partly parsed file is fixed', async () => {
  const partial = { level: 'warn', type: ['PartialParsing', []], path: 'src/a.ts' };
  assert.equal(await fixedBy([semgrep(beds), semgrep(['src/c.ts'], [partial])]), 2);
});

test('a file that Checkov could not parse keeps its vulnerabilities, whichever path the report names', async () => {
  const checkov = (files: string[], parsingErrors: string[]) => ({
    check_type: 'terraform',
    results: {
      failed_checks: files.map((file) => ({
        check_id: 'CKV_BED_1',
        check_name: 'Ensure the bed is fenced',
        file_path: `/${file}`,
        repo_file_path: `/infra/${file}`,
        file_line_range: [1, 4],
        resource: 'garden_bed.north',
      })),
      parsing_errors: parsingErrors,
    },
    summary: { passed: 3, failed: files.length, skipped: 0, checkov_version: '3.2.0' },
  });
  const all = checkov(['a.tf', 'b.tf', 'c.tf'], []);
  assert.equal(await fixedBy([all, checkov(['c.tf'], ['/home/gardener/shop/infra/a.tf'])]), 1);
});

test('a file about which a SARIF run reports an error keeps its vulnerabilities', async () => {
  const report = sarif(results.slice(0, 8));
  const notification = {
    level: 'error',
    message: { text: 'The file could not be parsed.' },
    locations: [{ physicalLocation: { artifactLocation: { uri: 'src/bed-9.ts' } } }],
  };
  const invocation = { executionSuccessful: true, toolExecutionNotifications: [notification] };
  const runs = report.runs.map((run) => ({ ...run, invocations: [invocation] }));
  assert.equal(await fixedBy([sarif(results), { ...report, runs }]), 1);
});

test('a rule that a SARIF run could not apply keeps its vulnerabilities', async () => {
  const both = [...results.slice(0, 2), { rule: 'bed.too-wet', path: 'src/pond.ts', line: 3 }];
  const withErrors = (list: string, error: object) => {
    const report = sarif([]);
    const invocation = { executionSuccessful: true, [list]: [{ level: 'error', message: {}, ...error }] };
    const driver = { name: 'Semgrep OSS', rules: [{ id: 'bed.untested-soil' }, { id: 'bed.too-wet' }] };
    return {
      ...report,
      runs: report.runs.map((run) => ({ ...run, tool: { driver }, invocations: [invocation] })),
    };
  };
  const soil = { associatedRule: { id: 'bed.untested-soil' } };
  const wet = { associatedRule: { index: 1 } };
  assert.equal(await fixedBy([sarif(both), withErrors('toolExecutionNotifications', soil)]), 1);
  assert.equal(await fixedBy([sarif(both), withErrors('toolConfigurationNotifications', wet)]), 2);
  const settings = { ...wet, locations: [{ physicalLocation: { artifactLocation: { uri: 'rules.yml' } } }] };
  assert.equal(await fixedBy([sarif(both), withErrors('toolConfigurationNotifications', settings)]), 2);
});

test('a rule about secrets that could not be applied keeps its vulnerabilities', async () => {
  const gitleaks = (rules: string[], failed: string[] = []) => ({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'gitleaks' } },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: failed.map((id) => ({ level: 'error', associatedRule: { id } })),
          },
        ],
        results: rules.map((ruleId) => ({
          ruleId,
          message: { text: `${ruleId} has detected a secret` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'gate.env' },
                region: { startLine: 1, snippet: { text: `wheelbarrow-${ruleId}-4711` } },
              },
            },
          ],
        })),
      },
    ],
  });
  assert.equal(await fixedBy([gitleaks(['rake-key', 'shed-key']), gitleaks([], ['rake-key'])]), 1);
});

test('a rule that Semgrep could not apply keeps its vulnerabilities', async () => {
  const failed = { level: 'warn', type: 'Rule parse error', rule_id: 'rules.bed.untested-soil' };
  assert.equal(await fixedBy([semgrep(beds), semgrep(['src/c.ts'], [failed])]), 0);
  const other = { ...failed, rule_id: 'rules.bed.too-wet' };
  assert.equal(await fixedBy([semgrep(beds), semgrep(['src/c.ts'], [other])]), 2);
  for (const type of ['Missing plugin', ['IncompatibleRule', { this_version: '1.90.0' }]]) {
    assert.equal(
      await fixedBy([semgrep(beds), semgrep(['src/c.ts'], [{ ...failed, type, path: '/rules.json' }])]),
      0,
    );
  }
  const skipped = { ...semgrep(['src/c.ts']), skipped_rules: [{ rule_id: 'bed.untested-soil' }] };
  assert.equal(await fixedBy([semgrep(beds), skipped]), 0);
});

test('a package that pip-audit skipped keeps its vulnerabilities', async () => {
  const vulnerable = (name: string) => ({ name, version: '1.0', vulns: [{ id: `PYSEC-2031-${name}` }] });
  const skipped = { name: 'Rake.Tool', skip_reason: 'Dependency not found on PyPI' };
  const before = { dependencies: [vulnerable('rake-tool'), vulnerable('shed')], fixes: [] };
  const after = { dependencies: [skipped, { name: 'shed', version: '2.0', vulns: [] }], fixes: [] };
  assert.equal(await fixedBy([before, after]), 1);
  assert.equal(await fixedBy([before, after], { force: true }), 2);
  const known = { dependencies: [{ name: 'rake-tool', version: '2.0', vulns: [] }], fixes: [] };
  assert.equal(await fixedBy([before, after, known]), 1, 'the next scan that examines it fixes it');
});

const kubescape = (statuses: Record<string, Record<string, string>>, summary: object = {}) => ({
  customerGUID: '',
  summaryDetails: { controls: summary },
  resources: [],
  results: Object.entries(statuses).map(([name, controls]) => ({
    resourceID: `path=1/api=apps/v1/garden/Deployment/${name}`,
    rawResource: { kind: 'Deployment', metadata: { name, namespace: 'garden' } },
    controls: Object.entries(controls).map(([controlID, status]) => ({ controlID, status: { status } })),
  })),
});

test('a control that Kubescape skipped keeps its vulnerabilities, in this resource or in all', async () => {
  const failed = { 'C-1': 'failed', 'C-2': 'failed' };
  const before = kubescape({ shed: failed, pond: failed });
  const passed = { 'C-1': 'passed', 'C-2': 'passed' };
  const skipsOne = kubescape({ shed: { ...passed, 'C-1': 'skipped' }, pond: passed });
  assert.equal(await fixedBy([before, skipsOne]), 3);
  const rest = { shed: { 'C-2': 'passed' }, pond: { 'C-2': 'passed' } };
  const needsSettings = { 'C-1': { statusInfo: { status: 'skipped', subStatus: 'configuration' } } };
  assert.equal(await fixedBy([before, kubescape(rest, needsSettings)]), 2);
  const irrelevant = { 'C-1': { statusInfo: { status: 'passed', subStatus: 'irrelevant' } } };
  assert.equal(await fixedBy([before, kubescape(rest, irrelevant)]), 4);
});

test('a check that kube-bench could not make keeps its vulnerability', async () => {
  const kubeBench = (first: string, second: string) => ({
    Controls: [
      {
        node_type: 'node',
        tests: [
          {
            results: [
              { test_number: '1.1', status: first },
              { test_number: '1.2', status: second },
            ],
          },
        ],
      },
    ],
  });
  assert.equal(await fixedBy([kubeBench('FAIL', 'FAIL'), kubeBench('WARN', 'PASS')]), 1);
});

const withRules = (report: ReturnType<typeof sarif>) => ({
  ...report,
  runs: report.runs.map((run) => ({
    ...run,
    tool: { driver: { ...run.tool.driver, rules: [{ id: 'x' }] } },
  })),
});

test('a small series without findings is held if the report shows no scan, and fixed if it shows one', async () => {
  const few = (count: number) => sarif(results.slice(0, count));
  const held = await importDaily([few(7), few(0)]);
  assert.deepEqual([held.counts?.fixed, held.counts?.closing_held], [0, 7]);
  assert.equal(await fixedBy([few(7), withRules(few(0))]), 7, 'the report lists the rules');
  assert.equal(await fixedBy([few(7), few(1)]), 6, 'something is left');
  assert.equal(await fixedBy([few(3), few(0)]), 3, 'a team fixes three');
  assert.equal(await fixedBy([few(7), few(0), few(0)]), 7, 'a second scan shows the same');
});

test('a run that failed does not confirm a held closure', async () => {
  const none = sarif([]);
  const failed = {
    ...none,
    runs: none.runs.map((run) => ({ ...run, invocations: [{ executionSuccessful: false }] })),
  };
  assert.equal(await fixedBy([sarif(results.slice(0, 7)), none, failed]), 0);
  assert.equal(await fixedBy([sarif(results.slice(0, 7)), failed, failed]), 0);
});

test('a held closure does not lower the severity, and the next complete report can', async () => {
  const [a, b] = ['a/package-lock.json', 'b/package-lock.json'];
  const both = { id: 'CVE-2031-7000', name: 'spade', version: '1.0.0' };
  const critical: PackageResult = { ...both, path: b, severity: 'CRITICAL' };
  const others = Array.from({ length: 30 }, (_, n) => ({ ...critical, id: `CVE-2031-71${n + 10}` }));
  const low = (fixed: string): PackageResult => ({ ...both, path: a, severity: 'LOW', fixed });
  const severity = async () => {
    const { rows } = await database.owner.query<{ severity: string }>(
      `select severity from vulnerability_reporter t join vulnerability v on v.tenant_id = t.tenant_id and v.id = t.vulnerability_id
        where v.advisory = $1 order by v.id desc limit 1`,
      [both.id],
    );
    return rows[0]?.severity;
  };
  const first = trivy([low('1.0.1'), critical, ...others]);
  const held = await importDaily([first, trivy([low('1.0.2')])]);
  assert.equal(held.counts?.closing_held, 30);
  assert.equal(await severity(), 'critical');
  await importDaily([first, trivy([low('1.0.2')]), trivy([low('1.0.2'), critical, ...others])]);
  assert.equal(await severity(), 'critical');
  await importDaily([first, trivy([low('1.0.2')]), trivy([low('1.0.2'), ...others])]);
  assert.equal(await severity(), 'low');
});

test('vulnerabilities that a threshold of Snyk hides stay open, and the others are fixed', async () => {
  const snyk = (names: Record<string, string>, threshold?: string) => ({
    ok: false,
    packageManager: 'npm',
    dependencyCount: 9,
    ...(threshold === undefined ? {} : { severityThreshold: threshold }),
    vulnerabilities: Object.entries(names).map(([name, severity]) => ({
      id: `SNYK-JS-${name}-1`,
      packageName: name,
      version: '1.0.0',
      title: 'Loose handle',
      severity,
    })),
  });
  const before = snyk({ RAKE: 'medium', SHED: 'high', POND: 'critical' });
  assert.equal(await fixedBy([before, snyk({ POND: 'critical' }, 'high')]), 1);
  assert.equal(await fixedBy([before, snyk({ POND: 'critical' }, 'low')]), 2);
});

test('an export of Snyk’s issues closes nothing that its filters leave out', async () => {
  const issues = (names: Record<string, string>, filter = '', type = 'package_vulnerability') => ({
    jsonapi: { version: '1.0' },
    links: { self: `/rest/orgs/1/issues?version=2024-10-15&limit=100${filter}` },
    data: Object.entries(names).map(([name, severity]) => ({
      type: 'issue',
      attributes: {
        key: `SNYK-JS-${name}-1`,
        type,
        title: name,
        effective_severity_level: severity,
      },
    })),
  });
  const before = issues({ RAKE: 'low', SHED: 'high', POND: 'critical' });
  const after = (filter?: string) => issues({ POND: 'critical' }, filter);
  assert.equal(await fixedBy([before, after()]), 2);
  assert.equal(await fixedBy([before, after('&effective_severity_level=critical,high')]), 1);
  for (const part of ['updated_after=2031-01-01T00:00:00Z', 'status=resolved', 'ignored=true']) {
    assert.equal(await fixedBy([before, after(`&${part}`)]), 0, part);
  }
  assert.equal(await fixedBy([before, after('&status=open,resolved&ignored=false')]), 2);
  assert.equal(
    await fixedBy([before, after('&starting_after=v1.eyJpZCI6MX0')]),
    0,
    'the last page of several',
  );
  const licenses = issues({ RAKE: 'low', SHED: 'high' }, '', 'license');
  assert.equal(await fixedBy([licenses, after('&type=package_vulnerability')]), 0, 'a list without licenses');
  assert.equal(await fixedBy([licenses, after('&type=license')]), 2);
});

test('vulnerabilities that cargo-audit ignores or leaves out below a severity stay open', async () => {
  const cargo = (ids: string[], settings: object = {}) => ({
    database: {},
    lockfile: { 'dependency-count': 9 },
    settings,
    vulnerabilities: {
      list: ids.map((id) => ({
        advisory: { id, package: 'rake', title: 'Loose handle', aliases: [`CVE-2031-${id.slice(-4)}`] },
        package: { name: 'rake', version: '1.0.0' },
      })),
    },
  });
  const both = cargo(['RUSTSEC-2031-0001', 'RUSTSEC-2031-0002']);
  assert.equal(await fixedBy([both, cargo([], { severity: null, ignore: ['RUSTSEC-2031-0001'] })]), 1);
  assert.equal(await fixedBy([both, cargo([], { severity: 'high', ignore: [] })]), 0);
});

test('vulnerabilities that a minimum severity of Bandit or Yarn hides stay open, because the counts include them', async () => {
  const bandit = (severities: string[], low: number) => ({
    errors: [],
    metrics: { _totals: { loc: 99, 'SEVERITY.LOW': low, 'SEVERITY.HIGH': severities.length } },
    results: severities.map((severity, index) => ({
      test_id: `B10${index}`,
      issue_text: 'The soil is not tested.',
      issue_severity: severity,
      filename: 'bed.py',
      line_number: index + 1,
    })),
  });
  assert.equal(await fixedBy([bandit(['HIGH', 'LOW'], 1), bandit([], 1)]), 1);
  assert.equal(await fixedBy([bandit(['HIGH', 'LOW'], 1), bandit([], 0)]), 2);
  const yarn = (names: Record<string, string>, low: number) => {
    const lines = Object.entries(names).map(([name, severity], index) => ({
      type: 'auditAdvisory',
      data: {
        resolution: { id: index + 1, path: name },
        advisory: { id: index + 1, module_name: name, title: 'Loose handle', severity, findings: [] },
      },
    }));
    const summary = { type: 'auditSummary', data: { vulnerabilities: { low }, totalDependencies: 9 } };
    return [...lines, summary].map((line) => JSON.stringify(line)).join('\n');
  };
  assert.equal(await fixedBy([yarn({ rake: 'low', shed: 'high' }, 1), yarn({}, 1)]), 1);
});

test('a match that Grype leaves out for the state of its fix stays open', async () => {
  const match = (name: string) => ({
    vulnerability: {
      id: `CVE-2031-${name.length}000`,
      severity: 'High',
      fix: { versions: [], state: 'not-fixed' },
    },
    artifact: { name, version: '1.0', type: 'npm', purl: `pkg:npm/${name}@1.0` },
  });
  const report = (matches: object[], ignoredMatches: object[] = []) => ({
    descriptor: { name: 'grype', version: '0.85.0' },
    source: { type: 'directory', target: '.' },
    matches,
    ignoredMatches,
  });
  const leftOut = { ...match('rake'), appliedIgnoreRules: [{ vulnerability: '', 'fix-state': 'not-fixed' }] };
  assert.equal(await fixedBy([report([match('rake'), match('shears')]), report([], [leftOut])]), 1);
});

test('a list of packages in SPDX without advisories does not fix what one with them has shown', async () => {
  const spdx = (...advisories: string[]) => ({
    spdxVersion: 'SPDX-2.3',
    SPDXID: 'SPDXRef-DOCUMENT',
    packages: [
      {
        SPDXID: 'SPDXRef-rake',
        name: 'rake',
        versionInfo: '1.0',
        externalRefs: [
          { referenceType: 'purl', referenceLocator: 'pkg:npm/rake@1.0' },
          ...advisories.map((id) => ({
            referenceType: 'advisory',
            referenceLocator: `https://example.com/${id}`,
          })),
        ],
      },
    ],
  });
  const both = spdx('CVE-2031-0001', 'CVE-2031-0002');
  assert.equal(await fixedBy([both, spdx('CVE-2031-0001')]), 1);
  assert.equal(await fixedBy([both, spdx()]), 0);
  assert.equal(await fixedBy([both, spdx()], { force: true }), 2);
});

test('a scan keeps the first thousand unreadable rows and a hundred tools, and only its detail reads them', async () => {
  const [run] = sarif([]).runs;
  const runs = Array.from({ length: 120 }, (_, index) => ({
    ...run,
    tool: { driver: { name: `tool-${index}`, rules: [] } },
    results: new Array(10).fill(0),
  }));
  const scan = await importDaily([{ version: '2.1.0', runs }]);
  assert.deepEqual([scan.counts?.unreadable, scan.unreadable.length, scan.tools.length], [1_200, 1_000, 100]);
  const { db } = database;
  const [list, state] = await tenantReadTx(db, tenant.id, (tx) =>
    Promise.all([listScansById(tx, [scan.id]), listNewestBySeries(tx, [scan.reference_id], null)]),
  );
  assert.deepEqual(
    state.map(({ outcome }) => outcome),
    new Array(120).fill('failed'),
  );
  for (const row of [...list, ...state]) {
    assert.ok(JSON.stringify(row).length < 4_000, 'a row of a list or state has the texts of the report');
  }
  assert.equal(list[0]?.warning_count, scan.warnings.length);
});
