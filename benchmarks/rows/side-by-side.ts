/** Compares eight workspaces that each import a report at the same time with one that imports alone. */
import { say } from '../../server/src/commands/output.ts';
import { type Bench, mainWorkspace, withServer } from '../bench.ts';
import { timed } from '../http-client.ts';
import { benchReport } from '../reports.ts';
import { comparedRow, type Row, thousands } from '../row.ts';
import { createAdmin, uploadReport, waitForScans } from '../upload.ts';
import { createEmptyWorkspace } from '../workspace.ts';

const workspaces = 8;
// An import keeps more than one processor busy, mostly with PostgreSQL, so not all eight run at once.
const importsAtOnce = 4;

export async function sideBySideRows(bench: Bench): Promise<Row[]> {
  const [, findings] = bench.size.smallReports;
  const body = benchReport('packages', { from: 0, to: findings, changed: 0 });
  const tenant = await mainWorkspace(bench);
  return withServer(bench, tenant, { workers: importsAtOnce }, async ({ url }) => {
    const importOne = async ({ slug, key }: { slug: string; key: string }): Promise<void> => {
      await uploadReport(url, slug, key, 'acme/shop', body);
      await waitForScans(url, slug, key, 50);
    };
    const open = async () => {
      const other = await createEmptyWorkspace(bench.open, 'side');
      return { slug: other.slug, key: (await createAdmin(bench.open, other)).key };
    };
    // The first import starts and warms the process for imports.
    await importOne(await open());
    const first = await open();
    const aloneMs = Math.round(await timed(() => importOne(first)));
    const others = await Promise.all(Array.from({ length: workspaces }, open));
    const togetherMs = Math.round(await timed(() => Promise.all(others.map(importOne))));
    say(`an import alone: ${aloneMs} ms, ${workspaces} side by side: ${togetherMs} ms`);
    return [
      comparedRow({
        work: `${workspaces} workspaces import ${thousands(findings)} findings each, side by side`,
        yardstick: ['one of them alone', aloneMs],
        measured: { value: togetherMs, unit: 'ms' },
        aim: null,
      }),
    ];
  });
}
