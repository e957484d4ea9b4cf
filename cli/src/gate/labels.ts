/**
 * The texts that all outputs of a verdict share. Foreign text is returned unchanged: the code that writes it to a
 * terminal, a file or a comment makes it safe.
 */

import { daySeconds, hourSeconds } from '../time-lengths.ts';
import type { Gate, GateViolation, NoVerdict, UnblockStep } from './gate-answer.ts';

const shownCommit = 12;
const shownPaths = 3;
const shownTools = 20;

/** Returns `acme/shop refs/pull/7/head at abc1234def01`, as far as it is known. */
export function subjectLabel({ repository, reference, sha }: Gate): string {
  const ref = reference === null ? '' : ` ${reference.ref}`;
  return `${repository.full_name}${ref}${sha === null ? '' : ` at ${sha.slice(0, shownCommit)}`}`;
}

export const verdictLabels: Record<string, string> = {
  block: 'blocked',
  warn: 'passed, with warnings',
  pass: 'passed',
};

/** Describes the base of the comparison; null if there is none. */
export function baseLabel({ base, superseded, summary }: Gate): string | null {
  if (superseded)
    return 'another commit was scanned since, or the reference is inactive: this is the worst verdict of its scans';
  const commit = base.sha === null ? '' : `@${base.sha.slice(0, shownCommit)}`;
  const name = base.ref === null ? `the base${commit}` : `${base.ref}${commit}`;
  switch (base.state) {
    case 'compared': {
      const others = summary.on_base === 0 ? '' : `: ${summary.on_base} that the base has too do not count`;
      return `compared with ${name}${others}`;
    }
    case 'missing':
      return `base missing (${name} was never scanned): all violations count`;
    case 'untracked':
      return `base not trusted (${name} is not the default branch, and no key that may decide has named it): all violations count`;
    case 'ignored':
      return '--all: violations on the base count too';
    default:
      return null;
  }
}

export function countsLabel({ summary: { blocking, warning } }: Gate): string {
  return `${blocking} ${blocking === 1 ? 'blocks' : 'block'}, ${warning} ${warning === 1 ? 'warns' : 'warn'}`;
}

/** Warns that a pass means nothing; null if a policy is active. */
export function nothingCheckedLabel({ active_policies: count }: Gate): string | null {
  return count === 0 ? 'No policy is active, so nothing is checked.' : null;
}

/** Explains why the server gives no verdict. */
export function explainMissingVerdict({ reference, status, scans, missing }: Gate): NoVerdict {
  const failed = scans.filter((scan) => scan.status === 'failed' || scan.status === 'canceled');
  if ((status === 'failed' || status === 'canceled') && failed.length > 0) {
    const ended = status === 'failed' ? 'a scan failed' : 'a scan was canceled';
    const names = failed.map(({ id, tool }) => (tool === null ? id : `${tool} ${id}`));
    return { kind: 'failed', text: `${ended}: ${names.join(', ')}` };
  }
  const unsuccessful = unsuccessfulScans({ status, scans });
  if (unsuccessful.length > 0) return explainUnsuccessful(unsuccessful);
  return { kind: 'missing', text: missingLabel({ reference, scans, missing }) };
}

const endings: Record<string, string> = {
  scanned_nothing: 'scanned nothing',
  incomplete: 'has rows that could not be read',
};

export function explainUnsuccessful(scans: Gate['scans']): NoVerdict {
  const runs = scans.map(({ id, tool, outcome }) => {
    return `${tool ?? 'the run'} ${endings[outcome ?? ''] ?? 'did not succeed'} (${id})`;
  });
  return { kind: 'unsuccessful', text: `${runs.join(', ')}: no evidence that anything is clean` };
}

function missingLabel({ reference, scans, missing }: Pick<Gate, 'reference' | 'scans' | 'missing'>): string {
  const running = scans.filter((scan) => scan.status === 'queued' || scan.status === 'running');
  if (running.length > 0) {
    return running.length === 1 ? 'a scan is in progress' : `${running.length} scans are in progress`;
  }
  if (missing.length > 0) {
    const others = new Set(
      scans.flatMap(({ tool }) => (tool === null || missing.includes(tool) ? [] : [tool])),
    );
    // A wrong name is noticed beside those that the server knows.
    const known = [...others].slice(0, shownTools).join(', ');
    return `no scan by ${missing.join(', ')} yet${known === '' ? '' : `; there are scans by ${known}`}`;
  }
  if (scans.length > 0) return 'a series of scans of the reference has never succeeded';
  return reference === null ? 'the reference was never scanned' : 'the commit was never scanned';
}

/** Returns the scans whose run failed, scanned nothing or is incomplete, once no scan is queued or running. */
export function unsuccessfulScans({ status, scans }: Pick<Gate, 'status' | 'scans'>): Gate['scans'] {
  if (status === 'queued' || status === 'running') return [];
  return scans.filter(({ outcome }) => outcome !== null && outcome !== 'succeeded');
}

/** Returns the advisory or the rule; null if there is none, or if the title names it. */
export function advisoryLabel({ advisory, rule, title }: GateViolation): string | null {
  const label = advisory ?? rule;
  return label === null || title.split(/[\s:,()]+/).includes(label) ? null : label;
}

/** Returns the package, its version and the fix: `lodash 4.17.20, fixed in 4.17.21`; null if there is no package. */
export function packageLabel(violation: GateViolation): string | null {
  const used = violation.package;
  if (used === null) return null;
  const name = [used.name, used.versions.join(', ')].filter((text) => text !== '').join(' ');
  const fix = fixLabel(violation);
  return fix === null ? name : `${name}, ${fix}`;
}

function fixLabel({ target, package: used, fix_version: fix }: GateViolation): string | null {
  if (fix !== null) return `fixed in ${fix}`;
  const isVulnerability = !Array.isArray(target) && target.type === 'vulnerability';
  return used !== null && isVulnerability ? 'no version fixes it' : null;
}

/** Returns `src/a.ts:12`. */
export function locationLabel({ location }: GateViolation): string | null {
  if (location === null) return null;
  return location.line === null ? location.path : `${location.path}:${location.line}`;
}

/** Returns `due 2026-12-01, in 7 days`. */
export function dueLabel({ due_at: due, remaining_seconds: left }: GateViolation): string {
  const amount = Math.abs(left);
  const [count, unit] =
    amount >= daySeconds
      ? [Math.floor(amount / daySeconds), 'day']
      : [Math.floor(amount / hourSeconds), 'hour'];
  const time = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return `due ${due.slice(0, 10)}, ${left < 0 ? `overdue by ${time}` : `in ${time}`}`;
}

/**
 * Describes what the violation waits for in addition to its fix: a snooze, or an exception that is not approved yet.
 */
export function stateLabel({ status, snoozed_until: snoozed }: GateViolation): string | null {
  if (snoozed !== null) return `snoozed until ${snoozed.slice(0, 10)}`;
  return status === 'pending_review' ? 'an exception is requested and not approved' : null;
}

/** Returns `package-lock.json; clears 2`. The given function writes each path. */
export function stepLabel({ paths, resolves }: UnblockStep, write = (path: string): string => path): string {
  const locations = paths.slice(0, shownPaths).map((path) => write(path));
  if (paths.length > shownPaths) locations.push(`${paths.length - shownPaths} more`);
  return [locations.join(', '), `clears ${resolves.length}`].filter((text) => text !== '').join('; ');
}

/** Counts the active violations that the gate does not show: the blocking ones and the others. */
export function hiddenCounts({ summary, violations }: Gate): { blocking: number; warning: number } {
  const blocking = violations.filter((violation) => violation.blocking).length;
  return {
    blocking: Math.max(0, summary.blocking - blocking),
    warning: Math.max(0, summary.warning - (violations.length - blocking)),
  };
}

/**
 * Explains a block without a violation that blocks: a superseded commit keeps the verdict of its scans. Null for any
 * other verdict.
 */
export function unshownBlock(gate: Gate): string | null {
  const isShown = gate.summary.blocking > 0 || gate.violations.some(({ blocking }) => blocking);
  if (gate.verdict !== 'block' || isShown) return null;
  return `${subjectLabel(gate)} keeps the verdict of its scans: the violations that blocked it are no longer active`;
}

/** Cuts a text to this many characters, the last of them an ellipsis. */
export function shorten(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}
