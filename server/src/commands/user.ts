/** `merlond user`: the people of an install. */
import { jsonLine } from '@merlon/terminal';
import type { Command } from 'commander';
import { changeIssuer } from '../access/sign-in/change-issuer.ts';
import { removeSetupLinks } from '../access/sign-in/setup.ts';
import { resetPassword } from '../access/sign-in/transfer-account.ts';
import { changeEmail } from '../access/users/change-email.ts';
import { disableUser, enableUser } from '../access/users/disable.ts';
import { createUser, getUser, setOperator } from '../access/users/service.ts';
import { listWorkspacesOfUser } from '../access/workspaces/service.ts';
import { removeMemberAsOperator } from '../actions/members/remove-member.ts';
import { type Database, type InstallTx, installTx } from '../db/database.ts';
import { foldEmail } from '../domain/email.ts';
import { formatId, type UserId } from '../domain/ids.ts';
import { CommandError, exitCodes } from './command-error.ts';
import { warnWithoutAdmin } from './member.ts';
import { printJson, say } from './output.ts';
import { readConfig } from './read-config.ts';
import { readPassword } from './read-password.ts';
import { withDatabase, withOwner } from './with-database.ts';

interface CreateUserOptions {
  name: string;
  passwordStdin?: true;
  operator?: true;
  json?: true;
}

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('People');
  user
    .command('create <email>')
    .description('Create a user')
    .requiredOption('--name <name>', 'name that people see')
    .option(
      '--password-stdin',
      'read a password for the console from standard input, or ask for it on a terminal',
    )
    .option('--operator', 'may create workspaces in the console')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  merlond user create ada@example.com --name "Ada Lovelace" --operator --password-stdin',
    )
    .action(async (email: string, options: CreateUserOptions) => {
      const password = options.passwordStdin ? await readPassword() : null;
      const { created, endsSetup } = await withDatabase(
        ({ db }) =>
          installTx(db, async (tx) => ({
            created: await createUser(tx, email, options.name, password, {
              operator: options.operator === true,
            }),
            endsSetup: await removeSetupLinks(tx),
          })),
        readConfig(),
      );
      const shown = { ...created, id: formatId('user', created.id) };
      if (options.json) printJson(shown);
      else say(`created user ${created.email} (${shown.id})`);
      if (endsSetup) say('the setup link that the server printed is no longer valid');
      if (password === null && readConfig().oidc === null) {
        say(
          `to sign in to the console, ${created.email} needs a password: merlond user password ${created.email}`,
        );
      }
    });
  user
    .command('password <email>')
    .description('Set a password, from standard input or typed on a terminal; signs the user out everywhere')
    .addHelpText(
      'after',
      '\nYou confirm the address with this: an account from an invitation loses its personal keys and open invitations.',
    )
    .option('--json', 'print JSON')
    .action(async (email: string, options: { json?: true }) => {
      const password = await readPassword();
      const keysRevoked = await withDatabase(({ db }) =>
        asUser(db, email, (tx, { id }) => resetPassword(tx, id, password)),
      );
      if (options.json) printJson({ email: foldEmail(email), keys_revoked: keysRevoked ?? 0 });
      else {
        say(
          readConfig().passwords
            ? `${email} signs in with the new password`
            : `${email} has the new password, which is of no use while MERLON_PASSWORDS is off`,
        );
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
      'Move identities from one OpenID Connect issuer to another, whose subjects are the same people',
    )
    .requiredOption('--to <issuer>', 'the new issuer')
    .option('--from <issuer>', 'the present issuer; default: identities that were stored without one')
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
    .command('email <email>')
    .description('Change the e-mail address of a user')
    .requiredOption('--to <email>', 'the new address')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  merlond user email ada@old.example --to ada@new.example')
    .action(async (email: string, options: { to: string; json?: true }) => {
      const to = await withDatabase(({ db }) =>
        asUser(db, email, (tx, { id }) => changeEmail(tx, id, options.to)),
      );
      if (options.json) printJson({ email: to, from: foldEmail(email) });
      else say(`${email} is ${to} now`);
    });
  user
    .command('operator <email>')
    .description('Let a user create workspaces in the console')
    .option('--remove', 'take the right back')
    .option('--json', 'print JSON')
    .action(async (email: string, options: { remove?: true; json?: true }) => {
      const isOperator = !options.remove;
      await withDatabase(({ db }) => asUser(db, email, (tx, { id }) => setOperator(tx, id, isOperator)));
      if (options.json) printJson({ email: foldEmail(email), operator: isOperator });
      else say(`${email} ${isOperator ? 'may' : 'may no longer'} create workspaces`);
    });
  user
    .command('disable <email>')
    .description('Disable a user: sessions end, personal keys are refused')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nKeys of workspaces stay valid: merlond key revoke.')
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
    .description('Enable a disabled user')
    .option('--json', 'print JSON')
    .action(async (email: string, options: { json?: true }) => {
      await withDatabase(({ db }) => asUser(db, email, (tx, { id }) => enableUser(tx, id)));
      if (options.json) printJson({ email: foldEmail(email), disabled: false });
      else say(`${email} is enabled`);
    });

  user
    .command('export <email>')
    .description('Print all stored data of a person, one line of JSON for each row')
    .action(async (email: string) => {
      const { exportPerson } = await import('../retention/person.ts');
      await withOwner('to read all workspaces of a person', (ownerUrl) =>
        exportPerson(ownerUrl, email, (row) => process.stdout.write(`${jsonLine(row)}\n`)),
      );
    });
  user
    .command('erase <email>')
    .description('Erase a person: access, address and name; their actions stay in the history without a name')
    .option('--yes', 'erase; this cannot be undone')
    .option('--json', 'print JSON')
    .action(async (email: string, options: { yes?: true; json?: true }) => {
      if (!options.yes) throw new CommandError('Add --yes to erase the person permanently.', exitCodes.usage);
      const { erasePerson } = await import('../retention/person.ts');
      const withoutAdmin = await withOwner('to erase an address from audit logs', async (ownerUrl) => {
        const left = await withDatabase(({ db }) => removeFromAll(db, email));
        await erasePerson(ownerUrl, email);
        return left;
      });
      for (const slug of withoutAdmin) warnWithoutAdmin(slug);
      if (options.json) printJson({ email: foldEmail(email), erased: true, without_admin: withoutAdmin });
      else say(`${email} is erased`);
    });
}

/** Disables the person and removes them from every workspace. Returns the workspaces that have no admin afterwards. */
async function removeFromAll(db: Database, email: string): Promise<string[]> {
  const found = await installTx(db, (tx) => getUser(tx, email));
  await asUser(db, email, (tx, { id }) => disableUser(tx, id));
  const withoutAdmin: string[] = [];
  for (const { id, slug } of await asUser(db, email, (tx) => listWorkspacesOfUser(tx, found.id))) {
    if ((await removeMemberAsOperator(db, id, found)).withoutAdmin) withoutAdmin.push(slug);
  }
  return withoutAdmin;
}

/** Runs in a transaction that can read all memberships of the user. */
async function asUser<T>(
  db: Database,
  email: string,
  work: (tx: InstallTx, user: { id: UserId }) => Promise<T>,
): Promise<T> {
  const user = await installTx(db, (tx) => getUser(tx, email));
  return installTx(db, (tx) => work(tx, user), user.id);
}
