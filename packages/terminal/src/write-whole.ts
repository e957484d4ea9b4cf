/** Writes files that a person names. */
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

// The names of files that this process, or another one, has open.
const openFile = /^\/(?:dev\/(?:std(?:out|err)|fd\/\d+)|proc\/(?:\w|-)+(?:\/task\/\d+)?\/fd\/\d+)$/;

/**
 * True for a device or a pipe, which holds nothing of an earlier run, and for the name of an open file, such as
 * /dev/stdout: it may lead to a file, which must not be replaced.
 */
export async function isWrittenDirectly(file: string): Promise<boolean> {
  return (await kindOf(file)) === 'direct';
}

async function kindOf(file: string): Promise<'direct' | 'directory' | 'file'> {
  if (openFile.test(resolve(file))) return 'direct';
  const known = await stat(file).catch(() => null);
  if (known === null || known.isFile()) return 'file';
  return known.isDirectory() ? 'directory' : 'direct';
}

/**
 * Writes a file that gets its name only once it is complete. Until then it is in a new folder beside it, whose name
 * nobody can guess, because a prepared link would lead to another file. A device, a pipe and an open file are written
 * directly, after what they have got so far: `flags` say how to open `path`. A directory is refused with EISDIR.
 */
export async function writeWhole<T>(
  file: string,
  write: (path: string, flags: 'a' | 'w') => Promise<T>,
): Promise<T> {
  const kind = await kindOf(file);
  if (kind === 'direct') return write(file, 'a');
  if (kind === 'directory') {
    throw Object.assign(new Error(`${file} is a directory`), { code: 'EISDIR' });
  }
  const folder = await mkdtemp(`${file}.part-`);
  try {
    const part = join(folder, 'part');
    const result = await write(part, 'w');
    await rename(part, file);
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
