/** `merlond workspace`: the workspaces of an install. */
import { type Command, Option } from 'commander';
import { setSetting } from '../access/workspaces/service.ts';
import { listTenants } from '../access/workspaces/store.ts';
import { createWorkspace } from '../actions/workspaces/create-workspace.ts';
import { installTx, tenantTx } from '../db/database.ts';
import { formatTenantId } from '../domain/ids.ts';
import { newRepositories } from '../inventory/repositories/create.ts';
import { addWorkspaceFileCommands } from './backup.ts';
import { CommandError, exitCodes } from './command-error.ts';
import { everyTwoSeconds } from './every-two-seconds.ts';
import { printJson, printTable, say } from './output.ts';
import { readConfig } from './read-config.ts';
import { operator, withDatabase, withOwner, withWorkspace } from './with-database.ts';

export function addWorkspaceCommands(program: Command): void {
  const workspace = program.command('workspace').description('Workspaces of this install');
  workspace
    .command('create <slug>')
    .description('Create a workspace')
    .requiredOption('--name <name>', 'name that people see')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  merlond workspace create acme --name "Acme Inc."')
    .action(async (slug: string, options: { name: string; json?: true }) => {
      const created = await withDatabase(
        ({ db }) => installTx(db, (tx) => createWorkspace(tx, slug, options.name, operator)),
        readConfig(),
      );
      const shown = { id: formatTenantId(created.id), slug, workspace: created.name };
      if (options.json) printJson(shown);
      else say(`created workspace ${slug} (${shown.id})`);
    });
  workspace
    .command('set <slug>')
    .description('Change a setting of a workspace')
    .addOption(
      new Option('--new-repositories <rule>', 'repositories that a report may create')
        .choices(newRepositories)
        .makeOptionMandatory(),
    )
    .option('--json', 'print JSON')
    .action(
      async (slug: string, options: { newRepositories: (typeof newRepositories)[number]; json?: true }) => {
        const value = options.newRepositories;
        const change = { to: value, unset: newRepositories[0] };
        await withWorkspace(slug, ({ db }, { id }) =>
          tenantTx(db, id, (tx) => setSetting(tx, operator, 'new_repositories', change)),
        );
        if (options.json) printJson({ slug, new_repositories: value });
        else say(`workspace ${slug}: new repositories: ${value}`);
      },
    );
  workspace
    .command('list')
    .description('List the workspaces')
    .option('--json', 'print JSON')
    .action(async (options: { json?: true }) => {
      const tenants = await withDatabase(({ db }) => installTx(db, (tx) => listTenants(tx)));
      const shown = tenants.map(({ id, slug, name }) => ({
        id: formatTenantId(id),
        slug,
        workspace: name,
      }));
      if (options.json) printJson(shown);
      else
        printTable(
          ['ID', 'SLUG', 'NAME'],
          shown.map((row) => [row.id, row.slug, row.workspace]),
        );
    });

  addWorkspaceFileCommands(workspace);
  workspace
    .command('isolate <slug>')
    .description('On Citus, give a workspace a shard of its own, and move it to another node')
    .option('--to <host:port>', 'node that takes the shard; without it the shard stays on its node')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nThe workspace can be used meanwhile. Repeat it with another --to to move it again.\nExample:\n  merlond workspace isolate acme --to worker3:5432',
    )
    .action(async (slug: string, options: { to?: string; json?: true }) => {
      const { isolateWorkspace } = await import('../actions/workspaces/isolate-workspace.ts');
      await withOwner('to divide a shard', async (ownerUrl) => {
        const { shardId, node } = await isolateWorkspace(ownerUrl, slug, options.to ?? null);
        if (options.json) printJson({ slug, shard: shardId, node });
        else say(`workspace ${slug} has the shard ${shardId} of its own, on ${node}`);
      });
    });
  workspace
    .command('delete <slug>')
    .description('Delete a workspace with all its data; continues an interrupted deletion')
    .option('--yes', 'delete; without it the command only shows what it would delete')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nAccess ends at once. Only a backup or an export can bring the workspace back.\nExample:\n  merlond workspace delete acme --yes',
    )
    .action(async (slug: string, options: { yes?: true; json?: true }) => {
      const deletion = await import('../retention/delete-workspace.ts');
      await withOwner('to delete a workspace: the running role may not delete history', async (ownerUrl) => {
        if (!options.yes) {
          const has = await deletion.countWorkspace(ownerUrl, slug);
          throw new CommandError(
            `The workspace ${slug} has ${has.repositories} repositories, ${has.vulnerabilities} vulnerabilities and ${has.members} members: add --yes to delete it.`,
            exitCodes.usage,
          );
        }
        const throttled = everyTwoSeconds();
        const rows = await deletion.deleteWorkspace(ownerUrl, slug, (at) =>
          throttled(() => say(`${at.table}: ${at.rows} rows deleted so far`)),
        );
        if (options.json) printJson({ slug, rows });
        else say(`workspace ${slug} is deleted: ${rows} rows`);
      });
    });
}
