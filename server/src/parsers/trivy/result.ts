/**
 * Owns what Trivy's rows are read with: the element of `Results` they stand in, the place it gives them, and what it
 * says was looked for. Must never read a row itself.
 */
import type { VulnerabilityType } from '../../domain/packed-state.ts';
import { splitTarget } from '../reading/images.ts';
import { type JsonRecord, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { normalisePath, repositoryPath } from '../reading/paths.ts';
import type { ReportFinding } from '../report.ts';

/** One element of `Results` and where it belongs. */
export interface TrivyResult {
  record: JsonRecord;
  pointer: string;
  target: string;
  /** `image`: paths are inside an image; `files`: in the repository; `cluster`: the place is a resource. */
  scope: 'image' | 'files' | 'cluster';
  /** The operating system that the report names elsewhere than in the target. */
  system: string | null;
  /** Namespace, kind and name, for `cluster` only. */
  resource: string | null;
}

/** A finding, or why the row is none: `skip` is no finding by intent, `unreadable` could not be understood. */
export type TrivyRow = ReportFinding | { skip: string } | { unreadable: string };
export type TrivyReader = (
  row: unknown,
  pointer: string,
  result: TrivyResult,
  context: ParseContext,
) => TrivyRow;

/** Targets that name a kind of package and no file. */
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

/** Found or not; a result without a class, as of old, is one of packages. Null where the results say nothing. */
export function lookedFor(results: readonly TrivyResult[]): VulnerabilityType[] | null {
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

type Place = Pick<ReportFinding, 'path' | 'pathIsTarget'>;

/** A cluster's resource, a package's own file, the target where it is a file, else the target as a name. */
export function placeOf(file: string | null, result: TrivyResult, isSystem: boolean): Place {
  if (result.scope === 'cluster') return { path: result.resource, pathIsTarget: false };
  if (isSystem) {
    const image = splitTarget(result.target)?.name ?? result.target;
    return { path: image.trim() === '' ? null : normalisePath(image), pathIsTarget: true };
  }
  const path = file ?? result.target;
  if (file === null && classTargets.has(path.trim().toLowerCase())) return { path, pathIsTarget: true };
  // Inside an image a path is absolute by nature; no checkout stands there.
  return { path: result.scope === 'image' ? normalisePath(path) : repositoryPath(path), pathIsTarget: false };
}
