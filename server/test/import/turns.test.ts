/** Tests of turns: a long queue of one workspace does not come before another's report. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeFile } from '../../src/ingest/upload/import-files.ts';
import { startWorker } from '../../src/worker.ts';
import { createTestDatabase } from '../support/database.ts';
import { testConfig } from '../support/import.ts';
import { trivy } from '../support/reports.ts';
import { until } from '../support/until.ts';
import { createTestWorkspace, reportInput, type TestWorkspace } from '../support/workspace.ts';

const database = await createTestDatabase();
const busy = await createTestWorkspace(database, 'busy');
const quiet = await createTestWorkspace(database, 'quiet');
const third = await createTestWorkspace(database, 'third');

let reports = 0;

async function take({ tenant }: TestWorkspace, repository: string): Promise<void> {
  reports++;
  const results = [{ id: `CVE-2030-${reports}`, name: `p${reports}`, version: '1.0.0' }];
  const input = reportInput(trivy(results), { repository });
  await takeFile({ ...database, boss: await database.queue.open() }, tenant.id, input);
}

/** Works until nothing waits. Returns the workspaces in the order in which their scans began. */
async function workThrough(workers: number): Promise<string[]> {
  const errors: unknown[] = [];
  const note = (at: unknown): void => void errors.push(at);
  const { rows: waiting } = await database.owner.query("select id from scan where status = 'queued'");
  const worker = await startWorker(
    { ...database, config: { ...testConfig, workers } },
    { info: () => {}, warn: note, error: note },
  );
  try {
    await until(async () => {
      const { rows } = await database.owner.query("select from scan where status in ('queued', 'running')");
      return rows.length === 0;
    }, 'no scan waits');
  } finally {
    await worker.stop();
  }
  assert.deepEqual(errors, []);
  const { rows } = await database.owner.query(
    `select t.slug, s.attempts from scan s join tenant t on t.id = s.tenant_id
      where s.id = any($1) and s.status = 'completed' order by s.started_at, s.id`,
    [waiting.map((row) => row.id)],
  );
  assert.equal(rows.length, waiting.length, 'each is completed');
  for (const row of rows) assert.equal(row.attempts, 1);
  return rows.map((row) => row.slug);
}

test('one worker: a workspace with one report is next, before nine repositories of another', async () => {
  for (let n = 0; n < 9; n++) await take(busy, `acme/r${n}`);
  await take(quiet, 'acme/only');
  const order = await workThrough(1);
  assert.equal(order.length, 10);
  assert.deepEqual(order.slice(0, 3), ['busy', 'quiet', 'busy']);
});

test('one worker: a workspace with one report is next, before nine reports of one repository', async () => {
  for (let n = 0; n < 9; n++) await take(busy, 'acme/r0');
  await take(quiet, 'acme/only');
  assert.deepEqual((await workThrough(1)).slice(0, 3), ['busy', 'quiet', 'busy']);
});

test('one worker: three workspaces with four reports each take turns', async () => {
  for (const workspace of [busy, quiet, third]) {
    for (let n = 0; n < 4; n++) await take(workspace, `acme/r${n % 2}`);
  }
  const order = await workThrough(1);
  for (let turn = 0; turn < 4; turn++) {
    const begun = order.slice(turn * 3, turn * 3 + 3);
    assert.deepEqual(begun.toSorted(), ['busy', 'quiet', 'third'], `turn ${turn + 1} of ${order.join(' ')}`);
  }
});

test('two workers: one is free for the other workspace after one report at most', async () => {
  for (let n = 0; n < 8; n++) await take(busy, `acme/r${n}`);
  await take(quiet, 'acme/only');
  const order = await workThrough(2);
  // Scans that begin at the same time have no certain order.
  assert.ok(order.indexOf('quiet') <= 3, order.join(' '));
});

test('two workers: a single workspace gets both', async () => {
  for (let n = 0; n < 8; n++) await take(busy, `acme/r${n}`);
  // Each worker stops at the first write of its scan until both have started one.
  const locker = await database.owner.connect();
  await locker.query('begin');
  await locker.query('lock table vulnerability in access exclusive mode');
  const working = workThrough(2);
  let running = 0;
  for (const end = Date.now() + 60_000; running < 2 && Date.now() < end; await sleep(50)) {
    const { rows } = await database.owner.query(
      "select count(*)::int as n from scan where status = 'running'",
    );
    running = rows[0].n;
  }
  await locker.query('rollback');
  locker.release();
  await working;
  assert.equal(running, 2);
});
