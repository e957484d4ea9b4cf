/**
 * Compares imports of large reports with the fixed yardstick (new) or `JSON.parse` (unchanged), and measures memory.
 */
import { say } from '../../server/src/commands/output.ts';
import type { Bench } from '../bench.ts';
import { type ImportRun, importInProcess } from '../import-in-process.ts';
import type { ReportKind, ReportShape } from '../reports.ts';
import { comparedRow, plainRow, type Row, thousands } from '../row.ts';
import { asOwner, createEmptyWorkspace } from '../workspace.ts';
import { type CopyFigures, measureYardstick } from '../yardstick/copy.ts';

export async function importRows(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  let peakMb = 0;
  // The first import warms the disk cache.
  const { slug } = await createEmptyWorkspace(bench.open, 'warm');
  const shape = { from: 0, to: Math.min(1_000, bench.size.findings), changed: 0 };
  await importInProcess(bench.dataDir, 'packages', [{ slug, shape }]);
  for (const kind of ['packages', 'code'] as const) {
    const measured = await measureKind(bench, kind);
    peakMb = Math.max(peakMb, ...measured.runs.map((run) => run.peakMb));
    rows.push(...measured.rows);
  }
  rows.push(
    plainRow({
      work: `memory, import of ${thousands(bench.size.findings)} findings`,
      measured: { value: peakMb, unit: 'MB' },
      aim: { atMost: 500 },
    }),
  );
  const { largestReport } = bench.size;
  if (largestReport !== null) rows.push(await largestRow(bench, largestReport));
  return rows;
}

/** Imports into a new workspace, in which all findings of the first report are new. */
async function measureKind({ open, dataDir, size }: Bench, kind: ReportKind) {
  const { findings } = size;
  const { slug } = await createEmptyWorkspace(open, 'imports');
  const copy = (): Promise<CopyFigures> => asOwner(open, (owner) => measureYardstick(owner, kind, findings));
  const original = { from: 0, to: findings, changed: 0, createdAt: '2031-01-01T00:00:00Z' };
  /** Imports the original report with each of these changes, one after another in one process. */
  const run = async (name: string, ...changes: Partial<ReportShape>[]): Promise<ImportRun> => {
    const reports = changes.map((change) => ({ slug, shape: { ...original, ...change } }));
    const figures = await importInProcess(dataDir, kind, reports);
    say(`${kind}, ${name}: ${figures.receiveMs + figures.processMs} ms`);
    return figures;
  };
  const missing = Math.floor(findings / 10);
  // The yardstick is measured before and after, so that other load on the machine affects both.
  const before = await copy();
  const created = await run('new', {});
  const after = await copy();
  const unchanged = await run('unchanged', {});
  const timed = await run('unchanged but for its time', { createdAt: '2031-01-02T00:00:00Z' });
  // Another remark changes the bytes, so the report is read and its findings are compared.
  const other = await run('unchanged, other bytes', { remark: 'a remark' });
  // A process for imports runs while there is work.
  const otherAgain = await run(
    'unchanged, other bytes, once more',
    { remark: 'another' },
    { remark: 'a third' },
  );
  // A tenth of the findings is missing, a tenth is new, and a tenth of the others has another severity.
  const mixed = await run('mixed', { from: missing, to: missing + findings, changed: 10 });
  const copyMs = Math.round((before.ms + after.ms) / 2);
  const work = (name: string): string => `import of ${thousands(findings)} findings (${kind}), ${name}`;
  const wholeMs = (figures: ImportRun) => ({ value: figures.receiveMs + figures.processMs, unit: 'ms' });
  return {
    // The memory is that of one import.
    runs: [created, unchanged, timed, other, mixed],
    rows: [
      comparedRow({
        work: work('new'),
        yardstick: [`COPY of ${thousands(before.rows)} rows`, copyMs],
        measured: wholeMs(created),
        aim: { atMost: 1.3 },
        details: { ...created, yardstick: [before, after] },
      }),
      ...[
        { name: 'unchanged', figures: unchanged, aim: { atMost: 8 } },
        { name: 'unchanged but for its time', figures: timed, aim: { atMost: 8 } },
        { name: 'unchanged, other bytes', figures: other, aim: { atMost: 8 } },
        {
          name: 'unchanged, other bytes, in a process that has read such a report',
          figures: otherAgain,
          aim: null,
        },
      ].map(({ name, figures, aim }) =>
        comparedRow({
          work: work(name),
          yardstick: [`JSON.parse of ${figures.reportMb} MB`, figures.jsonParseMs],
          measured: wholeMs(figures),
          aim,
          details: figures,
        }),
      ),
      comparedRow({
        work: work('mixed'),
        yardstick: [`COPY of ${thousands(before.rows)} rows`, copyMs],
        measured: wholeMs(mixed),
        aim: null,
        details: mixed,
      }),
    ],
  };
}

async function largestRow({ open, dataDir }: Bench, findings: number): Promise<Row> {
  const { slug } = await createEmptyWorkspace(open, 'largest');
  const figures = await importInProcess(dataDir, 'packages', [
    { slug, shape: { from: 0, to: findings, changed: 0 } },
  ]);
  return plainRow({
    work: `memory, import of the largest report (${thousands(findings)} findings, ${figures.reportMb} MB)`,
    measured: { value: figures.peakMb, unit: 'MB' },
    aim: { atMost: 1_000 },
    details: figures,
  });
}
