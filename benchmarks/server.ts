/** The server of a benchmark, a process of its own: prints its address, ends when its input does. */
import { buildApp } from '../server/src/app.ts';
import { openConfigured } from '../server/src/open.ts';
import { benchConfig } from './options.ts';

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new TypeError('node benchmarks/server.ts DATA_DIR');
const config = benchConfig(dataDir);
const open = await openConfigured(config);
const app = await buildApp({ config, db: open.db, secret: open.secret, log: false });
process.stdout.write(`${await app.listen({ port: config.port, host: config.host })}\n`);
process.stdin.on('end', async () => {
  await app.close();
  await open.close();
});
process.stdin.resume();
