/** `merlon exception` requests exceptions from policies, lists them, and approves, refuses or withdraws them. */
import { type Answer, type Query, queryValues } from '@merlon/client';
import { type Command, Option } from 'commander';
import { exceptionMode } from '../exception-mode.ts';
import { CommandError, exitCodes } from '../failures.ts';
import { type FiltersOf, limitOf, readUpTo, splitList } from '../list.ts';
import { print, printJson, printList } from '../output.ts';
import { endOf } from '../parse-end-date.ts';
import { type GlobalOptions, openSession } from '../session.ts';

type List = Answer<'listExceptions'>;
type Item = List['items'][number];

type AllFilters = FiltersOf<Query<'listExceptions'>>;
type Filters = Partial<Record<keyof AllFilters, string>>;

interface RequestOptions extends GlobalOptions {
  reason: string;
  until?: string;
  downgrade?: 'warn' | 'monitor';
  policy?: string;
  repo?: string;
}

const defaultLimit = 50;

export function addExceptionCommands(program: Command): void {
  const exception = program.command('exception').description('Exceptions from policies');

  exception
    .command('request')
    .description(
      'Request an exception for violations, or for a policy in a repository. They block until it is approved',
    )
    .argument('[violation...]', 'ids, pvl_…')
    .requiredOption('--reason <text>', 'why')
    .option('--until <time>', 'end: a date (until the end of the day, UTC), days such as 30d, or RFC 3339')
    .addOption(
      new Option('--downgrade <mode>', 'a milder mode instead of an exemption').choices(['warn', 'monitor']),
    )
    .option('--policy <key>', 'the whole policy, with --repo: id or key')
    .option('--repo <name>', 'with --policy: id or full name')
    .addHelpText(
      'after',
      '\nExamples:\n  merlon exception request pvl_… --reason "the code is not reached" --until 30d\n' +
        '  merlon exception request --policy no-critical --repo acme/shop --downgrade warn --reason "being replaced"',
    )
    .action(async (ids: string[], _options: unknown, command: Command) => {
      await requestException(ids, command.optsWithGlobals<RequestOptions>());
    });

  exception
    .command('list')
    .description('List exceptions, newest first')
    .option('--status <list>', queryValues.listExceptions.status.join())
    .option('--repo <name>', 'repository: id or full name')
    .option('--policy <list>', 'policies: ids or keys')
    .option('--violation <id>', 'for this violation, or for its policy in the whole repository')
    .option('--q <words>', 'words of the title and the package of a vulnerability, ids of advisories')
    .option('--limit <rows>', 'maximum number of rows', limitOf, defaultLimit)
    .addHelpText('after', '\nExample:\n  merlon exception list --status requested')
    .action(async (_options: unknown, command: Command) => {
      await list(command.optsWithGlobals<GlobalOptions & Filters & { limit: number }>());
    });

  for (const decision of ['approve', 'refuse'] as const) {
    exception
      .command(`${decision} <exception>`)
      .description(
        decision === 'approve' ? 'Approve a request of another person; for admins' : 'Refuse; for admins',
      )
      .requiredOption('--reason <text>', 'why')
      .addHelpText('after', `\nExample:\n  merlon exception ${decision} ovr_… --reason "reviewed"`)
      .action(async (id: string, _options: unknown, command: Command) => {
        const options = command.optsWithGlobals<GlobalOptions & { reason: string }>();
        const { client, workspace } = await openSession(options);
        const item = await client.reviewException({
          path: { tenant_slug: workspace, exception: id },
          body: { decision, reason: options.reason },
        });
        show([item], item, options);
      });
  }

  exception
    .command('withdraw <exception>')
    .description('Withdraw your own request; an admin may withdraw any, and approved exceptions')
    .requiredOption('--reason <text>', 'why')
    .addHelpText('after', '\nExample:\n  merlon exception withdraw ovr_… --reason "fixed"')
    .action(async (id: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { reason: string }>();
      const { client, workspace } = await openSession(options);
      const item = await client.withdrawException({
        path: { tenant_slug: workspace, exception: id },
        body: { reason: options.reason },
      });
      show([item], item, options);
    });
}

async function requestException(ids: string[], options: RequestOptions): Promise<void> {
  const { policy, repo, downgrade, until, reason } = options;
  const isWhole = policy !== undefined || repo !== undefined;
  if (isWhole ? ids.length > 0 || policy === undefined || repo === undefined : ids.length === 0) {
    throw new CommandError('Give violations (pvl_…), or --policy and --repo.', exitCodes.usage);
  }
  const { client, workspace } = await openSession(options);
  const answer = await client.requestExceptions({
    path: { tenant_slug: workspace },
    body: {
      violations: ids.length > 0 ? ids : undefined,
      policy,
      repo,
      ...(downgrade === undefined ? {} : { mode: 'downgrade', enforcement_mode: downgrade }),
      until: until === undefined ? undefined : endOf(until),
      reason,
    },
  });
  show(answer.items, answer, options);
}

async function list(options: GlobalOptions & Filters & { limit: number }): Promise<void> {
  const { client, workspace } = await openSession(options);
  const { status, repo, policy, violation, q, limit } = options;
  const filters: AllFilters = {
    status: splitList(status),
    repo,
    policy: splitList(policy),
    violation,
    q,
  };
  const found = await readUpTo<List>(limit, (page) =>
    client.listExceptions({
      path: { tenant_slug: workspace },
      query: { ...filters, ...page },
    }),
  );
  printList(options, found, [
    { title: 'STATUS', text: (row) => row.status },
    { title: 'MODE', text: (row) => exceptionMode(row) },
    { title: 'POLICY', text: (row) => row.policy.key },
    { title: 'REPOSITORY', text: (row) => row.repository.full_name },
    { title: 'VIOLATION', text: (row) => row.violation_id ?? 'all' },
    { title: 'UNTIL', text: (row) => row.until?.slice(0, 10) ?? '-' },
    { title: 'REQUESTED BY', text: (row) => row.requested_by?.email ?? '-' },
    { title: 'REASON', text: (row) => row.reason, gives: true },
    { title: 'ID', text: (row) => row.id },
  ]);
}

function show(items: Item[], answer: object, { json }: GlobalOptions): void {
  if (json) {
    printJson(answer);
    return;
  }
  for (const item of items) {
    const of = item.violation_id ?? `${item.policy.key} in ${item.repository.full_name}`;
    const until = item.until === null ? '' : `, until ${item.until}`;
    const waits = item.status === 'requested' ? '; it blocks until another admin approves' : '';
    print(`${item.id}: ${item.status}: ${exceptionMode(item)} of ${of}${until}${waits}`);
  }
}
