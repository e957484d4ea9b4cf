/**
 * Writes the file of one workspace into an install that is in use, in one transaction. It runs as the service's own
 * role, so that row-level security refuses a row of another workspace, whatever the file contains.
 */
import pg from 'pg';
import { insertMovedWorkspace, matchPeople } from '../access/workspaces/moved-workspace.ts';
import { insertChangesOfMoved } from '../actions/intel/store.ts';
import { isCitus } from '../db/citus.ts';
import { type InstallTx, setTenant, type Tx } from '../db/database.ts';
import { liftLimits } from '../db/owner-client.ts';
import { conflictingInput } from '../domain/errors.ts';
import { formatId, isTenantId, type TenantId, type UserId } from '../domain/ids.ts';
import { markAll } from '../ingest/matching/setting.ts';
import { reevaluate } from '../policies/definition/progress-store.ts';
import { listKeptTables, tablesOfOneWorkspace } from './kept-tables.ts';
import { damaged, type Piece } from './pieces.ts';
import { type Restored, type RestoreProgress, writeRows } from './write-rows.ts';

/**
 * Creates the workspace under `slug`, or under that of the file. A user of the file is the one with the same e-mail
 * address in this install, or a new one without a password. Throws DomainError if the install already has the slug or
 * the workspace, or if the file is not complete; then nothing is changed.
 */
export async function importWorkspace(
  appUrl: string,
  slug: string | null,
  pieces: AsyncIterable<Piece>,
  progress: (at: RestoreProgress) => void,
): Promise<Restored & { slug: string }> {
  const client = new pg.Client({ connectionString: appUrl, application_name: 'merlond workspace import' });
  client.on('error', () => {});
  await client.connect();
  const query: InstallTx['query'] = (text, values) => client.query(text, values).then(({ rows }) => rows);
  try {
    const isDistributed = await isCitus(client);
    const tx: InstallTx = { isDistributed, query };
    await client.query('begin');
    await liftLimits(client, 'set local');
    let change = (lines: Buffer): Buffer => lines;
    let made = slug ?? '';
    let workspaceId = '' as TenantId;
    const restored = await writeRows(
      client,
      tablesOfOneWorkspace(await listKeptTables(client)),
      pieces,
      progress,
      {
        check: async ({ workspace }) => {
          if (workspace === null) {
            throw conflictingInput('The file has a whole install. Use merlond restore.');
          }
          if (!isTenantId(workspace.id)) {
            throw conflictingInput('The file is not a complete backup: its workspace has no valid key.');
          }
          made = slug ?? workspace.slug;
          await insertMovedWorkspace(tx, { ...workspace, slug: made });
          workspaceId = workspace.id;
          await setTenant(client, workspaceId);
          // Every other row of the file is inserted by it.
          if (isDistributed) {
            await client.query('insert into tenant_anchor (tenant_id) values ($1)', [workspaceId]);
          }
        },
        people: async (people) => {
          change = replaceIds(await matchPeople(tx, people));
        },
        into: async (table, columns) => {
          const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
          await client.query(
            `create temp table incoming_${table} on commit drop as select ${list} from ${table} where false`,
          );
          return `incoming_${table}`;
        },
        written: async (table, columns) => {
          const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
          if (isDistributed) await insertFromCoordinator(client, workspaceId, table, columns);
          else await client.query(`insert into ${table} (${list}) select ${list} from incoming_${table}`);
          await client.query(`drop table incoming_${table}`);
        },
        change: (lines) => change(lines),
      },
    );
    // The pieces may name another workspace, but row-level security has let in rows of this one alone.
    const inWorkspace: Tx = { isDistributed, query, tenantId: workspaceId };
    await insertChangesOfMoved(inWorkspace);
    await markAll(inWorkspace, new Date());
    await reevaluate(inWorkspace, null);
    await client.query('commit');
    return { ...restored, tenantIds: [workspaceId], slug: made };
  } finally {
    // Without a commit this undoes all changes. A rollback would wait for a COPY that never ends.
    await client.end().catch(() => {});
  }
}

const bytesAtOnce = 8 * 1024 * 1024;
const mostRowsAtOnce = 5_000;

/**
 * Sends the rows as text to the node of the workspace, batch by batch. There the temporary table does not exist, and
 * Citus would copy its rows, which row-level security does not allow.
 */
async function insertFromCoordinator(
  client: pg.Client,
  tenantId: TenantId,
  table: string,
  columns: string[],
): Promise<void> {
  // The insert gives each row this workspace, so a row of another one would not be refused by row-level security.
  const { rows: counts } = await client.query<{ foreign_rows: number; at_once: number }>(
    `select count(*) filter (where tenant_id is distinct from $1)::int as foreign_rows,
            greatest(1, least($3, $4 * count(*) / greatest(1, pg_table_size($2::regclass))))::int as at_once
       from incoming_${table}`,
    [tenantId, `incoming_${table}`, mostRowsAtOnce, bytesAtOnce],
  );
  const { foreign_rows = 0, at_once = 1 } = counts[0] ?? {};
  if (foreign_rows > 0) {
    throw damaged(
      `it has rows of another workspace, against the row-level security policy for table "${table}"`,
    );
  }
  const { rows: typed } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> 'tenant_id' and attname = any($2)
      order by attnum`,
    [table, columns],
  );
  // The anchor, which is there, has no other column.
  if (typed.length === 0) return;
  const names = typed.map(({ name }) => client.escapeIdentifier(name));
  const insert = `insert into ${table} (${['tenant_id', ...names].join(', ')})
    select ${['anchor.tenant_id', ...typed.map(({ type }, at) => `s.c${at}::${type}`)].join(', ')}
      from (select ${['unnest($2::boolean[]) as there', ...names.map((_, at) => `unnest($${at + 3}::text[]) as c${at}`)].join(', ')}) s
      join tenant_anchor anchor on anchor.tenant_id = $1`;
  const texts = names.map((name, at) => `${name}::text as c${at}`);
  await client.query(
    `declare incoming_rows no scroll cursor for select ${['true as there', ...texts].join(', ')} from incoming_${table}`,
  );
  for (;;) {
    const { rows } = await client.query<unknown[]>({
      text: `fetch ${at_once} from incoming_rows`,
      rowMode: 'array',
    });
    if (rows.length === 0) break;
    const lists = [true, ...names].map((_, at) => rows.map((row) => row[at]));
    await client.query(insert, [tenantId, ...lists]);
  }
  await client.query('close incoming_rows');
}

// The text of a row has an id as a UUID, or in data in the form of the API.
const userId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|usr_[0-9a-z]{26}/g;

/** Ids are UUIDs, so that the same characters anywhere in a row mean the same user. */
function replaceIds(otherIds: Map<UserId, UserId>): (lines: Buffer) => Buffer {
  if (otherIds.size === 0) return (lines) => lines;
  const others = new Map<string, string>(otherIds);
  for (const [id, other] of otherIds) others.set(formatId('user', id), formatId('user', other));
  return (lines) =>
    Buffer.from(
      lines.toString('latin1').replace(userId, (id) => others.get(id) ?? id),
      'latin1',
    );
}
