/**
 * `node benchmarks/fairness.ts [--data-dir DIR] [--runs N] [--only ATTACK]`: measures how much a greedy workspace slows
 * a quiet one. It times lists of the quiet one, alone and during each attack of the greedy one, in turns; and a small
 * report of the quiet one, from upload to its final status, alone and behind four large ones, with one worker. Missing
 * workspaces are created. Writes `results/fairness.json`.
 */
import { Agent } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { printTable, say } from '../server/src/commands/output.ts';
import { tenantTx } from '../server/src/db/database.ts';
import type { TenantId } from '../server/src/domain/ids.ts';
import { openConfigured } from '../server/src/open.ts';
import { startWorker } from '../server/src/worker.ts';
import { medianRepository } from './cases.ts';
import { type Attack, type HttpRequest, sendRequest, startAttack } from './fairness-attack.ts';
import { httpClient, latencyOf } from './http-client.ts';
import { pagedPaths } from './list-times.ts';
import { benchConfig, readArguments } from './options.ts';
import { benchReport } from './reports.ts';
import { writeResult } from './results.ts';
import { round2 } from './row.ts';
import { startServer } from './serve.ts';
import { createAdmin, waitForScans } from './upload.ts';
import { ensureWorkspace } from './workspace.ts';

const values = readArguments({
  'data-dir': { type: 'string', default: 'data/fairness' },
  runs: { type: 'string', default: '5' },
  only: { type: 'string' },
});
const dataDir = resolve(values['data-dir']);
const runs = Number(values.runs);
const sizes = { greedy: 100_000, quiet: 10_000 };
const password = 'only of the benchmark';
// Enough lists, one after another, for a 95th percentile.
const lists = 60;
const large = benchReport('packages', { from: 0, to: 20_000, changed: 0 });
const small = benchReport('packages', { from: 0, to: 20, changed: 0 });
// A condition may have a hundred clauses.
const dryRun = JSON.stringify({
  key: 'wild',
  target_type: 'vulnerability',
  enforcement_mode: 'block',
  condition: {
    any: Array.from({ length: 99 }, (_, i) => ({ fact: 'path', operator: 'matches', value: `*a*e*zz${i}*` })),
  },
});

const agent = new Agent({ keepAlive: true, maxSockets: 400 });
const open = await openConfigured(benchConfig(dataDir), say);
try {
  const greedy = await openWorkspace('greedy');
  const quiet = await openWorkspace('quiet');
  const server = await startServer(dataDir);
  const client = httpClient(server.url, quiet.key, 1);
  try {
    const cookie = await signIn(server.url, greedy.email);
    const json = { ...greedy.headers, 'content-type': 'application/json' };
    const get = (path: string): HttpRequest => ({ method: 'GET', path, headers: greedy.headers });
    const repository = encodeURIComponent(medianRepository);
    const attacks: Record<string, Attack> = {
      'dry runs of policies': {
        parallel: 24,
        attackRequest: {
          method: 'POST',
          path: '/manage/v1/greedy/policies/dry-run',
          headers: json,
          body: dryRun,
        },
      },
      'word searches': { parallel: 60, attackRequest: get('/api/v1/greedy/vulnerabilities?q=openssl') },
      'waiting for one gate': {
        parallel: 200,
        attackRequest: get(`/api/v1/greedy/gate?repo=${repository}&expect=none&wait=30`),
      },
      'scan events': {
        parallel: 60,
        attackRequest: { method: 'GET', path: '/console/api/v1/greedy/scans/events', headers: { cookie } },
      },
      'large uploads': { parallel: 4, attackRequest: uploadOf(greedy, 'big/received', large) },
    };
    const figures = [];
    for (const [name, chosen] of Object.entries(attacks)) {
      if (values.only !== undefined && values.only !== name) continue;
      const { parallel } = chosen;
      const measured = [];
      for (let run = 0; run < runs; run++) {
        const alone = latencyOf(await timeLists());
        const stop = startAttack(server.url, chosen);
        await sleep(1_500);
        const during = latencyOf(await timeLists());
        const statuses = await stop();
        await cancelWaiting();
        await sleep(1_000);
        measured.push({ alone, during, ratio: round2(during.p95Ms / alone.p95Ms), statuses });
      }
      const ratios = measured.map(({ ratio }) => ratio).toSorted((a, b) => a - b);
      figures.push({ name, parallel, ratio: ratios[Math.floor(ratios.length / 2)] ?? 0, ratios, measured });
      say(`${name}: ${ratios.join(' ')}; ${JSON.stringify(measured.map(({ statuses }) => statuses))}`);
    }
    printTable(
      ['ATTACK', 'AT ONCE', 'p95 BY p95 ALONE', 'FROM', 'TO'],
      figures.map(({ name, parallel, ratio, ratios }) =>
        [name, parallel, ratio, ratios[0] ?? '', ratios.at(-1) ?? ''].map(String),
      ),
    );
    if (values.only === undefined) {
      const report = await measureReports(server.url);
      say(`a small report: ${JSON.stringify(report)}`);
      writeResult('fairness', { sizes, runs, lists, figures, report });
    }
  } finally {
    client.close();
    await server.stop();
  }

  /** Cancels the reports of an attack. They would reach the limit of waiting reports, and run before the timed ones. */
  async function cancelWaiting(): Promise<void> {
    await tenantTx(open.db, greedy.id, (tx) =>
      tx.query(
        "update scan set status = 'canceled' where tenant_id = $1 and status in ('queued', 'running')",
        [greedy.id],
      ),
    );
  }

  async function timeLists(): Promise<number[]> {
    const times: number[] = [];
    for (let n = 0; n < lists; n++) {
      const before = performance.now();
      await client.get(`/api/v1/quiet/vulnerabilities${pagedPaths[n % pagedPaths.length]}`);
      times.push(performance.now() - before);
      await sleep(5);
    }
    return times;
  }

  /**
   * Measures the seconds from the upload to the final status of the scan: alone, and behind four large reports of the
   * greedy workspace in four repositories.
   */
  async function measureReports(url: string) {
    const { db, secret } = open;
    const worker = await startWorker(
      { db, secret, config: { ...benchConfig(dataDir), workers: 1 } },
      { info: () => {}, warn: say, error: say },
    );
    try {
      const timeReport = async (who: Workspace, repo: string, body: string): Promise<number> => {
        const before = performance.now();
        const status = await sendRequest(url, uploadOf(who, repo, body), agent);
        if (status !== 202) throw new Error(`the upload to ${repo} was refused with ${status}`);
        await waitForScans(url, who.slug, who.key, 50);
        return round2((performance.now() - before) / 1000);
      };
      await timeReport(quiet, 'small/first', small);
      const aloneSeconds = await timeReport(quiet, 'small/alone', small);
      const largeSeconds = await timeReport(greedy, `big/alone-${Date.now()}`, large);
      for (const n of [1, 2, 3, 4])
        await sendRequest(url, uploadOf(greedy, `big/${n}-${Date.now()}`, large), agent);
      const behindSeconds = await timeReport(quiet, 'small/behind', small);
      return { aloneSeconds, largeSeconds, behindSeconds };
    } finally {
      await worker.stop();
    }
  }
} finally {
  agent.destroy();
  await open.close();
}

interface Workspace {
  id: TenantId;
  slug: keyof typeof sizes;
  key: string;
  headers: Record<string, string>;
  email: string;
}

/** Finds or creates the workspace, and creates an admin of it. */
async function openWorkspace(slug: keyof typeof sizes): Promise<Workspace> {
  const tenant = await ensureWorkspace(open, slug, { vulnerabilities: sizes[slug], log: say });
  const { email, key } = await createAdmin(open, tenant, password);
  return { id: tenant.id, slug, key, email, headers: { authorization: `Bearer ${key}` } };
}

async function signIn(url: string, email: string): Promise<string> {
  const answer = await fetch(`${url}/console/session`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`the sign-in failed with ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

function uploadOf({ slug, headers }: Workspace, repo: string, body: string): HttpRequest {
  return {
    method: 'POST',
    path: `/ingest/v1/${slug}/scans?repo=${encodeURIComponent(repo)}&ref=main`,
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    body,
  };
}
