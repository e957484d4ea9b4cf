/** Finds, creates and fills the workspaces of benchmarks, and creates keys for them. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createPersonalKey } from '../server/src/access/api-keys/service.ts';
import { findTenantBySlug } from '../server/src/access/entry.ts';
import { addMember } from '../server/src/access/members/service.ts';
import { createUser } from '../server/src/access/users/service.ts';
import { findUserByEmail } from '../server/src/access/users/store.ts';
import { createWorkspace } from '../server/src/actions/workspaces/create-workspace.ts';
import { installTx, tenantTx } from '../server/src/db/database.ts';
import type { KeyScope, Tenant } from '../server/src/http/principal.ts';
import type { OpenDatabase } from '../server/src/open.ts';
import { seedWorkspace } from './seed-sql.ts';

// Below this number of vulnerabilities, keeping the indexes during the inserts is faster than creating them again.
const rebuildFrom = 200_000;

export interface WorkspaceOptions {
  vulnerabilities: number;
  /** The default is 500, as in the published figures. */
  repositories?: number;
  members?: number;
  /** False if the caller creates many workspaces and runs VACUUM ANALYZE after the last. */
  vacuum?: boolean;
  log?: (message: string) => void;
}

export async function findWorkspace({ db }: OpenDatabase, slug: string): Promise<Tenant | undefined> {
  return installTx(db, (tx) => findTenantBySlug(tx, slug));
}

/** Creates the workspace with its members and fills it. Fails if there is one with this name. */
export async function createFilledWorkspace(
  open: OpenDatabase,
  slug: string,
  options: WorkspaceOptions,
): Promise<Tenant> {
  const { db } = open;
  const { members = 20, vulnerabilities, ...rest } = options;
  const tenant = await installTx(db, (tx) =>
    createWorkspace(tx, slug, `Benchmark ${slug}`, { actorId: null }),
  );
  const userIds: string[] = [];
  for (let number = 1; number <= members; number++) {
    const user = await installTx(db, (tx) => createUser(tx, emailOf(slug, number), `Person ${number}`, null));
    await tenantTx(db, tenant.id, (tx) => addMember(tx, user.id, 'member'));
    userIds.push(user.id);
  }
  await asOwner(open, (client) =>
    seedWorkspace(client, {
      tenantId: tenant.id,
      userIds,
      vulnerabilities,
      rebuildIndexes: vulnerabilities >= rebuildFrom,
      ...rest,
    }),
  );
  return tenant;
}

/** Creates and fills the workspace if it is missing. */
export async function ensureWorkspace(
  open: OpenDatabase,
  slug: string,
  options: WorkspaceOptions,
): Promise<Tenant> {
  return (await findWorkspace(open, slug)) ?? (await createFilledWorkspace(open, slug, options));
}

/** Creates an empty workspace with a new name. */
export async function createEmptyWorkspace({ db }: OpenDatabase, prefix: string): Promise<Tenant> {
  const slug = `${prefix}-${randomBytes(4).toString('hex')}`;
  return installTx(db, (tx) => createWorkspace(tx, slug, 'Benchmark', { actorId: null }));
}

/** Creates a personal key of the first member, by default to read lists. */
export async function createKey(
  { db }: OpenDatabase,
  slug: string,
  scopes: KeyScope[] = ['vulnerabilities:read', 'applications:read'],
): Promise<string> {
  return installTx(db, async (tx) => {
    const user = await findUserByEmail(tx, emailOf(slug, 1));
    if (!user) throw new Error(`the workspace ${slug} was not created by a benchmark`);
    const { key } = await createPersonalKey(tx, {
      name: 'benchmark',
      scopes,
      expires: '7d',
      createdBy: null,
      userId: user.id,
      roles: ['member'],
      restrictedTo: null,
    });
    return key;
  });
}

export function emailOf(slug: string, number: number): string {
  return `person-${number}@${slug}.example`;
}

export interface TableSize {
  table: string;
  rows: number;
  tableMb: number;
  indexesMb: number;
}

/** Returns the sizes of the twelve largest tables of the database. */
export async function tableSizes(open: OpenDatabase): Promise<TableSize[]> {
  return asOwner(open, async (client) => {
    const { rows } = await client.query(
      `select c.relname as table, c.reltuples::bigint::int as rows,
              round(pg_table_size(c.oid) / 1e6)::int as "tableMb", round(pg_indexes_size(c.oid) / 1e6)::int as "indexesMb"
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind = 'r' order by pg_total_relation_size(c.oid) desc limit 12`,
    );
    return rows as TableSize[];
  });
}

/** Runs `work` on a connection as the owner of the database, whom row-level security does not restrict. */
export async function asOwner<T>(open: OpenDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> {
  if (open.ownerUrl === null)
    throw new Error('MERLON_DATABASE_OWNER_URL is required with MERLON_DATABASE_URL');
  const client = new pg.Client({ connectionString: open.ownerUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
