/** Compares lists with random filters over many connections with pgbench, which runs the same statements. */

import { findUserByEmail } from '../../server/src/access/users/store.ts';
import { say } from '../../server/src/commands/output.ts';
import { installTx } from '../../server/src/db/database.ts';
import { newId } from '../../server/src/domain/ids.ts';
import { cursors } from '../../server/src/http/page.ts';
import type { Principal, Tenant } from '../../server/src/http/principal.ts';
import type { OpenDatabase } from '../../server/src/open.ts';
import { type Baseline, runBaseline } from '../baseline.ts';
import { type Bench, mainWorkspace, withServer } from '../bench.ts';
import { flatQueries, queryText } from '../cases.ts';
import { load, type Throughput } from '../load.ts';
import { comparedRow, type Row } from '../row.ts';
import type { ServeOptions } from '../serve.ts';
import { recordList, type Statement } from '../statements.ts';
import { emailOf } from '../workspace.ts';

// Service and pgbench are measured this many times, alternately. The pair with the median ratio counts.
const turns = 3;

interface Pair {
  served: Throughput;
  alone: Baseline;
}

export async function listRows(bench: Bench): Promise<Row[]> {
  const tenant = await mainWorkspace(bench);
  const lists = await recordLists(bench.open, tenant);
  return [
    ...(await measureServed(bench, tenant, lists, '', {})),
    ...(await measureServed(bench, tenant, lists, ', one process', { processes: 1 })),
  ];
}

async function measureServed(
  { open, ...bench }: Bench,
  tenant: Tenant,
  lists: Statement[][],
  name: string,
  options: ServeOptions,
): Promise<Row[]> {
  const { seconds } = bench.size;
  return withServer({ open, ...bench }, tenant, { workers: null, ...options }, async ({ url, key, at }) => {
    const paths = flatQueries().map((query) => at(`/vulnerabilities?${queryText(query)}`));
    const next = (): string => paths[Math.floor(Math.random() * paths.length)] ?? '';
    await load({ url, key, connections: 16, seconds, next });
    const rows: Row[] = [];
    for (const connections of bench.size.connections) {
      const pairs: Pair[] = [];
      for (let turn = 0; turn < turns; turn++) {
        const served = await load({ url, key, connections, seconds, next });
        const alone = await runBaseline(open.appUrl, lists, connections, seconds);
        say(`${connections} connections${name}: ${served.perSecond}/s; ${alone.tool}: ${alone.perSecond}/s`);
        pairs.push({ served, alone });
      }
      rows.push(...rowsOf(name, connections, pairs));
    }
    return rows;
  });
}

function medianBy(pairs: Pair[], ratioOf: (pair: Pair) => number): Pair {
  const sorted = pairs.toSorted((a, b) => ratioOf(a) - ratioOf(b));
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error('nothing was measured');
  return middle;
}

function rowsOf(name: string, connections: number, pairs: Pair[]): Row[] {
  const work = `lists, random filters, ${connections} connections${name}`;
  const isAim = connections === 16 && name === '';
  const rate = medianBy(pairs, ({ served, alone }) => served.perSecond / alone.perSecond);
  const wait = medianBy(pairs, ({ served, alone }) => served.p95Ms / alone.meanMs);
  const { tool } = rate.alone;
  return [
    comparedRow({
      work,
      yardstick: [
        tool === 'pg' ? 'pg without the service' : 'pgbench, same statements',
        rate.alone.perSecond,
      ],
      measured: { value: rate.served.perSecond, unit: 'lists/s' },
      aim: isAim ? { atLeast: 0.75 } : null,
      details: pairs,
    }),
    comparedRow({
      work: `${work}: p95 (p50 ${wait.served.p50Ms}, p99 ${wait.served.p99Ms})`,
      yardstick: [`mean of ${tool}`, wait.alone.meanMs],
      measured: { value: wait.served.p95Ms, unit: 'ms' },
      aim: isAim ? { atMost: 2.5 } : null,
    }),
  ];
}

/** Records the statements of each list whose time must not grow with the workspace. */
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
  if (!user) throw new Error(`the workspace ${tenant.slug} was not created by a benchmark`);
  return {
    tenant,
    role: 'member',
    user: { id: user.id, name: user.name, email: user.email, kind: 'user' },
    scopes: ['vulnerabilities:read', 'applications:read'],
    credential: {
      type: 'session',
      id: newId(),
      signedInAt: new Date(),
      expiresAt: new Date(),
      operator: false,
    },
    requestId: 'benchmark',
  };
}
