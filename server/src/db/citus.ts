/**
 * Citus spreads the tables of a database over several nodes. `merlond migrate` runs on the coordinator, whose database
 * has the extension, and places each table:
 *
 * - a table of workspaces is distributed by its tenant, so that the rows of one workspace are on one node, side by
 *   side;
 * - a table of the install that statements of a workspace join is a reference table, of which each node has a copy;
 * - a table of the processes, and the queue, stay on the coordinator (`local`).
 */
import type pg from 'pg';
import type { TenantId } from '../domain/ids.ts';
import { unprotectedTables } from './row-level-security.ts';

type Client = Pick<pg.ClientBase, 'query'>;

/**
 * Tables that no statement of a workspace joins. A write to a reference table waits for all nodes, and for the one
 * before.
 */
const local: Record<string, string> = {
  install_secret: 'read by each process when it starts',
  rate_limit: 'counts of the last minute, written with each request',
  schema_migration: 'what this database has had',
  sweep_lead: 'names the process that sweeps',
  user_credential: 'read at a sign-in',
  user_session: 'read and renewed with the requests of the console',
  user_verification: 'read at a sign-in',
};

const oldestServer = 17;
const oldestCitus = 13;

export async function isCitus(client: Client): Promise<boolean> {
  const { rows } = await client.query("select 1 from pg_extension where extname = 'citus'");
  return rows.length > 0;
}

/** Throws an Error that says what a coordinator lacks. `appRole` is the running role. */
export async function refuseUnfitCitus(client: Client, appRole: string): Promise<void> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int / 10000 as server,
            split_part(extversion, '.', 1)::int as citus, split_part(extversion, '-', 1) as version,
            (select count(*)::int from pg_dist_node where isactive and shouldhaveshards and noderole = 'primary') as nodes,
            (select groupid from pg_dist_local_group) as local_group,
            (select rolsuper from pg_roles where rolname = current_user) as is_superuser,
            exists (select from pg_roles where rolname = $1) as has_role
       from pg_extension where extname = 'citus'`,
    [appRole],
  );
  const [{ server, citus, version, nodes, local_group, is_superuser, has_role }] = rows;
  if (server < oldestServer || citus < oldestCitus) {
    throw refused(
      `the server is PostgreSQL ${server} with Citus ${version}, and Merlon needs PostgreSQL ${oldestServer} with Citus ${oldestCitus} or later. On older ones row-level security refuses statements of an import.`,
    );
  }
  if (local_group !== 0) {
    throw refused('leads to a worker of Citus. Use the address of the coordinator.');
  }
  if (nodes === 0) {
    throw refused(
      "the coordinator knows no node that takes rows. As a superuser: SELECT citus_add_node('host', 5432) for each worker, whose database has the extension too.",
    );
  }
  if (!has_role && !is_superuser) {
    throw refused(
      `on Citus a superuser makes the role ${appRole}, on the coordinator, which makes it on every node: CREATE ROLE ${appRole} LOGIN with the password of MERLON_DATABASE_URL.`,
    );
  }
}

function refused(text: string): Error {
  return new Error(`MERLON_DATABASE_OWNER_URL: ${text}`);
}

interface Placed {
  name: string;
  /** Its rows belong to workspaces, one at a time. */
  isOfWorkspace: boolean;
  isPlaced: boolean;
}

/**
 * Places each table that is new, in one transaction, with rights, indexes and row-level security on every shard. Tables
 * that are placed stay where they are. `client` must be the owner's.
 */
export async function placeTables(client: Client): Promise<void> {
  const tables = (await listPlaced(client)).filter(({ name }) => !(name in local));
  const waiting = tables.filter(({ isPlaced }) => !isPlaced);
  if (waiting.length === 0) return;
  const beside = tables.find(({ isPlaced, isOfWorkspace }) => isPlaced && isOfWorkspace)?.name;
  await client.query('begin');
  try {
    await changeShardsInOrder(client);
    const keys = await dropForeignKeys(client);
    for (const { name } of waiting.filter(({ isOfWorkspace }) => !isOfWorkspace)) {
      await client.query('select create_reference_table($1::text::regclass)', [name]);
    }
    let first = beside;
    for (const { name } of waiting.filter(({ isOfWorkspace }) => isOfWorkspace)) {
      await replacePolicies(client, name);
      await identifyRows(client, name);
      await client.query(
        "select create_distributed_table($1::text::regclass, 'tenant_id', colocate_with => $2)",
        [name, first ?? 'none'],
      );
      first ??= name;
    }
    for (const definition of keys) await client.query(definition);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/**
 * Lets the transaction change tables of workspaces and reference tables. A foreign key to a reference table is checked
 * on each node, so one connection must see all that was written there.
 */
export async function changeShardsInOrder(client: Client): Promise<void> {
  await client.query("set local citus.multi_shard_modify_mode = 'sequential'");
}

async function listPlaced(client: Client): Promise<Placed[]> {
  // A foreign key to a reference table gives a local table an entry too, of method "n" without copies.
  const { rows } = await client.query<{ name: string; secured: boolean; placed: boolean }>(
    `select c.relname as name, c.relrowsecurity as secured,
            exists (select from pg_dist_partition p
                     where p.logicalrelid = c.oid and (p.partmethod = 'h' or p.repmodel = 't')) as placed
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      order by c.relname`,
  );
  return rows.map(({ name, secured, placed }) => ({ name, isOfWorkspace: secured, isPlaced: placed }));
}

/**
 * Drops the foreign keys of tables that are not placed, because a key cannot lead from or to one while the other table
 * is placed. Returns the statements that make them again.
 */
async function dropForeignKeys(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select k.conrelid::regclass::text as table, quote_ident(k.conname) as name, pg_get_constraintdef(k.oid) as definition
       from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'f' and c.relnamespace = 'public'::regnamespace and c.relname <> all($1)
        and not exists (select from pg_dist_partition p
                         where p.logicalrelid = c.oid and (p.partmethod = 'h' or p.repmodel = 't'))
      order by 1, 2`,
    [Object.keys(local)],
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return rows.map(
    ({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`,
  );
}

/** A shard moves while it is written only if each row is identified, by a key or else as a whole. */
async function identifyRows(client: Client, table: string): Promise<void> {
  const { rows } = await client.query(
    "select 1 from pg_constraint where conrelid = $1::text::regclass and contype = 'p'",
    [table],
  );
  if (rows.length === 0) await client.query(`alter table ${table} replica identity full`);
}

/** Citus takes no subquery in a policy. Without it the setting is read for each row that no index decides. */
async function replacePolicies(client: Client, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string; rule: string }>(
    `select quote_ident(polname) as name, pg_get_expr(polqual, polrelid) as rule from pg_policy
      where polrelid = $1::text::regclass`,
    [table],
  );
  for (const { name, rule } of rows) {
    const plain = withoutSubquery(rule);
    if (plain !== rule) await client.query(`alter policy ${name} on ${table} using (${plain})`);
  }
}

// PostgreSQL writes `( SELECT (…)::bigint AS "nullif")`.
function withoutSubquery(rule: string): string {
  return rule.replace(/\( SELECT (.+) AS "?\w+"?\)/, '$1');
}

export interface ShardPlacement {
  shardId: string;
  /** `host:port` of the node. */
  node: string;
}

/**
 * Gives the workspace shards of its own, which can be moved to another node by themselves. Writes to the shard that is
 * divided wait for moments. `client` must be the owner's.
 */
export async function isolateTenant(client: Client, tenantId: TenantId): Promise<ShardPlacement> {
  await client.query("select isolate_tenant_to_new_shard('tenant_anchor', $1::bigint, 'CASCADE')", [
    tenantId,
  ]);
  return placementOfTenant(client, tenantId);
}

/** True if no other workspace can be in the shard of this one. */
export async function isIsolated(client: Client, tenantId: TenantId): Promise<boolean> {
  const { rows } = await client.query<{ is_alone: boolean }>(
    `select shardminvalue = shardmaxvalue as is_alone from pg_dist_shard
      where shardid = get_shard_id_for_distribution_column('tenant_anchor', $1::bigint)`,
    [tenantId],
  );
  return rows[0]?.is_alone ?? false;
}

export async function placementOfTenant(client: Client, tenantId: TenantId): Promise<ShardPlacement> {
  const { rows } = await client.query<{ shard: string; node: string }>(
    `select p.shardid::text as shard, n.nodename || ':' || n.nodeport as node
       from pg_dist_placement p join pg_dist_node n using (groupid)
      where n.noderole = 'primary' and p.shardid = get_shard_id_for_distribution_column('tenant_anchor', $1::bigint)`,
    [tenantId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the workspace has no shard');
  return { shardId: row.shard, node: row.node };
}

/**
 * Moves the shards of one place, with all of the workspace, to the node `host:port`. Reads and writes go on meanwhile.
 */
export async function moveShard(
  client: Client,
  { shardId, node }: ShardPlacement,
  to: string,
): Promise<void> {
  await client.query('select citus_move_shard_placement($1::bigint, $2, $3::int, $4, $5::int)', [
    shardId,
    ...hostAndPort(node),
    ...hostAndPort(to),
  ]);
}

function hostAndPort(node: string): [host: string, port: string] {
  const at = node.lastIndexOf(':');
  return [node.slice(0, at), node.slice(at + 1)];
}

export async function listNodes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ node: string }>(
    `select nodename || ':' || nodeport as node from pg_dist_node
      where noderole = 'primary' and isactive and shouldhaveshards order by 1`,
  );
  return rows.map(({ node }) => node);
}

/** The tables that are not where `placeTables` would place them. */
export async function listMisplaced(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name
       from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
       left join pg_dist_partition a on a.logicalrelid = 'tenant_anchor'::regclass
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($1)
        and case when c.relrowsecurity
                 then (p.partmethod = 'h' and p.colocationid = a.colocationid) is not true
                 else (p.repmodel = 't') is not true end
      order by 1`,
    [Object.keys(local)],
  );
  return rows.map(({ name }) => name);
}

/** The tables and shards of workspaces on each node of which the rows of all workspaces can be read. */
export async function listUnprotected(
  client: Client,
): Promise<{ node: string; answer: string | null; tables: string[] }[]> {
  const { rows } = await client.query<{ node: string; success: boolean; result: string }>(
    `select nodename || ':' || nodeport as node, success, result from run_command_on_all_nodes($1) r
       join pg_dist_node n using (nodeid)`,
    [unprotectedTables],
  );
  return rows.map(({ node, success, result }) => ({
    node,
    answer: success ? null : result,
    tables: success && result !== '' ? result.split(',') : [],
  }));
}

export interface NodeSize {
  node: string;
  shards: number;
  bytes: number;
}

/** Lists the shards of workspaces and their bytes on each node. */
export async function listNodeSizes(client: Client): Promise<NodeSize[]> {
  const { rows } = await client.query<{ node: string; shards: number; bytes: string }>(
    `select nodename || ':' || nodeport as node, count(*)::int as shards, sum(shard_size)::bigint as bytes
       from citus_shards where citus_table_type = 'distributed' group by 1 order by 1`,
  );
  return rows.map(({ node, shards, bytes }) => ({ node, shards, bytes: Number(bytes) }));
}
