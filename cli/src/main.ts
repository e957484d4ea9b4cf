/** `merlon`: parses the arguments and returns an exit code. Each command is in `commands/`. */
import { safeLine, surviveOutputErrors } from '@merlon/terminal';
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { addAssignCommand } from './commands/assign.ts';
import { addExceptionCommands } from './commands/exception.ts';
import { addExportCommand } from './commands/export.ts';
import { addGateCommand } from './commands/gate.ts';
import { addIssueCommands } from './commands/issue.ts';
import { addPolicyCommands } from './commands/policy.ts';
import { addReferencesCommands } from './commands/references.ts';
import { addReposCommand } from './commands/repos.ts';
import { addScanCommands, withSecondsToWait } from './commands/scan.ts';
import { addSeriesCommands } from './commands/series.ts';
import { addTeamCommands } from './commands/team.ts';
import { addTriageCommand } from './commands/triage.ts';
import { addVexCommand } from './commands/vex.ts';
import { addViolationsCommands } from './commands/violations.ts';
import { addVulnsCommand } from './commands/vulns.ts';
import { addWebhookCommands } from './commands/webhook.ts';
import { addWhoamiCommand } from './commands/whoami.ts';
import { exitCodeOf, exitCodes, messagesAbout } from './failures.ts';
import { colour, say } from './output.ts';

export function buildProgram(): Command {
  const program = new Command('merlon')
    .description('The command line of Merlon, for CI and people')
    .version(manifest.version, '--version', 'print the version')
    .option('--url <address>', 'address of the server, instead of MERLON_URL')
    .option(
      '--workspace <slug>',
      'workspace, instead of MERLON_WORKSPACE; not needed if the key has access to only one',
    )
    .option('--json', 'print JSON')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      '\nEnvironment: MERLON_URL, MERLON_TOKEN (an API key), MERLON_WORKSPACE, NO_COLOR.' +
        '\nExit codes: 0 ok, 1 a verdict blocks (for policy plan --exit-code: something would change), 2 usage, 3 refused or not found, 4 server unreachable, 5 a scan failed, 6 no result in time, 7 a scanner did not succeed or scanned nothing.',
    );
  addScanCommands(program);
  addGateCommand(program);
  addVulnsCommand(program);
  addTriageCommand(program);
  addAssignCommand(program);
  addIssueCommands(program);
  addViolationsCommands(program);
  addExceptionCommands(program);
  addPolicyCommands(program);
  addReposCommand(program);
  addReferencesCommands(program);
  addSeriesCommands(program);
  addExportCommand(program);
  addVexCommand(program);
  addWebhookCommands(program);
  addTeamCommands(program);
  addWhoamiCommand(program);
  return program;
}

/** Runs one command line. Returns the exit code. */
export async function main(argv: string[]): Promise<number> {
  const program = buildProgram();
  for (const command of [program, ...descendants(program)]) {
    command
      .exitOverride()
      .showSuggestionAfterError()
      .configureHelp({ showGlobalOptions: true })
      // An argument may be text by another person, such as the name of a branch.
      .configureOutput({ outputError: (text, write) => write(`${safeLine(text.trimEnd())}\n`) });
  }
  let called: Command | null = null;
  program.hook('preAction', (_, command) => {
    called = command;
  });
  surviveOutputErrors(exitCodes.refused);
  try {
    await program.parseAsync(withSecondsToWait(argv), { from: 'user' });
    return Number(process.exitCode ?? exitCodes.ok);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode !== 0) return exitCodes.usage;
    // The help is no error, but it may not have been written.
    if (error instanceof CommanderError) return Number(process.exitCode ?? exitCodes.ok);
    say(...messagesAbout(called, error).map((message) => `${colour('red', 'merlon')}: ${message}`));
    return exitCodeOf(error);
  }
}

function descendants(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...descendants(child)]);
}
