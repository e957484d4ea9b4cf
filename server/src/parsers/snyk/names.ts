/** The facts in Snyk's ids and names: the ecosystem of a package, its name in a distribution, a license. */
import {
  ecosystemOfFile,
  ecosystemOfPackageManager,
  ecosystemOfSystem,
  type PurlEcosystem,
} from '../reading/ecosystems.ts';
import { type JsonRecord, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfName } from '../reading/packages.ts';
import { isSystemPurl } from '../reading/purl.ts';
import type { ReportPackage } from '../report.ts';

/** `snyk:lic:npm:tinymce:LGPL-2.1`. Gives null for a vulnerability. */
export function licenseOf(record: JsonRecord, id: string): string | null {
  const inId = /^snyk:lic:[^:]{1,60}:.{1,300}:([^:]{1,200})$/.exec(id)?.[1] ?? null;
  if (stringAt(record, 'type') !== 'license' && inId === null) return null;
  return stringAt(record, 'license') ?? inId ?? id;
}

export function packageOf(
  record: JsonRecord,
  id: string,
  project: unknown,
  file: string | null,
  context: ParseContext,
): ReportPackage | null {
  const name = stringAt(record, 'name') ?? stringAt(record, 'packageName') ?? stringAt(record, 'moduleName');
  const managers = [stringAt(record, 'packageManager') ?? '', stringAt(project, 'packageManager') ?? ''];
  const ecosystem = ecosystemOfId(id) ??
    managers
      .map((manager) => ecosystemOfSystem(manager) ?? ecosystemOfPackageManager(manager))
      .find((one) => one !== null) ??
    ecosystemOfFile(file ?? '') ?? { type: 'generic', namespace: null };
  return packageOfName(ecosystem, systemName(ecosystem, name), stringAt(record, 'version'), context);
}

/** Snyk writes the source before the package that is installed: `gcc-10/libgcc-s1`. */
function systemName({ type }: PurlEcosystem, name: string | null): string | null {
  return isSystemPurl(`pkg:${type}/`) ? (name?.slice(name.lastIndexOf('/') + 1) ?? null) : name;
}

const languages: Readonly<Record<string, string>> = {
  JS: 'npm',
  PYTHON: 'pypi',
  JAVA: 'maven',
  DOTNET: 'nuget',
  GOLANG: 'golang',
  RUBY: 'gem',
  PHP: 'composer',
  RUST: 'cargo',
  SWIFT: 'swift',
  COCOAPODS: 'cocoapods',
  HEX: 'hex',
  PUB: 'pub',
};

/** `SNYK-JS-LODASH-1`, `SNYK-DEBIAN11-GCC10-1`, and before 2018 `npm:ws:20171108`. */
export function ecosystemOfId(id: string): PurlEcosystem | null {
  const word = /^SNYK-([A-Z]+)[0-9]*-/.exec(id)?.[1] ?? '';
  const type = Object.hasOwn(languages, word) ? languages[word] : undefined;
  if (type !== undefined) return { type, namespace: null };
  const old = /^(?:snyk:lic:)?([a-z]{2,20}):/.exec(id)?.[1] ?? '';
  return ecosystemOfSystem(word) ?? (old === 'snyk' ? null : ecosystemOfPackageManager(old));
}
