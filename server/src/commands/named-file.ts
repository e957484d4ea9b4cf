/** Files that a person names on the command line. */
import { readFile } from 'node:fs/promises';
import { CommandError } from './session.ts';

export async function readNamedFile(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error) => {
    throw cannotRead(file, error);
  });
}

export function cannotRead(file: string, { code, message }: NodeJS.ErrnoException): CommandError {
  return new CommandError(`${file}: ${code === 'ENOENT' ? 'no such file' : message}`);
}
