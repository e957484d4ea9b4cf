/** Runs changed reports of every format through the parsers. */
import assert from 'node:assert/strict';
import { parseReport } from '../../src/parsers/parse-report.ts';
import { type Report, ReportError } from '../../src/parsers/report.ts';
import { canary, checkReport } from './check-report.ts';
import { pickSample, type Sample, write } from './corpus.ts';
import { type FuzzJob, type FuzzRow, Tally } from './fuzz-job.ts';
import { minimise, mutate, spoil } from './mutate.ts';
import { Random } from './random.ts';

/** This share of the inputs is changed as text and not only in its structure. */
const spoiledShare = 0.1;
/** One in this many inputs is parsed twice, to compare the results. That doubles its time. */
const repeatedEvery = 50;

export interface Input {
  sample: Sample;
  tree: unknown;
  text: string;
}

/** The changed report of this number. */
export function inputOf(samples: readonly Sample[], random: Random): Input {
  const sample = pickSample(samples, random);
  const tree = JSON.parse(sample.tree);
  const done = mutate(tree, () => JSON.parse(pickSample(samples, random).tree), random);
  // A secret that was moved to another field is no longer recognised as one.
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

/** The smallest report that fails. */
function smallest({ sample, tree, text }: Input): string {
  const fails = (candidate: unknown): boolean => problemOf(write(sample.syntax, candidate)) !== null;
  return fails(tree) ? write(sample.syntax, minimise(tree, fails)) : text;
}

/** Replaces each secret by one that can be found again. */
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

/** `samples` are of the job's format. */
export function fuzzParser(job: FuzzJob, samples: readonly Sample[], deadline: number): FuzzRow {
  const own = samples.map(withCanaries);
  const tally = new Tally(job);
  for (const number of tally.numbers(deadline)) {
    const input = inputOf(own, new Random(`${job.seed}:${job.part}:${number}`));
    const bytes = Buffer.from(input.text);
    try {
      const { format, report, found } = checkReport(bytes);
      if (report !== null && number % repeatedEvery === 0) {
        assert.deepEqual(parseReport(bytes), report, 'it reads differently again');
      }
      tally.accepted += format === null ? 0 : 1;
      tally.found += found > 0 ? 1 : 0;
    } catch (problem) {
      tally.fail(number, problem, `${input.sample.name}, smallest: ${smallest(input)}`);
    }
  }
  return tally.row();
}
