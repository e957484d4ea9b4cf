/** Checks of Citus: where the tables are, row-level security on every shard, and how full the nodes are. */
import { isCitus, listMisplaced, listNodeSizes, listUnprotected, type NodeSize } from '../../db/citus.ts';
import { type Check, type CheckResult, fault, ok, skipped, warning } from './check.ts';

// Below this, a node that has more than another is no trouble yet.
const leastBytes = 1024 ** 3;
const mostTimes = 2;

const onCitus = (name: string, run: Check['run']): Check => ({
  name,
  needsSchema: true,
  run: async (install) =>
    (await isCitus(install.db.pool)) ? run(install) : skipped('the database is on one server, without Citus'),
});

export const citusChecks: Check[] = [
  onCitus('placement on nodes', async ({ db }) => {
    const tables = await listMisplaced(db.pool);
    return tables.length === 0
      ? ok('every table is distributed by workspace, or on all nodes, as it should be')
      : fault(
          `not where they belong: ${tables.join(', ')}`,
          'Run merlond migrate, with the address of the coordinator.',
        );
  }),
  onCitus('protection on nodes', async ({ db }) => {
    const nodes = await listUnprotected(db.pool);
    const silent = nodes.filter(({ answer }) => answer !== null);
    if (silent.length > 0) {
      return fault(
        silent.map(({ node, answer }) => `${node} does not answer: ${answer}`).join('; '),
        'Start the node. Until then the workspaces on it cannot be reached.',
      );
    }
    const open = nodes.filter(({ tables }) => tables.length > 0);
    return open.length === 0
      ? ok(`row-level security is on for every shard of ${nodes.length} nodes`)
      : fault(
          open
            .map(({ node, tables }) => `${node}: without row-level security: ${tables.join(', ')}`)
            .join('; '),
          'On the coordinator, as the owner: ALTER TABLE … ENABLE and FORCE ROW LEVEL SECURITY, then merlond migrate.',
        );
  }),
  onCitus('balance of nodes', async ({ db }) => checkBalance(await listNodeSizes(db.pool))),
];

export function checkBalance(sizes: NodeSize[]): CheckResult {
  const shown = sizes
    .map(({ node, shards, bytes }) => `${node}: ${shards} shards, ${gigabytes(bytes)}`)
    .join('; ');
  const all = sizes.map(({ bytes }) => bytes);
  const most = Math.max(...all);
  return most > leastBytes && most > mostTimes * Math.min(...all)
    ? warning(
        `the nodes are not equally full: ${shown}`,
        'SELECT citus_rebalance_start() on the coordinator moves shards while they are used; merlond workspace isolate gives a huge workspace a node.',
      )
    : ok(shown);
}

const gigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
