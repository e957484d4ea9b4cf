/**
 * The commands that webhooks and issue trackers share: each has receivers, which an operator enables, disables and
 * deletes.
 */
import type { Command } from 'commander';
import { type Tx, tenantTx } from '../db/database.ts';
import { DomainError } from '../domain/domain-error.ts';
import { type OutboundRules, outboundRules } from '../notifications/outbound/outbound-rules.ts';
import { CommandError, exitCodes } from './command-error.ts';
import { printJson, say } from './output.ts';
import { readConfig } from './read-config.ts';
import { withWorkspace } from './with-database.ts';

export interface ReceiverOptions {
  workspace: string;
  json?: true;
}

/** Runs the work in a transaction of the workspace that the options name. */
export async function inWorkspace<T>(
  { workspace }: ReceiverOptions,
  work: (tx: Tx, rules: OutboundRules) => Promise<T>,
): Promise<T> {
  const config = readConfig();
  return withWorkspace(workspace, ({ db, secret }, { id }) =>
    tenantTx(db, id, (tx) => work(tx, outboundRules(config, secret))).catch((error) => {
      if (!(error instanceof DomainError) || error.code !== 'RESOURCE_NOT_FOUND') throw error;
      throw new CommandError('Nothing in the workspace has this id: the command "list" shows the ids.');
    }),
  );
}

interface ReceiverItem {
  id: string;
  name: string;
  enabled: boolean;
  disabled_reason: string | null;
  retry_at: string | null;
}

export function receiverState({ enabled, disabled_reason: reason, retry_at: retryAt }: ReceiverItem): string {
  if (!enabled) return reason === null ? 'disabled' : `disabled: ${reason}`;
  return retryAt === null ? 'enabled' : `away until ${retryAt}`;
}

/** Returns a function that adds a command of `parent` with the options of all of them. */
export function commandsOf(parent: Command): (name: string, description: string) => Command {
  return (name, description) =>
    parent
      .command(name)
      .description(description)
      .requiredOption('--workspace <slug>', 'workspace')
      .option('--json', 'print JSON');
}

interface Switched {
  /** The name of the argument. */
  argument: string;
  /** The noun for one of them, with its article. */
  one: string;
  enable: string;
  disable: string;
  list: (tx: Tx) => Promise<ReceiverItem[]>;
  change: (tx: Tx, id: string, change: { enabled: boolean }, rules: OutboundRules) => Promise<ReceiverItem>;
}

/** Adds `enable` and `disable`, for one receiver or with `--all` for each of the workspace. */
export function addEnableCommands(command: ReturnType<typeof commandsOf>, of: Switched): void {
  for (const enabled of [true, false]) {
    command(`${enabled ? 'enable' : 'disable'} [${of.argument}]`, enabled ? of.enable : of.disable)
      .option('--all', 'all of the workspace')
      .action(async (id: string | undefined, options: ReceiverOptions & { all?: true }) => {
        if ((id === undefined) !== (options.all === true)) {
          throw new CommandError(`Give the id of ${of.one}, or --all.`, exitCodes.usage);
        }
        const items = await inWorkspace(options, async (tx, rules) => {
          const ids = id === undefined ? (await of.list(tx)).map((item) => item.id) : [id];
          const changed = [];
          // A workspace has at most twenty.
          for (const one of ids) changed.push(await of.change(tx, one, { enabled }, rules));
          return changed;
        });
        if (options.json) printJson(items);
        else for (const item of items) say(`${item.id} "${item.name}" is ${receiverState(item)}`);
      });
  }
}

export function addDeleteCommand(
  command: ReturnType<typeof commandsOf>,
  argument: string,
  description: string,
  remove: (tx: Tx, id: string) => Promise<void>,
): void {
  command(`delete <${argument}>`, description).action(async (id: string, options: ReceiverOptions) => {
    await inWorkspace(options, (tx) => remove(tx, id));
    if (options.json) printJson({ id });
    else say(`${id} is deleted`);
  });
}
