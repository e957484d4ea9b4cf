/** Turns errors of the file system into refusals that name the path. */
import { DomainError } from '../../domain/domain-error.ts';

/** Does the work with a path, so that every refusal names it. */
export async function namedPath(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof DomainError) throw new DomainError(error.kind, `${path}: ${error.message}`);
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'ENOENT') throw new DomainError('missing', `${path}: no such file or folder`);
    if (['EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'ENOTDIR'].includes(code)) {
      throw new DomainError('invalid', `${path}: cannot be read: ${code}`);
    }
    throw error;
  }
}
