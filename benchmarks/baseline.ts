/**
 * The same SQL without the service: by pgbench where the machine has it, else by `pg` alone. One transaction of
 * it is one list; which one is thrown, as for the service.
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

/** `url` belongs to the running role, so that row-level security counts too. */
export async function runBaseline(
  url: string,
  lists: Statement[][],
  connections: number,
  seconds: number,
): Promise<Baseline> {
  const found = spawnSync('pgbench', ['--version']).status === 0;
  return found ? runPgbench(url, lists, connections, seconds) : runPg(url, lists, connections, seconds);
}

// A script per list. Parameters stay parameters (-D and -M prepared), and what can travel together does.
function runPgbench(url: string, lists: Statement[][], connections: number, seconds: number): Baseline {
  const directory = mkdtempSync(join(tmpdir(), 'merlon-pgbench-'));
  try {
    const definitions: string[] = [];
    const files = lists.map((list, number) => {
      const file = join(directory, `${number}.sql`);
      const trips = roundTrips(list).map((trip) => {
        const lines = trip.flatMap(({ text, values }, place) => {
          const name = (parameter: number): string =>
            `v${number}_${definitions.length}_${place}_${parameter}`;
          const names = values.map((_, i) => name(i + 1));
          for (const [i, value] of values.entries()) {
            if (value !== '') definitions.push('-D', `${names[i]}=${parameterText(value)}`);
          }
          // An empty text cannot be given to it as a parameter.
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

// The end of the transaction travels with its last statement, because the service does not wait for it either.
function roundTrips(list: Statement[]): Statement[][] {
  const trips: Statement[][] = [];
  for (const statement of list) {
    const trip = trips.at(-1);
    if (trip && (statement.together || /^commit$/i.test(statement.text))) trip.push(statement);
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
      for (const [place, { text, values }] of (lists[number] ?? []).entries()) {
        await client.query(values.length === 0 ? text : { name: `${number}-${place}`, text, values });
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
