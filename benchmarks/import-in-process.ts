/** Runs `import-once.ts` in a separate process, with a generated report. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { flagsOf } from '../server/src/commands/processes/process-flags.ts';
import type { ImportFigures } from './import-once.ts';
import { timeJsonParse } from './json-parse.ts';
import { watchPeak } from './process-memory.ts';
import { benchReport, type ReportKind, type ReportShape } from './reports.ts';

export interface ImportRun extends ImportFigures {
  reportMb: number;
  /** The time of `JSON.parse` of the same bytes in this process, the median of three. */
  jsonParseMs: number;
  /** The highest resident memory of the importing process and its child processes. */
  peakMb: number;
}

/** Imports the report into `acme/shop` of each workspace. Returns the figures of the last import. */
export async function importInProcess(
  dataDir: string,
  slugs: string | string[],
  kind: ReportKind,
  shape: ReportShape,
): Promise<ImportRun> {
  const directory = mkdtempSync(join(tmpdir(), 'merlon-bench-'));
  try {
    const file = join(directory, 'report.json');
    const bytes = Buffer.from(benchReport(kind, shape));
    writeFileSync(file, bytes);
    const program = fileURLToPath(new URL('import-once.ts', import.meta.url));
    // The flags are those of the process for imports of `serve`.
    const child = spawn(
      process.execPath,
      [...flagsOf.imports, program, dataDir, 'acme/shop', file, ...[slugs].flat()],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, NODE_COMPILE_CACHE: join(dataDir, 'compiled') },
      },
    );
    const peak = watchPeak(Number(child.pid));
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    const [code] = (await once(child, 'close')) as [number];
    const peakMb = peak();
    if (code !== 0) throw new Error(`the import ended with ${code}`);
    const figures = JSON.parse(Buffer.concat(pieces).toString()) as ImportFigures;
    return {
      ...figures,
      peakMb,
      reportMb: Math.round(bytes.length / 1e6),
      jsonParseMs: timeJsonParse(bytes),
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
