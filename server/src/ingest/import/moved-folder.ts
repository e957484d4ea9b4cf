/**
 * A report whose checkout was in another folder, or whose whole tree has moved, shows the same problems in files of
 * other paths. This module finds the two folders by the paths and rules alone. It is a plain function; the import reads
 * and writes.
 */

/** A rule that found something in a file. */
export interface RuleInFile {
  ruleKey: string;
  path: string;
}

/** The name of the folder before and now, without a final slash; empty for the root of the repository. */
export interface MovedFolder {
  from: string;
  to: string;
}

// This many files of one name under one rule (`index.js`) are compared with each other.
const comparedFiles = 20;
// This many rules in files are enough to see which folder moved, however large the report.
const comparedRules = 20_000;
// Longer paths are rare, and each of the compared pairs may have two of its own.
const maxPath = 512;
// Each pair of folders needs memory, and a folder with most of the files is among the first pairs.
const maxFolders = 100_000;
// A folder with few files may be a copy that still exists after the original was fixed.
const minPairs = 5;
const minFiles = 2;

/**
 * Returns the folder that was moved: after its name is replaced, more than half of `missing`, or of `created`, have a
 * partner on the other side. `missing` are the known pairs of rule and file that are not shown any more, `created` the
 * shown pairs that were not known. Each pair is there once. `allMissing` says that `missing` are all known pairs. Only
 * then are fewer than `minPairs` enough, and each must have its partner.
 */
export function findMovedFolder(
  missing: RuleInFile[],
  created: RuleInFile[],
  allMissing: boolean,
): MovedFolder | null {
  const byName = new Map<string, RuleInFile[]>();
  for (const row of created) {
    const name = nameOf(row);
    const list = byName.get(name) ?? [];
    if (list.length < comparedFiles) list.push(row);
    byName.set(name, list);
  }
  const votes = new Map<string, { folder: MovedFolder; files: Set<string>; pairs: number }>();
  const compared = missing.slice(0, comparedRules);
  for (const row of compared) {
    if (row.path.length > maxPath) continue;
    for (const partner of byName.get(nameOf(row)) ?? []) {
      if (partner.path.length > maxPath) continue;
      const folder = foldersThatDiffer(row.path, partner.path);
      const key = `${folder.from}\n${folder.to}`;
      const vote = votes.get(key) ?? { folder, files: new Set<string>(), pairs: 0 };
      if (vote.pairs === 0 && votes.size === maxFolders) continue;
      vote.files.add(row.path);
      vote.pairs++;
      votes.set(key, vote);
    }
  }
  const [best] = [...votes.values()].sort((a, b) => b.pairs - a.pairs);
  if (best === undefined || best.files.size < minFiles) return null;
  const isWhole = allMissing && best.pairs === missing.length;
  const isMost = best.pairs >= minPairs && best.pairs * 2 > Math.min(compared.length, created.length);
  return isWhole || isMost ? best.folder : null;
}

/** Returns the path that a file of the moved folder had before; null for another file. */
export function pathBefore({ from, to }: MovedFolder, path: string): string | null {
  const rest = to === '' ? path : path.startsWith(`${to}/`) ? path.slice(to.length + 1) : null;
  return rest === null || rest === '' ? null : join(from, rest);
}

function nameOf({ ruleKey, path }: RuleInFile): string {
  return `${ruleKey} ${path.slice(path.lastIndexOf('/') + 1)}`;
}

/** Returns the rest of two paths without the last folders and the file that both have. */
function foldersThatDiffer(before: string, now: string): MovedFolder {
  const shorter = Math.min(before.length, now.length);
  /** The characters of the last folders and the file that both have. */
  let same = -1;
  let equal = 0;
  for (; equal < shorter; equal++) {
    const sign = before.charCodeAt(before.length - 1 - equal);
    if (sign !== now.charCodeAt(now.length - 1 - equal)) break;
    if (sign === slash) same = equal;
  }
  // The shorter path may be the end of the other.
  if (equal === shorter && isWholeEnd(before, equal) && isWholeEnd(now, equal)) same = equal;
  const rest = (path: string): string => path.slice(0, Math.max(0, path.length - same - 1));
  return { from: rest(before), to: rest(now) };
}

const slash = '/'.charCodeAt(0);

/** True if the last characters of the path are whole folders and the file. */
function isWholeEnd(path: string, length: number): boolean {
  return length === path.length || path.charCodeAt(path.length - 1 - length) === slash;
}

function join(folder: string, rest: string): string {
  return folder === '' ? rest : `${folder}/${rest}`;
}
