/** The jobs of a fuzz, and the table of their results. */
import { formatsOfFixtures } from './corpus.ts';
import type { FuzzJob, FuzzRow } from './fuzz-job.ts';

interface Kind {
  level: FuzzJob['level'];
  parts: readonly string[];
  /** The share of all inputs. */
  share: number;
  /** Measured milliseconds of a core for one input. The time of the run is divided by these. */
  cost: number;
}

// Formats without findings have nothing to close.
const closable = formatsOfFixtures.filter((format) => !['csaf', 'openvex', 'spdx'].includes(format));

const kinds: readonly Kind[] = [
  { level: 'parser', parts: formatsOfFixtures, share: 0.924, cost: 1 },
  { level: 'service', parts: closable, share: 0.002, cost: 200 },
  { level: 'api', parts: ['operations'], share: 0.05, cost: 6 },
  { level: 'api', parts: ['unknown-names', 'cursors'], share: 0.02, cost: 6 },
  { level: 'api', parts: ['uploads'], share: 0.004, cost: 30 },
];

export function partsOf(level: FuzzJob['level']): readonly string[] {
  return kinds.filter((kind) => kind.level === level).flatMap(({ parts }) => parts);
}

export interface PlannedJob {
  job: FuzzJob;
  cost: number;
}

/** The most expensive job comes first, so that both processes end at about the same time. */
export function planJobs(inputs: number, seed: string): PlannedJob[] {
  return kinds
    .flatMap(({ level, parts, share, cost }) => {
      const each = Math.ceil((inputs * share) / parts.length);
      return parts.map((part) => ({
        job: { level, part, corpus: 'all' as const, seed, first: 0, inputs: each },
        cost: each * cost,
      }));
    })
    .sort((a, b) => b.cost - a.cost);
}

/** `LEVEL:PART:NUMBER:CORPUS`, as in the message of a failure; `NUMBER+COUNT` means several. */
export function repeatedJob(text: string, seed: string): PlannedJob {
  const found = /^(parser|service|api):([a-z-]+):([0-9]+)(?:\+([0-9]+))?:(fixtures|all)$/.exec(text);
  if (!found)
    throw new Error(`FUZZ_REPEAT is ${text}; it must be as a failure says it, such as parser:trivy:4711:all`);
  const [, level, part = '', number, count = '1', corpus] = found;
  const range = { first: Number(number), inputs: Number(count) };
  return { job: { level, part, corpus, seed, ...range } as FuzzJob, cost: 1 };
}

const head = ['level', 'format', 'inputs', 'past detection', 'with findings', 'failures', 'seconds'];

/** A table for people, with one line for the sum. */
export function describeRows(rows: readonly FuzzRow[], which: 'whole' | 'no head' = 'whole'): string {
  const lines = rows.map(cellsOf);
  if (which === 'no head') return lines.map(lineOf).join('\n');
  const sum = (value: (row: FuzzRow) => number): number => rows.reduce((total, row) => total + value(row), 0);
  const total = cellsOf({
    level: 'parser',
    part: '',
    inputs: sum(({ inputs }) => inputs),
    accepted: sum(({ accepted }) => accepted),
    found: sum(({ found }) => found),
    failures: rows.flatMap(({ failures }) => failures),
    seconds: sum(({ seconds }) => seconds),
  });
  const ordered = lines.sort((a, b) => `${a[0]} ${a[1]}`.localeCompare(`${b[0]} ${b[1]}`));
  return [head, ...ordered, ['total', ...total.slice(1)]].map(lineOf).join('\n');
}

function cellsOf({ level, part, inputs, accepted, found, failures, seconds }: FuzzRow): string[] {
  return [level, part, inputs, accepted, found, failures.length, seconds.toFixed(1)].map(String);
}

function lineOf(cells: readonly string[]): string {
  return cells.map((cell, i) => (i < 2 ? cell.padEnd(i === 0 ? 8 : 18) : cell.padStart(15))).join('');
}
