/** Tells whether a report was committed with the code, instead of being written by a scanner. */
import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { gitIn } from '../checkout/git.ts';

/**
 * True if the commit of the checkout has the file with the same content. A link counts as the file that it leads to. False
 * where git knows no checkout. Throws if the file does not exist.
 */
export function isCommitted(file: string): boolean {
  const path = realpathSync(file);
  const git = gitIn(dirname(path));
  const committed = git('rev-parse', '--verify', '-q', `HEAD:./${basename(path)}`);
  if (committed === null) return false;
  const written = git('hash-object', '--', basename(path));
  return written === null || written === committed;
}
