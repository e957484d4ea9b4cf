/** Runs one import by `import-once.ts` in its own process, with a report made for it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImportFigures } from './import-once.ts';
import { benchReport, type ReportKind, type ReportShape } from './reports.ts';

/** The report goes into `acme/shop` of the workspace. */
export async function importInProcess(
  dataDir: string,
  slug: string,
  kind: ReportKind,
  shape: ReportShape,
): Promise<ImportFigures> {
  const directory = mkdtempSync(join(tmpdir(), 'merlon-bench-'));
  try {
    const file = join(directory, 'report.json');
    writeFileSync(file, benchReport(kind, shape));
    const program = fileURLToPath(new URL('import-once.ts', import.meta.url));
    const child = spawn(process.execPath, [...process.execArgv, program, dataDir, slug, 'acme/shop', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    const [code] = (await once(child, 'close')) as [number];
    if (code !== 0) throw new Error(`the import ended with ${code}`);
    return JSON.parse(Buffer.concat(pieces).toString()) as ImportFigures;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
