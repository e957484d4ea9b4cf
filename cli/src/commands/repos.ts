/** `merlon repos` lists the repositories of the workspace. */
import { type Answer, pages, type Query, queryValues } from '@merlon/client';
import type { Command } from 'commander';
import { type FiltersOf, splitList } from '../list.ts';
import { printList } from '../output.ts';
import { type GlobalOptions, openSession } from '../session.ts';

type Repository = Answer<'listRepositories'>['items'][number];

const perPage = 200;

export function addReposCommand(program: Command): void {
  program
    .command('repos')
    .description('List the repositories')
    .option('--org <path>', 'only this organization: id or full path')
    .option('--source <list>', queryValues.listRepositories.source.join())
    .option('--q <text>', 'beginning of the name or of a part of it')
    .addHelpText('after', '\nExample:\n  merlon repos --org acme')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<
        GlobalOptions & { org?: string; source?: string; q?: string }
      >();
      const { client, workspace } = await openSession(options);
      const { org, source, q } = options;
      const filters: FiltersOf<Query<'listRepositories'>> = { org, source: splitList(source), q };
      const rows: Repository[] = [];
      const repositories = pages<Repository>((cursor) =>
        client.listRepositories({
          path: { tenant_slug: workspace },
          query: { per_page: perPage, ...filters, cursor },
        }),
      );
      for await (const repository of repositories) rows.push(repository);
      printList(options, { items: rows }, [
        { title: 'SOURCE', text: (row) => row.source },
        { title: 'REPOSITORY', text: (row) => row.full_name, gives: true },
        { title: 'SCANS', text: (row) => row.scan_state },
        { title: 'PRIVATE', text: (row) => (row.is_private ? 'yes' : 'no') },
        { title: 'ID', text: (row) => row.id },
      ]);
    });
}
