/** Writes a backup into an empty database of the same schema, in one transaction. */
import type pg from 'pg';
import { changeShardsInOrder, isCitus } from '../db/citus.ts';
import { connectOwner } from '../db/owner-client.ts';
import type { Table } from '../db/tables.ts';
import { conflictingInput } from '../domain/errors.ts';
import { disableRestored } from '../notifications/disable-restored.ts';
import { listKeptTables } from './kept-tables.ts';
import type { Piece } from './pieces.ts';
import { type Restored, type RestoreProgress, writeRows } from './write-rows.ts';

/**
 * Restores `pieces` as the owner of the tables. Throws DomainError if the database is not empty, has another schema, or
 * the backup is not complete; then the database is unchanged.
 */
export async function restoreInstall(
  ownerUrl: string,
  pieces: AsyncIterable<Piece>,
  progress: (at: RestoreProgress) => void,
): Promise<Restored> {
  const client = await connectOwner(ownerUrl, 'restore');
  try {
    await client.query('begin');
    if (await isCitus(client)) await changeShardsInOrder(client);
    const tables = await listKeptTables(client);
    // COPY cannot write a table under row-level security. Before the commit all tables are under it again.
    await forceRowLevelSecurity(client, tables, false);
    await refuseUsed(client, tables);
    const indexes = await dropIndexes(client);
    const restored = await writeRows(client, tables, pieces, progress, {
      check: (heading) => {
        if (heading.workspace !== null) {
          throw conflictingInput(
            `The file has one workspace, ${heading.workspace.slug}. Use merlond workspace import.`,
          );
        }
      },
      into: (table) => table,
    });
    for (const definition of indexes) await client.query(definition);
    await disableRestored(client);
    await forceRowLevelSecurity(client, tables, true);
    await client.query('commit');
    // The rows are there now. A failure would look like that of the restore, and PostgreSQL analyzes by itself as well.
    await client.query('analyze').catch(() => {});
    return restored;
  } finally {
    // Without a commit this undoes all changes. A rollback would wait for a COPY that never ends.
    await client.end().catch(() => {});
  }
}

/** Decides for the tables of workspaces if row-level security also holds for their owner. */
async function forceRowLevelSecurity(client: pg.Client, tables: Table[], isForced: boolean): Promise<void> {
  const action = isForced ? 'force' : 'no force';
  for (const { name } of tables.filter((table) => table.isOfWorkspace)) {
    await client.query(`alter table ${name} ${action} row level security`);
  }
}

async function refuseUsed(client: pg.Client, tables: Table[]): Promise<void> {
  for (const { name } of tables) {
    const { rows } = await client.query(`select 1 from ${name} limit 1`);
    if (rows.length > 0) {
      throw conflictingInput(
        `The database is not empty: ${name} has rows. Restore the backup into an empty one: set another MERLON_DATA_DIR, or use another database.`,
      );
    }
  }
}

/**
 * Drops the indexes that no constraint needs, and returns the statements that create them again. One build over all
 * rows is faster.
 */
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
