/** `merlon vulns` lists vulnerabilities with the API's own filters. */
import type { Answer, Query } from '@merlon/client';
import type { Command } from 'commander';
import { addFilterOptions, filtersOf } from '../filter-options.ts';
import { readUpTo } from '../list.ts';
import { printJson, printTable, say, severityColour } from '../output.ts';
import { type GlobalOptions, openSession, type Session } from '../session.ts';

type List = Answer<'listVulnerabilities'>;
type Row = List['items'][number];

/** The fields of a row that are present only if they are requested. */
type Included = { [Name in keyof Row]-?: object extends Pick<Row, Name> ? Name : never }[keyof Row];

// The type requires every field that may be included, so that a missing one does not compile.
const includedColumns: Record<Included, { title: string; text: (row: Row) => string }> = {
  package: {
    title: 'PACKAGE',
    text: (row) => (row.package ? [row.package.name, row.package.version ?? ''].join(' ').trim() : '-'),
  },
  rule: { title: 'RULE', text: ({ rule }) => rule || '-' },
  advisory: { title: 'ADVISORY', text: ({ advisory }) => advisory ?? '-' },
  fix: { title: 'FIX', text: ({ fix }) => fix?.fix_version ?? '-' },
  assignee: { title: 'ASSIGNEE', text: ({ assignee }) => assignee?.name ?? '-' },
  team: { title: 'TEAM', text: ({ team }) => team?.name ?? '-' },
  due: { title: 'DUE', text: ({ due }) => due?.due_at ?? '-' },
  epss: { title: 'EPSS', text: ({ epss }) => `${epss?.score ?? '-'}${epss?.kev ? ' KEV' : ''}` },
  open_on: { title: 'ON', text: (row) => (row.open_on ? `${row.open_on.ref} (${row.open_on.reach})` : '-') },
};

export function addVulnsCommand(program: Command): void {
  const command = program.command('vulns').description('List vulnerabilities, the most severe first');
  addFilterOptions(command);
  command.option('--include <list>', `further fields: ${Object.keys(includedColumns).join()}`, (list) =>
    list.split(','),
  );
  command
    .option('--all', 'read all pages, not only the first')
    .addHelpText(
      'after',
      '\nExample:\n  merlon vulns --repo acme/shop --state open --scope tracked --severity critical,high',
    )
    .action(async (_options: unknown, command: Command) => {
      const { all, json, url, workspace, ...given } = command.optsWithGlobals<
        GlobalOptions & { all?: true; include?: Included[] }
      >();
      const session = await openSession({ ...(url ? { url } : {}), ...(workspace ? { workspace } : {}) });
      // Titles do not tell two advisories of a package apart, so the table always has the column.
      const include = json ? given.include : [...new Set<Included>(['advisory', ...(given.include ?? [])])];
      const list = await readList(session, { ...filtersOf(given), include }, all ?? false);
      if (json) {
        printJson(list);
        return;
      }
      printTable(
        [
          { title: 'SEVERITY', text: (row) => row.severity, colour: severityColour },
          { title: 'STATUS', text: (row) => row.status },
          { title: 'TYPE', text: (row) => row.type },
          { title: 'TITLE', text: (row) => row.title, gives: true },
          includedColumns.advisory,
          { title: 'REPOSITORY', text: (row) => row.repository.full_name },
          {
            title: 'WHERE',
            text: ({ location: { path, line } }) => (line === null ? path : `${path}:${line}`),
          },
          ...Object.entries(includedColumns).flatMap(([name, column]) =>
            name !== 'advisory' && given.include?.some((one) => one === name) ? [column] : [],
          ),
          { title: 'ID', text: (row) => row.id },
        ],
        list.items,
      );
      const more = list.next_cursor === null ? '' : '; --all shows the rest';
      say(`${list.items.length} of ${list.summary.total}${more}`);
    });
}

function readList(
  { client, workspace }: Session,
  filters: Query<'listVulnerabilities'>,
  all: boolean,
): Promise<List> {
  const read = (page: { per_page?: number; cursor?: string | null }): Promise<List> =>
    client.listVulnerabilities({
      path: { tenant_slug: workspace },
      query: { ...filters, ...page },
    });
  return all ? readUpTo(Number.POSITIVE_INFINITY, read) : read({});
}
