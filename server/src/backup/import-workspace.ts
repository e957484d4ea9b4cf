/**
 * Writes the file of one workspace into an install that is in use, in one transaction. It runs as the service's own
 * role, so that row-level security refuses a row of another workspace, whatever the file contains.
 */
import pg from 'pg';
import { insertMovedWorkspace, matchPeople } from '../access/workspaces/moved-workspace.ts';
import { insertChangesOfMoved } from '../actions/intel/store.ts';
import { isCitus } from '../db/citus.ts';
import { type InstallTx, setTenant, type Tx } from '../db/database.ts';
import { DomainError } from '../domain/domain-error.ts';
import { formatId, type TenantId } from '../domain/ids.ts';
import { markAll } from '../ingest/matching/setting.ts';
import { reevaluateAll } from '../policies/definition/progress.ts';
import { listKeptTables, tablesOfOneWorkspace } from './kept-tables.ts';
import type { Piece } from './pieces.ts';
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
    let change = (lines: Buffer): Buffer => lines;
    let made = slug ?? '';
    const restored = await writeRows(
      client,
      tablesOfOneWorkspace(await listKeptTables(client)),
      pieces,
      progress,
      {
        check: async ({ workspace }) => {
          if (workspace === null) {
            throw new DomainError('conflict', 'The file has a whole install: use merlond restore.');
          }
          made = slug ?? workspace.slug;
          await insertMovedWorkspace(tx, { ...workspace, slug: made });
          await setTenant(client, workspace.id);
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
          await client.query(`insert into ${table} (${list}) select ${list} from incoming_${table}`);
          await client.query(`drop table incoming_${table}`);
        },
        change: (lines) => change(lines),
      },
    );
    const inWorkspace: Tx = { isDistributed, query, tenantId: restored.tenantIds[0] as TenantId };
    await insertChangesOfMoved(inWorkspace);
    await markAll(inWorkspace, new Date());
    await reevaluateAll(inWorkspace);
    await client.query('commit');
    return { ...restored, slug: made };
  } finally {
    // Without a commit this undoes all changes. A rollback would wait for a COPY that never ends.
    await client.end().catch(() => {});
  }
}

// The text of a row has an id as a UUID, or in data in the form of the API.
const userId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|usr_[0-9a-z]{26}/g;

/** Ids are UUIDs, so that the same characters anywhere in a row mean the same user. */
function replaceIds(otherIds: Map<string, string>): (lines: Buffer) => Buffer {
  if (otherIds.size === 0) return (lines) => lines;
  const others = new Map(otherIds);
  for (const [id, other] of otherIds) others.set(formatId('user', id), formatId('user', other));
  return (lines) =>
    Buffer.from(
      lines.toString('latin1').replace(userId, (id) => others.get(id) ?? id),
      'latin1',
    );
}
