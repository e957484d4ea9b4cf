/**
 * `node benchmarks/reading.ts [packages|code] [FINDINGS]`: measures the step from the bytes of a report to its prepared
 * findings, compared with `JSON.parse` of the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareReport } from '../server/src/ingest/prepare/prepare-report.ts';
import { parseReport } from '../server/src/parsers/parse-report.ts';
import { benchReport, type ReportKind } from './reports.ts';

export interface ReadingFigures {
  /** The fastest of three rounds, which alternate with those of `readMs`. */
  jsonParseMs: number;
  readMs: number;
  /** The processor time of all threads for one reading. */
  cpuMs: number;
  ratio: number;
  /** The highest resident memory of a process that reads the report once, including its bytes. */
  peakMb: number;
}

// The young generation has the same size in the parser's thread.
const heapFlags = ['--max-semi-space-size=8'];
const rounds = 3;

/** Measures time and memory, each in a separate process. */
export function measureReading(kind: ReportKind, findings: number): ReadingFigures {
  const directory = mkdtempSync(join(tmpdir(), 'merlon-reading-'));
  try {
    const file = join(directory, 'report.json');
    writeFileSync(file, benchReport(kind, { from: 0, to: findings, changed: 0 }));
    const program = fileURLToPath(import.meta.url);
    const child = (measure: string): object =>
      JSON.parse(
        execFileSync(process.execPath, [...heapFlags, program, measure, file], { encoding: 'utf8' }),
      );
    return { ...child('time'), ...child('memory') } as ReadingFigures;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function read(bytes: Buffer): void {
  prepareReport(parseReport(bytes), Buffer.alloc(32));
}

function measureTime(bytes: Buffer): Omit<ReadingFigures, 'peakMb'> {
  const parsing: number[] = [];
  const reading: number[] = [];
  const processor: number[] = [];
  for (let round = 0; round < rounds; round++) {
    parsing.push(timeOf(() => JSON.parse(new TextDecoder().decode(bytes))));
    const before = process.cpuUsage();
    reading.push(timeOf(() => read(bytes)));
    const { user, system } = process.cpuUsage(before);
    processor.push((user + system) / 1000);
  }
  const [jsonParseMs, readMs, cpuMs] = [parsing, reading, processor].map((times) => Math.min(...times));
  const ratio = Math.round(((readMs ?? 0) / (jsonParseMs ?? 1)) * 10) / 10;
  return {
    jsonParseMs: Math.round(jsonParseMs ?? 0),
    readMs: Math.round(readMs ?? 0),
    cpuMs: Math.round(cpuMs ?? 0),
    ratio,
  };
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Works on Linux only, like the other measurements of memory. */
function measureMemory(bytes: Buffer): { peakMb: number } {
  read(bytes);
  const kb = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return { peakMb: Math.round(Number(kb) / 1024) };
}

if (import.meta.main) {
  const [first = 'packages', second = '100000'] = process.argv.slice(2);
  const figures =
    first === 'time'
      ? measureTime(readFileSync(second))
      : first === 'memory'
        ? measureMemory(readFileSync(second))
        : measureReading(first as ReportKind, Number(second));
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}
