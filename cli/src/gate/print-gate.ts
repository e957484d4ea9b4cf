/** Prints a verdict for people: blocking violations, warnings, and the next steps. All text is safe for a terminal. */

import { plain } from '@merlon/terminal';
import { colour, severityColour } from '../output.ts';
import type { Gate, GateResult, GateViolation } from './gate-answer.ts';
import {
  advisoryLabel,
  baseLabel,
  countsLabel,
  dueLabel,
  hiddenCounts,
  locationLabel,
  nothingCheckedLabel,
  packageLabel,
  shorten,
  stateLabel,
  stepLabel,
  subjectLabel,
  verdictLabels,
} from './labels.ts';

// A person reads about this many lines of a log. --json has all that the server gives.
const shownBlocking = 100;
const shownWarnings = 20;
const shownSteps = 50;
const longestTitle = 160;
// At least as wide as the longest severity.
const severityWidth = 8;
const indent = ' '.repeat(severityWidth + 4);

const verdictColours: Record<string, Parameters<typeof colour>[0]> = {
  block: ['bold', 'red'],
  warn: ['bold', 'yellow'],
  pass: ['bold', 'green'],
};

export function describeGate({ gate, noVerdict }: GateResult): string[] {
  const subject = plain(subjectLabel(gate));
  if (noVerdict !== null)
    return [`${colour(['bold', 'red'], 'no verdict')}: ${subject}: ${plain(noVerdict.text)}`];
  const verdict = gate.verdict ?? '';
  const base = baseLabel(gate);
  const blocking = gate.violations.filter((violation) => violation.blocking);
  const warnings = gate.violations.filter((violation) => !violation.blocking);
  const hidden = hiddenCounts(gate);
  const unchecked = nothingCheckedLabel(gate);
  return [
    `${colour(verdictColours[verdict] ?? 'bold', plain(verdictLabels[verdict] ?? verdict))}: ${subject}`,
    ...(base === null ? [] : [plain(base)]),
    countsLabel(gate),
    ...(unchecked === null ? [] : [colour('yellow', unchecked)]),
    ...(gate.policies_pending
      ? [colour('yellow', 'policies are still being evaluated, so the verdict may change')]
      : []),
    ...section(
      'Blocking:',
      blocking.slice(0, shownBlocking).flatMap(blockingLines),
      more(hidden.blocking + Math.max(0, blocking.length - shownBlocking)),
    ),
    ...section(
      'Warnings:',
      warnings.slice(0, shownWarnings).map(warningLine),
      more(hidden.warning + Math.max(0, warnings.length - shownWarnings)),
    ),
    ...section(
      'To unblock:',
      gate.unblock.slice(0, shownSteps).map(stepLine),
      more(Math.max(0, gate.unblock.length - shownSteps)),
    ),
    ...pageLines(gate, blocking),
  ];
}

function section(title: string, lines: string[], rest: string[]): string[] {
  return lines.length + rest.length === 0 ? [] : ['', colour('bold', title), ...lines, ...rest];
}

function more(count: number): string[] {
  return count > 0 ? [`  and ${count} more`] : [];
}

function blockingLines(violation: GateViolation): string[] {
  const { page, policy, owner } = violation;
  const where = [advisoryLabel(violation), packageLabel(violation), locationLabel(violation)].filter(
    (text) => text !== null,
  );
  const person = owner === null ? 'no owner' : `owner ${owner.display_name} <${owner.email}>`;
  const state = stateLabel(violation);
  return [
    headLine(violation),
    `${indent}policy ${plain(policy.name)} (${plain(policy.key)})`,
    ...(where.length === 0 ? [] : [`${indent}${plain(where.join('; '))}`]),
    `${indent}${plain(`${dueLabel(violation)}; ${person}`)}`,
    ...(state === null ? [] : [`${indent}${colour('yellow', plain(state))}`]),
    `${indent}${plain(page)}`,
  ];
}

function warningLine(violation: GateViolation): string {
  const details = [
    violation.policy.key,
    advisoryLabel(violation),
    packageLabel(violation),
    locationLabel(violation),
    stateLabel(violation),
  ].filter((text) => text !== null);
  return `${headLine(violation)} ${colour('dim', `(${plain(details.join('; '))})`)}`;
}

function headLine({ severity, title }: GateViolation): string {
  const label = plain(severity ?? '-').padEnd(severityWidth);
  return `  ${severityColour(label)}  ${plain(shorten(plain(title), longestTitle))}`;
}

function stepLine(step: Gate['unblock'][number], i: number): string {
  return `  ${i + 1}. ${plain(shorten(plain(step.text), 2 * longestTitle))} ${colour('dim', `(${plain(stepLabel(step))})`)}`;
}

function pageLines({ page, superseded }: Gate, blocking: GateViolation[]): string[] {
  if (page === null || blocking.length === 0) return [];
  const mayAsk = !superseded && blocking.some(({ status }) => status === 'open');
  return [
    '',
    mayAsk ? 'Details, and exceptions for violations that cannot be fixed now:' : 'Why:',
    `  ${plain(page)}`,
  ];
}
