/** `merlond workspace`, `user`, `member`: who is there. */
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { installTx, tenantTx } from '../db/database.ts';
import { addMember } from '../features/members/service.ts';
import { newRepositories } from '../features/repositories/create.ts';
import { createWorkspace, getWorkspace } from '../features/tenants/service.ts';
import { listTenants, updateSettings } from '../features/tenants/store.ts';
import { createUser, getUser } from '../features/users/service.ts';
import { roles } from '../http/principal.ts';
import { formatId } from '../ids.ts';
import { CommandError, exitCodes, printJson, printTable, say, withDatabase } from './session.ts';

export function addWorkspaceCommands(program: Command): void {
  const workspace = program.command('workspace').description('Workspaces of this install');
  workspace
    .command('create <slug>')
    .description('Create a workspace')
    .requiredOption('--name <name>', 'name that people see')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  merlond workspace create acme --name "Acme Inc."')
    .action(async (slug: string, options: { name: string; json?: true }) => {
      const created = await withDatabase(({ db }) =>
        installTx(db, (tx) => createWorkspace(tx, slug, options.name)),
      );
      const shown = { id: formatId('tenant', created.id), slug, workspace: created.name };
      if (options.json) printJson(shown);
      else say(`created workspace ${slug} (${shown.id})`);
    });
  workspace
    .command('set <slug>')
    .description('Change a setting of a workspace')
    .requiredOption(
      '--new-repositories <which>',
      `which repositories a report may make: ${newRepositories.join(', ')}`,
    )
    .option('--json', 'print JSON')
    .action(async (slug: string, options: { newRepositories: string; json?: true }) => {
      const which = newRepositories.find((known) => known === options.newRepositories);
      if (!which) {
        throw new CommandError(
          `--new-repositories ${options.newRepositories}: must be one of ${newRepositories.join(', ')}`,
          exitCodes.usage,
        );
      }
      await withDatabase(({ db }) =>
        installTx(db, async (tx) => {
          const tenant = await getWorkspace(tx, slug);
          await updateSettings(tx, tenant.id, { new_repositories: which });
        }),
      );
      if (options.json) printJson({ slug, new_repositories: which });
      else say(`workspace ${slug}: new repositories: ${which}`);
    });
  workspace
    .command('list')
    .description('List the workspaces')
    .option('--json', 'print JSON')
    .action(async (options: { json?: true }) => {
      const tenants = await withDatabase(({ db }) => installTx(db, (tx) => listTenants(tx)));
      const shown = tenants.map(({ id, slug, name }) => ({
        id: formatId('tenant', id),
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

  program
    .command('user')
    .description('People')
    .command('create <email>')
    .description('Create a user')
    .requiredOption('--name <name>', 'name that people see')
    .option('--password-stdin', 'read a password for the console from standard input')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  merlond user create ada@example.com --name "Ada Lovelace"')
    .action(async (email: string, options: { name: string; passwordStdin?: true; json?: true }) => {
      const password = options.passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : null;
      const user = await withDatabase(({ db }) =>
        installTx(db, (tx) => createUser(tx, email, options.name, password)),
      );
      const shown = { ...user, id: formatId('user', user.id) };
      if (options.json) printJson(shown);
      else say(`created user ${user.email} (${shown.id})`);
    });

  program
    .command('member')
    .description('Members of workspaces')
    .command('add <email>')
    .description('Make a user a member of a workspace, or change the role')
    .requiredOption('--workspace <slug>', 'workspace')
    .requiredOption('--role <role>', roles.join(', '))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  merlond member add ada@example.com --workspace acme --role admin')
    .action(async (email: string, options: { workspace: string; role: string; json?: true }) => {
      const role = roles.find((known) => known === options.role);
      if (!role)
        throw new CommandError(`--role ${options.role}: must be one of ${roles.join(', ')}`, exitCodes.usage);
      await withDatabase(async ({ db }) => {
        const { tenant, user } = await installTx(db, async (tx) => ({
          tenant: await getWorkspace(tx, options.workspace),
          user: await getUser(tx, email),
        }));
        await tenantTx(db, tenant.id, (tx) => addMember(tx, tenant.id, user.id, role));
      });
      if (options.json) printJson({ email: email.toLowerCase(), workspace: options.workspace, role });
      else say(`${email} is ${role} of ${options.workspace}`);
    });
}
