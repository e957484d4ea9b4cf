/** `merlond issue-tracker`: the projects in which issues are made, for the operator. Admins have them in the console. */
import { type Command, Option } from 'commander';
import { getWorkspace } from '../access/workspaces/service.ts';
import { installTx, type Tx, tenantTx } from '../db/database.ts';
import { trackerItem } from '../notifications/issues/issue-schema.ts';
import { type TrackerKind, trackerKinds } from '../notifications/issues/tracker-client.ts';
import {
  changeTracker,
  createTracker,
  removeTracker,
  showTrackers,
} from '../notifications/issues/tracker-service.ts';
import { type WebhookRules, webhookRules } from '../notifications/webhooks/webhook-service.ts';
import { readPassword } from './read-password.ts';
import { CommandError, exitCodes, printJson, printTable, readConfig, say, withDatabase } from './session.ts';

interface Options {
  workspace: string;
  json?: true;
}

interface CreateOptions extends Options {
  name: string;
  kind: TrackerKind;
  project: string;
  url?: string;
  user?: string;
}

// The audit log shows an act of the operator without a person.
const operator = { actorId: null };

export function addIssueTrackerCommands(program: Command): void {
  const tracker = program
    .command('issue-tracker')
    .description('Issue trackers: projects of GitHub, GitLab or Jira in which issues are made');
  const command = (name: string, description: string): Command =>
    tracker
      .command(name)
      .description(description)
      .requiredOption('--workspace <slug>', 'workspace')
      .option('--json', 'print JSON');

  command('list', 'List the issue trackers with the numbers of their issues')
    .addHelpText('after', '\nExample:\n  merlond issue-tracker list --workspace acme')
    .action(async (options: Options) => {
      const items = await inWorkspace(options, async (tx) => (await showTrackers(tx)).map(trackerItem));
      if (options.json) printJson(items);
      else {
        printTable(
          ['ID', 'NAME', 'KIND', 'PROJECT', 'STATE', 'LINKED', 'WAITING', 'FAILED'],
          items.map((item) => [
            item.id,
            item.name,
            item.kind,
            item.project,
            stateOf(item),
            ...[item.issues.linked, item.issues.waiting, item.issues.failed].map(String),
          ]),
        );
      }
    });
  command('create', 'Create an issue tracker; the token is read from the standard input')
    .requiredOption('--name <name>', 'name')
    .addOption(new Option('--kind <kind>', 'kind of the tracker').choices(trackerKinds).makeOptionMandatory())
    .requiredOption('--project <project>', 'owner/name, group/name, or the key of a Jira project')
    .option('--url <address>', 'address of its pages, unless it is github.com or gitlab.com')
    .option('--user <email>', 'Jira Cloud: the user of the token')
    .addHelpText(
      'after',
      '\nExample:\n  merlond issue-tracker create --workspace acme --name Shop --kind github --project acme/shop < token',
    )
    .action(async ({ name, kind, project, url, user, ...options }: CreateOptions) => {
      const token = (await readPassword('Token')).trim();
      const fields = { name, kind, project, token, user: user ?? null, ...(url ? { url } : {}) };
      const item = trackerItem(
        await inWorkspace(options, (tx, rules) => createTracker(tx, operator, fields, rules)),
      );
      if (options.json) printJson(item);
      else say(`${item.id} "${item.name}" is created`);
    });
  for (const enabled of [true, false]) {
    command(
      enabled ? 'enable [tracker]' : 'disable [tracker]',
      enabled ? 'Enable an issue tracker' : 'Disable an issue tracker; its issues wait',
    )
      .option('--all', 'all of the workspace')
      .action(async (id: string | undefined, options: Options & { all?: true }) => {
        if ((id === undefined) !== (options.all === true)) {
          throw new CommandError('give the id of an issue tracker, or --all', exitCodes.usage);
        }
        const items = await inWorkspace(options, async (tx, rules) => {
          const ids =
            id === undefined ? (await showTrackers(tx)).map((shown) => trackerItem(shown).id) : [id];
          const changed = [];
          // A workspace has at most twenty.
          for (const one of ids) {
            changed.push(trackerItem(await changeTracker(tx, operator, one, { enabled }, rules)));
          }
          return changed;
        });
        if (options.json) printJson(items);
        else for (const item of items) say(`${item.id} "${item.name}" is ${stateOf(item)}`);
      });
  }
  command('delete <tracker>', 'Delete an issue tracker with its links; the issues stay').action(
    async (id: string, options: Options) => {
      await inWorkspace(options, (tx) => removeTracker(tx, operator, id));
      if (options.json) printJson({ id });
      else say(`${id} is deleted`);
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

type Item = ReturnType<typeof trackerItem>;

function stateOf({ enabled, disabled_reason: reason, retry_at: retryAt }: Item): string {
  if (!enabled) return reason === null ? 'disabled' : `disabled: ${reason}`;
  return retryAt === null ? 'enabled' : `away until ${retryAt}`;
}
