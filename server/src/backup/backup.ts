/** Reads a whole install from one snapshot, while it is used. */
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { version } from '../domain/version.ts';
import type { Heading, Piece } from './pieces.ts';
import { listTables, readSchema, type Table } from './tables.ts';

export interface BackupProgress {
  /** The number of the workspace, from 1; 0 for tables of the install. */
  workspace: number;
  workspaces: number;
  table: string;
  rows: number;
}

interface Options {
  /** The owner's, so that a long backup does not hold back what waits for transactions of the service. */
  url: string;
  secretFingerprint: string;
  /** The content of the file of the secret, if the backup shall have it. */
  secret: Buffer | null;
  progress(at: BackupProgress): void;
}

const pieceBytes = 1024 * 1024;

/** Gives the pieces of a backup. They are all of the moment at which the first is read. */
export async function* readInstall({
  url,
  secretFingerprint,
  secret,
  progress,
}: Options): AsyncGenerator<Piece> {
  const client = new pg.Client({ connectionString: url, application_name: 'merlond backup' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const heading: Heading = {
      kind: 'merlon-backup',
      format: 1,
      version,
      createdAt: new Date().toISOString(),
      schema: await readSchema(client),
      secretFingerprint,
    };
    yield { head: heading, bytes: Buffer.alloc(0) };
    if (secret !== null) yield { head: { kind: 'secret' }, bytes: secret };
    const tables = await listTables(client);
    const { rows: tenants } = await client.query<{ id: string }>('select id from tenant order by id');
    let rows = 0;
    for (const [workspace, tenantId] of [null, ...tenants.map(({ id }) => id)].entries()) {
      if (tenantId !== null) await client.query(`set local merlon.tenant_id = '${tenantId}'`);
      for (const table of tables.filter((one) => one.isOfWorkspace === (tenantId !== null))) {
        for await (const piece of readTable(client, table, tenantId)) {
          if (piece.head.kind === 'rows') rows += piece.head.rows;
          progress({ workspace, workspaces: tenants.length, table: table.name, rows });
          yield piece;
        }
      }
    }
    await client.query('commit');
  } finally {
    await client.end().catch(() => {});
  }
}

/** A superuser sees the rows of all workspaces, so the condition names the workspace as well. */
async function* readTable(
  client: pg.Client,
  { name, columns }: Table,
  tenantId: string | null,
): AsyncGenerator<Piece> {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const where = tenantId === null ? '' : ` where tenant_id = '${tenantId}'`;
  const lines = client.query(copyTo(`copy (select ${list} from ${name}${where}) to stdout`));
  let held: Buffer[] = [];
  let length = 0;
  const piece = (): Piece => {
    const bytes = Buffer.concat(held);
    held = [];
    length = 0;
    return { head: { kind: 'rows', table: name, tenantId, columns, rows: countLines(bytes) }, bytes };
  };
  for await (const chunk of lines as AsyncIterable<Buffer>) {
    held.push(chunk);
    length += chunk.length;
    // A chunk ends where a row ends, unless a row is longer than a message.
    if (length >= pieceBytes && chunk.at(-1) === 10) yield piece();
  }
  if (length > 0) yield piece();
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
  return lines;
}
