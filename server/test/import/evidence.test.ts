/** Tests of evidence: a report's evidence is stored, replaced, moved with a merge, and shown in the detail alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Static } from 'typebox';
import { EvidencePreparer } from '../../src/ingest/prepare/evidence.ts';
import type { VulnerabilityDetail as Detail } from '../../src/vulnerabilities/detail.ts';
import { clientOf, succeeded } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants, fingerprintTables } from '../support/invariants.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

type VulnerabilityDetail = Static<typeof Detail>;

const server = await createTestServer();
const { people } = await createTestWorkspace(server, 'acme');
const admin = clientOf(server.app, people.admin.key);
const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));

interface Result {
  path?: string;
  line?: number;
  code?: string;
  flow?: string[];
  fix?: string;
}

/** SARIF of one rule with an explanation. */
function report(results: Result[], help = '# Never use eval') {
  const placeOf = (path: string, line: number, code: string) => ({
    physicalLocation: {
      artifactLocation: { uri: path },
      region: { startLine: line, snippet: { text: code } },
      contextRegion: { startLine: line - 1, snippet: { text: `before()\n${code}\nafter()` } },
    },
  });
  return {
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Semgrep OSS', rules: [{ id: 'eval', help: { markdown: help } }] } },
        results: results.map(({ path = 'a.js', line = 3, code = 'eval(input)', flow = [], fix }) => ({
          ruleId: 'eval',
          message: { text: 'eval found' },
          locations: [placeOf(path, line, code)],
          ...(flow.length === 0
            ? {}
            : {
                codeFlows: [
                  {
                    threadFlows: [
                      {
                        locations: flow.map((text, index) => ({
                          location: { ...placeOf(path, index + 1, text), message: { text } },
                        })),
                      },
                    ],
                  },
                ],
              }),
          ...(fix === undefined ? {} : { fixes: [{ description: { text: fix } }] }),
        })),
      },
    ],
  };
}

const npmAudit = {
  advisories: {
    1: {
      id: 1,
      module_name: 'minimist',
      title: 'Prototype Pollution',
      severity: 'high',
      url: 'https://github.com/advisories/GHSA-xvch-5gv4-984h',
      cves: ['CVE-2021-44906'],
      recommendation: 'Upgrade to 1.2.6',
      patched_versions: '>=1.2.6',
      vulnerable_versions: '<1.2.6',
      findings: [{ version: '0.0.8', paths: ['mkdirp>minimist'] }],
    },
  },
  actions: [],
  muted: [],
  runId: 'x',
  metadata: { vulnerabilities: { high: 1 } },
};

async function take(repository: string, content: unknown, n: number, parameters: object = {}): Promise<void> {
  const [scan] = await importAll(server, 'acme', [
    reportInput(content, { repository, scannedAt: day(n), ...parameters }),
  ]);
  assert.equal(scan?.error, null);
}

async function details(repository: string): Promise<VulnerabilityDetail[]> {
  const { body } = await admin.get<{ items: { id: string }[] }>(
    `/api/v1/acme/vulnerabilities?repo=${repository}&scope=all`,
  );
  const read = ({ id }: { id: string }) =>
    admin.get<VulnerabilityDetail>(`/api/v1/acme/vulnerabilities/${id}`);
  return (await Promise.all(body.items.map(read))).map((answer) => answer.body);
}

const evidenceIn = async (repository: string) => (await details(repository))[0]?.evidence;

async function countRows(table: 'rule_help' | 'vulnerability_evidence', repository: string): Promise<number> {
  const joins = {
    rule_help: 'join repository r on r.id = t.repository_id',
    vulnerability_evidence:
      'join vulnerability v on v.id = t.vulnerability_id join repository r on r.id = v.repository_id',
  };
  const { rows } = await server.owner.query(
    `select count(*)::int as n from ${table} t ${joins[table]} where r.full_name = $1`,
    [repository],
  );
  return rows[0].n;
}

test('the detail shows code, data flow, explanation and fix as the report had them, and no list does', async () => {
  await take('acme/shown', report([{ flow: ['input = read()', 'eval(input)'], fix: 'Use JSON.parse' }]), 1);
  assert.deepEqual(await evidenceIn('acme/shown'), {
    snippet: { text: 'before()\neval(input)\nafter()', first_line: 2, marked_from: 3, marked_to: 3 },
    data_flow: [
      { path: 'a.js', line: 1, text: 'input = read()' },
      { path: 'a.js', line: 2, text: 'eval(input)' },
    ],
    help: '# Never use eval',
    remediation: 'Use JSON.parse',
    dependency_paths: [],
  });
  const list = await admin.get('/api/v1/acme/vulnerabilities?repo=acme/shown');
  assert.doesNotMatch(JSON.stringify(list), /evidence|before\(\)/);
});

test('the detail shows the chain that brings in a package', async () => {
  await take('acme/chain', npmAudit, 1);
  const evidence = await evidenceIn('acme/chain');
  assert.deepEqual(
    evidence?.dependency_paths.map((path) => path.length),
    [2],
  );
  assert.equal(evidence?.remediation, 'Upgrade to 1.2.6');
  assert.equal(evidence?.snippet, null);
});

test('a report with the same evidence writes nothing, and one with other evidence replaces it', async () => {
  const repository = 'acme/replaced';
  const first = report([{ fix: 'one' }, { path: 'b.js', code: 'eval(b)' }]);
  await take(repository, first, 1);
  const before = await fingerprintTables(server.owner);
  await take(repository, first, 2);
  assert.deepEqual(await fingerprintTables(server.owner), before);

  await take(repository, report([{ fix: 'two' }, { path: 'b.js', code: 'eval(b)' }], 'Other help'), 3);
  const found = await details(repository);
  assert.deepEqual(
    found.map(({ evidence }) => [evidence?.remediation, evidence?.help]).sort(),
    [
      [null, 'Other help'],
      ['two', 'Other help'],
    ].sort(),
  );
  // The old explanation is gone, and both vulnerabilities share the new one.
  assert.equal(await countRows('rule_help', repository), 1);

  const withoutAny = report([{}]);
  for (const result of withoutAny.runs[0]?.results ?? []) {
    for (const { physicalLocation } of result.locations)
      Object.assign(physicalLocation, { contextRegion: undefined });
  }
  const [run] = withoutAny.runs;
  if (run) run.tool.driver.rules = [];
  await take(repository, withoutAny, 4);
  assert.deepEqual(
    (await details(repository)).map(({ evidence }) => evidence?.help ?? null).sort(),
    ['Other help', null].sort(),
    'what is fixed keeps its evidence',
  );
  await assertInvariants(server.owner);
});

test('a branch does not replace the evidence of the default branch, and the default branch replaces that of a branch', async () => {
  const repository = 'acme/branches';
  const on = (ref: string) => ({ ref, defaultBranch: 'main' });
  await take(repository, report([{ fix: 'of main' }]), 1, on('main'));
  await take(repository, report([{ fix: 'of the branch' }]), 2, on('feature'));
  assert.equal((await evidenceIn(repository))?.remediation, 'of main');
  const other = 'acme/branch-first';
  await take(other, report([{}]), 1, on('main'));
  await take(other, report([{}, { path: 'b.js', fix: 'of the branch' }]), 2, on('feature'));
  const ofBoth = async () => (await details(other)).flatMap(({ evidence }) => evidence?.remediation ?? []);
  assert.deepEqual(await ofBoth(), ['of the branch']);
  await take(other, report([{}, { path: 'b.js', fix: 'of main' }]), 3, on('main'));
  assert.deepEqual(await ofBoth(), ['of main']);
});

test('a late report changes no evidence', async () => {
  await take('acme/late', report([{ fix: 'new' }]), 5);
  await take('acme/late', report([{ fix: 'old' }]), 1);
  assert.equal((await evidenceIn('acme/late'))?.remediation, 'new');
});

test('a merge keeps one evidence for each tool, and a split copies it', async () => {
  const repository = 'acme/by-hand';
  await take(repository, report([{ fix: 'one' }, { path: 'b.js', code: 'eval(b)', fix: 'two' }]), 1);
  const [into, other] = await details(repository);
  const path = `/manage/v1/acme/vulnerabilities/${into?.id}`;
  const evidences = async () => (await details(repository)).map(({ evidence }) => evidence?.remediation);

  const reason = 'The matching was wrong.';
  succeeded(await admin.post(`${path}/merge`, { others: [other?.id], reason }));
  assert.deepEqual(await evidences(), [into?.evidence?.remediation]);
  assert.equal(await countRows('vulnerability_evidence', repository), 1);

  const locations = [other?.location.id];
  succeeded(await admin.post(`${path}/split`, { locations, reason }));
  const remediation = into?.evidence?.remediation;
  assert.deepEqual(await evidences(), [remediation, remediation]);
  await assertInvariants(server.owner);
});

test('evidence is bounded for a finding and for a report, the same way each time', () => {
  const evidence = {
    snippet: { text: 'a', firstLine: 1, markedFrom: 1, markedTo: 1 },
    dataFlow: Array.from({ length: 60 }, () => ({ path: 'p'.repeat(4_000), line: 1, text: 'x' })),
    help: 'h',
    remediation: 'r',
    dependencyPaths: [],
  };
  const preparer = new EvidencePreparer(400);
  const first = preparer.prepare(evidence);
  assert.deepEqual(JSON.parse(first?.content ?? ''), { snippet: evidence.snippet, remediation: 'r' });
  assert.deepEqual(preparer.warnings, []);
  const rest = Array.from({ length: 10 }, () => preparer.prepare(evidence));
  assert.equal(rest.at(-1), null);
  assert.equal(preparer.warnings.length, 1);
});
