/** Changed reports of every format through the parsers: read or refused, in time, within the limits, without a secret. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { readAllSamples, readFixtures, realSamples } from './corpus.ts';
import { describeTotals, fuzzParsers } from './parser-fuzz.ts';

const full = process.env.TEST_FULL === '1';
const seed = process.env.TEST_SEED ?? (full ? String(Date.now()) : '20260729');
// In the long form all but what the other levels do of a million; the rest ends by time.
const inputsOfFormat = Number(process.env.FUZZ_INPUTS ?? (full ? 1_000_000 : 0)) / 18 || 500;
const seconds = Number(process.env.FUZZ_SECONDS ?? 3_600);
// Kept texts, compiled code and the largest of the inputs; a leak of a kilobyte an input is more after a minute.
const mostGrowth = 512 * 1024 ** 2;

test('changed reports of every format are read or refused, and what is read obeys the limits', (t) => {
  const samples = full ? readAllSamples() : readFixtures();
  if (full && !realSamples.every((folder) => existsSync(folder)))
    t.diagnostic('../shared is not here: fixtures alone');
  const before = process.memoryUsage().rss;
  const deadline = performance.now() + seconds * 1000;
  const totals = fuzzParsers({ seed, samples, inputsOfFormat: Math.ceil(inputsOfFormat), deadline });
  t.diagnostic(`seed ${seed}\n${describeTotals(totals)}`);
  const growth = process.memoryUsage().rss - before;
  assert.ok(growth < mostGrowth, `grew by ${growth} bytes`);
  assert.equal(({} as { level?: string }).level, undefined, 'no prototype is changed');
  if (process.env.FUZZ_REPEAT) return;
  assert.ok(totals.size >= 18, `${totals.size} formats`);
  const sums = [...totals.values()].reduce((sum, { inputs, recognised, found }) => ({
    inputs: sum.inputs + inputs,
    recognised: sum.recognised + recognised,
    found: sum.found + found,
    ms: 0,
  }));
  t.diagnostic(`total ${sums.inputs}, recognised ${sums.recognised}, with rows ${sums.found}`);
  assert.ok(sums.recognised > 0.8 * sums.inputs, 'most pass the detection');
});
