/**
 * Tests of the number of statements of an import and of a request. It is the same for few findings and for many, as
 * long as they fit one batch. A query per row fails here at once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countStatements } from '../../../benchmarks/count-statements.ts';
import { send } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { applyAndEvaluate } from '../support/policies.ts';
import { type CodeResult, type PackageResult, sarif, trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
const { people } = await createTestWorkspace(server, 'acme');

const statements = countStatements();

async function countedDuring(work: () => Promise<unknown>): Promise<number> {
  const before = statements();
  await work();
  return statements() - before;
}

const packages = (count: number, from = 0): PackageResult[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `CVE-2024-${20_000 + from + i}`,
    name: `lib-${(from + i) % 90}`,
    version: '1.0.0',
    severity: from + i === 11 ? 'LOW' : 'HIGH',
  }));

const results = (count: number, from = 0): CodeResult[] =>
  Array.from({ length: count }, (_, i) => ({
    rule: `rule-${(from + i) % 7}`,
    path: `src/file-${(from + i) % 50}.ts`,
    line: from + i + 1,
    code: `query(field${from + i})`,
    level: from + i === 11 ? ('note' as const) : ('error' as const),
  }));

// Opens the queue and starts the parser's thread, so that later imports find them ready.
await importAll(server, 'acme', [reportInput(sarif([]), { repository: 'acme/first' })]);

const kinds: [string, (count: number, from?: number) => unknown][] = [
  ['packages', (count, from) => trivy(packages(count, from))],
  ['code', (count, from) => sarif(results(count, from))],
];

// Progress and leases depend on the clock, so a slow machine sends more of them. A statement per row would send a
// thousand.
const byTheClock = 20;

// The measured maximum of an import, from accepting the report to its final scan.
const most = { new: 81 + byTheClock, unchanged: 53, mixed: 82 + byTheClock };

for (const [kind, report] of kinds) {
  test(`an import of ${kind} takes as many statements for 1,500 findings as for 50`, async () => {
    const counts: Record<string, number[]> = { new: [], unchanged: [], mixed: [] };
    for (const size of [50, 1_500]) {
      const repository = `acme/${kind}-${size}`;
      const take = (content: unknown) =>
        countedDuring(async () => {
          const [scan] = await importAll(server, 'acme', [reportInput(content, { repository })]);
          assert.equal(scan?.error, null);
        });
      counts.new?.push(await take(report(size)));
      counts.unchanged?.push(await take(report(size)));
      // Some findings are missing, some are new, and one has another severity.
      counts.mixed?.push(await take(report(size, 10)));
    }
    for (const [what, [few = 0, many = 0]] of Object.entries(counts)) {
      assert.ok(many <= few + byTheClock, `${what}: ${few} for few, ${many} for many`);
      assert.ok(many <= most[what as keyof typeof most], `${what}: ${many}`);
    }
  });
}

test('policies cost an import as many statements for 1,500 findings as for 50', async () => {
  const other = await createTestWorkspace(server, 'asked');
  await applyAndEvaluate(
    server,
    other.tenant.id,
    `
policies:
${['low', 'medium', 'high', 'critical']
  .map(
    (severity) => `  - key: from-${severity}
    target_type: vulnerability
    enforcement_mode: block
    condition: {all: [{fact: severity, operator: '>=', value: ${severity}}]}
`,
  )
  .join('')}  - key: packages
    target_type: package
    enforcement_mode: warn
    condition: {all: [{fact: name, operator: matches, value: 'lib-*'}]}
`,
  );
  const counts: number[][] = [];
  for (const size of [50, 1_500]) {
    const take = (content: unknown) =>
      countedDuring(async () => {
        const parameters = { repository: `acme/asked-${size}` };
        const [scan] = await importAll(server, 'asked', [reportInput(content, parameters)]);
        assert.equal(scan?.verdict, 'block');
      });
    counts.push([
      await take(trivy(packages(size))),
      await take(trivy(packages(size))),
      await take(trivy(packages(size, 10))),
    ]);
  }
  const [few = [], many = []] = counts;
  for (const [i, what] of ['new', 'unchanged', 'mixed'].entries()) {
    assert.ok(
      (many[i] ?? 0) <= (few[i] ?? 0) + byTheClock,
      `${what}: ${few[i]} for few, ${many[i]} for many`,
    );
    assert.ok((many[i] ?? 0) <= most[what as keyof typeof most] + 20, `${what}: ${many[i]}`);
  }
});

test('a list takes as many statements for a page of 200 as for a page of 1', async () => {
  for (const list of ['vulnerabilities', 'scans', 'repositories', 'organizations', 'applications']) {
    const authorization = `Bearer ${people.member.key}`;
    const read = (size: number) =>
      countedDuring(async () => {
        const answer = await send(server.app, {
          path: `/api/v1/acme/${list}?per_page=${size}`,
          authorization,
        });
        assert.equal(answer.status, 200, answer.text);
      });
    await read(1);
    const few = await read(1);
    const many = await read(200);
    // The key and the workspace are remembered for a second, so either request may be the one that reads them.
    assert.ok(many <= few + 4 && many <= 12, `${list}: ${few} for few, ${many} for many`);
  }
});
