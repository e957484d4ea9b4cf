/** `merlond series`: series of scans, and decisions of a person about them and their held closures. */
import type { Command } from 'commander';
import { tenantReadTx } from '../db/database.ts';
import { formatId, formatIdOrNull } from '../domain/ids.ts';
import { shortRef } from '../domain/reference-name.ts';
import { decideHeld, heldActions, retireSeries } from '../ingest/series/scan-series.ts';
import { listScanSeries } from '../ingest/series/series-store.ts';
import { getRepository } from '../inventory/repositories/service.ts';
import { printJson, printTable, say } from './output.ts';
import { inChangeTx, operator, withWorkspace } from './with-database.ts';

export function addSeriesCommands(program: Command): void {
  const series = program.command('series').description('Series: the scans of a tool on a reference');
  series
    .command('list')
    .description('List the series of a repository, and their held closures')
    .requiredOption('--workspace <slug>', 'workspace')
    .requiredOption('--repo <org/name>', 'repository')
    .option('--json', 'print JSON')
    .action(async (options: { workspace: string; repo: string; json?: true }) => {
      const rows = await withWorkspace(options.workspace, ({ db }, { id }) =>
        tenantReadTx(db, id, async (tx) => {
          const repository = await getRepository(tx, options.repo);
          return listScanSeries(tx, { repositoryId: repository.id }, null, 1000);
        }),
      );
      const shown = rows.map((row) => ({
        id: formatId('series', row.id),
        ref: shortRef(row.full_ref),
        tool: row.tool,
        category: row.category,
        file_name: row.file_name,
        last_scanned_at: row.last_scanned_at?.toISOString() ?? null,
        held: row.held,
        held_scan_id: formatIdOrNull('scan', row.held_scan_id),
        retired: row.retired_at !== null,
      }));
      if (options.json) printJson({ series: shown });
      else {
        printTable(
          ['ID', 'REF', 'TOOL', 'CATEGORY', 'FILE', 'LAST SCAN', 'HELD', 'HELD SCAN'],
          shown.map((row) => [
            row.id,
            row.ref,
            row.tool,
            row.category,
            row.file_name ?? '',
            row.last_scanned_at ?? '',
            String(row.held),
            row.held_scan_id ?? '',
          ]),
        );
      }
    });
  for (const action of heldActions) {
    series
      .command(`${action} <series>`)
      .description(action === 'release' ? 'Release a held closure' : 'Discard a held closure')
      .requiredOption('--workspace <slug>', 'workspace')
      .requiredOption('--scan <id>', 'scan whose closure was reviewed, as the list shows it')
      .option('--json', 'print JSON')
      .action(async (id: string, options: { workspace: string; scan: string; json?: true }) => {
        const decision = { action, scan_id: options.scan };
        const { fixed } = await inChangeTx(options.workspace, (tx) => decideHeld(tx, id, decision, operator));
        if (options.json) printJson({ fixed });
        else say(`${action === 'release' ? 'released' : 'discarded'}: ${fixed} fixed`);
      });
  }
  series
    .command('retire <series>')
    .description('Retire a series that is no longer used: vulnerabilities that only it saw are fixed')
    .requiredOption('--workspace <slug>', 'workspace')
    .option('--json', 'print JSON')
    .action(async (id: string, options: { workspace: string; json?: true }) => {
      const { fixed } = await inChangeTx(options.workspace, (tx) => retireSeries(tx, id, operator));
      if (options.json) printJson({ fixed });
      else say(`retired: ${fixed} fixed`);
    });
}
