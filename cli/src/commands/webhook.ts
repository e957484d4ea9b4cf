/**
 * `merlon webhook` lists webhooks and their deliveries, and sends events again. Only people at the console make
 * webhooks.
 */
import { type Answer, type Query, queryValues } from '@merlon/client';
import { type Command, Option } from 'commander';
import { CommandError, exitCodes } from '../failures.ts';
import { type FiltersOf, limitOf, readUpTo } from '../list.ts';
import { print, printJson, printList } from '../output.ts';
import { type GlobalOptions, openSession } from '../session.ts';

type Webhook = Answer<'listWebhooks'>['items'][number];
type Deliveries = Answer<'listWebhookDeliveries'>;
type Status = Deliveries['items'][number]['status'];

const defaultLimit = 50;

export function addWebhookCommands(program: Command): void {
  const webhook = program
    .command('webhook')
    .description(
      'Receivers of events: list them and their deliveries, and send events again. Needs an admin',
    );

  webhook
    .command('list')
    .description('List the webhooks, newest first')
    .addHelpText('after', '\nExample:\n  merlon webhook list')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { client, workspace } = await openSession(options);
      const found = await client.listWebhooks({ path: { tenant_slug: workspace } });
      printList(options, found, [
        { title: 'NAME', text: (row) => row.name, gives: true },
        { title: 'STATE', text: stateOf },
        { title: 'WAITING', text: (row) => String(row.waiting) },
        { title: 'ADDRESS', text: (row) => row.url, gives: true },
        { title: 'ID', text: (row) => row.id },
      ]);
    });

  webhook
    .command('deliveries <webhook>')
    .description('List the deliveries of a webhook, newest first')
    .addOption(
      new Option('--status <status>', 'only these').choices(queryValues.listWebhookDeliveries.status),
    )
    .option('--limit <rows>', 'maximum number of rows', limitOf, defaultLimit)
    .addHelpText('after', '\nExample:\n  merlon webhook deliveries whk_… --status failed')
    .action(async (id: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { status?: Status; limit: number }>();
      const { client, workspace } = await openSession(options);
      const { status, limit } = options;
      const filters: FiltersOf<Query<'listWebhookDeliveries'>> = { status };
      const found = await readUpTo<Deliveries>(limit, (page) =>
        client.listWebhookDeliveries({
          path: { tenant_slug: workspace, webhook: id },
          query: { ...filters, ...page },
        }),
      );
      printList(options, found, [
        { title: 'EVENT', text: (row) => row.event },
        { title: 'TYPE', text: (row) => row.type },
        { title: 'STATUS', text: (row) => row.status },
        { title: 'ATTEMPTS', text: (row) => String(row.attempts) },
        {
          title: 'ANSWER',
          text: (row) => row.error ?? row.response_status?.toString() ?? '-',
          gives: true,
        },
        { title: 'NEXT', text: (row) => row.next_attempt_at ?? '-' },
      ]);
    });

  webhook
    .command('replay <webhook> [event...]')
    .description('Send events of the log again: these, or all that have failed')
    .option('--failed', 'all that have failed')
    .addHelpText(
      'after',
      '\nExamples:\n  merlon webhook replay whk_… --failed\n  merlon webhook replay whk_… evt_…',
    )
    .action(async (id: string, events: string[], _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { failed?: true }>();
      if ((events.length === 0) !== (options.failed === true)) {
        throw new CommandError('Give events (evt_…), or --failed.', exitCodes.usage);
      }
      const { client, workspace } = await openSession(options);
      const done = await client.replayWebhook({
        path: { tenant_slug: workspace, webhook: id },
        body: options.failed ? { failed: true } : { events },
      });
      if (options.json) printJson(done);
      else print(`${done.replayed} events are sent again.`);
    });
}

function stateOf({ enabled, retry_at: retryAt }: Webhook): string {
  if (!enabled) return 'disabled';
  return retryAt === null ? 'enabled' : 'away';
}
