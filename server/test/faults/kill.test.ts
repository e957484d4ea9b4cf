/**
 * Tests of SIGKILL to the server and to PostgreSQL at random points of imports. After the restarts each acknowledged
 * report is applied once, in order, and none waits. The full form kills more often, in larger reports; TEST_SEED
 * repeats a run. TEST_POSTGRES_PROGRAMS is the directory of the programs of a PostgreSQL server to kill instead of the
 * embedded one.
 */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { commitSteps } from '../../src/commit-steps.ts';
import { openDatabase } from '../../src/db/database.ts';
import { openEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { sweepScans } from '../../src/ingest/scans/sweep.ts';
import { byForm, form, seedOf } from '../support/form.ts';
import { assertInvariants } from '../support/invariants.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { createDirectory } from '../support/process.ts';
import { randomOf } from '../support/random.ts';
import { sarif, trivy } from '../support/reports.ts';
import {
  get,
  nodeSettings,
  type Serving,
  sendReport,
  startServing,
  stop,
  untilFinal,
} from '../support/serving.ts';
import { until } from '../support/until.ts';
import { createTestWorkspace, type TestWorkspace } from '../support/workspace.ts';

const seed = seedOf(7);
// `afterLastMs`: a scan whose worker has died is detected within a minute, and tried again a little later.
const size = byForm({
  short: { kills: 2, reports: 4, rows: 60, afterLastMs: 120_000 },
  ci: { kills: 6, reports: 10, rows: 60, afterLastMs: 120_000 },
  full: { kills: 30, reports: 40, rows: 3_000, afterLastMs: 600_000 },
});
const repositories = ['acme/a', 'acme/b', 'acme/c', 'acme/d', 'acme/e'];
const restartMs = 60_000;

const random = randomOf(seed);

interface Counts {
  read: number;
  new: number;
  unchanged: number;
  reopened: number;
  fixed: number;
}

interface Planned {
  repo: string;
  key: string;
  body: Buffer;
  counts: Counts;
}

interface Series {
  known: Set<number>;
  live: Set<number>;
}

/**
 * Plans reports of packages and code in turns, with small changes from report to report. `counts` are the expected
 * counts of each.
 */
function planReports(repo: string): Planned[] {
  const seriesList: Series[] = [0, 1].map(() => ({ known: new Set(), live: new Set() }));
  return Array.from({ length: size.reports }, (_, i) => {
    const series = seriesList[i % 2] as Series;
    const shown = new Set<number>();
    for (let n = 0; n < size.rows; n++) {
      const flips = random(100) < (i < 2 ? 70 : 15);
      if (series.live.has(n) !== flips) shown.add(n);
    }
    const newlyShown = [...shown].filter((n) => !series.known.has(n)).length;
    const unchanged = shown.intersection(series.live).size;
    const counts = {
      read: shown.size,
      new: newlyShown,
      unchanged,
      reopened: shown.size - newlyShown - unchanged,
      fixed: series.live.difference(shown).size,
    };
    series.live = shown;
    series.known = series.known.union(shown);
    const report = i % 2 === 0 ? packages([...shown]) : code([...shown]);
    return { repo, key: `${repo} ${i}`, body: Buffer.from(JSON.stringify(report)), counts };
  });
}

function packages(rows: number[]) {
  return trivy(rows.map((n) => ({ id: `CVE-2024-${10_000 + n}`, name: `package-${n}`, version: '1.0.0' })));
}

function code(rows: number[]) {
  return sarif(
    rows.map((n) => ({
      rule: `rule-${n % 7}`,
      path: `src/${n % 50}.ts`,
      line: 1 + n,
      fingerprint: createHash('sha1').update(`${n}`).digest('hex'),
    })),
  );
}

/** The PostgreSQL of the server that is killed. */
interface Beneath {
  settings: Record<string, string>;
  /** The addresses of the owner and the running role, once the database is migrated. */
  urls(): Promise<{ ownerUrl: string; appUrl: string }>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

function embeddedBeneath(): Beneath {
  const dataDir = join(createDirectory(), 'data');
  return {
    settings: { MERLON_DATA_DIR: dataDir },
    urls: async () => {
      const embedded = await openEmbeddedPostgres({ dataDir });
      await embedded.stop();
      const { ownerUrl, appUrl } = embedded;
      return { ownerUrl, appUrl };
    },
    kill: async () => {
      const pid = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
      process.kill(pid, 'SIGKILL');
    },
    stop: async () => {},
  };
}

async function serverBeneath(programs: string): Promise<Beneath> {
  const server = await startPostgresServer(programs, createDirectory());
  const appUrl = Object.assign(new URL(server.url), { username: 'merlon_app', password: 'letmein1' }).href;
  await migrate(server.url, appUrl);
  return {
    settings: nodeSettings({ appUrl } as Parameters<typeof nodeSettings>[0]),
    urls: async () => ({ ownerUrl: server.url, appUrl }),
    kill: async () => {
      await server.kill();
      await server.start();
    },
    stop: () => server.stop(),
  };
}

/** The server on a database of its own, which is killed and started again. A sender must read its address each time. */
class Victim {
  readonly beneath: Beneath;
  readonly settings: Record<string, string>;
  #serving: Promise<Serving>;

  constructor(beneath: Beneath) {
    this.beneath = beneath;
    this.settings = {
      ...beneath.settings,
      MERLON_PORT: '0',
      MERLON_LOG_LEVEL: 'error',
      MERLON_RATE_LIMIT_PER_MINUTE: '0',
      MERLON_UPLOADS_PER_MINUTE: '0',
    };
    this.#serving = startServing(this.settings);
  }

  async serving(): Promise<Serving> {
    return this.#serving;
  }

  async killServer(): Promise<void> {
    const { child } = await this.#serving;
    assert.equal(child.exitCode, null, 'the server ended by itself');
    await stop(child, 'SIGKILL');
  }

  startServer(): void {
    this.#serving = startServing(this.settings);
  }

  async untilReady(): Promise<void> {
    const deadline = Date.now() + restartMs;
    for (;;) {
      const { url, child, said } = await this.#serving;
      assert.equal(child.exitCode, null, said());
      const answer = await get(url, '/readyz').catch(() => null);
      if (answer?.status === 200) return;
      assert.ok(Date.now() < deadline, 'the server is not ready again');
      await sleep(100);
    }
  }
}

const wounds = ['server', 'postgres', 'both'] as const;

async function wound(victim: Victim, what: (typeof wounds)[number]): Promise<void> {
  if (what !== 'server') await victim.beneath.kill();
  if (what !== 'postgres') {
    await victim.killServer();
    victim.startServer();
  }
  // The server itself restarts PostgreSQL.
  await victim.untilReady();
}

/** Sends until the report is acknowledged, with the same key each time. Returns the scan's id. */
async function sendUntilTaken(
  victim: Victim,
  key: string,
  report: Planned,
  again: () => void,
): Promise<string> {
  const deadline = Date.now() + 2 * restartMs;
  for (let first = true; ; first = false) {
    const { url } = await victim.serving();
    const answer = await sendReport({
      url,
      key,
      slug: 'acme',
      query: { repo: report.repo, ref: 'main' },
      headers: { 'idempotency-key': report.key },
      body: report.body,
      // Half of the senders abort their first request: the report may be accepted, but the answer never arrives.
      ...(first && random(2) === 0 ? { signal: AbortSignal.timeout(5 + random(60)) } : {}),
    }).catch(() => null);
    if (answer?.status === 202) return JSON.parse(answer.text).id;
    assert.ok(answer === null || answer.status >= 500, `${answer?.status} ${answer?.text}`);
    assert.ok(Date.now() < deadline, `${report.key} is never taken: ${answer?.text}`);
    again();
    await sleep(50 + random(200));
  }
}

test('each acknowledged report is applied once, whatever process is killed', {
  timeout: form === 'full' ? 1_800_000 : 290_000,
}, async (t) => {
  t.diagnostic(`TEST_SEED=${seed}`);
  const programs = process.env.TEST_POSTGRES_PROGRAMS;
  const victim = new Victim(programs ? await serverBeneath(programs) : embeddedBeneath());
  t.after(async () => {
    await stop((await victim.serving()).child);
    await victim.beneath.stop();
  });
  const { people, tenant, ownerUrl, appUrl } = await prepare(victim);
  const { key } = people.member;
  const plans = repositories.map(planReports);
  const total = plans.length * size.reports;

  let taken = 0;
  let repeats = 0;
  const sending = Promise.all(
    plans.map(async (plan) => {
      const scans: { id: string; report: Planned }[] = [];
      for (const report of plan) {
        scans.push({ id: await sendUntilTaken(victim, key, report, () => repeats++), report });
        taken++;
      }
      return scans;
    }),
  );
  sending.catch(() => {});
  const points = Array.from({ length: size.kills }, (_, i) => ((i + random(100) / 100) * total) / size.kills);
  for (const [i, point] of points.entries()) {
    await Promise.race([sending, until(() => taken >= point, 'more reports are taken', size.afterLastMs)]);
    // A scan that has ended five workers fails, so no scan may be hit that often. A database that is starting gives no
    // answer.
    await until(
      async () => (await attemptsOf(ownerUrl).catch(() => Number.POSITIVE_INFINITY)) < 3,
      'no scan has ended many workers',
      size.afterLastMs,
    );
    await sleep(random(400));
    const what = i < wounds.length ? wounds[i] : wounds[random(wounds.length)];
    await wound(victim, what ?? 'both');
  }
  const sent = (await sending).flat();
  const killedAt = Date.now();
  const { url } = await victim.serving();
  for (const { id, report } of sent) {
    const scan = await untilFinal(url, `/api/v1/acme/scans/${id}`, key, size.afterLastMs);
    assert.equal(scan.status, 'completed', `${report.key}: ${JSON.stringify(scan.error)}`);
    const { read, new: newlyShown, unchanged, reopened, fixed } = scan.counts;
    assert.deepEqual({ read, new: newlyShown, unchanged, reopened, fixed }, report.counts, report.key);
  }
  t.diagnostic(`sent again ${repeats} times; all final ${Date.now() - killedAt} ms after the last was taken`);

  const db = openDatabase(appUrl, { commitSteps });
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 2 });
  // PostgreSQL may stop while they are closing.
  owner.on('connect', (client) => client.on('error', () => {}));
  try {
    assert.equal(new Set(sent.map(({ id }) => id)).size, total);
    await assertOnce(
      owner,
      sent.map(({ report }) => report),
    );
    await assertInvariants(owner);
    // An interrupted upload has no scan. The sweep of the next day removes it.
    await sweepScans(db, tenant.id, new Date(Date.now() + 25 * 3600 * 1000), 0, assert.ifError);
    const { rows } = await owner.query('select count(*)::int as pieces from scan_report');
    assert.deepEqual(rows, [{ pieces: 0 }]);
  } finally {
    await db.close();
    await owner.end();
  }
  await victim.beneath.kill();
  const { child, said } = await victim.serving();
  assert.equal(await stop(child), 0, `without its database the server ends all the same: ${said()}`);
});

async function prepare(victim: Victim): Promise<TestWorkspace & { ownerUrl: string; appUrl: string }> {
  await victim.serving();
  const { ownerUrl, appUrl } = await victim.beneath.urls();
  const db = openDatabase(appUrl, { commitSteps });
  try {
    const workspace = await createTestWorkspace({ db } as Parameters<typeof createTestWorkspace>[0], 'acme');
    return { ...workspace, ownerUrl, appUrl };
  } finally {
    await db.close();
  }
}

/** Reads the database directly: scans, locations and history exist once, as the reports say. */
async function assertOnce(owner: pg.Pool, reports: Planned[]): Promise<void> {
  const sum = (name: keyof Counts): number => reports.reduce((n, { counts }) => n + counts[name], 0);
  const { rows } = await owner.query(`
    select (select count(*)::int from scan) as scans,
           (select count(*)::int from series_scan) as looks,
           (select sum(last_seq)::int from scan_series) as numbers,
           (select count(*)::int from vulnerability) as vulnerabilities,
           (select count(*)::int from vulnerability_location) as places,
           (select count(*)::int from vulnerability where opened_at is not null) as opened,
           (select count(*)::int from vulnerability_event where kind = 'fixed') as fixed,
           (select count(*)::int from vulnerability_event where kind = 'reopened') as reopened`);
  assert.deepEqual(rows[0], {
    scans: reports.length,
    looks: reports.length,
    numbers: reports.length,
    vulnerabilities: sum('new'),
    places: sum('new'),
    opened: sum('new'),
    fixed: sum('fixed'),
    reopened: sum('reopened'),
  });
}

async function attemptsOf(ownerUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: ownerUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query(
      "select coalesce(max(attempts), 0)::int as most from scan where status in ('queued', 'running')",
    );
    return rows[0].most;
  } finally {
    await client.end();
  }
}
