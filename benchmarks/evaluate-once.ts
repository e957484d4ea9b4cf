/**
 * `node benchmarks/evaluate-once.ts DATA_DIR WORKSPACE`: creates the fifty policies and evaluates them, in a process
 * with the priority and the connections of the process for imports; the caller gives it the flags of that process.
 * Prints the figures as JSON. The database must be running.
 */
import { constants, setPriority } from 'node:os';
import { getWorkspace } from '../server/src/access/workspaces/service.ts';
import { installTx } from '../server/src/db/database.ts';
import { connectDatabase, openConfigured } from '../server/src/open.ts';
import { evaluateAllPolicies } from './evaluate-policies.ts';
import { benchConfig } from './options.ts';

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const [dataDir = '', slug = ''] = process.argv.slice(2);
const config = benchConfig(dataDir);
const open = await openConfigured(config);
const { db } = await connectDatabase(config, open.appUrl, { yields: true });
const tenant = await installTx(open.db, (tx) => getWorkspace(tx, slug));
process.stdout.write(JSON.stringify(await evaluateAllPolicies({ ...open, db }, tenant)));
await db.close();
await open.close();
