/**
 * `npm run fuzz` sends a million mutated reports and requests to three levels (parser, service, API), in two parallel
 * processes, and prints a table of the results. `FUZZ_INPUTS` and `FUZZ_SECONDS` limit it, `TEST_SEED` repeats it,
 * `FUZZ_REPEAT` runs the single input that a failure names.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { FuzzJob, FuzzRow } from '../server/test/fuzz/fuzz-job.ts';
import { describeRows, planJobs, repeatedJob } from '../server/test/fuzz/plan.ts';
import { openTestPostgres } from './test-database.ts';

const seconds = Number(process.env.FUZZ_SECONDS ?? 1_800);
const seed = process.env.TEST_SEED ?? String(Date.now());
const repeated = process.env.FUZZ_REPEAT;
const planned = repeated
  ? [repeatedJob(repeated, seed)]
  : planJobs(Number(process.env.FUZZ_INPUTS ?? 1_000_000), seed);
// A small machine has two cores, and two processes also show failures that only load causes.
const processes = 2;

const end = performance.now() + seconds * 1000;
const waiting = [...planned];
const running = new Set<(typeof planned)[number]>();
const rows: FuzzRow[] = [];
process.stdout.write(`seed ${seed}, at most ${seconds} s\n`);
const postgres = await openTestPostgres();
try {
  await Promise.all(Array.from({ length: processes }, work));
} finally {
  await postgres.close();
}
process.stdout.write(`\n${describeRows(rows)}\n`);
const failed = rows.some(({ failures }) => failures.length > 0);
process.exitCode = failed || rows.length === 0 ? 1 : 0;

/** A job gets a part of the remaining time, in proportion to its cost. */
function millisecondsFor(cost: number): number {
  const rest = [...waiting, ...running].reduce((sum, job) => sum + job.cost, 0);
  return Math.max(0, end - performance.now()) * Math.min(1, (processes * cost) / Math.max(rest, 1e-9));
}

/** Runs jobs until none waits. A process runs several jobs as long as it lives. */
async function work(): Promise<void> {
  let child: ChildProcess | null = null;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    running.add(next);
    child ??= fork(new URL('../server/test/fuzz/fuzz-process.ts', import.meta.url), {
      env: { ...process.env, ...postgres.env },
      // The closing hooks of the test database would write the summary of a test run, but this is not one.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const row = await runIn(child, next.job, millisecondsFor(next.cost));
    running.delete(next);
    rows.push(row);
    process.stdout.write(
      `${describeRows([row], 'no head')}\n${row.failures.map((text) => `${text}\n`).join('')}`,
    );
    if (!child.connected) child = null;
  }
  if (child === null) return;
  child.disconnect();
  await once(child, 'exit');
}

/** A job fails if its process dies. */
async function runIn(child: ChildProcess, job: FuzzJob, milliseconds: number): Promise<FuzzRow> {
  const ended = new AbortController();
  const { signal } = ended;
  const started = performance.now();
  child.send({ job, milliseconds });
  const row = await Promise.race([
    once(child, 'message', { signal }).then(([message]) => message as FuzzRow),
    once(child, 'exit', { signal }).then(([code, by]): FuzzRow => {
      const { level, part, first, corpus } = job;
      const failures = [
        `the process ended (${code ?? by})\nrepeat: FUZZ_REPEAT=${level}:${part}:${first}+${job.inputs}:${corpus} TEST_SEED=${job.seed} npm run fuzz`,
      ];
      const taken = (performance.now() - started) / 1000;
      return { level, part, inputs: 0, accepted: 0, found: 0, failures, seconds: taken };
    }),
  ]);
  ended.abort();
  return row;
}
