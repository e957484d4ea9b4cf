/**
 * Tests of SIGKILL to a worker of Citus while reports are imported, and of its return: each acknowledged report is
 * applied once, workspaces on the other worker go on, and those on the killed one are answered 503. It needs the
 * commands that `tools/test-citus.ts` describes.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import { listNodes, placementOfTenant } from '../../src/db/citus.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { assertInvariants } from '../support/invariants.ts';
import { trivy } from '../support/reports.ts';
import { get, nodeSettings, sendReport, startServing, stop, untilFinal } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { createTestWorkspace, type TestWorkspace } from '../support/workspace.ts';

const {
  TEST_CITUS_NODES: nodes,
  TEST_CITUS_STOP_WORKER: stopCommand = '',
  TEST_CITUS_START_WORKER: startCommand = '',
} = process.env;
const needed =
  nodes === undefined
    ? 'CITUS_DATABASE_URL, the address of a coordinator'
    : 'TEST_CITUS_STOP_WORKER and TEST_CITUS_START_WORKER';

const kills = 3;
const rows = 40;
// Citus finishes once a minute what a killed worker had prepared, and a scan of a lost worker is taken as late.
const recoveryMs = 120_000;

/** A workspace whose reports are sent one after the other. */
interface Sender extends TestWorkspace {
  slug: string;
  key: string;
  /** The scans of the acknowledged reports. */
  acceptedScans: string[];
}

test('a killed worker loses and doubles nothing, and workspaces on the other worker go on', {
  skip: nodes === undefined || stopCommand === '' || startCommand === '' ? `needs ${needed}` : false,
  timeout: 600_000,
}, async (t) => {
  const database = await createTestDatabase();
  const { killed, onKilled, onOther } = await placeSenders(database);
  const senders = [...onKilled, ...onOther];
  const serving = await startServing({ ...nodeSettings(database), MERLON_WORKERS: '2' });
  let isKilled = false;
  t.after(async () => {
    if (isKilled) await run(startCommand, killed);
    await stop(serving.child);
  });
  const { url } = serving;
  const refused: string[] = [];
  let isDone = false;
  const sending = Promise.all(senders.map((sender) => sendReports(url, sender, refused, () => isDone)));
  const listOf = ({ slug, key }: Sender) => get(url, `/api/v1/${slug}/vulnerabilities`, key);
  const untilMoreAreAccepted = async (of: Sender[]): Promise<void> => {
    const before = of.map(({ acceptedScans }) => acceptedScans.length);
    await Promise.race([
      sending,
      until(
        () => of.every(({ acceptedScans }, i) => acceptedScans.length > (before[i] ?? 0)),
        'each sender has more reports accepted',
        recoveryMs,
      ),
    ]);
  };

  for (let kill = 0; kill < kills; kill++) {
    await untilMoreAreAccepted(senders);
    await sleep(randomInt(1_500));
    isKilled = true;
    await run(stopCommand, killed);
    for (const sender of onKilled) {
      const { status, body } = await listOf(sender);
      assert.deepEqual([status, body.code], [503, 'SERVICE_UNAVAILABLE'], `${sender.slug}: ${body.message}`);
    }
    await untilMoreAreAccepted(onOther);
    for (const sender of onOther) {
      assert.equal((await listOf(sender)).status, 200, `${sender.slug} is on the other worker`);
      const path = `/api/v1/${sender.slug}/scans/${sender.acceptedScans.at(-1)}`;
      assert.equal((await untilFinal(url, path, sender.key, recoveryMs)).status, 'completed');
    }
    await run(startCommand, killed);
    isKilled = false;
  }
  await untilMoreAreAccepted(onKilled);
  isDone = true;
  await sending;

  for (const { slug, key, acceptedScans } of senders) {
    for (const [i, id] of acceptedScans.entries()) {
      const scan = await untilFinal(url, `/api/v1/${slug}/scans/${id}`, key, recoveryMs);
      assert.equal(scan.status, 'completed', JSON.stringify(scan.error));
      const { read, new: created, unchanged, fixed } = scan.counts;
      const expected = i === 0 ? [rows, rows, 0, 0] : [rows, 1, rows - 1, 1];
      assert.deepEqual([read, created, unchanged, fixed], expected, `report ${i} of ${slug}`);
    }
  }
  assert.deepEqual([...new Set(refused.map((answer) => answer.slice(0, 3)))], ['503'], refused.join('\n'));
  await until(
    async () => (await countPrepared(database.owner)) === 0,
    'no transaction is prepared',
    recoveryMs,
  );
  await assertOnce(
    database.owner,
    senders.map(({ acceptedScans }) => acceptedScans.length),
  );
  await assertInvariants(database.owner);
  t.diagnostic(`${refused.length} uploads were answered 503 and sent again`);
});

/** Creates workspaces until two are on each of two workers. Those on the worker `killed` are `onKilled`. */
async function placeSenders(
  database: TestDatabase,
): Promise<{ killed: string; onKilled: Sender[]; onOther: Sender[] }> {
  const [killed = '', other = ''] = await listNodes(database.owner);
  const onKilled: Sender[] = [];
  const onOther: Sender[] = [];
  for (let i = 0; onKilled.length < 2 || onOther.length < 2; i++) {
    const slug = `team-${i}`;
    const workspace = await createTestWorkspace(database, slug);
    const { node } = await placementOfTenant(database.owner, workspace.tenant.id);
    const placed = node === killed ? onKilled : node === other ? onOther : [];
    if (placed.length < 2)
      placed.push({ ...workspace, slug, key: workspace.people.member.key, acceptedScans: [] });
  }
  return { killed, onKilled, onOther };
}

/**
 * Sends reports, each when the one before is imported. Each lacks the first row of the one before, and has a new one.
 * Adds the answers of the server's faults to `refused`.
 */
async function sendReports(
  url: string,
  { slug, key, acceptedScans }: Sender,
  refused: string[],
  isDone: () => boolean,
): Promise<void> {
  for (let n = 0; !isDone(); n++) {
    const shown = Array.from({ length: rows }, (_, i) => n + i);
    const body = Buffer.from(
      JSON.stringify(
        trivy(shown.map((row) => ({ id: `CVE-2024-${1000 + row}`, name: `lib-${row}`, version: '1.0' }))),
      ),
    );
    const query = { repo: `${slug}/app`, ref: 'main' };
    const headers = { 'idempotency-key': `report ${n}` };
    const id = await untilAnswered(refused, async () => {
      const { status, text } = await sendReport({ url, key, slug, query, headers, body });
      return { status, text, value: status === 202 ? JSON.parse(text).id : undefined };
    });
    acceptedScans.push(id);
    await untilAnswered(refused, async () => {
      const { status, body } = await get(url, `/api/v1/${slug}/scans/${id}`, key);
      // Citus has not yet finished what the killed worker had prepared.
      const isLate = status === 404;
      const isFinal = ['completed', 'failed'].includes(body.status);
      return { status: isLate ? 200 : status, text: JSON.stringify(body), value: isFinal || undefined };
    });
  }
}

/** Asks until the answer has a value. */
async function untilAnswered<T>(
  refused: string[],
  request: () => Promise<{ status: number; text: string; value: T | undefined }>,
): Promise<T> {
  for (;;) {
    const { status, text, value } = await request();
    if (status >= 300) refused.push(`${status} ${text}`);
    if (value !== undefined) return value;
    await sleep(100);
  }
}

async function run(command: string, worker: string): Promise<void> {
  await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, WORKER: worker } });
}

/** The transactions that are prepared on any node, and not yet committed or rolled back. */
async function countPrepared(owner: pg.Pool): Promise<number> {
  const { rows: answers } = await owner.query<{ success: boolean; result: string }>(
    `select success, result from run_command_on_all_nodes(
       'select count(*) from pg_prepared_xacts where database = current_database()')`,
  );
  return answers.reduce((sum, { success, result }) => sum + (success ? Number(result) : 1), 0);
}

/** `reportCounts` has the number of acknowledged reports of each sender. */
async function assertOnce(owner: pg.Pool, reportCounts: number[]): Promise<void> {
  const count = async (from: string): Promise<number> =>
    (await owner.query(`select count(*)::int as n from ${from}`)).rows[0].n;
  const scans = reportCounts.reduce((sum, n) => sum + n, 0);
  const fixed = scans - reportCounts.length;
  const seen = reportCounts.length * rows + fixed;
  assert.deepEqual(
    {
      scans: await count('scan'),
      vulnerabilities: await count('vulnerability'),
      locations: await count('vulnerability_location'),
      opened: await count('vulnerability where opened_at is not null'),
      fixed: await count("vulnerability_event where kind = 'fixed'"),
    },
    { scans, vulnerabilities: seen, locations: seen, opened: seen, fixed },
  );
}
