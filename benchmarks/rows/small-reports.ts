/**
 * Compares the time for each finding of a small report with that of a larger report, which shows the fixed costs of an
 * import. It is measured in a process that has imported before, like that of the service, and in a new process.
 */
import type { Bench } from '../bench.ts';
import { importInProcess, type ReportImport } from '../import-in-process.ts';
import type { ReportKind } from '../reports.ts';
import { comparedRow, medianOf, type Row, round2, thousands } from '../row.ts';
import { createEmptyWorkspace } from '../workspace.ts';

const runs = 3;
// From the third import on, the time does not change.
const warmImports = 3;

export async function smallReportRows(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kind of ['packages', 'code'] as const) {
    for (const imports of [warmImports, 1]) {
      const [small, large] = bench.size.smallReports;
      const [times, largeTimes]: [number[], number[]] = [[], []];
      for (let run = 0; run < runs; run++) {
        times.push(await microseconds(bench, kind, small, imports));
        largeTimes.push(await microseconds(bench, kind, large, imports));
      }
      rows.push(
        comparedRow({
          work: `import of ${thousands(small)} findings (${kind}), new${imports === 1 ? ', the first of a process' : ''}`,
          yardstick: [`${thousands(large)} findings`, round2(medianOf(largeTimes))],
          measured: { value: round2(medianOf(times)), unit: 'µs a finding' },
          aim: imports === 1 ? null : { atMost: 1.5 },
          details: { times, largeTimes },
        }),
      );
    }
  }
  return rows;
}

async function microseconds(
  { open, dataDir }: Bench,
  kind: ReportKind,
  findings: number,
  imports: number,
): Promise<number> {
  const shape = { from: 0, to: findings, changed: 0 };
  const all: ReportImport[] = [];
  for (let n = 0; n < imports; n++)
    all.push({ slug: (await createEmptyWorkspace(open, 'small')).slug, shape });
  const figures = await importInProcess(dataDir, kind, all);
  return round2(((figures.receiveMs + figures.processMs) * 1000) / findings);
}
