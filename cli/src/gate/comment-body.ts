/**
 * Writes a verdict as the Markdown of a comment. All foreign text is in a code span, because neither GitHub nor GitLab
 * reads markup, HTML, mentions, references, links or commands there. No other form is safe on both. No line begins with
 * foreign text, no e-mail address is shown, and the length stays below the API's limit.
 */
import { queryValues } from '@merlon/client';
import { plain } from '@merlon/terminal';
import type { Gate, GateResult, GateViolation, UnblockStep } from './gate-answer.ts';
import {
  advisoryLabel,
  baseLabel,
  countsLabel,
  hiddenCounts,
  locationLabel,
  nothingCheckedLabel,
  shorten,
  stateLabel,
  stepLabel,
  subjectLabel,
  verdictLabels,
} from './labels.ts';

const longestText = 200;

/** The marker finds the comment again. A pull request has one comment for each workspace and repository. */
export function commentMarker(workspace: string, { repository }: Gate): string {
  const safe = (text: string): string => text.replace(/[^A-Za-z0-9_]+/g, '-');
  return `<!-- merlon-gate ${safe(workspace)} ${safe(repository.id)} -->`;
}

/** `longest` is in bytes. A text never has more characters than bytes, and the APIs count characters. */
export function commentBody({ gate, noVerdict }: GateResult, marker: string, longest: number): string {
  const subject = code(subjectLabel(gate));
  if (noVerdict !== null) return `${marker}\n### Merlon: no verdict\n\n${subject}: ${code(noVerdict.text)}\n`;
  const base = baseLabel(gate);
  const unchecked = nothingCheckedLabel(gate);
  const head = [
    marker,
    `### Merlon: ${verdictLabels[gate.verdict ?? ''] ?? 'unknown'}`,
    '',
    `${subject}: ${countsLabel(gate)}${base === null ? '' : `; ${code(base)}`}${pageText(gate)}`,
    '',
    ...(unchecked === null ? [] : [unchecked, '']),
    '',
  ].join('\n');
  const blocking = gate.violations.filter((violation) => violation.blocking);
  const warnings = gate.violations.filter((violation) => !violation.blocking);
  const hidden = hiddenCounts(gate);
  const room = longest - bytes(head);
  // The steps and the warnings may take a quarter each. The blocking violations get the rest.
  const steps = section('**To unblock**\n\n', gate.unblock.map(stepLine), '', 0, room / 4);
  const summary = `<details><summary>Warnings: ${gate.summary.warning}</summary>\n\n`;
  const warned = section(summary, warnings.map(violationLine), '\n</details>\n', hidden.warning, room / 4);
  const rest = room - bytes(steps) - bytes(warned);
  const blocked = section('**Blocking**\n\n', blocking.map(violationLine), '', hidden.blocking, rest);
  return head + blocked + steps + warned;
}

/** Writes as many lines as fit, and the number of the others. Without any lines the section is empty. */
function section(title: string, lines: string[], end: string, hidden: number, room: number): string {
  if (lines.length + hidden === 0) return '';
  const more = (count: number): string => (count > 0 ? `- and ${count} more\n` : '');
  let left = room - bytes(title) - bytes(`${more(lines.length + hidden)}${end}\n`);
  const shown: string[] = [];
  for (const line of lines) {
    left -= bytes(line);
    if (left < 0) break;
    shown.push(line);
  }
  return `${title}${shown.join('')}${more(lines.length - shown.length + hidden)}${end}\n`;
}

const severities: readonly string[] = queryValues.listVulnerabilities.severity;

function violationLine(violation: GateViolation): string {
  const {
    severity,
    title,
    package: used,
    fix_version: fix,
    policy,
    owner,
    due_at: due,
    id,
    page,
  } = violation;
  const advisory = advisoryLabel(violation);
  const location = locationLabel(violation);
  const state = stateLabel(violation);
  const details = [
    `${severity !== null && severities.includes(severity) ? `**${severity}** ` : ''}${code(title)}`,
    ...(advisory === null ? [] : [code(advisory)]),
    ...(used === null
      ? []
      : [`${code([used.name, used.versions.join(', ')].join(' '))}${fix === null ? '' : ` → ${code(fix)}`}`]),
    ...(location === null ? [] : [code(location)]),
    `policy ${code(policy.key)}`,
    `due ${code(due.slice(0, 10))}`,
    ...(owner === null ? [] : [`owner ${code(owner.display_name)}`]),
    ...(state === null ? [] : [state]),
    linkTo(code(id), page),
  ];
  return `- ${details.join(' · ')}\n`;
}

function stepLine(step: UnblockStep): string {
  return `- ${code(step.text)} (${stepLabel(step, code)})\n`;
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}

function pageText({ page, verdict }: Gate): string {
  return page === null ? '' : `; ${linkTo(verdict === 'block' ? 'details and exceptions' : 'details', page)}`;
}

// An address of these characters contains no Markdown.
const plainAddress = /^https?:\/\/[\w.:-]+(?:\/[\w-]+)+$/;

/** Returns a link to the page, or the label alone if its address holds more than ours do. The label is Markdown. */
function linkTo(label: string, page: string): string {
  return plainAddress.test(page) ? `[${label}](${page})` : label;
}

/** Puts any text into a code span on one line. Its fence is longer than any run of backticks inside. */
export function code(text: string): string {
  const line = shorten(plain(text.toWellFormed()), longestText).trim() || '-';
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}
