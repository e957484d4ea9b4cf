/** Writes files that a person names. */
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes a file that gets its name only once it is complete. Until then it is in a new folder beside it, whose name
 * nobody can guess, because a prepared link would lead to another file. A device or a pipe is written directly.
 */
export async function writeWhole<T>(file: string, write: (path: string) => Promise<T>): Promise<T> {
  const known = await stat(file).catch(() => null);
  if (known !== null && !known.isFile()) return write(file);
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
