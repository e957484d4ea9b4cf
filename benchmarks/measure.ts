/** Runs one measurement of reading: a workspace, a server in its own process, every case alone, then many at once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findUserByEmail } from '../server/src/access/users/store.ts';
import { say } from '../server/src/commands/session.ts';
import { installTx } from '../server/src/db/database.ts';
import { cursors } from '../server/src/http/page.ts';
import type { Principal, Tenant } from '../server/src/http/principal.ts';
import { type OpenDatabase, openConfigured } from '../server/src/open.ts';
import type { ListQuery, Sort } from '../server/src/vulnerabilities/filters.ts';
import { type Baseline, runBaseline } from './baseline.ts';
import { medianRepository, queryText, readCases } from './cases.ts';
import {
  type HttpClient,
  httpClient,
  type Latency,
  latencyOf,
  load,
  type Throughput,
} from './http-client.ts';
import { type BenchOptions, benchConfig } from './options.ts';
import { recordList, type Statement } from './statements.ts';
import {
  asOwner,
  emailOf,
  findWorkspace,
  makeKey,
  makeWorkspace,
  type SeedFigures,
  type TableSize,
  tableSizes,
} from './workspace.ts';

const warmUps = 20;
// A person who scrolls that far exists; what is measured is that the page costs what the first one does.
const deepPages = 20;
const connections = 16;

export interface CaseFigures {
  name: string;
  sort: Sort;
  flat: boolean;
  /** The number of vulnerabilities that the filter finds. */
  total: number;
  first: Latency;
  /** The page of the 20th cursor; null where the list ends before. */
  deep: Latency | null;
}

export interface ReadFigures {
  vulnerabilities: number;
  /** Null if the workspace already existed. */
  seed: SeedFigures | null;
  sizes: TableSize[];
  bytesPerVulnerability: number;
  cases: CaseFigures[];
  /** The run has 16 connections and random cases of the flat promise. */
  throughput: Throughput;
  baseline: Baseline;
  /** The service's rate by the baseline's. */
  ratio: number;
}

/** Seeds the workspace if it is missing, then measures. */
export async function measureReads(options: BenchOptions): Promise<ReadFigures> {
  const open = await openConfigured(benchConfig(options.dataDir), say);
  try {
    const seeded = await findWorkspace(open, options.workspace);
    const seed = seeded ? null : await makeWorkspace(open, options.workspace, options.vulnerabilities, say);
    const tenant = seeded ?? (await findWorkspace(open, options.workspace));
    if (!tenant) throw new Error(`there is no workspace ${options.workspace}`);
    const sizes = await tableSizes(open);
    const server = await startServer(options.dataDir);
    const client = httpClient(server.url, await makeKey(open, options.workspace), connections);
    try {
      const cases = readCases(await commitOfMedian(open, tenant));
      const list = (query: object): string => `/api/v1/${tenant.slug}/vulnerabilities?${queryText(query)}`;
      const total = await totalOf(client, list({}));
      // The first requests compile the server's code, so they are not measured.
      for (let round = 0; round < warmUps; round++) {
        for (const { query } of cases) await client.get(list(query));
      }
      const figures: CaseFigures[] = [];
      for (const { name, query, flat, sorts } of cases) {
        for (const sort of sorts) {
          const measured = await measureCase(client, list, { ...query, sort }, options.requests);
          figures.push({ name, sort, flat, ...measured });
          say(`${name}, ${sort}: ${measured.first.p50Ms} ms, deep ${measured.deep?.p50Ms ?? '-'} ms`);
        }
      }
      const queries = cases
        .filter((one) => one.flat)
        .flatMap(({ query, sorts }) => sorts.map((sort) => ({ ...query, sort })));
      const many = await measureMany(open, tenant, client, list, queries, options.seconds);
      const megabytes = sizes.reduce((sum, size) => sum + size.tableMb + size.indexesMb, 0);
      return {
        vulnerabilities: total,
        seed,
        sizes,
        bytesPerVulnerability: Math.round((megabytes * 1e6) / total),
        cases: figures,
        ...many,
      };
    } finally {
      client.close();
      await server.stop();
    }
  } finally {
    await open.close();
  }
}

export async function startServer(dataDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  const program = fileURLToPath(new URL('server.ts', import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, program, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  for await (const url of createInterface({ input: child.stdout })) {
    return {
      url,
      stop: async () => {
        child.stdin.end();
        await ended;
      },
    };
  }
  throw new Error('the server did not start');
}

// A scan in the middle of the three years: some of what it saw is fixed since.
async function commitOfMedian(open: OpenDatabase, tenant: Tenant): Promise<string> {
  return asOwner(open, async (client) => {
    const { rows } = await client.query<{ sha: string }>(
      `select s.sha from repository r join scan s on s.tenant_id = r.tenant_id and s.reference_id = r.default_reference_id
        where r.tenant_id = $1 and r.name_key = $2 order by s.scanned_at offset 18 limit 1`,
      [tenant.id, medianRepository],
    );
    return rows[0]?.sha ?? '';
  });
}

interface ListAnswer {
  summary: { total: number };
  next_cursor: string | null;
}

async function totalOf(client: HttpClient, path: string): Promise<number> {
  return (JSON.parse(await client.get(path)) as ListAnswer).summary.total;
}

async function measureCase(
  client: HttpClient,
  list: (query: object) => string,
  query: ListQuery,
  requests: number,
): Promise<Pick<CaseFigures, 'total' | 'first' | 'deep'>> {
  const total = await totalOf(client, list(query));
  const first = await measurePath(client, list(query), requests);
  let cursor: string | null = null;
  for (let page = 0; page < deepPages; page++) {
    const answer = JSON.parse(
      await client.get(list(cursor === null ? query : { ...query, cursor })),
    ) as ListAnswer;
    cursor = answer.next_cursor;
    if (cursor === null) return { total, first, deep: null };
  }
  return { total, first, deep: await measurePath(client, list({ ...query, cursor }), requests) };
}

/** Measures one request after another. The first ones, which fill the caches of server and database, do not count. */
export async function measurePath(client: HttpClient, path: string, requests: number): Promise<Latency> {
  for (let i = 0; i < warmUps; i++) await client.get(path);
  const times: number[] = [];
  for (let i = 0; i < requests; i++) {
    const before = performance.now();
    await client.get(path);
    times.push(performance.now() - before);
  }
  return latencyOf(times);
}

// Both run side by side, twice, so that other load on the machine affects both.
async function measureMany(
  open: OpenDatabase,
  tenant: Tenant,
  client: HttpClient,
  list: (query: object) => string,
  queries: ListQuery[],
  seconds: number,
): Promise<Pick<ReadFigures, 'throughput' | 'baseline' | 'ratio'>> {
  const principal = await principalOf(open, tenant);
  const lists: Statement[][] = [];
  for (const query of queries) {
    const { statements } = await recordList(open.db, cursors(open.secret.key('cursor')), principal, query);
    lists.push(statements);
  }
  const paths = queries.map(list);
  const next = (): string => paths[Math.floor(Math.random() * paths.length)] ?? list({});
  await load(client, connections, 3, next);
  const runs: { throughput: Throughput; baseline: Baseline }[] = [];
  for (let round = 0; round < 2; round++) {
    const throughput = await load(client, connections, seconds, next);
    const baseline = await runBaseline(open.appUrl, lists, connections, seconds);
    say(`16 connections: ${throughput.perSecond}/s; ${baseline.tool}: ${baseline.perSecond}/s`);
    runs.push({ throughput, baseline });
  }
  // The better half of each: the other was disturbed.
  const throughput = runs.map((run) => run.throughput).toSorted((a, b) => b.perSecond - a.perSecond)[0];
  const baseline = runs.map((run) => run.baseline).toSorted((a, b) => b.perSecond - a.perSecond)[0];
  if (!throughput || !baseline) throw new Error('nothing was measured');
  return { throughput, baseline, ratio: round2(throughput.perSecond / baseline.perSecond) };
}

async function principalOf(open: OpenDatabase, tenant: Tenant): Promise<Principal> {
  const user = await installTx(open.db, (tx) => findUserByEmail(tx, emailOf(tenant.slug, 1)));
  if (!user) throw new Error(`the workspace ${tenant.slug} was not made by seed.ts`);
  return {
    tenant,
    role: 'member',
    user: { id: user.id, name: user.name, email: user.email, kind: 'user' },
    scopes: ['vulnerabilities:read', 'applications:read'],
    credential: {
      type: 'session',
      id: user.id,
      signedInAt: new Date(),
      expiresAt: new Date(),
      operator: false,
    },
  };
}

export function round2(number: number): number {
  return Math.round(number * 100) / 100;
}
