/** Compares lists of one workspace during an import of a large report into another with the same lists alone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../../server/src/commands/output.ts';
import { type Bench, mainWorkspace, withServer } from '../bench.ts';
import { latencyOf } from '../http-client.ts';
import { pagedPaths, timeLists } from '../list-times.ts';
import { watchPss } from '../process-memory.ts';
import { benchReport } from '../reports.ts';
import { comparedRow, plainRow, type Row, thousands } from '../row.ts';
import { createAdmin, uploadReport, waitForScans } from '../upload.ts';
import { createEmptyWorkspace } from '../workspace.ts';

export async function listsDuringImportRows(bench: Bench): Promise<Row[]> {
  const { open, size } = bench;
  const tenant = await mainWorkspace(bench);
  const other = await createEmptyWorkspace(open, 'importing');
  const { key } = await createAdmin(open, other);
  const body = benchReport('packages', { from: 0, to: size.findings, changed: 0 });
  return withServer(bench, tenant, { workers: null }, async (server) => {
    const { url, pid, at } = server;
    const lists = { ...server, paths: pagedPaths.map((query) => at(`/vulnerabilities${query}`)) };
    const alone = await timeLists(lists, sleep(size.seconds * 1000));
    const peak = watchPss(pid);
    const importing = uploadReport(url, other.slug, key, 'acme/shop', body).then(() =>
      waitForScans(url, other.slug, key),
    );
    const during = await timeLists(lists, importing);
    await importing;
    const peakMb = peak();
    alone.push(...(await timeLists(lists, sleep(size.seconds * 1000))));
    const [before, meanwhile] = [latencyOf(alone), latencyOf(during)];
    say(`lists: p95 ${before.p95Ms} ms, during an import ${meanwhile.p95Ms} ms`);
    return [
      comparedRow({
        work: `lists of another workspace during an import of ${thousands(size.findings)} findings`,
        yardstick: ['alone', before.p95Ms],
        measured: { value: meanwhile.p95Ms, unit: 'ms p95' },
        aim: { atMost: 2 },
        details: { alone: before, during: meanwhile },
      }),
      plainRow({
        work: 'memory, all processes of serve during that import and those lists',
        measured: { value: peakMb, unit: 'MB' },
        aim: null,
      }),
    ];
  });
}
