/**
 * The context of Trivy's rows: their element of `Results`, their location, and what was looked for. It must never read
 * a row itself.
 */
import type { VulnerabilityType } from '../../domain/packed-state.ts';
import { splitTarget } from '../reading/images.ts';
import { type JsonRecord, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { normalisePath, repositoryPath } from '../reading/paths.ts';
import type { NoFinding } from '../reading/rows.ts';
import type { ReportFinding } from '../report.ts';
import type { Advisories } from './advisories.ts';

/** One element of `Results`, with the target it belongs to. */
export interface TrivyResult {
  record: JsonRecord;
  pointer: string;
  target: string;
  /**
   * `image`: paths are inside an image. `files`: paths are in the repository. `cluster`: the location is a resource.
   */
  scope: 'image' | 'files' | 'cluster';
  /** The operating system, if the report names it outside of the target. */
  system: string | null;
  /** The operating system with its version: `debian-12.4`. Null if the report does not have it. */
  distro: string | null;
  /** Namespace, kind and name; only for `cluster`. */
  resource: string | null;
  /** The advisories that all results of the report share. */
  advisories?: Advisories;
  /** The chains to the packages of the result, by Trivy's id; missing if the report lists no dependencies. */
  chainTo?: ((id: string) => string[]) | undefined;
}

export type TrivyRow = ReportFinding | NoFinding;
export type TrivyReader = (
  row: unknown,
  pointer: string,
  result: TrivyResult,
  context: ParseContext,
) => TrivyRow;

/** These targets name a kind of package and no file. */
const classTargets = new Set([
  'os packages',
  'node.js',
  'java',
  'python',
  'ruby',
  'go',
  'rust',
  'php',
  'conda',
  'julia',
  'c#',
  '.net',
  'dart',
]);

const typesByClass: ReadonlyMap<string, VulnerabilityType> = new Map([
  ['os-pkgs', 'container'],
  ['lang-pkgs', 'dependency'],
  ['config', 'iac'],
  ['secret', 'secret'],
  ['license', 'license'],
  ['license-file', 'license'],
]);

/**
 * The analysed types, found or not. A result without a class, as in old versions, is about packages. Null if the
 * results do not have them.
 */
export function declaredAnalysesOf(results: readonly TrivyResult[]): VulnerabilityType[] | null {
  const types = new Set<VulnerabilityType>();
  for (const { record, target } of results) {
    const kind = stringAt(record, 'Class');
    const type = kind === null ? null : typesByClass.get(kind);
    if (type) types.add(type);
    if (kind === null && Object.hasOwn(record, 'Vulnerabilities')) {
      types.add(splitTarget(target) === null ? 'dependency' : 'container');
    }
  }
  return types.size === 0 ? null : [...types];
}

type Location = Pick<ReportFinding, 'path' | 'pathIsTarget'>;

/** Returns a cluster's resource, a package's own file, the target if it is a file, else the target as a name. */
export function resultLocationOf(file: string | null, result: TrivyResult, isSystem: boolean): Location {
  if (result.scope === 'cluster') return { path: result.resource, pathIsTarget: false };
  if (isSystem) {
    const image = splitTarget(result.target)?.name ?? result.target;
    return { path: image.trim() === '' ? null : normalisePath(image), pathIsTarget: true };
  }
  const path = file ?? result.target;
  if (file === null && classTargets.has(path.trim().toLowerCase())) return { path, pathIsTarget: true };
  // Paths inside an image are absolute, and an image has no checkout directory.
  return { path: result.scope === 'image' ? normalisePath(path) : repositoryPath(path), pathIsTarget: false };
}
