/**
 * Owns the package lists of Trivy's results, which need `--list-all-pkgs`: the packages of each manifest. They are no
 * rows of the report. Must never make a finding.
 */
import { field, stringAt, stringsAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newManifest } from '../reading/packages.ts';
import { cleanName } from '../reading/text.ts';
import type { ReportInventoryPackage, ReportManifest } from '../report.ts';
import { inventoryPackage } from './packages.ts';
import { locationOf, type TrivyResult } from './result.ts';

/** An image is one manifest. In a repository each lock file, each archive and each resource is one. */
export function manifestsOf(
  results: readonly TrivyResult[],
  category: string,
  context: ParseContext,
): ReportManifest[] {
  const byPath = new Map<string, ReportInventoryPackage[]>();
  let isImage = false;
  for (const result of results) {
    const rows = field(result.record, 'Packages');
    for (const row of Array.isArray(rows) ? rows : []) {
      const relationship = stringAt(row, 'Relationship');
      // The project itself is not one of its packages.
      if (relationship === 'root' || relationship === 'workspace') continue;
      const named = inventoryPackage(row, result, context);
      if (named === null) {
        context.warn('Packages without a name were left out of the inventory.');
        continue;
      }
      isImage ||= result.scope === 'image';
      const location = locationOf(stringAt(row, 'FilePath'), result, false).path ?? '.';
      const path = result.scope === 'image' ? category || location : manifestPath(result, location);
      const licenses = stringsAt(row, 'Licenses').map((license) => cleanName(license, context));
      const listed = byPath.get(path);
      const entry = { ...named, licenses, direct: directOf(row, relationship) };
      if (listed === undefined) byPath.set(path, [entry]);
      else listed.push(entry);
    }
  }
  return [...byPath].map(([path, packages]) => newManifest(path, packages, isImage ? 'image' : null));
}

/** A lock file holds its packages, whatever files they are in. A target that is a kind of package names no file. */
function manifestPath(result: TrivyResult, location: string): string {
  const target = locationOf(null, result, false);
  return target.pathIsTarget || target.path === null ? location : target.path;
}

/** Gives null for older versions, which omit the value both for direct and for unknown packages. */
function directOf(row: unknown, relationship: string | null): boolean | null {
  if (relationship === 'direct') return true;
  if (relationship === 'indirect') return false;
  return field(row, 'Indirect') === true ? false : null;
}
