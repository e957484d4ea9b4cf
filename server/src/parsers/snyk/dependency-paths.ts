/**
 * The facts that Snyk's rows give together: it writes one for each path of dependencies, so the rows of one issue in
 * one package share their paths and upgrades.
 */
import { evidenceLimits } from '../reading/evidence.ts';
import { asArray, asString, field, stringAt, stringsAt } from '../reading/json.ts';

export interface Shared {
  /** Without the project itself; the shortest first. */
  dependencyPaths: string[][];
  /** The direct dependencies to upgrade; null if no upgrade is known. */
  upgrades: string | null;
}

/** The rows with the same key are one issue in one version of a package. */
export function groupKey(row: unknown): string {
  return JSON.stringify([stringAt(row, 'id'), stringAt(row, 'name'), stringAt(row, 'version')]);
}

/** A path begins with the project itself, which is none of its packages. */
export function sharedFacts(rows: readonly unknown[]): Map<string, Shared> {
  const groups = new Map<string, { paths: string[][]; upgrades: Set<string> }>();
  for (const row of rows) {
    const key = groupKey(row);
    const group = groups.get(key) ?? { paths: [], upgrades: new Set() };
    groups.set(key, group);
    const from = stringsAt(row, 'from').slice(1, 2 * evidenceLimits.packagesOfPath);
    group.paths.push(from);
    const upgrade = asString(asArray(field(row, 'upgradePath'))[1]);
    const [direct] = from;
    if (upgrade === null || direct === undefined || upgrade === direct) continue;
    group.upgrades.add(`Upgrade ${direct} to ${upgrade}.`);
  }
  return new Map(
    Array.from(groups, ([key, { paths, upgrades }]) => [
      key,
      {
        dependencyPaths: shortestPaths(paths),
        upgrades: upgrades.size === 0 ? null : [...upgrades].sort().slice(0, 20).join('\n'),
      },
    ]),
  );
}

/** The order does not depend on the order of the rows. */
function shortestPaths(paths: readonly string[][]): string[][] {
  const byText = new Map(paths.map((path) => [path.join('\n'), path]));
  return [...byText]
    .sort(([a, left], [b, right]) => left.length - right.length || (a < b ? -1 : a > b ? 1 : 0))
    .slice(0, evidenceLimits.dependencyPaths)
    .map(([, path]) => path);
}
