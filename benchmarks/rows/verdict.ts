/**
 * Compares the evaluation of fifty policies with a sequential count of the same rows, and lists meanwhile with lists
 * alone.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../../server/src/commands/output.ts';
import { flagsOf } from '../../server/src/commands/processes/process-flags.ts';
import type { Tenant } from '../../server/src/http/principal.ts';
import { type Bench, mainWorkspace, withServer } from '../bench.ts';
import type { EvaluationFigures } from '../evaluate-policies.ts';
import { latencyOf, timed } from '../http-client.ts';
import { pagedPaths, timeLists } from '../list-times.ts';
import { comparedRow, medianOf, type Row, round2, thousands } from '../row.ts';
import { runProgram } from '../run-program.ts';
import { asOwner, createFilledWorkspace } from '../workspace.ts';

// The tables that the conditions of the fifty policies read.
const readTables = [
  'vulnerability',
  'vulnerability_cve',
  'vulnerability_reference',
  'vulnerability_reporter',
  'vulnerability_location',
];

// A third of the ratio in November 2026, which was 268.
const aim = 90;

export async function verdictRows(bench: Bench): Promise<Row[]> {
  const { open, size } = bench;
  const { vulnerabilities } = size;
  const quiet = await mainWorkspace(bench);
  const tenant = await createFilledWorkspace(open, `verdict-${Date.now()}`, { vulnerabilities });
  return withServer(bench, quiet, {}, async (server) => {
    const lists = { ...server, paths: pagedPaths.map((query) => server.at(`/vulnerabilities${query}`)) };
    const alone = latencyOf(await timeLists(lists, sleep(size.seconds * 1000)));
    const counts = await measureCounts(bench, tenant);
    const evaluating = runProgram<EvaluationFigures>('evaluate-once.ts', [bench.dataDir, tenant.slug], {
      flags: flagsOf.imports,
    });
    const during = latencyOf(await timeLists(lists, evaluating));
    const { seconds, policies, violations } = await evaluating;
    counts.push(...(await measureCounts(bench, tenant)));
    say(`${policies} policies: ${seconds} s, ${violations} violations`);
    return [
      comparedRow({
        work: `verdict of ${policies} policies over ${thousands(vulnerabilities)} vulnerabilities`,
        yardstick: ['sequential count of the same rows', round2(medianOf(counts))],
        measured: { value: seconds * 1000, unit: 'ms' },
        aim: { atMost: aim },
        details: { violations },
      }),
      comparedRow({
        work: 'lists of another workspace meanwhile',
        yardstick: ['alone', alone.p95Ms],
        measured: { value: during.p95Ms, unit: 'ms p95' },
        aim: { atMost: 2 },
        details: { alone, during },
      }),
    ];
  });
}

/**
 * Returns the times of five counts in milliseconds. The counts read all rows, from the cache like the policies, so the
 * times are multiplied by the workspace's share of the rows.
 */
async function measureCounts({ open }: Bench, tenant: Tenant): Promise<number[]> {
  return asOwner(open, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'select name from unnest($1::text[]) name where to_regclass(name) is not null',
      [readTables],
    );
    await client.query(
      'set enable_indexscan = off; set enable_indexonlyscan = off; set enable_bitmapscan = off; set max_parallel_workers_per_gather = 0',
    );
    const counts = (where: string): string =>
      `select ${rows.map(({ name }) => `(select count(*) from ${name} where ${where})`).join(' + ')} as n`;
    const all = counts('true');
    const times: number[] = [];
    for (let run = 0; run < 5; run++) times.push(await timed(() => client.query(all)));
    const own = await client.query(counts(`tenant_id = '${tenant.id}'`));
    const share = Number(own.rows[0]?.n) / Number((await client.query(all)).rows[0]?.n);
    return times.map((ms) => ms * share);
  });
}
