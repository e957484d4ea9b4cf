/** Compares the step from the bytes of a report to its prepared findings with `JSON.parse` of the same bytes. */
import type { Bench } from '../bench.ts';
import { measureReading } from '../reading.ts';
import { comparedRow, type Row, thousands } from '../row.ts';

export async function readingRows({ size }: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [kind, format] of [
    ['packages', 'Trivy'],
    ['code', 'SARIF'],
  ] as const) {
    const figures = await measureReading(kind, size.findings);
    rows.push(
      comparedRow({
        work: `reading ${thousands(size.findings)} findings (${format})`,
        yardstick: ['JSON.parse', figures.jsonParseMs],
        measured: { value: figures.readMs, unit: 'ms' },
        aim: { atMost: 3 },
        details: figures,
      }),
    );
  }
  return rows;
}
