/** `merlond webhook`: the receivers of events of a workspace, for the operator. Admins have them in the console. */
import { type Command, Option } from 'commander';
import { getWorkspace } from '../access/workspaces/service.ts';
import { installTx, type Tx, tenantTx } from '../db/database.ts';
import { webhookItem } from '../notifications/webhooks/webhook-schema.ts';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  replay,
  rotateSecret,
  showWebhooks,
  type WebhookRules,
  webhookRules,
  withDefaults,
} from '../notifications/webhooks/webhook-service.ts';
import { type WebhookFormat, webhookFormats } from '../notifications/webhooks/webhook-store.ts';
import { CommandError, exitCodes, printJson, printTable, readConfig, say, withDatabase } from './session.ts';

interface Options {
  workspace: string;
  json?: true;
}

// The audit log shows an act of the operator without a person.
const operator = { actorId: null };

export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('Webhooks: receivers of the events of a workspace');
  const command = (name: string, description: string): Command =>
    webhook
      .command(name)
      .description(description)
      .requiredOption('--workspace <slug>', 'workspace')
      .option('--json', 'print JSON');

  command('list', 'List the webhooks with what waits for them')
    .addHelpText('after', '\nExample:\n  merlond webhook list --workspace acme')
    .action(async (options: Options) => {
      const items = await inWorkspace(options, async (tx) => (await showWebhooks(tx)).map(webhookItem));
      if (options.json) printJson(items);
      else {
        printTable(
          ['ID', 'NAME', 'FORMAT', 'STATE', 'WAITING', 'ADDRESS'],
          items.map((item) => [
            item.id,
            item.name,
            item.format,
            stateOf(item),
            String(item.waiting),
            item.url,
          ]),
        );
      }
    });
  command('create', 'Send the events from now on to an address; the signing secret is shown only once')
    .requiredOption('--name <name>', 'name')
    .requiredOption('--url <address>', 'https address of the receiver')
    .addOption(
      new Option('--format <format>', 'each event, or messages for people in a chat')
        .choices(webhookFormats)
        .default('standard'),
    )
    .addHelpText(
      'after',
      '\nExample:\n  merlond webhook create --workspace acme --name chat --url https://receiver.example.com/merlon',
    )
    .action(async (options: Options & { name: string; url: string; format: WebhookFormat }) => {
      const { name, url, format } = options;
      const { secret, ...shown } = await inWorkspace(options, (tx, rules) =>
        createWebhook(tx, operator, withDefaults({ name, url, format }), rules),
      );
      showSecret(webhookItem(shown), secret, options);
    });
  command('rotate-secret <webhook>', 'Make a new signing secret; for a day the one before signs too').action(
    async (id: string, options: Options) => {
      const { secret, ...shown } = await inWorkspace(options, (tx, rules) =>
        rotateSecret(tx, operator, id, rules),
      );
      showSecret(webhookItem(shown), secret, options);
    },
  );
  for (const enabled of [true, false]) {
    command(
      enabled ? 'enable [webhook]' : 'disable [webhook]',
      enabled ? 'Enable a webhook; what waits is sent' : 'Disable a webhook; its events wait',
    )
      .option('--all', 'all of the workspace')
      .action(async (id: string | undefined, options: Options & { all?: true }) => {
        if ((id === undefined) !== (options.all === true)) {
          throw new CommandError('give the id of a webhook, or --all', exitCodes.usage);
        }
        const items = await inWorkspace(options, async (tx, rules) => {
          const ids =
            id === undefined ? (await showWebhooks(tx)).map((shown) => webhookItem(shown).id) : [id];
          const changed = [];
          // A workspace has at most twenty.
          for (const one of ids) {
            changed.push(webhookItem(await changeWebhook(tx, operator, one, { enabled }, rules)));
          }
          return changed;
        });
        if (options.json) printJson(items);
        else for (const item of items) say(`${item.id} "${item.name}" is ${stateOf(item)}`);
      });
  }
  command('delete <webhook>', 'Delete a webhook with the log of its deliveries').action(
    async (id: string, options: Options) => {
      await inWorkspace(options, (tx) => removeWebhook(tx, operator, id));
      if (options.json) printJson({ id });
      else say(`${id} is deleted`);
    },
  );
  command('replay <webhook>', 'Send all events again that have failed').action(
    async (id: string, options: Options) => {
      const replayed = await inWorkspace(options, (tx) => replay(tx, operator, id, 'failed'));
      if (options.json) printJson({ id, replayed });
      else say(`${replayed} events are sent again`);
    },
  );
}

async function inWorkspace<T>(
  { workspace }: Options,
  work: (tx: Tx, rules: WebhookRules) => Promise<T>,
): Promise<T> {
  const config = readConfig();
  return withDatabase(async ({ db, secret }) => {
    const { id } = await installTx(db, (tx) => getWorkspace(tx, workspace));
    return tenantTx(db, id, (tx) => work(tx, webhookRules(config, secret)));
  });
}

type Item = ReturnType<typeof webhookItem>;

function stateOf({ enabled, disabled_reason: reason, retry_at: retryAt }: Item): string {
  if (!enabled) return reason === null ? 'disabled' : `disabled: ${reason}`;
  return retryAt === null ? 'enabled' : `away until ${retryAt}`;
}

function showSecret(item: Item, secret: string | null, { json }: Options): void {
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
