/**
 * `dependency_files` of GitLab's reports about packages: the manifests with their packages, and the chains of packages,
 * which the rows name by number. It must never make a finding.
 */
import { ecosystemOfFile, ecosystemOfPackageManager, type PurlEcosystem } from '../reading/ecosystems.ts';
import { evidenceLimits } from '../reading/evidence.ts';
import { arrayAt, field, recordAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newManifest, packageOfName } from '../reading/packages.ts';
import { repositoryPath } from '../reading/paths.ts';
import type { ReportInventoryPackage, ReportManifest } from '../report.ts';

interface DependencyFile {
  ecosystem: PurlEcosystem | null;
  /** `name@version` of a package by its number in the file. */
  names: Map<string, string>;
}

const generic: PurlEcosystem = { type: 'generic', namespace: null };

export class DependencyFiles {
  readonly manifests: ReportManifest[] = [];
  readonly #files = new Map<string, DependencyFile>();

  constructor(json: unknown, context: ParseContext) {
    for (const file of arrayAt(json, 'dependency_files')) {
      const path = stringAt(file, 'path');
      if (path === null) continue;
      const ecosystem =
        ecosystemOfPackageManager(stringAt(file, 'package_manager') ?? '') ?? ecosystemOfFile(path);
      const known: DependencyFile = this.#files.get(path) ?? { ecosystem, names: new Map() };
      this.#files.set(path, known);
      const packages: ReportInventoryPackage[] = [];
      for (const row of arrayAt(file, 'dependencies')) {
        const name = stringAt(recordAt(row, 'package'), 'name');
        const version = stringAt(row, 'version');
        const named = packageOfName(ecosystem ?? generic, ecosystemName(ecosystem, name), version, context);
        if (named === null) {
          context.warn('Packages without a name were left out of the inventory.');
          continue;
        }
        const number = stringAt(row, 'iid');
        if (number !== null) known.names.set(number, `${named.name}@${named.version ?? '?'}`);
        packages.push({ ...named, licenses: [], direct: directOf(row) });
      }
      if (packages.length > 0) this.manifests.push(newManifest(repositoryPath(path) ?? '.', packages));
    }
  }

  ecosystemOf(path: string): PurlEcosystem | null {
    return this.#files.get(path)?.ecosystem ?? null;
  }

  /** Returns the chain to a package, the package itself at its end; empty if the report names no chain. */
  chainTo(dependency: unknown, path: string | null, self: string): string[] {
    const names = path === null ? undefined : this.#files.get(path)?.names;
    const chain = arrayAt(dependency, 'dependency_path')
      .slice(0, evidenceLimits.packagesOfPath)
      .map((step) => names?.get(stringAt(step, 'iid') ?? ''));
    const known = chain.filter((name) => name !== undefined);
    return known.length === 0 || known.length < chain.length ? [] : [...known, self];
  }
}

/** Only analyzers that know the graph write these two fields. */
function directOf(row: unknown): boolean | null {
  if (field(row, 'direct') === true) return true;
  return field(row, 'direct') === false || arrayAt(row, 'dependency_path').length > 0 ? false : null;
}

/** GitLab's own analyzers write a slash between Maven's group and artifact. */
export function ecosystemName(ecosystem: PurlEcosystem | null, name: string | null): string | null {
  return ecosystem?.type === 'maven' ? (name?.replace('/', ':') ?? null) : name;
}
