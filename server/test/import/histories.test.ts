/**
 * Random histories: imports of several tools on several references, whole, partial, late and forced, decisions and
 * clock steps, in any order. After each, everything that must hold does (support/invariants.ts); a shuffled report
 * is the same report; a decision is never lost.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { unpackBucket } from '../../src/features/vulnerabilities/bucket.ts';
import { type Action, decide } from '../../src/features/vulnerabilities/decisions.ts';
import { assignVulnerability } from '../../src/features/vulnerabilities/service.ts';
import { sweepTenant } from '../../src/features/vulnerabilities/sweep.ts';
import { formatId } from '../../src/ids.ts';
import { createTestDatabase } from '../support/database.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants, fingerprintTables } from '../support/invariants.ts';
import { type CodeResult, type PackageResult, sarif, trivy } from '../support/reports.ts';
import { createTestWorkspace, principalAs, reportInput } from '../support/workspace.ts';

const database = await createTestDatabase();
const workspace = await createTestWorkspace(database, 'acme');
const { tenant } = workspace;
const principal = principalAs(workspace, 'admin');

const packageResult = fc.record({
  id: fc.constantFrom('CVE-2024-10001', 'CVE-2024-10002', 'CVE-2024-10003'),
  name: fc.constantFrom('left', 'right'),
  version: fc.constantFrom('1.0.0', '1.1.0'),
  severity: fc.constantFrom('LOW', 'HIGH', 'UNKNOWN'),
}) satisfies fc.Arbitrary<PackageResult>;

const codeResult = fc.record(
  {
    rule: fc.constantFrom('sqli', 'xss'),
    path: fc.constantFrom('src/a.ts', 'src/b.ts'),
    line: fc.integer({ min: 1, max: 120 }),
    code: fc.constantFrom('eval(x)', 'run(y)'),
    fingerprint: fc.constantFrom('a'.repeat(4) + '0'.repeat(36), 'b'.repeat(4) + '1'.repeat(36)),
    suppressed: fc.boolean(),
  },
  { requiredKeys: ['rule', 'path', 'line'] },
) as fc.Arbitrary<CodeResult>;

const report = fc.oneof(
  fc
    .array(packageResult, { maxLength: 6 })
    .map((results) => ({ tool: 'trivy', make: () => trivy(results), results })),
  fc
    .array(codeResult, { maxLength: 6 })
    .map((results) => ({ tool: 'semgrep', make: () => sarif(results), results })),
);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      report,
      ref: fc.constantFrom('main', 'main', 'feature', 'release'),
      category: fc.constantFrom(null, 'other'),
      partial: fc.boolean(),
      late: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      dryRun: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      action: fc.constantFrom<Action>('accept', 'ignore', 'reject', 'confirm', 'reopen'),
      which: fc.nat(),
      ends: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('assign' as const), which: fc.nat(), clear: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('sweep' as const), days: fc.integer({ min: 0, max: 45 }) }),
  },
);

// A history is a few dozen milliseconds a step; more of them run in the long form of the tests.
const runs = Number(process.env.TEST_HISTORIES ?? 25);

test('any history keeps what must hold', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      const repository = `acme/history-${number++}`;
      let clock = Date.now() - 60 * 24 * 3_600_000;
      for (const one of steps) {
        clock += 3_600_000;
        if (one.kind === 'import') {
          const at = new Date(one.late ? clock - 48 * 3_600_000 : clock);
          const [scan] = await importAll(database, 'acme', [
            reportInput(one.report.make(), {
              repository,
              ref: one.ref,
              category: one.category,
              partial: one.partial,
              dryRun: one.dryRun,
              scannedAt: at,
            }),
          ]);
          assert.equal(scan?.error, null);
        } else if (one.kind === 'sweep') {
          await sweepTenant(database.db, tenant.id, new Date(clock + one.days * 24 * 3_600_000), 30);
        } else {
          const vulnerability = await pick(repository, one.which);
          if (vulnerability === null) continue;
          const id = formatId('vulnerability', vulnerability);
          if (one.kind === 'assign') {
            await assignVulnerability(
              database.db,
              principal,
              id,
              { assignee: one.clear ? null : 'me' },
              'test',
            );
          } else {
            const until =
              one.action === 'accept' && one.ends ? { until: new Date(Date.now() + 1000).toISOString() } : {};
            await decide(
              database.db,
              principal,
              { action: one.action, reason: 'because', ...until, vulnerabilities: [{ id }] },
              'test',
            );
          }
        }
        await assertInvariants(database.owner);
      }
    }),
    { numRuns: runs, seed: 20_260_101, endOnFailure: true },
  );
});

test('a decision is never lost to a scan', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(report, fc.array(report, { minLength: 1, maxLength: 4 }), async (first, later) => {
      const repository = `acme/decided-${number++}`;
      const start = Date.now() - 10 * 24 * 3_600_000;
      await importAll(database, 'acme', [
        reportInput(first.make(), { repository, scannedAt: new Date(start) }),
      ]);
      const ids = await all(repository);
      if (ids.length === 0) return;
      const vulnerabilities = ids.map((id) => ({ id: formatId('vulnerability', id) }));
      await decide(database.db, principal, { action: 'reject', reason: 'because', vulnerabilities }, 'test');
      await importAll(
        database,
        'acme',
        later.map((next, i) =>
          reportInput(next.make(), { repository, scannedAt: new Date(start + (i + 1) * 3_600_000) }),
        ),
      );
      const { rows } = await database.owner.query('select bucket from vulnerability where id = any($1)', [
        ids,
      ]);
      for (const row of rows) assert.equal(unpackBucket(row.bucket).status, 'rejected');
    }),
    { numRuns: runs, seed: 20_260_102, endOnFailure: true },
  );
});

test('a shuffled report is the same report', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(report, fc.integer(), async (first, seed) => {
      const repository = `acme/shuffled-${number++}`;
      const at = Date.now() - 10 * 24 * 3_600_000;
      await importAll(database, 'acme', [reportInput(first.make(), { repository, scannedAt: new Date(at) })]);
      const before = await fingerprintTables(database.owner);
      const shuffled = [...first.results].sort(
        (a, b) => hash(JSON.stringify(a), seed) - hash(JSON.stringify(b), seed),
      );
      const again =
        first.tool === 'trivy' ? trivy(shuffled as PackageResult[]) : sarif(shuffled as CodeResult[]);
      await importAll(database, 'acme', [reportInput(again, { repository, scannedAt: new Date(at + 1000) })]);
      assert.deepEqual(await fingerprintTables(database.owner), before);
    }),
    { numRuns: runs, seed: 20_260_103, endOnFailure: true },
  );
});

async function all(repository: string): Promise<string[]> {
  const { rows } = await database.owner.query(
    `select v.id from vulnerability v join repository r on r.id = v.repository_id where r.full_name = $1 order by v.id`,
    [repository],
  );
  return rows.map((row) => row.id);
}

async function pick(repository: string, which: number): Promise<string | null> {
  const ids = await all(repository);
  return ids[which % Math.max(1, ids.length)] ?? null;
}

function hash(text: string, seed: number): number {
  let value = seed | 0;
  for (let i = 0; i < text.length; i++) value = (Math.imul(value, 31) + text.charCodeAt(i)) | 0;
  return value;
}
