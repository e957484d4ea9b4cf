/** Measures the disk space of a vulnerability with its dependent rows, in tables and indexes. */
import { type Bench, bytesOf } from '../bench.ts';
import { plainRow, type Row, thousands } from '../row.ts';

export async function diskRows(bench: Bench): Promise<Row[]> {
  const { vulnerabilities, growth } = bench.size;
  // The 500 repositories take much of the space of a small workspace, so the space of a smaller one with as many
  // repositories is subtracted.
  const from = growth.from < vulnerabilities ? growth.from : 0;
  const fromBytes = from === 0 ? 0 : await bytesOf(bench, from);
  const bytes = (await bytesOf(bench, vulnerabilities)) - fromBytes;
  return [
    plainRow({
      work: `disk, from ${thousands(from)} to ${thousands(vulnerabilities)} vulnerabilities`,
      measured: { value: Math.round(bytes / (vulnerabilities - from)), unit: 'bytes each' },
      aim: { atMost: 2_500 },
    }),
  ];
}
