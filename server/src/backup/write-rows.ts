/** Writes the rows of a backup by COPY, one table after the other, and checks that the backup is complete. */
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams';
import type { MovedPerson } from '../access/workspaces/moved-workspace-store.ts';
import { readColumns, type Table } from '../db/tables.ts';
import { conflictingInput } from '../domain/errors.ts';
import { version } from '../domain/version.ts';
import { damaged, type Heading, type Piece, parseJson, type Rows } from './pieces.ts';

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

export interface Destination {
  /** Throws DomainError if the file is not for this destination. */
  check(heading: Heading): void | Promise<void>;
  people?(people: MovedPerson[]): Promise<void>;
  /** The table to which the rows of `table` are copied. */
  into(table: string, columns: string[]): string | Promise<string>;
  /** Called after the last row of a table. */
  written?(table: string, columns: string[]): Promise<void>;
  change?(lines: Buffer): Buffer;
}

/**
 * Returns after the last piece. Throws DomainError if the backup is not complete, has other tables than these, or has
 * rows that the database refuses.
 */
export async function writeRows(
  client: pg.Client,
  tables: Table[],
  pieces: AsyncIterable<Piece>,
  progress: (at: RestoreProgress) => void,
  destination: Destination,
): Promise<Restored> {
  return copyRows(client, tables, pieces, progress, destination).catch((error: unknown) => {
    // These codes mean wrong values, broken constraints, or rows of another workspace, which row-level security
    // refuses.
    const { code = '', message } = error as { code?: string; message: string };
    if (error instanceof pg.DatabaseError && (/^2[23]/.test(code) || /row-level security/.test(message))) {
      throw damaged(error.message);
    }
    throw error;
  });
}

async function copyRows(
  client: pg.Client,
  tables: Table[],
  pieces: AsyncIterable<Piece>,
  progress: (at: RestoreProgress) => void,
  { check, people, into, written, change = (lines) => lines }: Destination,
): Promise<Restored> {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const tenantIds = new Set<string>();
  let heading: Heading | null = null;
  let rows = 0;
  let open = null as { head: Rows; stream: CopyStreamQuery } | null;
  // The first error ends the stream, and later writes fail with another error.
  let refused = null as Error | null;
  const close = async (): Promise<void> => {
    if (open === null) return;
    open.stream.end();
    await finished(open.stream);
    await written?.(open.head.table, open.head.columns);
    open = null;
  };
  for await (const { head, bytes } of pieces) {
    if (head.kind === 'merlon-backup') {
      await checkHeading(client, head);
      await check(head);
      heading = head;
      continue;
    }
    if (heading === null) throw damaged('it does not begin as one');
    if (head.kind === 'people') {
      const list = parseJson(bytes, 'its people are no JSON');
      if (!Array.isArray(list) || open !== null) throw damaged('its people are no list before all rows');
      await people?.(list);
    }
    if (head.kind === 'end') {
      await close();
      if (rows !== head.rows) throw damaged('it has other numbers of rows');
      return { createdAt: heading.createdAt, rows, tenantIds: [...tenantIds] };
    }
    if (head.kind !== 'rows') continue;
    if (open?.head.table !== head.table || open.head.tenantId !== head.tenantId) {
      await close();
      const columns = columnList(client, byName, head);
      const stream = client.query(
        copyFrom(`copy ${await into(head.table, head.columns)} (${columns}) from stdin`),
      );
      stream.on('error', (error) => {
        refused ??= error;
      });
      open = { head, stream };
    }
    if (head.tenantId !== null) tenantIds.add(head.tenantId);
    if (refused !== null) throw refused;
    if (!open.stream.write(change(bytes))) await once(open.stream, 'drain');
    rows += head.rows;
    progress({ workspaces: tenantIds.size, table: head.table, rows });
  }
  throw damaged('it ends early');
}

function columnList(client: pg.Client, tables: Map<string, Table>, { table, columns }: Rows): string {
  const found = tables.get(table);
  const isKnown = found !== undefined && columns.every((column) => found.columns.includes(column));
  if (!isKnown) throw damaged(`there is no table ${JSON.stringify(table)} with its columns`);
  return columns.map((column) => client.escapeIdentifier(column)).join(', ');
}

async function checkHeading(client: pg.Client, heading: Heading): Promise<void> {
  if (heading.format !== 1)
    throw conflictingInput(
      `The backup was made by Merlon ${heading.version}, in a later format. Restore it with that version.`,
    );
  const schema = await readColumns(client);
  if (JSON.stringify(schema) === JSON.stringify(heading.schema)) return;
  throw conflictingInput(
    `The backup was made by Merlon ${heading.version}, and its tables differ from those of this version, ${version}. Restore it with Merlon ${heading.version}, then upgrade.`,
  );
}
