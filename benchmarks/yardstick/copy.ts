/**
 * Measures the fixed yardstick of imports: COPY of the rows that the schema of November 2026 wrote for a report, in one
 * transaction, into tables with the columns, checks and indexes which that schema had.
 */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { ReportKind } from '../reports.ts';
import { rowsOf, sourceOf } from './rows.ts';

export interface CopiedTable {
  table: string;
  rows: number;
  ms: number;
  tableBytes: number;
  indexBytes: number;
}

export interface CopyFigures {
  rows: number;
  ms: number;
  tables: CopiedTable[];
}

/** Creates the tables, copies the rows and drops the tables. `owner` must be allowed to create schemas. */
export async function measureYardstick(
  owner: pg.Client,
  kind: ReportKind,
  findings: number,
): Promise<CopyFigures> {
  await createTables(owner);
  try {
    const texts = await createTexts(owner, kind, findings);
    const tables: CopiedTable[] = [];
    const started = performance.now();
    await owner.query('begin');
    for (const [table, { columns, text, rows }] of texts) {
      const before = performance.now();
      const into = copyFrom(`copy yardstick.${table} (${columns}) from stdin`);
      await pipeline(Readable.from(slices(text)), owner.query(into));
      tables.push({ table, rows, ms: Math.round(performance.now() - before), tableBytes: 0, indexBytes: 0 });
    }
    await owner.query('commit');
    const ms = Math.round(performance.now() - started);
    for (const each of tables) Object.assign(each, await sizesOf(owner, each.table));
    return { rows: tables.reduce((sum, { rows }) => sum + rows, 0), ms, tables };
  } finally {
    await owner.query('drop schema yardstick cascade');
  }
}

async function createTables(owner: pg.Client): Promise<void> {
  await owner.query('begin');
  await owner.query('drop schema if exists yardstick cascade');
  await owner.query(readFileSync(new URL('tables.sql', import.meta.url), 'utf8'));
  await owner.query('commit');
}

async function createTexts(owner: pg.Client, kind: ReportKind, findings: number) {
  await owner.query(sourceOf(kind, findings));
  const texts = new Map<string, { columns: string; text: Buffer; rows: number }>();
  for (const { table, columns, values, from } of rowsOf(kind)) {
    const rows = from ?? '(select * from yardstick_finding order by row_order) f';
    const query = copyTo(`copy (select ${values} from ${rows}) to stdout`);
    const pieces: Buffer[] = [];
    for await (const piece of owner.query(query)) pieces.push(piece as Buffer);
    texts.set(table, { columns, text: Buffer.concat(pieces), rows: query.rowCount });
  }
  await owner.query('drop table yardstick_finding');
  return texts;
}

async function sizesOf(owner: pg.Client, table: string) {
  const { rows } = await owner.query<{ table: string; indexes: string }>(
    'select pg_table_size($1::regclass) as table, pg_indexes_size($1::regclass) as indexes',
    [`yardstick.${table}`],
  );
  return { tableBytes: Number(rows[0]?.table), indexBytes: Number(rows[0]?.indexes) };
}

function* slices(text: Buffer): Generator<Buffer> {
  for (let start = 0; start < text.length; start += 256 * 1024)
    yield text.subarray(start, start + 256 * 1024);
}
