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
// A folder with few files may be a copy that still exists after the original was fixed.
const minPairs = 5;
const minFiles = 2;

/**
 * Returns the folder that was moved: after its name is replaced, more than half of `missing`, or of `created`, have a partner
 * on the other side. `missing` are the known pairs of rule and file that are not shown any more, `created` the shown pairs
 * that were not known. Each pair is there once. `allMissing` says that `missing` are all known pairs. Only then are
 * fewer than `minPairs` enough, and each must have its partner.
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
    for (const partner of byName.get(nameOf(row)) ?? []) {
      const folder = foldersThatDiffer(row.path, partner.path);
      const key = `${folder.from}\n${folder.to}`;
      const vote = votes.get(key) ?? { folder, files: new Set<string>(), pairs: 0 };
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
  const from = before.split('/');
  const to = now.split('/');
  while (from.length > 0 && to.length > 0 && from.at(-1) === to.at(-1)) {
    from.pop();
    to.pop();
  }
  return { from: from.join('/'), to: to.join('/') };
}

function join(folder: string, rest: string): string {
  return folder === '' ? rest : `${folder}/${rest}`;
}
