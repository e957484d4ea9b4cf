/** The targets of policies in words. */
import type { queryValues } from '@merlon/client';
import type { ViolationTarget } from '../api/violations.ts';
import { sources } from './source-labels.ts';

interface TargetLabels {
  one: string;
  many: string;
}

type TargetType = (typeof queryValues.listAllPolicyViolations.target_type)[number];

const labels: Record<string, TargetLabels> = {
  vulnerability: { one: 'vulnerability', many: 'vulnerabilities' },
  package: { one: 'package', many: 'packages' },
  package_version: { one: 'package version', many: 'package versions' },
  manifest: { one: 'manifest', many: 'manifests' },
  analysis: { one: 'analysis', many: 'analyses' },
  provider: { one: 'provider setting', many: 'provider settings' },
  asset: { one: 'asset', many: 'assets' },
  repository: { one: 'repository', many: 'repositories' },
} satisfies Record<TargetType, TargetLabels>;

/** Names the type: `package_version` → `Package versions`. */
export function targetTypeLabel(type: string): string {
  const { many } = labels[type] ?? { many: type };
  return many.charAt(0).toUpperCase() + many.slice(1);
}

/** Counts in words: `1 vulnerability`, `1,204 vulnerabilities`. */
export function countOfTargets(type: string, count: number): string {
  const { one, many } = labels[type] ?? { one: type, many: type };
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

/** `countOf(1, 'reference')` → `1 reference`. The plural adds an s unless `many` gives it. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

const providers: Record<string, string> = { ...sources, local: 'no provider' };

/** Returns the title of the target. `repository` is the repository that holds it. */
export function targetTitle(target: ViolationTarget, repository: string): string {
  if (Array.isArray(target)) return repository;
  switch (target.type) {
    case 'vulnerability':
      return target.title;
    case 'package':
    case 'package_version':
      return target.purl;
    case 'manifest':
      return target.manifest_file ?? target.lock_file ?? target.display_name;
    case 'analysis':
      return `Scan for: ${target.analysis_type}`;
    case 'provider':
      return `Setting at ${providers[target.provider] ?? target.provider}`;
    case 'asset':
      return target.name;
  }
}

/** Returns `vulnerability`, `package_version` and so on. A repository's target has no `type`, so it is named here. */
export function targetTypeOf(target: ViolationTarget): string {
  return Array.isArray(target) ? 'repository' : target.type;
}

/** Names one target with a capital: `Package version`. */
export function targetTypeName(type: string): string {
  const { one } = labels[type] ?? { one: type };
  return one.charAt(0).toUpperCase() + one.slice(1);
}
