/** The disk space of a vulnerability with all that hangs on it, tables and indexes. */
import { type Bench, bytesOf } from '../bench.ts';
import { plainRow, type Row, thousands } from '../row.ts';

export async function diskRows(bench: Bench): Promise<Row[]> {
  const { vulnerabilities, growth } = bench.size;
  // The space of the 500 repositories themselves weighs in a small workspace, so that a smaller one is
  // taken off.
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
