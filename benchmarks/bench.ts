/** The parts that all measurements of a run share: the database, the size, the workspaces and the server. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../server/src/commands/output.ts';
import type { Tenant } from '../server/src/http/principal.ts';
import type { OpenDatabase } from '../server/src/open.ts';
import { evaluateAllPolicies } from './evaluate-policies.ts';
import { type HttpClient, httpClient } from './http-client.ts';
import { type ServeOptions, startServer } from './serve.ts';
import type { Size } from './sizes.ts';
import { asOwner, createFilledWorkspace, createKey, ensureWorkspace, findWorkspace } from './workspace.ts';

export interface Bench {
  open: OpenDatabase;
  dataDir: string;
  size: Size;
}

/** Returns the workspace of this size, with 500 repositories. The one of the default size has the fifty policies. */
export async function mainWorkspace(
  bench: Bench,
  vulnerabilities = bench.size.vulnerabilities,
): Promise<Tenant> {
  const { open } = bench;
  const slug = `bench-${vulnerabilities}`;
  const existing = await findWorkspace(open, slug);
  if (existing) return existing;
  say(`filling a workspace with ${vulnerabilities} vulnerabilities`);
  const before = await tenantTableBytes(open);
  const tenant = await createFilledWorkspace(open, slug, { vulnerabilities });
  const bytes = (await tenantTableBytes(open)) - before;
  mkdirSync(bench.dataDir, { recursive: true });
  writeFileSync(factsFile(bench), JSON.stringify({ ...readFacts(bench), [slug]: bytes }));
  if (vulnerabilities === bench.size.vulnerabilities) await evaluateAllPolicies(open, tenant);
  await asOwner(open, (client) => client.query('vacuum (analyze)'));
  return tenant;
}

/** Returns the bytes by which the tables and indexes of the tenants grew when the workspace was filled. */
export async function bytesOf(bench: Bench, vulnerabilities: number): Promise<number> {
  const { slug } = await mainWorkspace(bench, vulnerabilities);
  return readFacts(bench)[slug] ?? 0;
}

function factsFile({ dataDir }: Bench): string {
  return join(dataDir, 'bench-facts.json');
}

function readFacts(bench: Bench): Record<string, number> {
  const file = factsFile(bench);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

async function tenantTableBytes(open: OpenDatabase): Promise<number> {
  const { rows } = await asOwner(open, (client) =>
    client.query(
      `select sum(pg_total_relation_size(c.oid))::float8 as bytes
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
    ),
  );
  return rows[0]?.bytes;
}

/** Creates the workspaces of the run's size, which share its vulnerabilities equally, and a key for each. */
export async function manyWorkspaces({ open, size }: Bench): Promise<{ slug: string; key: string }[]> {
  const many: { slug: string; key: string }[] = [];
  const vulnerabilities = Math.round(size.vulnerabilities / size.workspaces);
  for (let n = 1; n <= size.workspaces; n++) {
    const slug = `many-${size.workspaces}-${n}`;
    await ensureWorkspace(open, slug, { vulnerabilities, repositories: 5, members: 1, vacuum: false });
    many.push({ slug, key: await createKey(open, slug) });
  }
  await asOwner(open, (client) => client.query('vacuum (analyze)'));
  return many;
}

/** Runs `work` with a server, a client with one connection, and a key for the workspace. */
export async function withServer<T>(
  { open, dataDir }: Bench,
  tenant: Tenant,
  options: ServeOptions,
  work: (server: {
    url: string;
    pid: number;
    client: HttpClient;
    key: string;
    at: (path: string) => string;
  }) => Promise<T>,
): Promise<T> {
  const key = await createKey(open, tenant.slug, [
    'vulnerabilities:read',
    'policy-violations:read',
    'applications:read',
  ]);
  const server = await startServer(dataDir, options);
  const client = httpClient(server.url, key, 1);
  try {
    return await work({ ...server, client, key, at: (path) => `/api/v1/${tenant.slug}${path}` });
  } finally {
    client.close();
    await server.stop();
    // PostgreSQL closes the connections of the server a moment later.
    await sleep(200);
  }
}
