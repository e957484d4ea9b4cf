/** Runs `import-once.ts` in a separate process, with a generated report. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flagsOf } from '../server/src/commands/processes/process-flags.ts';
import type { ImportFigures } from './import-once.ts';
import { timeJsonParse } from './json-parse.ts';
import { watchPeak } from './process-memory.ts';
import { benchReport, type ReportKind, type ReportShape } from './reports.ts';
import { runProgram } from './run-program.ts';

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
    let peak = (): number => 0;
    const figures = await runProgram<ImportFigures>(
      'import-once.ts',
      [dataDir, 'acme/shop', file, ...[slugs].flat()],
      {
        // The flags are those of the process for imports of `serve`.
        flags: flagsOf.imports,
        env: { NODE_COMPILE_CACHE: join(dataDir, 'compiled') },
        started: (processId) => {
          peak = watchPeak(processId);
        },
      },
    );
    return {
      ...figures,
      peakMb: peak(),
      reportMb: Math.round(bytes.length / 1e6),
      jsonParseMs: timeJsonParse(bytes),
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
