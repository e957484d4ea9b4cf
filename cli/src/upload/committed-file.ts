/** Tells whether a report was committed with the code, instead of being written by a scanner. */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { gitIn } from '../checkout/git.ts';

/**
 * True if the file, its target, or a link that leads to it is in the commit of the checkout, whatever its content is
 * now. `root` is the directory of the checkout. Files of submodules are not known. Throws if the file does not exist.
 */
export function isCommitted(file: string, root: string): boolean {
  const path = resolve(file);
  const parts = path.split(sep);
  const steps = parts.slice(1).map((_, index) => parts.slice(0, index + 2).join(sep));
  const places = [
    ...steps.map((step) => join(realpathSync(dirname(step)), basename(step))),
    realpathSync(path),
  ];
  const inside = places
    .map((place) => relative(root, place).replaceAll(sep, '/'))
    .filter((name) => name !== '' && name !== '..' && !name.startsWith('../') && !isAbsolute(name));
  if (inside.length === 0) return false;
  const listed = gitIn(root)('--literal-pathspecs', 'ls-tree', '-z', '--full-tree', 'HEAD', '--', ...inside);
  // Git also lists what is in a folder beside the file. A folder itself is a tree, and a submodule a commit.
  const entries = (listed ?? '')
    .split('\0')
    .map((entry) => /^[0-7]+ blob [0-9a-f]+\t(.*)$/s.exec(entry)?.[1] ?? '');
  return entries.some((name) => inside.includes(name));
}
