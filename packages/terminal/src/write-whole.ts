/** Writes files that a person names. */
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/**
 * True for a device or a pipe, which holds nothing of an earlier run and is written directly, and for the names of open
 * files, such as /dev/stdout: it may lead to a file, but must not be replaced.
 */
export async function isWrittenDirectly(file: string): Promise<boolean> {
  if (/^\/(?:dev\/(?:fd\/|std)|proc\/)/.test(resolve(file))) return true;
  const known = await stat(file).catch(() => null);
  return known !== null && !known.isFile() && !known.isDirectory();
}

/**
 * Writes a file that gets its name only once it is complete. Until then it is in a new folder beside it, whose name
 * nobody can guess, because a prepared link would lead to another file. A device or a pipe is written directly.
 */
export async function writeWhole<T>(file: string, write: (path: string) => Promise<T>): Promise<T> {
  if (await isWrittenDirectly(file)) return write(file);
  const folder = await mkdtemp(`${file}.part-`);
  try {
    const part = join(folder, 'part');
    const result = await write(part);
    await rename(part, file);
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
