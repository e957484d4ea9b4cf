/** The option `--settings` reads settings from files, so that an operator's command has those of the service. */
import { CommandError, exitCodes } from './command-error.ts';

// It is not `--env-file`, because Node takes that from its own command line, wherever it stands.
const option = '--settings';

/**
 * Reads the files that the command line names before its command, and gives the rest of it. A variable that is set
 * already keeps its value, and so does one that an earlier file has set. Throws CommandError for a file that cannot be
 * read.
 */
export function readSettingsFiles(argv: string[]): string[] {
  const [first, second] = argv;
  if (first === option) {
    if (second === undefined)
      throw new CommandError(`The option ${option} needs the name of a file after it.`, exitCodes.usage);
    load(second);
    return readSettingsFiles(argv.slice(2));
  }
  if (first?.startsWith(`${option}=`)) {
    load(first.slice(option.length + 1));
    return readSettingsFiles(argv.slice(1));
  }
  return argv;
}

function load(file: string): void {
  try {
    process.loadEnvFile(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'it does not exist' : message;
    throw new CommandError(`The file ${file} of ${option} cannot be read: ${reason}.`, exitCodes.usage);
  }
}
