/**
 * Measures reading alone, in a process of its own: from the bytes of a report to its prepared findings, without
 * database and encryption, beside `JSON.parse` of the same bytes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepareReport } from '../server/src/ingest/prepare/identity.ts';
import { parseDocument } from '../server/src/parsers/detect.ts';
import { decodeReport } from '../server/src/parsers/reading/decode.ts';
import { timeJsonParse } from './json-parse.ts';
import { benchConfig } from './options.ts';
import { benchReport, type ReportKind } from './reports.ts';
import { round2 } from './row.ts';

export interface ReadingFigures {
  jsonParseMs: number;
  readMs: number;
  /** The processor time of all threads while it reads. */
  cpuMs: number;
  /** The time of reading by that of `JSON.parse`. */
  ratio: number;
  /** The highest resident memory of the process, which has the bytes of the report. */
  peakMb: number;
}

const program = fileURLToPath(import.meta.url);

export async function measureReading(kind: ReportKind, findings: number): Promise<ReadingFigures> {
  const child = spawn(process.execPath, ['--expose-gc', program, kind, String(findings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`reading ended with ${code}`);
  return JSON.parse(Buffer.concat(pieces).toString()) as ReadingFigures;
}

if (process.argv[1] === program) {
  const [, , kind, findings] = process.argv;
  const bytes = Buffer.from(
    benchReport(kind === 'code' ? 'code' : 'packages', { from: 0, to: Number(findings), changed: 0 }),
  );
  const jsonParseMs = timeJsonParse(bytes);
  const config = benchConfig('data');
  const limits = {
    maxFindings: config.maxFindings,
    maxNesting: config.maxNesting,
    maxTextLength: config.maxTextKb * 1024,
    maxInflatedBytes: config.maxInflatedMb * 1024 * 1024,
    maxInflationRatio: config.maxInflationRatio,
  };
  const key = Buffer.alloc(32);
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  prepareReport(parseDocument(decodeReport(bytes, limits), { format: 'auto', limits }), key);
  const readMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpuBefore);
  const kb = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  const figures: ReadingFigures = {
    jsonParseMs,
    readMs: Math.round(readMs),
    cpuMs: Math.round((user + system) / 1000),
    ratio: round2(readMs / jsonParseMs),
    peakMb: Math.round(Number(kb) / 1024),
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}
