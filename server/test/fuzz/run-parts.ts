/** The share of the tests of one level: every part of it with the same number of inputs. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { seedOf } from '../support/form.ts';
import type { FuzzJob, FuzzRow } from './fuzz-job.ts';
import { describeRows, partsOf } from './plan.ts';
import { runJob } from './run-job.ts';

const seed = String(seedOf(20_260_729));
// This is only an upper bound, because the number of inputs ends the run earlier.
const milliseconds = 240_000;

export async function runParts(
  t: TestContext,
  level: FuzzJob['level'],
  inputs: number,
  parts = partsOf(level),
) {
  const rows: FuzzRow[] = [];
  for (const part of parts) {
    rows.push(await runJob({ level, part, corpus: 'fixtures', seed, first: 0, inputs }, milliseconds));
  }
  t.diagnostic(`seed ${seed}\n${describeRows(rows)}`);
  assert.deepEqual(
    rows.flatMap(({ failures }) => failures),
    [],
  );
  const sum = (of: 'inputs' | 'accepted' | 'found') => rows.reduce((all, row) => all + row[of], 0);
  return { rows, total: { inputs: sum('inputs'), accepted: sum('accepted'), found: sum('found') } };
}
