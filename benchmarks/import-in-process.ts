/** Runs `import-in-turn.ts` in a separate process, with generated reports. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flagsOf } from '../server/src/commands/processes/process-flags.ts';
import type { ImportFigures } from './import-in-turn.ts';
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

export interface ReportImport {
  /** The workspace. The report is imported into its repository `acme/shop`. */
  slug: string;
  shape: ReportShape;
  /** The reference; `main` without it. */
  ref?: string;
}

/** Imports the reports one after another in one process. Returns the figures of the last import. */
export async function importInProcess(
  dataDir: string,
  kind: ReportKind,
  imports: ReportImport[],
): Promise<ImportRun> {
  const directory = mkdtempSync(join(tmpdir(), 'merlon-bench-'));
  try {
    let bytes = Buffer.alloc(0);
    const reports: string[] = [];
    for (const [index, { slug, shape, ref = 'main' }] of imports.entries()) {
      const file = join(directory, `report-${index}.json`);
      bytes = Buffer.from(benchReport(kind, shape));
      writeFileSync(file, bytes);
      reports.push(slug, file, ref);
    }
    let peak = (): number => 0;
    const figures = await runProgram<ImportFigures>('import-in-turn.ts', [dataDir, 'acme/shop', ...reports], {
      // The flags are those of the process for imports of `serve`.
      flags: flagsOf.imports,
      env: { NODE_COMPILE_CACHE: join(dataDir, 'compiled') },
      started: (processId) => {
        peak = watchPeak(processId);
      },
    });
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
