/**
 * Reports of every format, changed by their structure, through the parsers. Each input has a number; seed, format and
 * number repeat it: `FUZZ_REPEAT=trivy:4711 TEST_SEED=… npm run fuzz`.
 */
import assert from 'node:assert/strict';
import { parseReport } from '../../src/formats/detect.ts';
import { type Report, ReportError } from '../../src/formats/report.ts';
import { canary, checkReport } from './check-report.ts';
import { type Sample, write } from './corpus.ts';
import { minimise, mutate, spoil } from './mutate.ts';
import { Random } from './random.ts';

export interface Totals {
  inputs: number;
  /** Recognised as some format. */
  recognised: number;
  /** With findings, statements or packages. */
  found: number;
  ms: number;
}

interface ParserFuzz {
  seed: string;
  samples: Sample[];
  inputsOfFormat: number;
  /** Milliseconds of `performance.now()`. */
  deadline: number;
}

/** One in so many is changed as text, not by its structure. */
const spoiledShare = 0.04;
/** One in so many is read twice, to compare. */
const repeatedShare = 0.1;

interface Input {
  sample: Sample;
  tree: unknown;
  text: string;
}

function inputOf(samples: Sample[], seed: string, format: string, number: number): Input {
  const random = new Random(`${seed}:${format}:${number}`);
  const sample = random.pick(samples);
  const tree = JSON.parse(sample.tree);
  const donor = JSON.parse(random.pick(samples).tree);
  const done = mutate(tree, donor, random);
  // A secret that was moved to another field is no secret there.
  const moved = done.some((change) => change === 'swap' || change === 'graft');
  const written = write(sample.syntax, tree);
  const plain = moved ? written.replaceAll(canary, 'plain-') : written;
  const text = random.chance(spoiledShare) ? spoil(plain, random) : plain;
  return { sample, tree, text };
}

function problemOf(text: string): unknown {
  try {
    checkReport(Buffer.from(text));
    return null;
  } catch (error) {
    return error;
  }
}

function fail(
  seed: string,
  format: string,
  number: number,
  { sample, tree, text }: Input,
  problem: unknown,
): never {
  const fails = (candidate: unknown): boolean => problemOf(write(sample.syntax, candidate)) !== null;
  const small = fails(tree) ? write(sample.syntax, minimise(tree, fails)) : text;
  assert.fail(
    [
      `${sample.name}: ${problem instanceof Error ? problem.stack : problem}`,
      `repeat: FUZZ_REPEAT=${format}:${number} TEST_SEED=${seed} npm run fuzz`,
      `smallest: ${small.slice(0, 4_000)}`,
    ].join('\n'),
  );
}

/** Each secret replaced by one that can be found again. */
function withCanaries(sample: Sample): Sample {
  let report: Report;
  try {
    report = parseReport(Buffer.from(write(sample.syntax, JSON.parse(sample.tree))));
  } catch (error) {
    if (error instanceof ReportError) return sample;
    throw error;
  }
  const secrets = report.runs.flatMap(({ findings }) => findings.map(({ secret }) => secret?.value ?? ''));
  const values = [...new Set(secrets)].filter((value) => value.length >= 8);
  const tree = values.reduce(
    (text, value, i) => text.replaceAll(JSON.stringify(value).slice(1, -1), `${canary}${i}-feather`),
    sample.tree,
  );
  return { ...sample, tree };
}

/** Gives the totals of each format. */
export function fuzzParsers({ seed, samples, inputsOfFormat, deadline }: ParserFuzz): Map<string, Totals> {
  const totals = new Map<string, Totals>();
  const repeat = /^([a-z-]+):([0-9]+)$/.exec(process.env.FUZZ_REPEAT ?? '');
  for (const [format, own] of Map.groupBy(samples.map(withCanaries), (sample) => sample.format)) {
    if (repeat && repeat[1] !== format) continue;
    const sum: Totals = { inputs: 0, recognised: 0, found: 0, ms: 0 };
    totals.set(format, sum);
    const started = performance.now();
    // What one format leaves of the time is there for the next ones.
    const left = new Set(samples.map((sample) => sample.format)).size - totals.size + 1;
    const end = Math.min(deadline, started + (deadline - started) / left);
    const first = Number(repeat?.[2] ?? 0);
    for (let number = first; number < first + (repeat ? 1 : inputsOfFormat); number++) {
      if (performance.now() > end) break;
      const input = inputOf(own, seed, format, number);
      const bytes = Buffer.from(input.text);
      let outcome: ReturnType<typeof checkReport>;
      try {
        outcome = checkReport(bytes);
      } catch (problem) {
        fail(seed, format, number, input, problem);
      }
      if (outcome.report !== null && number % (1 / repeatedShare) === 0) {
        assert.deepEqual(parseReport(bytes), outcome.report, `${format}:${number} reads differently again`);
      }
      sum.inputs++;
      sum.recognised += outcome.format === null ? 0 : 1;
      sum.found += outcome.found > 0 ? 1 : 0;
    }
    sum.ms = performance.now() - started;
  }
  return totals;
}

/** A table for people. */
export function describeTotals(totals: ReadonlyMap<string, Totals>): string {
  const rows = [...totals].map(([format, { inputs, recognised, found, ms }]) =>
    [
      format.padEnd(18),
      String(inputs).padStart(9),
      `${((100 * recognised) / Math.max(1, inputs)).toFixed(1)} %`.padStart(12),
      `${((100 * found) / Math.max(1, inputs)).toFixed(1)} %`.padStart(12),
      `${(ms / 1000).toFixed(1)} s`.padStart(9),
    ].join(' '),
  );
  return [`${'format'.padEnd(18)}    inputs   recognised   with rows      time`, ...rows].join('\n');
}
