/** Turns errors about a file or folder that a person names into errors that name it. */
import { withContext } from './domain-error.ts';
import { conflictingInput, resourceNotFound } from './errors.ts';

// Error codes of the file system that mean that this user cannot read the path.
const unreadable = ['EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'ENOTDIR'];

/** Does the work with the path. Throws a DomainError with the path for each of its own, and if it cannot be read. */
export async function readPath<T>(path: string, work: () => Promise<T>): Promise<T> {
  return withContext(`Nothing was loaded from ${path}.`, work).catch((error: NodeJS.ErrnoException) => {
    const { code = '' } = error;
    if (code === 'ENOENT') throw resourceNotFound(`There is no file or folder ${error.path ?? path}.`);
    if (code === 'EISDIR') throw conflictingInput(`The path ${path} is a folder. Name a file.`);
    if (!unreadable.includes(code)) throw error;
    throw conflictingInput(`The path ${path} cannot be read: ${code}. Check the path and its permissions.`);
  });
}
