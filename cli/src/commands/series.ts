/** `merlon series` lists the series of scans of a repository, and retires one that gets no more reports. */
import { type Answer, type Query, queryValues } from '@merlon/client';
import { type Command, Option } from 'commander';
import { type FiltersOf, limitOf, readUpTo } from '../list.ts';
import { print, printJson, printList } from '../output.ts';
import { type GlobalOptions, openSession } from '../session.ts';

type List = Answer<'listScanSeries'>;
type State = (typeof queryValues.listScanSeries.state)[number];

const defaultLimit = 50;

export function addSeriesCommands(program: Command): void {
  const series = program
    .command('series')
    .description('List the series of scans: the tools of each reference')
    .option('--repo <name>', 'repository: id or full name; default: all')
    .addOption(
      new Option(
        '--state <state>',
        'held: a closure waits; stale: no scan for a long time; replaced: a newer series shows most of the same',
      ).choices(queryValues.listScanSeries.state),
    )
    .option('--scan <id>', 'the series of this scan; not with --state')
    .option('--limit <rows>', 'maximum number of rows', limitOf, defaultLimit)
    .addHelpText(
      'after',
      '\nExamples:\n  merlon series --repo acme/shop\n  merlon series --state replaced\n' +
        '  merlon series retire ser_… --reason "the category has another name now"',
    )
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<
        GlobalOptions & { repo?: string; scan?: string; state?: State; limit: number }
      >();
      const { repo, scan, state } = options;
      const { client, workspace } = await openSession(options);
      const filters: FiltersOf<Query<'listScanSeries'>> = { repo, scan, state };
      const found = await readUpTo<List>(options.limit, (page) =>
        client.listScanSeries({ path: { tenant_slug: workspace }, query: { ...filters, ...page } }),
      );
      printList(options, found, [
        { title: 'REPOSITORY', text: (row) => row.repository.full_name, gives: true },
        { title: 'REF', text: (row) => row.reference.ref },
        { title: 'TOOL', text: (row) => row.tool },
        { title: 'CATEGORY', text: (row) => row.category || '-', gives: true },
        { title: 'FILE', text: (row) => row.file_name ?? '-', gives: true },
        { title: 'LAST SCAN', text: (row) => row.last_scanned_at?.slice(0, 10) ?? '-' },
        { title: 'STATE', text: stateOf },
        { title: 'ID', text: (row) => row.id },
      ]);
    });

  series
    .command('retire <series>')
    .description(
      'Retire a series that gets no more reports: vulnerabilities that only it saw are fixed. Needs an admin',
    )
    .option('--reason <text>', 'reason, for the audit log')
    .addHelpText(
      'after',
      '\nExample:\n  merlon series retire ser_… --reason "the category has another name now"',
    )
    .action(async (id: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { reason?: string }>();
      const { client, workspace } = await openSession(options);
      const { reason } = options;
      const done = await client.retireSeries({
        path: { tenant_slug: workspace, series: id },
        body: { reason },
      });
      if (options.json) printJson(done);
      else print(`Retired ${id}: ${done.fixed} fixed.`);
    });
}

function stateOf({ retired_at, held, replaced_by, stale }: List['items'][number]): string {
  if (retired_at !== null) return 'retired';
  if (held !== null) return `${held.vulnerabilities} held`;
  if (replaced_by !== null) return 'replaced';
  return stale ? 'stale' : 'active';
}
