/** `merlond member`: the members of workspaces. */
import { type Command, Option } from 'commander';
import { addMember } from '../access/members/service.ts';
import { getUser } from '../access/users/service.ts';
import { getWorkspace } from '../access/workspaces/service.ts';
import { removeMemberAsOperator } from '../actions/members/remove-member.ts';
import { type Database, installTx, tenantTx } from '../db/database.ts';
import { foldEmail } from '../domain/email.ts';
import { type Role, roles } from '../http/principal.ts';
import { printJson, say } from './output.ts';
import { withDatabase } from './with-database.ts';

export function addMemberCommands(program: Command): void {
  const member = program.command('member').description('Members of workspaces');
  member
    .command('add <email>')
    .description('Make a user a member of a workspace, or change the role')
    .requiredOption('--workspace <slug>', 'workspace')
    .addOption(new Option('--role <role>', 'role').choices(roles).makeOptionMandatory())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  merlond member add ada@example.com --workspace acme --role admin')
    .action(async (email: string, options: { workspace: string; role: Role; json?: true }) => {
      await withDatabase(async ({ db }) => {
        const { tenant, user } = await getWorkspaceAndUser(db, options.workspace, email);
        await tenantTx(db, tenant.id, (tx) => addMember(tx, user.id, options.role));
      });
      if (options.json)
        printJson({ email: foldEmail(email), workspace: options.workspace, role: options.role });
      else say(`${email} is ${options.role} of ${options.workspace}`);
    });
  member
    .command('remove <email>')
    .description('Remove a user from a workspace, with their assignments')
    .requiredOption('--workspace <slug>', 'workspace')
    .option('--json', 'print JSON')
    .action(async (email: string, options: { workspace: string; json?: true }) => {
      const { withoutAdmin } = await withDatabase(async ({ db }) => {
        const { tenant, user } = await getWorkspaceAndUser(db, options.workspace, email);
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

function getWorkspaceAndUser(db: Database, slug: string, email: string) {
  return installTx(db, async (tx) => ({
    tenant: await getWorkspace(tx, slug),
    user: await getUser(tx, email),
  }));
}

export function warnWithoutAdmin(slug: string): void {
  say(`warning: no admin of ${slug} can sign in: merlond member add EMAIL --workspace ${slug} --role admin`);
}
