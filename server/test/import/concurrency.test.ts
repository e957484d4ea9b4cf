/**
 * Tests of concurrency: several workers, several repositories, and people who decide meanwhile. Each report is imported
 * once, in order, and nothing is lost.
 */

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { decide } from '../../src/actions/triage/decisions.ts';
import { isConnectionLost } from '../../src/db/connection-errors.ts';
import { importTx } from '../../src/db/database.ts';
import { formatId, nilId, type RepositoryId } from '../../src/domain/ids.ts';
import { failOwnScan, processRepository, processWorkspace } from '../../src/ingest/import/process-scan.ts';
import { slices } from '../../src/ingest/import/slices.ts';
import { takeFile } from '../../src/ingest/upload/import-files.ts';
import { receiveReport } from '../../src/ingest/upload/receive-report.ts';
import { openQueue } from '../../src/jobs/queue.ts';
import { startWorker } from '../../src/worker.ts';
import { createTestDatabase } from '../support/database.ts';
import { onlyInCi } from '../support/form.ts';
import { importAll, testConfig } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { type PackageResult, sarif, trivy } from '../support/reports.ts';
import { until } from '../support/until.ts';
import { createTestWorkspace, principalAs, reportInput } from '../support/workspace.ts';

const database = await createTestDatabase();
const workspace = await createTestWorkspace(database, 'acme');
const { tenant } = workspace;
const principal = principalAs(workspace, 'admin');

/** The same packages and titles in every repository, each in another order, so that imports meet in shared tables. */
function packages(repository: number, count: number): PackageResult[] {
  return Array.from({ length: count }, (_, i) => {
    const n = (i * (2 * repository + 3)) % count; // a prime count: every number once
    return { id: `CVE-2024-${20_000 + n}`, name: `package-${n}`, version: '1.0.0' };
  });
}

test('two workers apply six reports of one repository once each, in order', async () => {
  const boss = await openQueue(database.db, { supervise: false });
  const repository = 'acme/contended';
  let repositoryId: RepositoryId = nilId;
  const reports = [[0, 1, 2], [0, 1], [0, 1, 3], [3], [0, 3], [0]];
  for (const [i, numbers] of reports.entries()) {
    const results = numbers.map((n) => ({ id: `CVE-2024-${30_000 + n}`, name: `p${n}`, version: '1.0.0' }));
    const input = reportInput(trivy(results), { repository, scannedAt: new Date(Date.UTC(2026, 0, i + 1)) });
    const taken = await takeFile({ ...database, boss }, tenant.id, input);
    repositoryId = taken.repositoryId;
  }
  await boss.stop({ graceful: false });
  await Promise.all(
    [1, 2, 3].map(() => processRepository({ ...database, config: testConfig }, tenant.id, repositoryId)),
  );
  const { rows } = await database.owner.query(
    'select status, counts from scan where repository_id = $1 order by id',
    [repositoryId],
  );
  assert.deepEqual(
    rows.map(({ status, counts }) => [status, counts?.new, counts?.fixed, counts?.reopened]),
    [
      ['completed', 3, 0, 0],
      ['completed', 0, 1, 0],
      ['completed', 1, 0, 0],
      ['completed', 0, 2, 0],
      ['completed', 0, 0, 1],
      ['completed', 0, 1, 0],
    ],
  );
  await assertInvariants(database.owner);
});

test('eight workers apply sixty reports of one repository once each, without delaying another repository', async () => {
  const boss = await openQueue(database.db, { supervise: false });
  const take = (repository: string, n: number) =>
    takeFile(
      { ...database, boss },
      tenant.id,
      reportInput(trivy(packages(n, 53)), { repository, category: `tool-${n}` }),
    );
  for (let n = 0; n < 60; n++) await take('acme/busy', n);
  const other = await take('acme/other', 1);
  await boss.stop({ graceful: false });
  const errors: unknown[] = [];
  const log = {
    info: () => {},
    warn: (data: unknown) => errors.push(data),
    error: (data: unknown) => errors.push(data),
  };
  const worker = await startWorker({ ...database, config: { ...testConfig, workers: 8 } }, log);
  const mine = `from scan s join repository r on r.id = s.repository_id where r.full_name in ('acme/busy', 'acme/other')`;
  await until(
    async () => {
      const { rows } = await database.owner.query(`select ${mine} and s.status in ('queued', 'running')`);
      return rows.length === 0;
    },
    'no scan waits',
    120_000,
  );
  await worker.stop();
  const { rows } = await database.owner.query(
    `select s.id, s.status, s.attempts, s.error ${mine} order by s.finished_at`,
  );
  assert.equal(rows.length, 61);
  for (const row of rows) assert.deepEqual([row.status, row.attempts, row.error], ['completed', 1, null]);
  assert.notEqual(rows.at(-1)?.id, other.scanId, 'the other repository comes last');
  assert.deepEqual(errors, []);
  await assertInvariants(database.owner);
});

test('six repositories with the same artifacts and terms in different order are imported at once', {
  skip: onlyInCi,
}, async () => {
  const scans = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((n) =>
      importAll(database, 'acme', [
        reportInput(trivy(packages(n, 2_503)), {
          repository: `acme/side-${n}`,
          scannedAt: new Date(Date.UTC(2026, 0, 1)),
        }),
        reportInput(sarif([{ rule: 'sqli', path: `${n}.ts`, line: 1 }]), { repository: `acme/side-${n}` }),
      ]),
    ),
  );
  for (const list of scans) {
    assert.deepEqual(
      list.map((scan) => [scan.error, scan.counts?.new]),
      [
        [null, 2_503],
        [null, 1],
      ],
    );
  }
  // Without statistics the plans for so many rows take minutes.
  await database.owner.query('analyze');
  await assertInvariants(database.owner);
});

test('decisions during imports are kept', async () => {
  const repository = 'acme/decided';
  const at = (n: number): Date => new Date(Date.UTC(2026, 1, n));
  await importAll(database, 'acme', [reportInput(trivy(packages(1, 401)), { repository, scannedAt: at(1) })]);
  const { rows } = await database.owner.query(
    'select v.id from vulnerability v join repository r on r.id = v.repository_id where r.full_name = $1 order by v.id desc',
    [repository],
  );
  const ids = rows.map((row) => ({ id: formatId('vulnerability', row.id) }));
  const acts = (['reject', 'reopen', 'accept', 'confirm', 'ignore'] as const).map(
    (action, i) => () =>
      decide(database.db, principal, {
        action,
        reason: 'because',
        vulnerabilities: ids.slice(i * 30, i * 30 + 200),
      }),
  );
  await Promise.all([
    importAll(database, 'acme', [
      reportInput(trivy(packages(1, 383)), { repository, scannedAt: at(2) }),
      reportInput(trivy(packages(1, 401)), { repository, scannedAt: at(3) }),
      reportInput(trivy(packages(1, 307)), { repository, scannedAt: at(4) }),
    ]),
    ...acts.map((act) => act()),
  ]);
  await assertInvariants(database.owner);
});

test('a report that has killed four workers fails, and the next one is processed', async () => {
  const boss = await openQueue(database.db, { supervise: false });
  const take = (report: unknown) =>
    takeFile({ ...database, boss }, tenant.id, reportInput(report, { repository: 'acme/poison' }));
  const poison = await take(trivy(packages(1, 3)));
  const next = await take(trivy(packages(1, 5)));
  await boss.stop({ graceful: false });
  // Four workers died with this scan, so it was started four times and is not final.
  await database.owner.query(
    `update scan set status = 'running', attempts = 4, updated_at = now() - interval '1 minute' where id = $1`,
    [poison.scanId],
  );
  await processRepository({ ...database, config: testConfig }, tenant.id, poison.repositoryId);
  const { rows } = await database.owner.query(
    `select status, error->>'code' as code from scan where id = any($1) order by id`,
    [[poison.scanId, next.scanId]],
  );
  assert.deepEqual(rows, [
    { status: 'failed', code: 'INTERNAL_ERROR' },
    { status: 'completed', code: null },
  ]);
  await assertInvariants(database.owner);
});

test('a worker that comes back does not fail a scan that another worker imports', async () => {
  const boss = await openQueue(database.db, { supervise: false });
  const input = reportInput(trivy(packages(1, 3)), { repository: 'acme/taken-over' });
  const { scanId, repositoryId } = await takeFile({ ...database, boss }, tenant.id, input);
  await boss.stop({ graceful: false });
  const countReports = async () =>
    (await database.owner.query('select 1 from scan_report where scan_id = $1', [scanId])).rowCount;
  const reports = await countReports();
  // The first worker counts as lost.
  await database.owner.query(
    `update scan set status = 'running', attempts = 1, updated_at = now() - interval '1 minute' where id = $1`,
    [scanId],
  );
  const holder = await database.owner.connect();
  await holder.query('begin');
  await holder.query('select 1 from repository where tenant_id = $1 and id = $2 for no key update', [
    tenant.id,
    repositoryId,
  ]);
  const processed = processRepository({ ...database, config: testConfig }, tenant.id, repositoryId);
  await untilLockWaits(database.owner);
  await failOwnScan(database.db, tenant.id, { id: scanId, attempts: 1 }, 0);
  assert.equal(await countReports(), reports);
  await holder.query('commit');
  holder.release();
  await processed;
  const { rows } = await database.owner.query('select status from scan where id = $1', [scanId]);
  assert.deepEqual(rows, [{ status: 'completed' }]);
});

test('a scan without its report fails, and the next ones of the workspace are processed', async () => {
  const boss = await openQueue(database.db, { supervise: false });
  const take = (repository: string) =>
    takeFile({ ...database, boss }, tenant.id, reportInput(trivy(packages(1, 3)), { repository }));
  const lost = await take('acme/lost');
  const next = await take('acme/after-lost');
  await boss.stop({ graceful: false });
  await database.owner.query('delete from scan_report where scan_id = $1', [lost.scanId]);
  const dependencies = { ...database, config: testConfig };
  for (let processed = ''; processed !== 'idle'; ) {
    processed = await processWorkspace(dependencies, tenant.id, async () => {});
  }
  const { rows } = await database.owner.query(
    `select status, error->>'code' as code from scan where id = any($1) order by id`,
    [[lost.scanId, next.scanId]],
  );
  assert.deepEqual(rows, [
    { status: 'failed', code: 'INTERNAL_ERROR' },
    { status: 'completed', code: null },
  ]);
});

test('nothing of a report stays if the connection is lost before the commit of its scan', async () => {
  const { open } = reportInput(trivy(packages(1, 3)));
  await assert.rejects(
    receiveReport(database, tenant.id, open(), null, () =>
      importTx(database.db, tenant.id, (tx) => tx.query('select pg_terminate_backend(pg_backend_pid())')),
    ),
    isConnectionLost,
  );
  const { rows } = await database.owner.query(
    'select 1 from scan_report r where not exists (select 1 from scan s where s.id = r.scan_id)',
  );
  assert.equal(rows.length, 0);
});

test('an import that an earlier upload overtakes is done after it, without waiting and without losing an attempt', async () => {
  const boss = await openQueue(database.db, { supervise: false });
  const repository = 'acme/overtaken';
  const end = Promise.withResolvers<void>();
  const slow = reportInput(trivy(packages(1, 3)), { repository });
  const begun = Promise.withResolvers<void>();
  async function* untilEnd() {
    begun.resolve();
    await end.promise;
    yield* slow.open();
  }
  const early = takeFile({ ...database, boss }, tenant.id, {
    ...slow,
    open: () => Readable.from(untilEnd()),
  });
  await begun.promise;
  const late = await takeFile(
    { ...database, boss },
    tenant.id,
    reportInput(trivy(packages(1, 5)), { repository }),
  );
  // The import of the later report has begun, and waits for the repository until the earlier one is there.
  const holder = await database.owner.connect();
  await holder.query('begin');
  await holder.query('select 1 from repository where tenant_id = $1 and id = $2 for no key update', [
    tenant.id,
    late.repositoryId,
  ]);
  const processed = processRepository({ ...database, config: testConfig }, tenant.id, late.repositoryId);
  await untilLockWaits(database.owner);
  end.resolve();
  await early;
  await holder.query('rollback');
  holder.release();
  assert.equal(await processed, 3);
  await boss.stop({ graceful: false });
  const { rows } = await database.owner.query(
    'select id, status, attempts from scan where repository_id = $1 order by finished_at',
    [late.repositoryId],
  );
  assert.deepEqual(
    rows,
    [(await early).scanId, late.scanId].map((id) => ({ id, status: 'completed', attempts: 1 })),
  );
});

for (const [says, hours, lostFor, scans] of [
  ['ahead leaves a running scan to its worker', 1, '10 seconds', 0],
  ['behind takes the scan of a worker that has died', -1, '1 minute', 1],
] as const) {
  test(`a node whose clock is an hour ${says}`, async (t) => {
    const boss = await openQueue(database.db, { supervise: false });
    const input = reportInput(trivy(packages(1, 3)), { repository: `acme/clock-${hours}` });
    const { repositoryId, scanId } = await takeFile({ ...database, boss }, tenant.id, input);
    await boss.stop({ graceful: false });
    await database.owner.query(
      `update scan set status = 'running', attempts = 1, updated_at = now() - $2::interval where id = $1`,
      [scanId, lostFor],
    );
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + hours * 3_600_000 });
    const done = await processRepository({ ...database, config: testConfig }, tenant.id, repositoryId);
    assert.equal(done, scans);
  });
}

test('a file has the time of the database, whatever the clock of the node that imports it is', async (t) => {
  const boss = await openQueue(database.db, { supervise: false });
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 });
  for (const scannedAt of [null, new Date()]) {
    const input = reportInput(trivy(packages(1, 3)), { repository: 'acme/fast-clock', scannedAt });
    const { scanId } = await takeFile({ ...database, boss }, tenant.id, input);
    const { rows } = await database.owner.query(
      "select scanned_at between now() - interval '1 minute' and now() as is_present from scan where id = $1",
      [scanId],
    );
    assert.equal(rows[0].is_present, true, String(scannedAt));
  }
  await boss.stop({ graceful: false });
});

// Citus has no trigger on a table of workspaces.
const onCitus = process.env.TEST_CITUS_NODES !== undefined;

test('an import that meets a deadlock between its slices begins again', { skip: onCitus }, async (t) => {
  // PostgreSQL ends a statement as at a deadlock, once; a sequence is not rolled back.
  await database.owner.query(`
    create sequence deadlocks;
    create function meet_deadlock() returns trigger language plpgsql security definer as $$
    begin
      if new.name = 'package-4' and nextval('public.deadlocks') = 1 then
        raise exception using errcode = 'deadlock_detected';
      end if;
      return new;
    end $$;
    create trigger meet_deadlock before insert on artifact for each row execute function meet_deadlock()`);
  const usual = slices.size;
  slices.size = 3;
  t.after(async () => {
    slices.size = usual;
    await database.owner.query('drop function meet_deadlock cascade; drop sequence deadlocks');
  });
  const report = trivy(packages(0, 17).map((one) => ({ ...one, version: '9.0.0' })));
  const [scan] = await importAll(database, 'acme', [reportInput(report, { repository: 'acme/deadlock' })]);
  assert.deepEqual([scan?.error, scan?.counts?.new], [null, 17]);
  const { rows } = await database.owner.query('select last_value::int as met from deadlocks');
  assert.deepEqual(rows, [{ met: 2 }], 'the second attempt has written the package');
  await assertInvariants(database.owner);
});

test('a report survives a full disk for an hour, however often its import is tried', {
  skip: onCitus,
}, async (t) => {
  await database.owner.query(`
    create function fill_disk() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger fill_disk before insert on artifact for each row execute function fill_disk()`);
  t.after(() => database.owner.query('drop function if exists fill_disk cascade'));
  const boss = await openQueue(database.db, { supervise: false });
  const take = (repository: string) =>
    takeFile({ ...database, boss }, tenant.id, reportInput(trivy(packages(0, 2)), { repository }));
  const [early, late] = [await take('acme/full-disk'), await take('acme/full-for-long')];
  await boss.stop({ graceful: false });
  const work = ({ repositoryId }: typeof early) =>
    processRepository({ ...database, config: testConfig }, tenant.id, repositoryId);
  const wait = ({ scanId }: typeof early, pause: string) =>
    database.owner.query('update scan set updated_at = updated_at - $2::interval where id = $1', [
      scanId,
      pause,
    ]);
  for (let attempt = 1; attempt <= 6; attempt++) {
    await assert.rejects(work(early), /could not extend file/);
    await wait(early, '55 seconds');
    assert.equal(await work(early), 0, 'it pauses for a minute');
    await wait(early, '15 seconds');
  }
  await assert.rejects(work(late), /could not extend file/);
  await database.owner.query(
    `update scan set started_at = started_at - interval '61 minutes' where id = $1`,
    [late.scanId],
  );
  for (let attempt = 2; attempt <= 4; attempt++) {
    await wait(late, '2 minutes');
    await assert.rejects(work(late), /could not extend file/);
  }
  await database.owner.query('drop function fill_disk cascade');
  for (const each of [early, late]) {
    await wait(each, '2 minutes');
    await work(each);
  }
  const { rows } = await database.owner.query('select status from scan where id = any($1) order by id', [
    [early.scanId, late.scanId],
  ]);
  assert.deepEqual(rows, [{ status: 'completed' }, { status: 'failed' }]);
});
