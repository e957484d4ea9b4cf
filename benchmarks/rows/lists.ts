/** Lists with random filters over many connections, beside pgbench with the same statements. */
import { findUserByEmail } from '../../server/src/access/users/store.ts';
import { say } from '../../server/src/commands/session.ts';
import { installTx } from '../../server/src/db/database.ts';
import { cursors } from '../../server/src/http/page.ts';
import type { Principal, Tenant } from '../../server/src/http/principal.ts';
import type { OpenDatabase } from '../../server/src/open.ts';
import { type Baseline, runBaseline } from '../baseline.ts';
import { type Bench, mainWorkspace, withServer } from '../bench.ts';
import { flatQueries, queryText } from '../cases.ts';
import { load, type Throughput } from '../load.ts';
import { comparedRow, type Row, round2 } from '../row.ts';
import { recordList, type Statement } from '../statements.ts';
import { emailOf } from '../workspace.ts';

// Each is measured so often, in turns, and the better half counts: the other was disturbed.
const turns = 2;

type Served = Throughput & { connections: number };
type Alone = Baseline & { connections: number };

export async function listRows(bench: Bench): Promise<Row[]> {
  const tenant = await mainWorkspace(bench);
  const lists = await recordLists(bench.open, tenant);
  const baselines: Alone[] = [];
  for (const connections of bench.size.connections) {
    for (let turn = 0; turn < turns; turn++) {
      const seconds = Math.max(1, bench.size.seconds / 2);
      baselines.push({ connections, ...(await runBaseline(bench.open.appUrl, lists, connections, seconds)) });
    }
  }
  const rows: Row[] = [];
  for (const [name, processes] of [
    ['', undefined],
    [', one process', 1],
  ] as const) {
    const served = await measureServed(bench, tenant, processes, lists, baselines);
    for (const connections of bench.size.connections) {
      rows.push(...rowsOf(name, connections, bestOf(served, connections), bestOf(baselines, connections)));
    }
  }
  return rows;
}

/** Measures the service, and between its runs pgbench again, so that other load on the machine affects both. */
async function measureServed(
  bench: Bench,
  tenant: Tenant,
  processes: number | undefined,
  lists: Statement[][],
  baselines: Alone[],
): Promise<Served[]> {
  const { seconds } = bench.size;
  const options = { workers: null, ...(processes === undefined ? {} : { processes }) };
  return withServer(bench, tenant, options, async ({ url, key, at }) => {
    const paths = flatQueries().map((query) => at(`/vulnerabilities?${queryText(query)}`));
    const next = (): string => paths[Math.floor(Math.random() * paths.length)] ?? '';
    const run = (connections: number, forSeconds: number): Promise<Throughput> =>
      load({ url, key, connections, seconds: forSeconds, next });
    await run(16, seconds / 2);
    const served: Served[] = [];
    for (const connections of bench.size.connections) {
      for (let turn = 0; turn < turns; turn++) {
        served.push({ connections, ...(await run(connections, seconds)) });
        baselines.push({
          connections,
          ...(await runBaseline(bench.open.appUrl, lists, connections, seconds / 2)),
        });
      }
      say(`${connections} connections: ${bestOf(served, connections).perSecond} lists a second`);
    }
    return served;
  });
}

function bestOf<T extends { connections: number; perSecond: number }>(runs: T[], connections: number): T {
  const [best] = runs
    .filter((run) => run.connections === connections)
    .toSorted((a, b) => b.perSecond - a.perSecond);
  if (!best) throw new Error('nothing was measured');
  return best;
}

function rowsOf(name: string, connections: number, served: Served, alone: Alone): Row[] {
  const work = `lists, random filters, ${connections} connections${name}`;
  const isAim = connections === 16 && name === '';
  const tool = alone.tool === 'pg' ? 'pg without the service' : 'pgbench, same statements';
  return [
    comparedRow({
      work,
      yardstick: [tool, alone.perSecond],
      measured: { value: served.perSecond, unit: 'lists/s' },
      aim: isAim ? { atLeast: 0.75 } : null,
      details: { ...served, yardstickPerSecond: alone.perSecond },
    }),
    comparedRow({
      work: `${work}: p95`,
      yardstick: [`mean of ${alone.tool}`, round2(alone.meanMs)],
      measured: { value: served.p95Ms, unit: 'ms' },
      aim: isAim ? { atMost: 2.5 } : null,
      details: served,
    }),
  ];
}

/** The statements of each list of the flat promise. */
async function recordLists(open: OpenDatabase, tenant: Tenant): Promise<Statement[][]> {
  const principal = await principalOf(open, tenant);
  const lists: Statement[][] = [];
  for (const query of flatQueries()) {
    const { statements } = await recordList(open.db, cursors(open.secret.key('cursor')), principal, query);
    lists.push(statements);
  }
  return lists;
}

async function principalOf(open: OpenDatabase, tenant: Tenant): Promise<Principal> {
  const user = await installTx(open.db, (tx) => findUserByEmail(tx, emailOf(tenant.slug, 1)));
  if (!user) throw new Error(`the workspace ${tenant.slug} has no members of a benchmark`);
  return {
    tenant,
    role: 'member',
    user: { id: user.id, name: user.name, email: user.email, kind: 'user' },
    scopes: ['vulnerabilities:read', 'applications:read'],
    credential: {
      type: 'session',
      id: user.id,
      signedInAt: new Date(),
      expiresAt: new Date(),
      operator: false,
    },
  };
}
