/**
 * `merlond issue-tracker`: the projects in which issues are made, for the operator. Admins have them in the console.
 */
import { type Command, Option } from 'commander';
import { trackerItem } from '../notifications/issues/issue-schema.ts';
import { type TrackerKind, trackerKinds } from '../notifications/issues/tracker-client.ts';
import {
  changeTracker,
  createTracker,
  removeTracker,
  showTrackers,
} from '../notifications/issues/tracker-service.ts';
import { CommandError, exitCodes } from './command-error.ts';
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

interface CreateOptions extends ReceiverOptions {
  name: string;
  kind: TrackerKind;
  project: string;
  url?: string;
  user?: string;
}

export function addIssueTrackerCommands(program: Command): void {
  const tracker = program
    .command('issue-tracker')
    .description('Issue trackers: projects of GitHub, GitLab or Jira in which issues are made');
  const command = commandsOf(tracker);

  command('list', 'List the issue trackers with the numbers of their issues')
    .addHelpText('after', '\nExample:\n  merlond issue-tracker list --workspace acme')
    .action(async (options: ReceiverOptions) => {
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
            receiverState(item),
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
      if (token === '') {
        throw new CommandError('No token was given: write it to the standard input.', exitCodes.usage);
      }
      const fields = { name, kind, project, token, user: user ?? null, ...(url ? { url } : {}) };
      const item = trackerItem(
        await inWorkspace(options, (tx, rules) => createTracker(tx, operator, fields, rules)),
      );
      if (options.json) printJson(item);
      else say(`${item.id} "${item.name}" is created`);
    });
  addEnableCommands(command, {
    argument: 'tracker',
    one: 'an issue tracker',
    enable: 'Enable an issue tracker',
    disable: 'Disable an issue tracker; its issues wait',
    list: async (tx) => (await showTrackers(tx)).map(trackerItem),
    change: async (tx, id, change, rules) =>
      trackerItem(await changeTracker(tx, operator, id, change, rules)),
  });
  addDeleteCommand(command, 'tracker', 'Delete an issue tracker with its links; the issues stay', (tx, id) =>
    removeTracker(tx, operator, id),
  );
}
