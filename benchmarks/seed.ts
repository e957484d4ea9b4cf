/**
 * `node benchmarks/seed.ts [--vulnerabilities N] [--repositories N] [--workspace SLUG] [--data-dir DIR]`: fills a workspace of an
 * embedded database, then prints how fast it went, what it takes on disk, and an API key to it.
 */
import { printTable, say } from '../server/src/commands/session.ts';
import { openConfigured } from '../server/src/open.ts';
import { benchConfig, readOptions } from './options.ts';
import { makeKey, makeWorkspace, tableSizes } from './workspace.ts';

const options = readOptions();
const open = await openConfigured(benchConfig(options.dataDir), say);
try {
  const { workspace, vulnerabilities, repositories } = options;
  const figures = await makeWorkspace(open, workspace, vulnerabilities, say, repositories);
  const sizes = await tableSizes(open);
  printTable(
    ['TABLE', 'ROWS', 'TABLE MB', 'INDEXES MB'],
    sizes.map((size) => [size.table, String(size.rows), String(size.tableMb), String(size.indexesMb)]),
  );
  const totalMb = sizes.reduce((sum, size) => sum + size.tableMb + size.indexesMb, 0);
  say(
    `${figures.vulnerabilities} vulnerabilities in ${figures.seconds} s: ${figures.rowsPerSecond} rows/s, ` +
      `${Math.round((totalMb * 1e6) / figures.vulnerabilities)} bytes per vulnerability`,
  );
  process.stdout.write(`${await makeKey(open, options.workspace)}\n`);
} finally {
  await open.close();
}
