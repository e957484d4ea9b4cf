/**
 * `node benchmarks/seed.ts [--vulnerabilities N] [--repositories N] [--workspace SLUG] [--data-dir DIR]`: creates and
 * fills a workspace, and prints the time, the sizes of the tables, and an API key for the workspace.
 */
import { printTable, say } from '../server/src/commands/output.ts';
import { openConfigured } from '../server/src/open.ts';
import { benchConfig, readOptions } from './options.ts';
import { createFilledWorkspace, createKey, tableSizes } from './workspace.ts';

const options = readOptions();
const open = await openConfigured(benchConfig(options.dataDir), say);
try {
  const { workspace, vulnerabilities, repositories } = options;
  const started = performance.now();
  await createFilledWorkspace(open, workspace, { vulnerabilities, repositories, log: say });
  const seconds = (performance.now() - started) / 1000;
  const sizes = await tableSizes(open);
  printTable(
    ['TABLE', 'ROWS', 'TABLE MB', 'INDEXES MB'],
    sizes.map((size) => [size.table, String(size.rows), String(size.tableMb), String(size.indexesMb)]),
  );
  const totalMb = sizes.reduce((sum, size) => sum + size.tableMb + size.indexesMb, 0);
  say(
    `${vulnerabilities} vulnerabilities in ${Math.round(seconds)} s, ` +
      `${Math.round((totalMb * 1e6) / vulnerabilities)} bytes per vulnerability`,
  );
  process.stdout.write(`${await createKey(open, options.workspace)}\n`);
} finally {
  await open.close();
}
