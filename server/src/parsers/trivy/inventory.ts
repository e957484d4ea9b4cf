/**
 * The package lists of Trivy's results, which need `--list-all-pkgs`: the packages of each manifest. They are no rows
 * of the report. It must never make a finding.
 */

import { DependencyChains } from '../reading/dependency-chains.ts';
import { arrayAt, asRecord, field, type JsonRecord, stringAt, stringsAt } from '../reading/json.ts';
import { licensesOf } from '../reading/licenses.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newManifest } from '../reading/packages.ts';
import type { ReportInventoryPackage, ReportManifest } from '../report.ts';
import { inventoryPackage } from './packages.ts';
import { resultLocationOf, type TrivyResult } from './result.ts';

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
      const location = resultLocationOf(stringAt(row, 'FilePath'), result, false).path ?? '.';
      const path = result.scope === 'image' ? category || location : manifestPath(result, location);
      const licenses = licensesOf(stringsAt(row, 'Licenses'), context);
      const listed = byPath.get(path);
      const entry = { ...named, licenses, direct: directOf(row, relationship) };
      if (listed === undefined) byPath.set(path, [entry]);
      else listed.push(entry);
    }
  }
  return [...byPath].map(([path, packages]) => newManifest(path, packages, isImage ? 'image' : null));
}

/** Returns the dependency path to the package with this id of Trivy's, as `name@version`. */
export function chainsOf(record: JsonRecord): ((id: string) => string[]) | undefined {
  const rows = arrayAt(record, 'Packages').filter((row) => asRecord(row) !== null);
  const edges = new Map<string, string[]>();
  for (const row of rows) {
    const on = stringsAt(row, 'DependsOn');
    if (on.length > 0) edges.set(idOf(row), on);
  }
  if (edges.size === 0) return undefined;
  const own = rows.filter((row) => ['root', 'workspace'].includes(stringAt(row, 'Relationship') ?? ''));
  const direct = [
    ...rows.filter((row) => stringAt(row, 'Relationship') === 'direct').map(idOf),
    ...own.flatMap((row) => stringsAt(row, 'DependsOn')),
  ];
  // Older versions do not mark direct packages, so packages that no other one needs count as direct.
  const needed = new Set([...edges.values()].flat());
  const roots = direct.length > 0 ? direct : rows.map(idOf).filter((id) => !needed.has(id));
  const names = new Map(rows.map((row) => [idOf(row), nameOf(row)]));
  const chains = new DependencyChains(edges, roots);
  return (id) => chains.to(id).map((step) => names.get(step) ?? step);
}

function idOf(row: unknown): string {
  return stringAt(row, 'ID') ?? nameOf(row);
}

function nameOf(row: unknown): string {
  const version = stringAt(row, 'Version');
  return `${stringAt(row, 'Name') ?? ''}${version === null ? '' : `@${version}`}`;
}

/** A lock file is the location of its packages. A target that is a kind of package names no file. */
function manifestPath(result: TrivyResult, location: string): string {
  const target = resultLocationOf(null, result, false);
  return target.pathIsTarget || target.path === null ? location : target.path;
}

/** Returns null for older versions, which omit the value both for direct and for unknown packages. */
function directOf(row: unknown, relationship: string | null): boolean | null {
  if (relationship === 'direct') return true;
  if (relationship === 'indirect') return false;
  return field(row, 'Indirect') === true ? false : null;
}
