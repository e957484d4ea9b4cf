/** `merlond workspace`, `user`, `member`: who is there. */
import type { Command } from 'commander';
import { addMember } from '../access/members/service.ts';
import { changeIssuer } from '../access/sign-in/change-issuer.ts';
import { resetPassword } from '../access/sign-in/claim-account.ts';
import { removeSetupLinks } from '../access/sign-in/setup.ts';
import { disableUser, enableUser } from '../access/users/disable.ts';
import { createUser, getUser } from '../access/users/service.ts';
import { getWorkspace } from '../access/workspaces/service.ts';
import { listTenants, updateSettings } from '../access/workspaces/store.ts';
import { removeMemberAsOperator } from '../actions/members/remove-member.ts';
import { createWorkspace } from '../actions/workspaces/create-workspace.ts';
import { type Database, type InstallTx, installTx, tenantTx } from '../db/database.ts';
import { prepareDatabase } from '../db/prepare-database.ts';
import { foldEmail } from '../domain/email.ts';
import { formatId } from '../domain/ids.ts';
import { roles } from '../http/principal.ts';
import { newRepositories } from '../inventory/repositories/create.ts';
import { addWorkspaceFileCommands } from './backup.ts';
import { readPassword } from './read-password.ts';
import {
  CommandError,
  everySeconds,
  exitCodes,
  ownerUrlOf,
  printJson,
  printTable,
  readConfig,
  say,
  withDatabase,
} from './session.ts';

interface CreateUserOptions {
  name: string;
  passwordStdin?: true;
  operator?: true;
  json?: true;
}

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

  addWorkspaceFileCommands(workspace);
  workspace
    .command('delete <slug>')
    .description('Delete a workspace with all that it has; goes on with one that was cut off')
    .option('--yes', 'delete; without it the command says what it would delete')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nNobody has access from its start. Nothing brings the workspace back but a backup or an export.\nExample:\n  merlond workspace delete acme --yes',
    )
    .action(async (slug: string, options: { yes?: true; json?: true }) => {
      const deletion = await import('../retention/delete-workspace.ts');
      const prepared = await prepareDatabase(readConfig(), say);
      try {
        const ownerUrl = ownerUrlOf(
          prepared,
          'to delete a workspace: the running role may not delete history',
        );
        if (!options.yes) {
          const has = await deletion.countWorkspace(ownerUrl, slug);
          throw new CommandError(
            `workspace ${slug} has ${has.repositories} repositories, ${has.vulnerabilities} vulnerabilities and ${has.members} members: --yes deletes it`,
            exitCodes.usage,
          );
        }
        const told = everySeconds(2);
        const rows = await deletion.deleteWorkspace(ownerUrl, slug, (at) =>
          told(() => say(`${at.table}: ${at.rows} rows deleted so far`)),
        );
        if (options.json) printJson({ slug, rows });
        else say(`workspace ${slug} is deleted: ${rows} rows`);
      } finally {
        await prepared.close();
      }
    });

  const user = program.command('user').description('People');
  user
    .command('create <email>')
    .description('Create a user')
    .requiredOption('--name <name>', 'name that people see')
    .option('--password-stdin', 'read a password for the console from standard input; a terminal asks for it')
    .option('--operator', 'may make workspaces in the console')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  merlond user create ada@example.com --name "Ada Lovelace" --operator --password-stdin',
    )
    .action(async (email: string, options: CreateUserOptions) => {
      const password = options.passwordStdin ? await readPassword() : null;
      const { created, endsSetup } = await withDatabase(({ db }) =>
        installTx(db, async (tx) => ({
          created: await createUser(tx, email, options.name, password, {
            operator: options.operator === true,
          }),
          endsSetup: await removeSetupLinks(tx),
        })),
      );
      const shown = { ...created, id: formatId('user', created.id) };
      if (options.json) printJson(shown);
      else say(`created user ${created.email} (${shown.id})`);
      if (endsSetup) say('the link that the server printed for the first person opens nothing any more');
      if (password === null && readConfig().oidc === null) {
        say(
          `to sign in to the console, ${created.email} needs a password: merlond user password ${created.email}`,
        );
      }
    });
  user
    .command('password <email>')
    .description(
      'Set a password, from standard input or as a terminal is asked; signs the user out everywhere',
    )
    .addHelpText(
      'after',
      '\nYou vouch for the address: an account that an invitation made loses its personal keys and open invitations.',
    )
    .option('--json', 'print JSON')
    .action(async (email: string, options: { json?: true }) => {
      const password = await readPassword();
      const keysRevoked = await withDatabase(({ db }) =>
        asUser(db, email, (tx, { id }) => resetPassword(tx, id, password)),
      );
      if (options.json) printJson({ email: foldEmail(email), keys_revoked: keysRevoked ?? 0 });
      else {
        say(`${email} signs in with the new password`);
        if (keysRevoked !== null) {
          say(
            `the address was not proved before: ${keysRevoked} personal keys are revoked, open invitations withdrawn`,
          );
        }
      }
    });
  user
    .command('issuer')
    .description(
      'Give the identities of one OpenID Connect issuer to another, whose subjects are the same people',
    )
    .requiredOption('--to <issuer>', 'the issuer that they are of from now on')
    .option('--from <issuer>', 'the issuer that they are of; left out: those that were stored without one')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  merlond user issuer --from https://old.example --to https://new.example',
    )
    .action(async (options: { from?: string; to: string; json?: true }) => {
      const change = await withDatabase(({ db }) =>
        changeIssuer(db, { from: options.from ?? null, to: options.to }),
      );
      for (const email of change.kept) {
        say(`warning: ${email} is not moved: another account has this subject of ${change.to} already`);
      }
      if (options.json) printJson(change);
      else say(`moved ${change.moved} ${change.moved === 1 ? 'identity' : 'identities'} to ${change.to}`);
    });
  user
    .command('disable <email>')
    .description('Shut a user out: sessions end, personal keys are refused')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nKeys of workspaces go on: merlond key revoke.')
    .action(async (email: string, options: { json?: true }) => {
      const { withoutAdmin } = await withDatabase(({ db }) =>
        asUser(db, email, (tx, { id }) => disableUser(tx, id)),
      );
      for (const slug of withoutAdmin) warnWithoutAdmin(slug);
      if (options.json) printJson({ email: foldEmail(email), disabled: true, without_admin: withoutAdmin });
      else say(`${email} is disabled`);
    });
  user
    .command('enable <email>')
    .description('Let a user in again who was disabled')
    .option('--json', 'print JSON')
    .action(async (email: string, options: { json?: true }) => {
      await withDatabase(({ db }) => asUser(db, email, (tx, { id }) => enableUser(tx, id)));
      if (options.json) printJson({ email: foldEmail(email), disabled: false });
      else say(`${email} is enabled`);
    });

  const member = program.command('member').description('Members of workspaces');
  member
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
        await tenantTx(db, tenant.id, (tx) => addMember(tx, user.id, role));
      });
      if (options.json) printJson({ email: foldEmail(email), workspace: options.workspace, role });
      else say(`${email} is ${role} of ${options.workspace}`);
    });
  member
    .command('remove <email>')
    .description('Take a user out of a workspace, with what is assigned to them')
    .requiredOption('--workspace <slug>', 'workspace')
    .option('--json', 'print JSON')
    .action(async (email: string, options: { workspace: string; json?: true }) => {
      const { withoutAdmin } = await withDatabase(async ({ db }) => {
        const { tenant, user } = await installTx(db, async (tx) => ({
          tenant: await getWorkspace(tx, options.workspace),
          user: await getUser(tx, email),
        }));
        return removeMemberAsOperator(db, tenant.id, user);
      });
      if (withoutAdmin) warnWithoutAdmin(options.workspace);
      if (options.json)
        printJson({
          email: foldEmail(email),
          workspace: options.workspace,
          without_admin: withoutAdmin ? [options.workspace] : [],
        });
      else say(`${email} is no member of ${options.workspace} any more`);
    });
}

/** Runs in a transaction that can read all memberships of the user. */
async function asUser<T>(
  db: Database,
  email: string,
  work: (tx: InstallTx, user: { id: string }) => Promise<T>,
): Promise<T> {
  const user = await installTx(db, (tx) => getUser(tx, email));
  return installTx(db, (tx) => work(tx, user), user.id);
}

function warnWithoutAdmin(slug: string): void {
  say(`warning: no admin of ${slug} can sign in: merlond member add EMAIL --workspace ${slug} --role admin`);
}
