/**
 * The smallest set of changes after which nothing blocks: one for each package, with the lowest version that clears all
 * its blocking vulnerabilities; one for each place in code. Plain functions.
 */
import { compareVersions } from '../../vulnerabilities/status.ts';
import type { UnblockItem } from './gate-schema.ts';

/** A violation that blocks, as far as a change of it needs to know. */
export interface Blocking {
  id: string;
  targetType: string;
  title: string;
  vulnerabilityType: string | null;
  /** Package URL without version. */
  purl: string | null;
  versions: string[];
  /** What tools name as fixed, in no order. */
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
          ? `place ${one.path} ${one.line} ${one.vulnerabilityType === 'secret' ? one.title : ''}`
          : one.id;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()]
    .flatMap((group) => stepsOf(group, removed))
    .sort((a, b) => b.resolves.length - a.resolves.length || (a.text < b.text ? -1 : 1));
}

function stepsOf(group: Blocking[], removed: Set<string>): UnblockItem[] {
  const [first] = group;
  if (!first) return [];
  if (first.purl === null) return [placeStep(first, group)];
  if (removed.has(first.purl)) {
    return [packageStep('remove', `Remove ${nameOf(first.purl)}.`, first.purl, group, null)];
  }
  const denied = group.filter((one) => one.targetType === 'package_version');
  const fixes = group
    .filter((one) => one.targetType === 'vulnerability')
    .map((one) => ({ one, version: fixVersion(one.versions, one.fixedVersions) }));
  const unfixed = [...denied, ...fixes.flatMap(({ one, version }) => (version === null ? [one] : []))];
  const fixed = fixes.flatMap(({ one, version }) => (version === null ? [] : [{ one, version }]));
  const steps: UnblockItem[] = [];
  // What has to go anyway takes its other problems with it.
  if (unfixed.length > 0) {
    const versions = versionsOf(group).join(', ');
    const why = denied.length > 0 ? 'this version is not allowed' : 'no version fixes it';
    const text = `Replace ${nameOf(first.purl)} ${versions}: ${why}.`;
    return [packageStep('replace', text, first.purl, group, null)];
  }
  if (fixed.length > 0) {
    const to = fixed.map(({ version }) => version).reduce((a, b) => (compareVersions(a, b) >= 0 ? a : b));
    const from = versionsOf(group).join(', ');
    const text = `Upgrade ${nameOf(first.purl)}${from === '' ? '' : ` ${from}`} to ${to}.`;
    steps.push(packageStep('upgrade', text, first.purl, group, to));
  }
  return steps;
}

function placeStep(first: Blocking, group: Blocking[]): UnblockItem {
  const place = first.path === null ? '' : `${first.path}${first.line === null ? '' : `:${first.line}`}`;
  const at = place === '' ? '' : ` in ${place}`;
  const [action, text] =
    first.targetType === 'analysis'
      ? (['scan', `Scan the default branch: ${first.title}.`] as const)
      : first.targetType !== 'vulnerability'
        ? (['change', `Change what the policy is about: ${first.title}.`] as const)
        : first.vulnerabilityType === 'secret'
          ? (['revoke', `Revoke and remove the secret${at}: ${first.title}.`] as const)
          : (['fix', `Fix ${first.title}${at}.`] as const);
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
  return [...new Set(group.flatMap((one) => one.versions))].sort(compareVersions);
}

/** The lowest version that is above all in use; where none is known to be in use, the lowest. Null: none fixes it. */
export function fixVersion(inUse: string[], fixed: string[]): string | null {
  const [newest] = [...inUse].sort((a, b) => compareVersions(b, a));
  const above =
    newest === undefined ? fixed : fixed.filter((version) => compareVersions(version, newest) > 0);
  return above.length === 0 ? null : above.reduce((a, b) => (compareVersions(a, b) <= 0 ? a : b));
}

/** `pkg:npm/%40acme/ui` → `@acme/ui`: as people write it. */
export function nameOf(purl: string): string {
  const path = /^pkg:[^/]+\/(.*)$/.exec(purl)?.[1] ?? purl;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
