/** What a vulnerability takes on disk with all that hangs on it, tables and indexes. */
import { type Bench, bytesPerVulnerability } from '../bench.ts';
import { plainRow, type Row } from '../row.ts';

export async function diskRows(bench: Bench): Promise<Row[]> {
  return [
    plainRow({
      work: `disk, of ${bench.size.vulnerabilities} vulnerabilities`,
      measured: { value: await bytesPerVulnerability(bench), unit: 'bytes each' },
      aim: { atMost: 2_500 },
    }),
  ];
}
