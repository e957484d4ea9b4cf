/**
 * Finds the smallest set of changes after which nothing blocks, with pure functions. It has one change for each
 * package, with the lowest version that fixes all its blocking vulnerabilities, and one for each location in code.
 */
import { packageName } from '../../domain/package-name.ts';
import {
  highestVersion,
  lowestVersion,
  purlTypeOf,
  sortVersions,
  versionsAbove,
} from '../../domain/versions.ts';
import type { UnblockItem } from './gate-schema.ts';

/** The fields of a blocking violation that the change needs. */
export interface Blocking {
  id: string;
  targetType: string;
  title: string;
  vulnerabilityType: string | null;
  /** Package URL without version. */
  purl: string | null;
  versions: string[];
  /** The versions that tools name as fixed, without order. */
  fixedVersions: string[];
  path: string | null;
  line: number | null;
}

export function unblockSteps(blocking: Blocking[]): UnblockItem[] {
  const removed = new Set(
    blocking.flatMap(({ targetType, vulnerabilityType, purl }) =>
      purl !== null && (targetType === 'package' || vulnerabilityType === 'malware') ? [purl] : [],
    ),
  );
  const groups = new Map<string, Blocking[]>();
  for (const one of blocking) {
    const key =
      one.purl !== null
        ? `package ${one.purl}`
        : one.targetType === 'vulnerability'
          ? `location ${one.path} ${one.line} ${one.vulnerabilityType === 'secret' ? one.title : ''}`
          : one.id;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()]
    .flatMap((group) => (group[0] ? [stepOf(group[0], group, removed)] : []))
    .sort((a, b) => b.resolves.length - a.resolves.length || (a.text < b.text ? -1 : 1));
}

function stepOf(first: Blocking, group: Blocking[], removed: Set<string>): UnblockItem {
  const { purl } = first;
  if (purl === null) return locationStep(first, group);
  const name = packageName(purl);
  if (removed.has(purl)) return packageStep('remove', `Remove ${name}.`, purl, group, null);
  const versions = versionsOf(group).join(', ');
  const isDenied = group.some((one) => one.targetType === 'package_version');
  const fixes = group.map((one) => fixVersion(purl, one.versions, one.fixedVersions));
  const to = fixes.every((fix) => fix !== null) ? highestVersion(purlTypeOf(purl), fixes) : null;
  // If a package must be replaced, its other vulnerabilities disappear with it.
  if (isDenied || to === null) {
    const reason = isDenied ? 'this version is not allowed' : 'no version fixes it';
    return packageStep('replace', `Replace ${name} ${versions}: ${reason}.`, purl, group, null);
  }
  const text = `Upgrade ${name}${versions === '' ? '' : ` ${versions}`} to ${to}.`;
  return packageStep('upgrade', text, purl, group, to);
}

function locationStep(first: Blocking, group: Blocking[]): UnblockItem {
  // Some tools end a title with a full stop, and the sentence has its own.
  const title = first.title.replace(/\.$/, '');
  const location = first.path === null ? '' : `${first.path}${first.line === null ? '' : `:${first.line}`}`;
  const at = location === '' ? '' : ` in ${location}`;
  const [action, text] =
    first.targetType === 'analysis'
      ? (['scan', `Scan the default branch: ${title}.`] as const)
      : first.targetType !== 'vulnerability'
        ? (['change', `Change what the policy is about: ${title}.`] as const)
        : first.vulnerabilityType === 'secret'
          ? (['revoke', `Revoke and remove the secret${at}: ${title}.`] as const)
          : (['fix', `Fix ${title}${at}.`] as const);
  return {
    action,
    text,
    package: null,
    from: [],
    to: null,
    paths: first.path === null ? [] : [first.path],
    resolves: group.map((one) => one.id),
  };
}

function packageStep(
  action: 'upgrade' | 'remove' | 'replace',
  text: string,
  purl: string,
  group: Blocking[],
  to: string | null,
): UnblockItem {
  return {
    action,
    text,
    package: purl,
    from: versionsOf(group),
    to,
    paths: [...new Set(group.flatMap((one) => one.path ?? []))].sort(),
    resolves: group.map((one) => one.id),
  };
}

function versionsOf(group: Blocking[]): string[] {
  return sortVersions(purlTypeOf(group[0]?.purl ?? null), [...new Set(group.flatMap((one) => one.versions))]);
}

/**
 * The lowest fixed version above all versions in use. If the order of these is unknown, the lowest one. Null if no
 * version fixes it.
 */
export function fixVersion(purl: string | null, inUse: string[], fixed: string[]): string | null {
  const type = purlTypeOf(purl);
  const newest = highestVersion(type, inUse);
  return lowestVersion(type, newest === null ? fixed : versionsAbove(type, newest, fixed));
}
