/**
 * Tests of `/metrics` of a real server with several processes, scraped by a real Prometheus. Every metric in the
 * dashboard and the alerts exists.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { parseMetrics, type Sample, sumOf } from '../support/metrics.ts';
import { createDirectory, merlond, start, untilSays } from '../support/process.ts';
import { trivy } from '../support/reports.ts';
import { get, nodeSettings, processIds, sendReport, stop, untilFinal } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const deploy = new URL('../../../deploy/', import.meta.url);
const rules = fileURLToPath(new URL('prometheus/alerts.yml', deploy));
const isInstalled = spawnSync('prometheus', ['--version']).status === 0;
const withPrometheus = { skip: !isInstalled && 'prometheus is not installed' };

// The server ends before its database: hooks run in the order of their registration.
let child: ChildProcess | undefined;
after(() => child && stop(child));
const database = await createTestDatabase();
const { people } = await createTestWorkspace(database, 'acme');
const { key } = people.admin;
const token = 'a-token-for-the-scrape';
const settings = {
  ...nodeSettings(database),
  MERLON_LOG_LEVEL: 'info',
  MERLON_PROCESSES: '2',
  MERLON_IMPORTS_IDLE_SECONDS: '1',
  MERLON_RATE_LIMIT_PER_MINUTE: '100',
  MERLON_METRICS_PORT: '0',
  MERLON_METRICS_TOKEN: token,
  MERLON_METRICS_WORKSPACES: '1',
  // It is no replica, so lists come from the primary, and the metric says so.
  MERLON_DATABASE_READ_URL: database.appUrl,
};

let text = '';
child = start(['serve'], settings);
for (const stream of [child.stdout, child.stderr]) {
  stream?.on('data', (chunk) => {
    text += String(chunk);
  });
}
const said = (): string => text;
const ready = await untilSays(child, /Merlon answers at (http:\S+)/);
const url = ready[1] ?? '';
const metricsUrl = /Metrics at (http:\S+)/.exec(said())?.[1] ?? '';

async function scrape(): Promise<Sample[]> {
  const answer = await fetch(metricsUrl, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  return parseMetrics(await answer.text());
}

test('a scrape without the token is refused with 401, and the public port has no /metrics', async () => {
  assert.equal((await fetch(metricsUrl)).status, 401);
  const wrong = await fetch(metricsUrl, { headers: { authorization: 'Bearer another-token-entirely' } });
  assert.equal(wrong.status, 401);
  assert.equal((await get(url, '/metrics', token)).status, 404);
});

test('a listener beyond loopback without a token does not start', async () => {
  const { code, stderr } = await merlond(['worker'], {
    ...settings,
    MERLON_METRICS_HOST: '0.0.0.0',
    MERLON_METRICS_TOKEN: '',
  });
  assert.equal(code, 2);
  assert.match(stderr, /Set MERLON_METRICS_TOKEN, which is required with MERLON_METRICS_HOST=0\.0\.0\.0\./);
});

test('every outcome is counted from 0 on, so that the first failure is an increase', async () => {
  const samples = await scrape();
  for (const [name, outcomes] of [
    ['merlon_imports_total', ['completed', 'failed', 'retried']],
    ['merlon_webhook_attempts_total', ['delivered', 'failed', 'retried']],
  ] as const) {
    const found = samples.filter((sample) => sample.name === name);
    assert.deepEqual(
      found.map(({ labels, value }) => [labels.outcome, value]).sort(),
      outcomes.map((outcome) => [outcome, 0]),
      name,
    );
  }
});

const route = '/api/v1/:tenant_slug/vulnerabilities';

test('requests of all processes are counted by route and status, and no path is a label', async () => {
  const before = await scrape();
  assert.equal(sumOf(before, 'merlon_processes', { role: 'requests' }), 2);
  // Each request uses its own connection, so that both processes answer some.
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => get(url, '/api/v1/acme/vulnerabilities', key)),
  );
  assert.ok(answers.every(({ status }) => status === 200));
  await get(url, '/api/v1/acme/vulnerabilities', 'mrl_wrong');
  await get(url, '/no/such-path');
  const samples = await scrape();
  assert.equal(sumOf(samples, 'merlon_http_requests_total', { route, status: '200' }), 40);
  // On Citus lists are read where the rows are, and from no replica.
  const away = process.env.TEST_CITUS_NODES === undefined ? 40 : 0;
  assert.equal(sumOf(samples, 'merlon_list_reads_total', { outcome: 'away' }), away);
  assert.equal(sumOf(samples, 'merlon_http_requests_total', { route, status: '401' }), 1);
  assert.equal(sumOf(samples, 'merlon_http_request_duration_seconds_count', { route }), 41);
  assert.equal(sumOf(samples, 'merlon_http_refusals_total', { code: 'AUTHENTICATION_REQUIRED' }), 1);
  assert.equal(sumOf(samples, 'merlon_http_requests_in_flight'), 0);
  assert.equal(sumOf(samples, 'merlon_workspace_requests_total', { workspace: 'acme' }), 40);
  assert.ok(
    samples.every(({ labels }) => !Object.values(labels).some((value) => /such-path|mrl_/.test(value))),
  );
});

test('a request whose client disconnects counts as 499', async () => {
  const hangUp = request(`${url}/ingest/v1/acme/scans?repo=acme/hangs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-length': 1000 },
    agent: false,
  });
  hangUp.on('error', () => {});
  hangUp.write('{');
  const inFlight = async () => sumOf(await scrape(), 'merlon_http_requests_in_flight');
  await until(async () => (await inFlight()) === 1, 'the request is in flight');
  hangUp.destroy();
  const hungUp = async () => sumOf(await scrape(), 'merlon_http_requests_total', { status: '499' });
  await until(hungUp, 'the request counts as 499');
  assert.equal(await hungUp(), 1);
});

async function upload(...repositories: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const repo of repositories) {
    const body = Buffer.from(
      JSON.stringify(trivy([{ id: 'CVE-2030-1', name: 'lodash', version: '4.17.15' }])),
    );
    const answer = await sendReport({ url, key, slug: 'acme', query: { repo, ref: 'main' }, body });
    ids.push(JSON.parse(answer.text).id);
  }
  return ids;
}

test('imports are counted by step, also after the process for imports has ended', async () => {
  const before = await scrape();
  for (const id of await upload('acme/one', 'acme/two')) {
    // The polling of the test may exceed the rate limit.
    await untilFinal(url, `/api/v1/acme/scans/${id}`, key, 90_000);
  }
  const [last] = processIds({ said }, 'imports').slice(-1);
  assert.ok(last !== undefined);
  const completed = (samples: Sample[]) => sumOf(samples, 'merlon_imports_total', { outcome: 'completed' });
  await until(
    async () => sumOf(await scrape(), 'merlon_processes', { role: 'imports' }) === 0,
    'the process for imports ends',
  );
  const samples = await scrape();
  assert.equal(completed(samples), completed(before) + 2);
  const writing = { step: 'writing' };
  assert.equal(sumOf(samples, 'merlon_import_step_duration_seconds_count', writing), completed(samples));
  assert.ok(sumOf(samples, 'merlon_import_step_duration_seconds_sum', writing) > 0);
});

test('too many requests are counted as refused', async () => {
  const refusals = (samples: Sample[]) =>
    sumOf(samples, 'merlon_http_refusals_total', { code: 'RATE_LIMIT_EXCEEDED' });
  const before = refusals(await scrape());
  const spend = Array.from({ length: 120 }, () => get(url, '/api/v1/acme/vulnerabilities', key));
  const refused = (await Promise.all(spend)).filter(({ status }) => status === 429).length;
  assert.ok(refused > 0);
  assert.equal(refusals(await scrape()), before + refused);
});

test('the queue, the sweep, intel and the size of the database have the values of the database', async () => {
  const { owner } = database;
  await owner.query(
    `insert into intel_feed values ('kev', '2026.01.01', '2026-01-01T00:00:00Z', 1, '\\x00', '2026-01-02T00:00:00Z')`,
  );
  await owner.query(`insert into osv_ecosystem values ('npm', '2026-01-04T00:00:00Z')`);
  await owner.query(
    `insert into sweep_lead (holder, held_until, swept_at, swept_ms, workspaces_due, workspaces_failed)
     values (gen_random_uuid(), now() + interval '1 hour', '2026-01-03T00:00:00Z', 1500, 3, 1)
     on conflict (id) do update set swept_at = excluded.swept_at, swept_ms = 1500, workspaces_due = 3, workspaces_failed = 1,
       held_until = excluded.held_until, holder = excluded.holder`,
  );
  const samples = await scrape();
  const published = { feed: 'kev' };
  assert.equal(sumOf(samples, 'merlon_intel_published_timestamp_seconds', published), 1_767_225_600);
  assert.equal(sumOf(samples, 'merlon_osv_changed_timestamp_seconds', { ecosystem: 'npm' }), 1_767_484_800);
  assert.equal(sumOf(samples, 'merlon_sweep_timestamp_seconds'), 1_767_398_400);
  assert.equal(sumOf(samples, 'merlon_sweep_duration_seconds'), 1.5);
  assert.equal(sumOf(samples, 'merlon_sweep_workspaces'), 3);
  assert.equal(sumOf(samples, 'merlon_sweep_workspaces_failed'), 1);
  assert.ok(sumOf(samples, 'merlon_database_size_bytes') > 1_000_000);
  assert.equal(sumOf(samples, 'merlon_database_up'), 1);
});

/** The names that PromQL in these files uses. */
function namedIn(path: string): string[] {
  const named = readFileSync(new URL(path, deploy), 'utf8').matchAll(/\bmerlon_\w+/g);
  return [...new Set(Array.from(named, ([name]) => name))];
}

test('every metric in the dashboard and the alerts exists', async () => {
  const names = new Set((await scrape()).map(({ name }) => name));
  for (const path of ['grafana/merlon.json', 'prometheus/alerts.yml']) {
    const named = namedIn(path);
    assert.ok(named.length > 5, path);
    assert.deepEqual(
      named.filter((name) => !names.has(name)),
      [],
      path,
    );
  }
});

test('the alerts are valid, and fire as their tests say', withPrometheus, () => {
  const checked = spawnSync('promtool', ['check', 'rules', rules], { encoding: 'utf8' });
  assert.equal(checked.status, 0, checked.stderr + checked.stdout);
  const tests = fileURLToPath(new URL('alerts.test.yml', import.meta.url));
  const tested = spawnSync('promtool', ['test', 'rules', tests], { encoding: 'utf8' });
  assert.equal(tested.status, 0, tested.stderr + tested.stdout);
});

test(
  'a real Prometheus scrapes the server and evaluates the alerts and the dashboard',
  withPrometheus,
  async (t) => {
    const directory = createDirectory();
    const configuration = join(directory, 'prometheus.yml');
    writeFileSync(
      configuration,
      `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [${rules}]
scrape_configs:
  - job_name: merlon
    authorization: { credentials: ${token} }
    static_configs: [{ targets: ['${new URL(metricsUrl).host}'] }]
`,
    );
    const address = `127.0.0.1:${await freePort()}`;
    const prometheus = spawn(
      'prometheus',
      [
        `--config.file=${configuration}`,
        `--storage.tsdb.path=${join(directory, 'data')}`,
        `--web.listen-address=${address}`,
      ],
      { stdio: 'ignore' },
    );
    t.after(() => stop(prometheus, 'SIGKILL'));
    const evaluate = async (query: string): Promise<unknown[]> => {
      const answer = await fetch(`http://${address}/api/v1/query?${new URLSearchParams({ query })}`);
      const { status, data } = (await answer.json()) as { status: string; data: { result: unknown[] } };
      assert.equal(status, 'success', query);
      return data.result;
    };
    const isUp = () => evaluate('up{job="merlon"} == 1').catch(() => []);
    await until(async () => (await isUp()).length > 0, 'Prometheus has scraped the server');
    assert.equal((await evaluate(`merlon_http_requests_total{route="${route}",status="200"}`)).length, 1);
    const board = JSON.parse(readFileSync(new URL('grafana/merlon.json', deploy), 'utf8'));
    const queries: string[] = board.panels.flatMap((panel: { targets?: { expr: string }[] }) =>
      (panel.targets ?? []).map(({ expr }) => expr.replaceAll('$__rate_interval', '1m')),
    );
    assert.ok(queries.length > 10);
    for (const query of queries) await evaluate(query);
  },
);
