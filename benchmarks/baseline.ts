/**
 * The same SQL without the service: by pgbench where the machine has it, else by `pg` alone. One transaction of
 * it is one list; which one is thrown, as for the service.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Statement } from './statements.ts';

export interface Baseline {
  tool: 'pgbench' | 'pg';
  perSecond: number;
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
      const lines = list.flatMap(({ text, values }, place) => {
        const last = place === list.length - 2;
        const name = (parameter: string): string => `v${number}_${place}_${parameter}`;
        for (const [i, value] of values.entries()) {
          if (value !== '') definitions.push('-D', `${name(String(i + 1))}=${parameterText(value)}`);
        }
        // An empty text cannot be given to it as a parameter.
        const sql = text.replaceAll(/\$(\d+)/g, (_, digits: string) =>
          values[Number(digits) - 1] === '' ? "''" : `:${name(digits)}`,
        );
        const one = sql.split(';').map((part) => `${part.trim().replaceAll(/\s+/g, ' ')};`);
        return [
          ...(place === 0 || last ? ['\\startpipeline'] : []),
          ...one,
          ...(place === list.length - 3 || place === list.length - 1 ? ['\\endpipeline'] : []),
        ];
      });
      writeFileSync(file, `${lines.join('\n')}\n`);
      return file;
    });
    const run = spawnSync(
      'pgbench',
      [
        ...['--no-vacuum', '--protocol=prepared', `--client=${connections}`, '--jobs=2', `--time=${seconds}`],
        ...definitions,
        ...files.flatMap((file) => ['-f', file]),
        url,
      ],
      { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    );
    const perSecond = /^tps = ([0-9.]+)/m.exec(run.stdout)?.[1];
    if (run.status !== 0 || perSecond === undefined) throw new Error(`pgbench: ${run.stderr.slice(0, 2000)}`);
    return { tool: 'pgbench', perSecond: Math.round(Number(perSecond)) };
  } finally {
    rmSync(directory, { recursive: true });
  }
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
  return { tool: 'pg', perSecond: Math.round((done * 1000) / (performance.now() - started)) };
}
