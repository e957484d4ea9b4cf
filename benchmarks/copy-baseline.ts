/**
 * Measures the time that PostgreSQL alone needs for the rows that an import wrote: COPY of these rows, in one
 * transaction, into tables with the same columns, checks and indexes.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

/** The tables in which an import writes a row for each finding. */
const tables = [
  'vulnerability',
  'vulnerability_detail',
  'vulnerability_evidence',
  'vulnerability_reference',
  'vulnerability_reporter',
  'vulnerability_location',
  'location_observation',
  'vulnerability_event',
  'artifact',
  'search_term',
] as const;

export interface CopyFigures {
  rows: number;
  ms: number;
}

/** `owner` must be the tables' owner, to copy them. The copies are dropped afterwards. */
export async function measureCopy(owner: pg.Client, tenantId: string): Promise<CopyFigures> {
  const texts = new Map<string, Buffer>();
  const columnsOf = new Map<string, string>();
  for (const table of tables) {
    const columns = await writtenColumns(owner, table);
    columnsOf.set(table, columns);
    const pieces: Buffer[] = [];
    const from = owner.query(
      copyTo(`copy (select ${columns} from ${table} where tenant_id = '${tenantId}') to stdout`),
    );
    for await (const piece of from) pieces.push(piece as Buffer);
    texts.set(table, Buffer.concat(pieces));
    await owner.query(`create table copied_${table} (like ${table} including all)`);
  }
  try {
    const started = performance.now();
    await owner.query('begin');
    for (const [table, text] of texts) {
      const into = copyFrom(`copy copied_${table} (${columnsOf.get(table)}) from stdin`);
      await pipeline(Readable.from(slices(text)), owner.query(into));
    }
    await owner.query('commit');
    const ms = performance.now() - started;
    const counts = tables.map((table) => `(select count(*) from copied_${table})`).join(' + ');
    const { rows } = await owner.query<{ n: string }>(`select ${counts} as n`);
    return { rows: Number(rows[0]?.n), ms: Math.round(ms) };
  } finally {
    for (const table of tables) await owner.query(`drop table copied_${table}`);
  }
}

/** The columns of a table but those that PostgreSQL computes. */
async function writtenColumns(owner: pg.Client, table: string): Promise<string> {
  const { rows } = await owner.query<{ names: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows[0]?.names ?? '';
}

function* slices(text: Buffer): Generator<Buffer> {
  for (let start = 0; start < text.length; start += 256 * 1024)
    yield text.subarray(start, start + 256 * 1024);
}
