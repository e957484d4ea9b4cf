/** `merlond webhook`: the receivers of events of a workspace, for the operator. Admins have them in the console. */
import { type Command, Option } from 'commander';
import { webhookItem } from '../notifications/webhooks/webhook-schema.ts';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  replay,
  rotateSecret,
  showWebhooks,
  withDefaults,
} from '../notifications/webhooks/webhook-service.ts';
import { type WebhookFormat, webhookFormats } from '../notifications/webhooks/webhook-store.ts';
import { printJson, printTable, say } from './output.ts';
import { readPassword } from './read-password.ts';
import {
  addDeleteCommand,
  addEnableCommands,
  commandsOf,
  inWorkspace,
  type ReceiverOptions,
  receiverState,
} from './receivers.ts';
import { operator } from './with-database.ts';

export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('Webhooks: receivers of the events of a workspace');
  const command = commandsOf(webhook);

  command('list', 'List the webhooks with what waits for them')
    .addHelpText('after', '\nExample:\n  merlond webhook list --workspace acme')
    .action(async (options: ReceiverOptions) => {
      const items = await inWorkspace(options, async (tx) => (await showWebhooks(tx)).map(webhookItem));
      if (options.json) printJson(items);
      else {
        printTable(
          ['ID', 'NAME', 'FORMAT', 'STATE', 'WAITING', 'ADDRESS'],
          items.map((item) => [
            item.id,
            item.name,
            item.format,
            receiverState(item),
            String(item.waiting),
            item.url,
          ]),
        );
      }
    });
  command('create', 'Send the events from now on to an address; the signing secret is shown only once')
    .requiredOption('--name <name>', 'name')
    .requiredOption(
      '--url <address>',
      'https address of the receiver; with - it is read from the standard input, because the address of a chat is a secret',
    )
    .addOption(
      new Option('--format <format>', 'each event, or messages for people in a chat')
        .choices(webhookFormats)
        .default('standard'),
    )
    .addHelpText(
      'after',
      '\nExample:\n  merlond webhook create --workspace acme --name chat --url https://receiver.example.com/merlon',
    )
    .action(async (options: ReceiverOptions & { name: string; url: string; format: WebhookFormat }) => {
      const { name, format } = options;
      const url = options.url === '-' ? (await readPassword('Address')).trim() : options.url;
      const { secret, ...shown } = await inWorkspace(options, (tx, rules) =>
        createWebhook(tx, operator, withDefaults({ name, url, format }), rules),
      );
      showSecret(webhookItem(shown), secret, options);
    });
  command('rotate-secret <webhook>', 'Make a new signing secret; for a day the one before signs too').action(
    async (id: string, options: ReceiverOptions) => {
      const { secret, ...shown } = await inWorkspace(options, (tx, rules) =>
        rotateSecret(tx, operator, id, rules),
      );
      showSecret(webhookItem(shown), secret, options);
    },
  );
  addEnableCommands(command, {
    argument: 'webhook',
    one: 'a webhook',
    enable: 'Enable a webhook; what waits is sent',
    disable: 'Disable a webhook; its events wait',
    list: async (tx) => (await showWebhooks(tx)).map(webhookItem),
    change: async (tx, id, change, rules) =>
      webhookItem(await changeWebhook(tx, operator, id, change, rules)),
  });
  addDeleteCommand(command, 'webhook', 'Delete a webhook with the log of its deliveries', (tx, id) =>
    removeWebhook(tx, operator, id),
  );
  command('replay <webhook>', 'Send all events again that have failed').action(
    async (id: string, options: ReceiverOptions) => {
      const replayed = await inWorkspace(options, (tx) => replay(tx, operator, id, 'failed'));
      if (options.json) printJson({ id, replayed });
      else say(`${replayed} events are sent again`);
    },
  );
}

type Item = ReturnType<typeof webhookItem>;

function showSecret(item: Item, secret: string | null, { json }: ReceiverOptions): void {
  if (json) {
    printJson({ ...item, secret });
    return;
  }
  if (secret === null) {
    say(`${item.id} "${item.name}" is made`);
    return;
  }
  process.stdout.write(`${secret}\n`);
  say(`the signing secret of ${item.id} "${item.name}" is above, and is not shown again`);
}
