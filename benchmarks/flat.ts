/**
 * `node benchmarks/flat.ts [--data-dir DIR] [--vulnerabilities N] [--requests N]`: the same lists in a workspace of
 * ten thousand and in one of N (a million), and what one takes by the other. Writes `results/flat.json` and, of the larger one, `results/read.json` as read.ts does.
 * The workspaces stand in databases of their own, `DIR` and `DIR-small`.
 */
import { printTable, say } from '../server/src/commands/session.ts';
import { measureReads, round2 } from './measure.ts';
import { readOptions } from './options.ts';
import { writeResult } from './results.ts';

// A list a hundred times as long may take half as much again, and no more: the aim for each of the API's filters.
const aim = 1.5;
const small = 10_000;

const options = readOptions();
const before = await measureReads({
  ...options,
  dataDir: `${options.dataDir}-small`,
  vulnerabilities: small,
});
const after = await measureReads(options);
const rows = after.cases.map((large) => {
  const { name, sort, flat } = large;
  const same = before.cases.find((one) => one.name === name && one.sort === sort);
  const smallMs = same?.first.p50Ms ?? 0;
  return {
    name,
    sort,
    flat,
    smallMs,
    largeMs: large.first.p50Ms,
    ratio: round2(large.first.p50Ms / smallMs),
  };
});
printTable(
  ['FILTER', 'SORT', `p50 ms AT ${before.vulnerabilities}`, `AT ${after.vulnerabilities}`, 'RATIO'],
  rows.map((row) =>
    [row.name, row.sort, row.smallMs, row.largeMs, row.flat ? row.ratio : `(${row.ratio})`].map(String),
  ),
);
const worst = rows.filter((row) => row.flat).toSorted((a, b) => b.ratio - a.ratio)[0];
say(`worst of the flat promise: ${worst?.name}, ${worst?.sort}: ${worst?.ratio} (aim ${aim})`);
writeResult('read', after);
writeResult('flat', { vulnerabilities: [before.vulnerabilities, after.vulnerabilities], rows });
