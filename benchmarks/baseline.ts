/**
 * Measures the same SQL without the service: with pgbench if it is installed, otherwise with the driver `pg`. Each
 * transaction is one list. pgbench chooses it at random, like the load on the service; `pg` takes them in turn.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { round2 } from './row.ts';
import type { Statement } from './statements.ts';

export interface Baseline {
  tool: 'pgbench' | 'pg';
  perSecond: number;
  meanMs: number;
}

/** `url` connects as the role of the service, so that the cost of row-level security is included. */
export async function runBaseline(
  url: string,
  lists: Statement[][],
  connections: number,
  seconds: number,
): Promise<Baseline> {
  const found = spawnSync('pgbench', ['--version']).status === 0;
  return found ? runPgbench(url, lists, connections, seconds) : runPg(url, lists, connections, seconds);
}

// Writes one script for each list. Values stay parameters of prepared statements, and pipelines stay pipelines.
function runPgbench(url: string, lists: Statement[][], connections: number, seconds: number): Baseline {
  const directory = mkdtempSync(join(tmpdir(), 'merlon-pgbench-'));
  try {
    const definitions: string[] = [];
    const files = lists.map((list, number) => {
      const file = join(directory, `${number}.sql`);
      const trips = roundTrips(list).map((trip) => {
        const lines = trip.flatMap(({ text, values }, index) => {
          const name = (parameter: number): string =>
            `v${number}_${definitions.length}_${index}_${parameter}`;
          const names = values.map((_, i) => name(i + 1));
          for (const [i, value] of values.entries()) {
            if (value !== '') definitions.push('-D', `${names[i]}=${parameterText(value)}`);
          }
          // pgbench has no parameters with an empty text.
          const sql = text.replaceAll(/\$(\d+)/g, (_, digits: string) =>
            values[Number(digits) - 1] === '' ? "''" : `:${names[Number(digits) - 1]}`,
          );
          return sql.split(';').map((part) => `${part.trim().replaceAll(/\s+/g, ' ')};`);
        });
        return lines.length === 1 ? lines : ['\\startpipeline', ...lines, '\\endpipeline'];
      });
      writeFileSync(file, `${trips.flat().join('\n')}\n`);
      return file;
    });
    const run = spawnSync(
      'pgbench',
      [
        ...[
          '--no-vacuum',
          '--protocol=prepared',
          `--client=${connections}`,
          '--jobs=2',
          `--time=${Math.max(1, Math.round(seconds))}`,
        ],
        ...definitions,
        ...files.flatMap((file) => ['-f', file]),
        url,
      ],
      { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    );
    const perSecond = /^tps = ([0-9.]+)/m.exec(run.stdout)?.[1];
    const mean = /^latency average = ([0-9.]+) ms/m.exec(run.stdout)?.[1];
    if (run.status !== 0 || perSecond === undefined) throw new Error(`pgbench: ${run.stderr.slice(0, 2000)}`);
    return { tool: 'pgbench', perSecond: Math.round(Number(perSecond)), meanMs: round2(Number(mean)) };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

// Groups statements by round trip. The commit is sent with the last statement, because the service does not wait for
// it.
function roundTrips(list: Statement[]): Statement[][] {
  const trips: Statement[][] = [];
  for (const statement of list) {
    const trip = trips.at(-1);
    if (trip && (statement.pipelined || /^commit$/i.test(statement.text))) trip.push(statement);
    else trips.push([statement]);
  }
  return trips;
}

function parameterText(value: unknown): string {
  return Array.isArray(value)
    ? `{${value.map((entry) => JSON.stringify(String(entry))).join(',')}}`
    : String(value);
}

async function runPg(
  url: string,
  lists: Statement[][],
  connections: number,
  seconds: number,
): Promise<Baseline> {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  let done = 0;
  const started = performance.now();
  const until = started + seconds * 1000;
  const worker = async (_: unknown, offset: number): Promise<void> => {
    const client = await pool.connect();
    for (let turn = offset; performance.now() < until; turn += connections) {
      const number = turn % lists.length;
      for (const [index, { text, values }] of (lists[number] ?? []).entries()) {
        await client.query(values.length === 0 ? text : { name: `${number}-${index}`, text, values });
      }
      done++;
    }
    client.release();
  };
  await Promise.all(Array.from({ length: connections }, worker));
  await pool.end();
  const elapsedMs = performance.now() - started;
  return {
    tool: 'pg',
    perSecond: Math.round((done * 1000) / elapsedMs),
    meanMs: round2((elapsedMs * connections) / done),
  };
}
