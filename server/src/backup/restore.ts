/** Writes a backup into an empty database of the same schema, in one transaction: all of it, or nothing. */
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams';
import { DomainError } from '../domain/domain-error.ts';
import { version } from '../domain/version.ts';
import { damaged, type Heading, type Piece, type Rows } from './pieces.ts';
import { listTables, readSchema, type Table } from './tables.ts';

export interface RestoreProgress {
  workspaces: number;
  table: string;
  rows: number;
}

export interface Restored {
  createdAt: string;
  rows: number;
  tenantIds: string[];
}

/**
 * Restores `pieces` as the owner of the tables. Throws DomainError if the database is not empty, has another schema, or
 * the backup is not whole; the database is then as it was.
 */
export async function restoreInstall(
  ownerUrl: string,
  pieces: AsyncIterable<Piece>,
  progress: (at: RestoreProgress) => void,
): Promise<Restored> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'merlond restore' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin');
    const tables = await listTables(client);
    // COPY writes no table under row-level security; before the commit all of them are under it again.
    await secure(client, tables, 'no force');
    await refuseUsed(client, tables);
    const indexes = await dropIndexes(client);
    const restored = await copyAll(client, tables, pieces, progress);
    for (const definition of indexes) await client.query(definition);
    await secure(client, tables, 'force');
    await client.query('commit');
    await client.query('analyze');
    return restored;
  } finally {
    // Without a commit this undoes all. A rollback would wait for a COPY that nobody ends.
    await client.end().catch(() => {});
  }
}

async function copyAll(
  client: pg.Client,
  tables: Table[],
  pieces: AsyncIterable<Piece>,
  progress: (at: RestoreProgress) => void,
): Promise<Restored> {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const tenantIds = new Set<string>();
  let heading: Heading | null = null;
  let rows = 0;
  let open = null as { into: string; stream: CopyStreamQuery } | null;
  const close = async (): Promise<void> => {
    if (open === null) return;
    open.stream.end();
    await finished(open.stream);
    open = null;
  };
  for await (const { head, bytes } of pieces) {
    if (head.kind === 'merlon-backup') {
      await checkHeading(client, head);
      heading = head;
      continue;
    }
    if (heading === null) throw damaged('it does not begin as one');
    if (head.kind === 'end') {
      await close();
      if (rows !== head.rows) throw damaged('it has other numbers of rows');
      return { createdAt: heading.createdAt, rows, tenantIds: [...tenantIds] };
    }
    if (head.kind !== 'rows') continue;
    const into = `${head.tenantId} ${head.table}`;
    if (open?.into !== into) {
      await close();
      open = { into, stream: client.query(copyFrom(copyStatement(client, byName, head))) };
      // An error of a row is thrown where the stream is written or ended.
      open.stream.on('error', () => {});
    }
    if (head.tenantId !== null) tenantIds.add(head.tenantId);
    if (!open.stream.write(bytes)) await once(open.stream, 'drain');
    rows += head.rows;
    progress({ workspaces: tenantIds.size, table: head.table, rows });
  }
  throw damaged('it ends early');
}

function copyStatement(client: pg.Client, tables: Map<string, Table>, { table, columns }: Rows): string {
  const found = tables.get(table);
  const isKnown = found !== undefined && columns.every((column) => found.columns.includes(column));
  if (!isKnown) throw damaged(`there is no table ${JSON.stringify(table)} with its columns`);
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  return `copy ${table} (${list}) from stdin`;
}

async function checkHeading(client: pg.Client, heading: Heading): Promise<void> {
  if (heading.format !== 1)
    throw new DomainError('conflict', `The backup was made by Merlon ${heading.version}, in a later format.`);
  const schema = await readSchema(client);
  if (JSON.stringify(schema) === JSON.stringify(heading.schema)) return;
  throw new DomainError(
    'conflict',
    `The backup was made by Merlon ${heading.version}, and its tables are not those of this version, ${version}. Restore it by Merlon ${heading.version}, and upgrade then.`,
  );
}

async function secure(client: pg.Client, tables: Table[], how: 'force' | 'no force'): Promise<void> {
  for (const { name } of tables.filter((table) => table.isOfWorkspace)) {
    await client.query(`alter table ${name} ${how} row level security`);
  }
}

async function refuseUsed(client: pg.Client, tables: Table[]): Promise<void> {
  for (const { name } of tables) {
    const { rows } = await client.query(`select 1 from ${name} limit 1`);
    if (rows.length > 0) {
      throw new DomainError(
        'conflict',
        `The database is in use: ${name} has rows. A backup is restored into an empty one: another MERLON_DATA_DIR, or another database.`,
      );
    }
  }
}

/** Drops the indexes that no constraint needs, and returns what makes them again: once for all rows is faster. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
       from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace = 'public'::regnamespace
        and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map((row) => row.definition);
}
