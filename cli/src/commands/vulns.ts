/** `merlon vulns` lists vulnerabilities with the API's own filters. */
import type { Answer, Query } from '@merlon/client';
import { type Command, Option } from 'commander';
import { printJson, printTable, say, severityColour } from '../output.ts';
import { type GlobalOptions, openSession, type Session } from '../session.ts';

type List = Answer<'listVulnerabilities'>;
type Row = List['items'][number];

/** The fields of a row that are there only if they are asked for. */
type Included = { [Name in keyof Row]-?: object extends Pick<Row, Name> ? Name : never }[keyof Row];

type Filter = Exclude<keyof Query<'listVulnerabilities'>, 'per_page' | 'cursor'>;
type Filters = Partial<Record<Filter, string>>;

// The type takes every filter of the API, so that one that is missing here does not compile.
const filterOptions: Record<Filter, [value: string, about: string]> = {
  repo: ['<name>', 'repository: id or full name'],
  ref: ['<name>', 'status on this reference; HEAD is the default branch'],
  scope: ['<scope>', 'tracked (default branches and releases), default_branches, all; instead of --ref'],
  sha: ['<hex>', 'what a scan of this commit saw'],
  state: ['<state>', 'open, fixed, accepted, ignored, rejected'],
  severity: ['<list>', 'critical,high,medium,low,info,unknown'],
  type: ['<list>', 'dependency,sast,secret,iac,container,dast,license,malware,other'],
  source: ['<source>', 'current, git_history'],
  confirmed: ['<answer>', 'verified as true: yes, no'],
  triaged: ['<answer>', 'has a decision: yes, no'],
  fix: ['<answer>', 'a version that fixes it is known: yes, no'],
  exploitable: ['<answer>', 'known to be exploited, verified, or called exploitable by a tool: yes'],
  due: ['<when>', 'by the first due violation: overdue, soon (within 7 days)'],
  introduced_since: ['<time>', 'introduced then or later: a date or an RFC 3339 time'],
  application: ['<name>', 'application: id or name'],
  package: ['<package>', 'package URL without version, or name'],
  rule: ['<rule>', 'rule that found it, exactly'],
  assignee: ['<person>', 'me, unassigned, an e-mail address or a user id'],
  q: ['<words>', 'words of the title and the package, ids of advisories'],
  sort: ['<order>', 'severity, newest, oldest'],
  include: ['<list>', 'further fields: package,rule,advisory,fix,assignee,due,epss,open_on'],
};

// As above, a field that is missing here does not compile.
const includedColumns: Record<Included, { title: string; text: (row: Row) => string }> = {
  package: {
    title: 'PACKAGE',
    text: (row) => (row.package ? [row.package.name, row.package.version ?? ''].join(' ').trim() : '-'),
  },
  rule: { title: 'RULE', text: ({ rule }) => rule || '-' },
  advisory: { title: 'ADVISORY', text: ({ advisory }) => advisory ?? '-' },
  fix: { title: 'FIX', text: ({ fix }) => fix?.fix_version ?? '-' },
  assignee: { title: 'ASSIGNEE', text: ({ assignee }) => assignee?.name ?? '-' },
  due: { title: 'DUE', text: ({ due }) => due?.due_at ?? '-' },
  epss: { title: 'EPSS', text: ({ epss }) => `${epss?.score ?? '-'}${epss?.kev ? ' KEV' : ''}` },
  open_on: { title: 'ON', text: (row) => (row.open_on ? `${row.open_on.ref} (${row.open_on.reach})` : '-') },
};

const filters = Object.entries(filterOptions).map(([name, [value, about]]) => ({
  name,
  option: new Option(`--${name.replaceAll('_', '-')} ${value}`, about),
}));

const wholePage = 200;

export function addVulnsCommand(program: Command): void {
  const command = program.command('vulns').description('List vulnerabilities, the worst first');
  for (const { option } of filters) command.addOption(option);
  command
    .option('--all', 'every page, not the first alone')
    .addHelpText('after', '\nExample:\n  merlon vulns --repo acme/shop --state open --severity critical,high')
    .action(async (_options: unknown, command: Command) => {
      const { all, json, url, workspace, ...given } = command.optsWithGlobals<
        GlobalOptions & Record<string, string | undefined> & { all?: true }
      >();
      const session = await openSession({ ...(url ? { url } : {}), ...(workspace ? { workspace } : {}) });
      const list = await readList(session, filtersOf(given), all ?? false);
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
          { title: 'REPOSITORY', text: (row) => row.repository.full_name },
          {
            title: 'WHERE',
            text: ({ location: { path, line } }) => (line === null ? path : `${path}:${line}`),
          },
          ...Object.entries(includedColumns).flatMap(([name, column]) =>
            given.include?.split(',').includes(name) ? [column] : [],
          ),
          { title: 'ID', text: (row) => row.id },
        ],
        list.items,
      );
      const more = list.next_cursor === null ? '' : '; --all shows the rest';
      say(`${list.items.length} of ${list.summary.total}${more}`);
    });
}

function filtersOf(given: Record<string, string | undefined>): Filters {
  return Object.fromEntries(filters.map(({ name, option }) => [name, given[option.attributeName()]]));
}

async function readList(session: Session, filters: Filters, all: boolean): Promise<List> {
  const read = (cursor: string | null): Promise<List> =>
    session.client.listVulnerabilities({
      path: { tenant_slug: session.workspace },
      query: {
        // The server knows the allowed values, and its error names them.
        ...(filters as unknown as Query<'listVulnerabilities'>),
        per_page: all ? wholePage : null,
        cursor,
      },
    });
  const first = await read(null);
  const list = { ...first, items: [...first.items] };
  while (all && list.next_cursor !== null) {
    const next = await read(list.next_cursor);
    list.items.push(...next.items);
    list.next_cursor = next.next_cursor;
  }
  return list;
}
