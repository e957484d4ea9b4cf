/** `merlond`: parses the arguments and returns an exit code. Each command is in `commands/`. */
import { surviveOutputErrors } from '@merlon/terminal';
import { Command, CommanderError } from 'commander';
import { CommandError, exitCodes } from './commands/command-error.ts';
import { say } from './commands/output.ts';
import { addServeCommands } from './commands/serve.ts';
import { readSettingsFiles } from './commands/settings-files.ts';
import { DomainError } from './domain/domain-error.ts';
import { version } from './domain/version.ts';

/** Builds the program with all commands. If `command` is a long-running one, the other commands are left out. */
export async function buildProgram(command = ''): Promise<Command> {
  const program = new Command('merlond')
    .description('The Merlon security data service')
    .version(version, '--version', 'print the version')
    // It is read before the command is known, because the settings belong to every command.
    .option('--settings <file>', 'read settings from a file; must come before the command, may be repeated')
    .addHelpText(
      'after',
      '\nWithout a command it runs serve.' +
        '\nExit codes: 0 ok, 1 doctor found a fault, 2 usage, 3 refused or not found, 4 database unreachable, 5 a scan failed, 6 the self-test found a leak.' +
        '\nSettings: docs/configuration.md',
    );
  addServeCommands(program);
  // These processes stay in memory, so they load no code of other commands.
  if (command !== 'serve' && command !== 'worker') {
    const { addOtherCommands } = await import('./commands/other-commands.ts');
    addOtherCommands(program);
  }
  return program;
}

/**
 * Runs one command line; gives the exit code. Without a command it is `serve`, so that `npx @merlon/server` starts it.
 */
export async function main(argv: string[]): Promise<number> {
  surviveOutputErrors(exitCodes.refused);
  let rest: string[];
  try {
    rest = readSettingsFiles(argv);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    say(`merlond: ${error.message}`);
    return error.exitCode;
  }
  const isServe = rest[0] === undefined || /^--(?:port|host)\b/.test(rest[0]);
  const commandLine = isServe ? ['serve', ...rest] : rest;
  return runProgram(await buildProgram(commandLine[0]), commandLine);
}

/** Runs one command line of any program of Merlon. An error becomes a message and an exit code. */
export async function runProgram(program: Command, argv: string[]): Promise<number> {
  for (const command of [program, ...descendants(program)]) {
    command
      .exitOverride()
      .showSuggestionAfterError()
      .configureOutput({ outputError: (text) => say(text.trimEnd()) });
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? exitCodes.ok);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode !== 0) return exitCodes.usage;
    // The help is no error, but it may not have been written.
    if (error instanceof CommanderError) return Number(process.exitCode ?? exitCodes.ok);
    const [field] = error instanceof DomainError ? Object.keys(error.data.errors ?? {}) : [];
    const option = field === undefined || argumentNames.includes(field) ? '' : `--${field}: `;
    say(`${program.name()}: ${option}${(error as Error).message}`);
    if (error instanceof CommandError) return error.exitCode;
    if (error instanceof DomainError) {
      const isUsage = error.code === 'VALIDATION_FAILED' && !error.data.isConflict;
      return isUsage ? exitCodes.usage : exitCodes.refused;
    }
    const { code } = error as { code?: string };
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT') return exitCodes.unreachable;
    return exitCodes.refused;
  }
}

// These arguments are positional, so the message must not show them as options.
const argumentNames = ['slug', 'email', 'others', 'locations'];

function descendants(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...descendants(child)]);
}
