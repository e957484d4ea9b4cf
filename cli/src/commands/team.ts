/** `merlon team` lists, makes, changes and deletes teams. */
import type { Command } from 'commander';
import { print, printJson, printList, printTable } from '../output.ts';
import { type GlobalOptions, openSession } from '../session.ts';

interface Fields {
  name?: string;
  member?: string[];
  ownerName?: string[];
  group?: string[];
}

export function addTeamCommands(program: Command): void {
  const team = program.command('team').description('Teams: members who own code together');

  team
    .command('list')
    .description('List the teams, by name')
    .addHelpText('after', '\nExample:\n  merlon team list')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { client, workspace } = await openSession(options);
      const found = await client.listTeams({ path: { tenant_slug: workspace } });
      printList(options, found, [
        { title: 'NAME', text: (row) => row.name, gives: true },
        { title: 'MEMBERS', text: (row) => String(row.members_count) },
        { title: 'IN CODEOWNERS', text: (row) => row.owner_names.join(' ') || '-', gives: true },
        { title: 'ID', text: (row) => row.id },
      ]);
    });

  team
    .command('show <team>')
    .description('Show a team and its members')
    .addHelpText('after', '\nExample:\n  merlon team show team_…')
    .action(async (id: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { client, workspace } = await openSession(options);
      const found = await client.getTeam({ path: { tenant_slug: workspace, team: id } });
      if (options.json) {
        printJson(found);
        return;
      }
      print(`${found.name} (${found.id}) ${found.owner_names.join(' ')}`.trimEnd());
      if (found.groups.length > 0) print(`Groups: ${found.groups.join(', ')}`);
      printTable(
        [
          { title: 'MEMBER', text: (row) => row.display_name, gives: true },
          { title: 'E-MAIL', text: (row) => row.email },
          { title: 'BY GROUP', text: (row) => row.group ?? '-', gives: true },
        ],
        found.members,
      );
    });

  withFields(team.command('create <name>').description('Create a team. Needs an admin'))
    .addHelpText(
      'after',
      '\nExample:\n  merlon team create Payments --owner-name @acme/payments --member ada@example.com',
    )
    .action(async (name: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & Fields>();
      const { client, workspace } = await openSession(options);
      const made = await client.createTeam({
        path: { tenant_slug: workspace },
        body: { ...bodyOf(options), name },
      });
      if (options.json) printJson(made);
      else print(`${made.id} "${made.name}" is created.`);
    });

  withFields(
    team.command('change <team>').description('Change a team; a list that is given replaces the one before'),
  )
    .option('--name <name>', 'new name')
    .addHelpText('after', '\nExample:\n  merlon team change team_… --member ada@example.com --member usr_…')
    .action(async (id: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & Fields>();
      const { client, workspace } = await openSession(options);
      const changed = await client.changeTeam({
        path: { tenant_slug: workspace, team: id },
        body: bodyOf(options),
      });
      if (options.json) printJson(changed);
      else print(`${changed.id} "${changed.name}" is changed.`);
    });

  team
    .command('delete <team>')
    .description('Delete a team; its members stay in the workspace. Needs an admin')
    .addHelpText('after', '\nExample:\n  merlon team delete team_…')
    .action(async (id: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { client, workspace } = await openSession(options);
      await client.deleteTeam({ path: { tenant_slug: workspace, team: id } });
      if (options.json) printJson({ id });
      else print(`${id} is deleted.`);
    });
}

function withFields(command: Command): Command {
  const collect = (text: string, before: string[] = []): string[] => [...before, text];
  return command
    .option('--member <person>', 'member: e-mail address or user id; may be repeated', collect)
    .option(
      '--owner-name <name>',
      'name in CODEOWNERS files, such as @acme/payments; may be repeated',
      collect,
    )
    .option('--group <name>', 'group of the identity provider; may be repeated', collect);
}

function bodyOf({ name, member, ownerName, group }: Fields) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(member === undefined ? {} : { members: member }),
    ...(ownerName === undefined ? {} : { owner_names: ownerName }),
    ...(group === undefined ? {} : { groups: group }),
  };
}
