/** `merlon assign` sets who works on a vulnerability. */
import type { Command } from 'commander';
import { CommandError, exitCodes } from '../failures.ts';
import { print, printJson } from '../output.ts';
import { type GlobalOptions, openSession } from '../session.ts';

export function addAssignCommand(program: Command): void {
  program
    .command('assign')
    .description('Assign a vulnerability to a member')
    .argument('<vulnerability>', 'id, vc_…')
    .argument('[person]', 'me, an e-mail address, a user id; none clears')
    .option('--none', 'clear')
    .addHelpText(
      'after',
      '\nExamples:\n  merlon assign vc_… me\n  merlon assign vc_… ada@example.com\n  merlon assign vc_… --none',
    )
    .action(
      async (vulnerability: string, person: string | undefined, _options: unknown, command: Command) => {
        const options = command.optsWithGlobals<GlobalOptions & { none?: true }>();
        if ((person === undefined) !== (options.none ?? false)) {
          throw new CommandError('Give a person, or --none.', exitCodes.usage);
        }
        const { client, workspace } = await openSession(options);
        const answer = await client.assignVulnerability({
          path: { tenant_slug: workspace, vulnerability },
          body: { assignee: person === undefined || person === 'none' ? null : person },
        });
        if (options.json) {
          printJson(answer);
          return;
        }
        const { id, assignee } = answer.vulnerability;
        const name = assignee === null ? 'unassigned' : `${assignee.display_name} <${assignee.email}>`;
        print(`${id}: ${name}`);
      },
    );
}
