/**
 * `npm run bench [-- --full | --size tiny|brief] [--only NAME] [--data-dir DIR]`: measures the promises of
 * docs/performance.md, each compared with a yardstick of the same run, and prints one table. A complete run writes
 * `results/bench-SIZE.json`. The data directory is kept for the next run, which then needs no seed.
 */
import { resolve } from 'node:path';
import { say } from '../server/src/commands/output.ts';
import { openConfigured } from '../server/src/open.ts';
import type { Bench } from './bench.ts';
import { machineOf } from './machine.ts';
import { benchConfig, readArguments, refuseArguments } from './options.ts';
import { writeResult } from './results.ts';
import { printRows, type Row } from './row.ts';

import { diskRows } from './rows/disk.ts';
import { filterRows } from './rows/filters.ts';
import { growthRows } from './rows/growth.ts';
import { importRows } from './rows/imports.ts';
import { listRows } from './rows/lists.ts';
import { listsDuringImportRows } from './rows/lists-during-import.ts';
import { memoryRows } from './rows/memory.ts';
import { pullRequestRows } from './rows/pull-requests.ts';
import { readingRows } from './rows/reading.ts';
import { sideBySideRows } from './rows/side-by-side.ts';
import { smallReportRows } from './rows/small-reports.ts';
import { verdictRows } from './rows/verdict.ts';
import { type SizeName, sizes } from './sizes.ts';

// The order matters: later measurements fill workspaces, which would change the figures of earlier ones.
const measures: Record<string, (bench: Bench) => Promise<Row[]>> = {
  disk: diskRows,
  lists: listRows,
  filters: filterRows,
  memory: memoryRows,
  reading: readingRows,
  imports: importRows,
  'small-reports': smallReportRows,
  'pull-requests': pullRequestRows,
  'side-by-side': sideBySideRows,
  'lists-during-import': listsDuringImportRows,
  verdict: verdictRows,
  growth: growthRows,
};

const values = readArguments({
  'data-dir': { type: 'string' },
  size: { type: 'string', default: 'small' },
  full: { type: 'boolean', default: false },
  only: { type: 'string' },
});
const sizeName = values.full ? 'full' : values.size;
if (!Object.hasOwn(sizes, sizeName))
  refuseArguments(`There is no size ${sizeName}. The sizes are ${Object.keys(sizes).join(', ')}.`);
const size = sizes[sizeName as SizeName];
const names = values.only === undefined ? Object.keys(measures) : values.only.split(',');
const unknown = names.filter((name) => !Object.hasOwn(measures, name));
if (unknown.length > 0)
  refuseArguments(
    `There is no measure ${unknown.join(', ')}. The measures of --only are ${Object.keys(measures).join(', ')}.`,
  );

const dataDir = resolve(values['data-dir'] ?? `data/bench-${sizeName}`);
const started = performance.now();
const open = await openConfigured(benchConfig(dataDir), say);
try {
  const rows: Row[] = [];
  for (const name of names) {
    say(`${name} …`);
    const before = performance.now();
    rows.push(...((await measures[name]?.({ open, dataDir, size })) ?? []));
    say(`${name}: ${Math.round((performance.now() - before) / 1000)} s`);
  }
  printRows(rows);
  const minutes = Math.round((performance.now() - started) / 6_000) / 10;
  say(`${minutes} minutes`);
  if (values.only === undefined && !['tiny', 'brief'].includes(sizeName)) {
    writeResult(`bench-${sizeName}`, {
      size: { name: sizeName, ...size },
      machine: await machineOf(open),
      minutes,
      rows,
    });
  }
} finally {
  await open.close();
}
