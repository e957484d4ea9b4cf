/** Reads a whole install, or one workspace of it, from one snapshot, while the install is in use. */

import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { MovedPerson, MovedWorkspace } from '../access/workspaces/moved-workspace-store.ts';
import { noWorkspace } from '../access/workspaces/service.ts';
import { changeShardsInOrder, isCitus } from '../db/citus.ts';
import { setTenant } from '../db/database.ts';
import { liftLimits } from '../db/owner-client.ts';
import { personColumns, readColumns, type Table } from '../db/tables.ts';
import type { TenantId } from '../domain/ids.ts';
import { version } from '../domain/version.ts';
import { listKeptTables, tablesOfOneWorkspace } from './kept-tables.ts';
import type { Heading, Piece, Rows } from './pieces.ts';

export interface BackupProgress {
  /** Number of the workspace, from 1; 0 for tables of the install. */
  workspace: number;
  workspaces: number;
  table: string;
  rows: number;
}

interface Options {
  /**
   * The address of the owner. Its transactions do not hold back readers of changes, which wait for transactions of the
   * service.
   */
  url: string;
  secretFingerprint: string;
  /** The content of the secret file, if the backup includes it. */
  secret: Buffer | null;
  progress(at: BackupProgress): void;
}

const pieceBytes = 1024 * 1024;

/**
 * Yields the pieces of a backup. They all show the moment at which the first one is read; on Citus, some
 * milliseconds.
 */
export async function* readInstall(options: Options): AsyncGenerator<Piece> {
  const { secret, progress } = options;
  yield* inSnapshot(options.url, async function* (client) {
    // On Citus each connection to a node takes its own snapshot at its first statement. So the first statement reaches
    // all nodes, each by one connection. The tables of the install come later, and may take minutes.
    if (await isCitus(client)) await changeShardsInOrder(client);
    await client.query('select count(*) from tenant_anchor');
    yield await headingPiece(client, options, null);
    if (secret !== null) yield { head: { kind: 'secret' }, bytes: secret };
    const tables = await listKeptTables(client);
    const { rows: tenants } = await client.query<{ id: TenantId }>('select id from tenant order by id');
    let rows = 0;
    for (const [workspace, tenantId] of [null, ...tenants.map(({ id }) => id)].entries()) {
      for await (const piece of readTables(client, tables, tenantId)) {
        rows += piece.head.rows;
        progress({ workspace, workspaces: tenants.length, table: piece.head.table, rows });
        yield piece;
      }
    }
  });
}

/**
 * Yields the pieces of one workspace: its tables, and the names of the people in them. Keys, invitations and trust
 * rules are left out, because a file that moves between installs must give nobody access. Throws DomainError if there
 * is no such workspace.
 */
export async function* readWorkspace(slug: string, options: Omit<Options, 'secret'>): AsyncGenerator<Piece> {
  yield* inSnapshot(options.url, async function* (client) {
    const { rows: found } = await client.query<MovedWorkspace>(
      `select id, slug, name, settings, tracked_branches as "trackedBranches", created_at as "createdAt"
         from tenant where slug = $1 and deleted_at is null`,
      [slug],
    );
    const [workspace] = found;
    if (workspace === undefined) throw noWorkspace(slug);
    yield await headingPiece(client, options, workspace);
    const tables = tablesOfOneWorkspace(await listKeptTables(client));
    await setTenant(client, workspace.id);
    yield {
      head: { kind: 'people' },
      bytes: Buffer.from(JSON.stringify(await listPeople(client, tables, workspace.id))),
    };
    let rows = 0;
    for await (const piece of readTables(client, tables, workspace.id)) {
      rows += piece.head.rows;
      options.progress({ workspace: 1, workspaces: 1, table: piece.head.table, rows });
      yield piece;
    }
  });
}

async function* inSnapshot(
  url: string,
  read: (client: pg.Client) => AsyncGenerator<Piece>,
): AsyncGenerator<Piece> {
  const client = new pg.Client({ connectionString: url, application_name: 'merlond backup' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await liftLimits(client, 'set local');
    yield* read(client);
    await client.query('commit');
  } finally {
    await client.end().catch(() => {});
  }
}

async function headingPiece(
  client: pg.Client,
  { secretFingerprint }: Pick<Options, 'secretFingerprint'>,
  workspace: MovedWorkspace | null,
): Promise<Piece> {
  const head: Heading = {
    kind: 'merlon-backup',
    format: 1,
    version,
    createdAt: new Date().toISOString(),
    schema: await readColumns(client),
    secretFingerprint,
    workspace,
  };
  return { head, bytes: Buffer.alloc(0) };
}

async function listPeople(client: pg.Client, tables: Table[], tenantId: TenantId): Promise<MovedPerson[]> {
  const named = tables.flatMap(({ name, columns }) =>
    columns
      .filter((column) => personColumns.has(column))
      // A superuser sees the rows of all workspaces.
      .map((column) => `select ${column} from ${name} where tenant_id = $1`),
  );
  // A person who was removed or assigned may have left nothing else.
  named.push(
    `select target_id from audit_event where tenant_id = $1 and target_type = 'user'`,
    `select (data ->> 'assignee')::uuid from vulnerability_event where tenant_id = $1 and kind = 'assigned'`,
  );
  const { rows } = await client.query<MovedPerson>(
    `select id, email, name, kind, disabled_at as "disabledAt" from user_account
      where id in (${named.join(' union ')}) order by id`,
    [tenantId],
  );
  return rows;
}

type RowsPiece = Piece & { head: Rows };

/** The rows of one workspace, or of the install's own tables. */
async function* readTables(
  client: pg.Client,
  tables: Table[],
  tenantId: TenantId | null,
): AsyncGenerator<RowsPiece> {
  if (tenantId !== null) await setTenant(client, tenantId);
  for (const table of tables.filter((one) => one.isOfWorkspace === (tenantId !== null))) {
    yield* readTable(client, table, tenantId);
  }
}

/** A superuser sees the rows of all workspaces, so the condition names the workspace as well. */
async function* readTable(
  client: pg.Client,
  { name, columns }: Table,
  tenantId: TenantId | null,
): AsyncGenerator<RowsPiece> {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const where = tenantId === null ? '' : ` where tenant_id = '${tenantId}'`;
  const lines = client.query(copyTo(`copy (select ${list} from ${name}${where}) to stdout`));
  let held: Buffer[] = [];
  let length = 0;
  const piece = (): RowsPiece => {
    const bytes = Buffer.concat(held);
    held = [];
    length = 0;
    return { head: { kind: 'rows', table: name, tenantId, columns, rows: countLines(bytes) }, bytes };
  };
  for await (const chunk of lines as AsyncIterable<Buffer>) {
    held.push(chunk);
    length += chunk.length;
    // A chunk ends at the end of a row, unless a row is longer than a message.
    if (length >= pieceBytes && chunk.at(-1) === 10) yield piece();
  }
  if (length > 0) yield piece();
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
  return lines;
}
