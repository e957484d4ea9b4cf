/**
 * The data of Dependency-Check about a dependency: its package and the path of its file. It must choose among the
 * tool's guesses by a rule that does not depend on their order.
 */

import { ecosystemOfPackageManager } from '../reading/ecosystems.ts';
import { arrayAt, type JsonRecord, stringAt } from '../reading/json.ts';
import { licensesOf } from '../reading/licenses.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfName, packageOfPurl } from '../reading/packages.ts';
import { repositoryPath } from '../reading/paths.ts';
import type { ReportInventoryPackage, ReportPackage } from '../report.ts';

export interface DependencyLocation {
  package: ReportPackage | null;
  path: string | null;
}

export function dependencyLocationOf(dependency: JsonRecord, context: ParseContext): DependencyLocation {
  const named = bestOf(dependency, 'packages', packageOf, context);
  return {
    package: named ?? bestOf(dependency, 'vulnerabilityIds', packageOfCpe, context),
    path: pathOf(stringAt(dependency, 'filePath') ?? stringAt(dependency, 'fileName')),
  };
}

/** Returns the package of a file, and the packages of the files that Dependency-Check counts to it. */
export function inventoryOf(
  dependency: JsonRecord,
  location: DependencyLocation,
  context: ParseContext,
): ReportInventoryPackage[] {
  const license = stringAt(dependency, 'license');
  const licenses = license === null ? [] : licensesOf([license], context);
  const packages: ReportInventoryPackage[] = [];
  if (location.package !== null) packages.push({ ...location.package, licenses, direct: null });
  for (const related of arrayAt(dependency, 'relatedDependencies')) {
    const named = bestOf(related, 'packageIds', packageOf, context);
    if (named !== null) packages.push({ ...named, licenses: [], direct: null });
  }
  return packages;
}

const confidences: readonly string[] = ['HIGHEST', 'HIGH', 'MEDIUM', 'LOW'];

/** The highest confidence wins, then the alphabetical order. */
function bestOf(
  holder: unknown,
  list: string,
  read: (row: unknown, context: ParseContext) => ReportPackage | null,
  context: ParseContext,
): ReportPackage | null {
  let best: ReportPackage | null = null;
  let bestKey = '';
  for (const row of arrayAt(holder, list)) {
    const named = read(row, context);
    if (named === null) continue;
    const rank = confidences.indexOf(stringAt(row, 'confidence')?.toUpperCase() ?? '');
    const key = `${rank === -1 ? confidences.length : rank} ${named.purl} ${named.version}`;
    if (best === null || key < bestKey) {
      best = named;
      bestKey = key;
    }
  }
  return best;
}

/** Reads a package URL. Up to version 4 it is a kind with `group:artifact:version` or `name:version`. */
function packageOf(row: unknown, context: ParseContext): ReportPackage | null {
  const id = stringAt(row, 'id') ?? stringAt(row, 'name');
  const named = packageOfPurl(id, null, null, context);
  const ecosystem = ecosystemOfPackageManager(stringAt(row, 'type') ?? '');
  if (named !== null || id === null || ecosystem === null) return named;
  const colon = id.lastIndexOf(':');
  if (colon <= 0) return packageOfName(ecosystem, id, null, context);
  return packageOfName(ecosystem, id.slice(0, colon), id.slice(colon + 1), context);
}

/** Reads vendor and product of a CPE, `cpe:/a:vendor:product:version` or `cpe:2.3:a:…`. It is better than no name. */
function packageOfCpe(row: unknown, context: ParseContext): ReportPackage | null {
  const id = (stringAt(row, 'id') ?? stringAt(row, 'name') ?? '').slice(0, 500);
  const fields = /^cpe:(?:2\.3:|\/)[aho]:(.+)$/i.exec(id)?.[1]?.split(/(?<!\\):/) ?? [];
  const [vendor, product, version] = fields.map((part) => part.replaceAll('\\', ''));
  if (!vendor || !product || vendor === '*' || product === '*') return null;
  const known = version === undefined || /^[*-]?$/.test(version) ? null : version;
  return packageOfName({ type: 'generic', namespace: null }, `${vendor}/${product}`, known, context);
}

/**
 * A line of a manifest is written as `package.json?/name:version`, and only its file is a path. For a file in the store
 * of a package manager, only the path inside the store is the same on every machine.
 */
function pathOf(written: string | null): string | null {
  if (written === null) return null;
  const slashed = written.slice(0, 8192).replaceAll('\\', '/');
  const line = slashed.lastIndexOf('?/');
  const file = line === -1 ? slashed : slashed.slice(0, line);
  const store = /(?:^|\/)(\.m2\/repository\/|\.gradle\/caches\/|\.nuget\/packages\/)/.exec(file);
  return store === null ? repositoryPath(file) : repositoryPath(file.slice(file.indexOf(store[1] ?? '')));
}
