/**
 * The texts of issues and comments. Texts of a report come from the authors of packages and code, and a tracker would
 * act on them: notify people and teams by `@`, refer to other issues, show images and links, run quick actions such as
 * `/close`. So they are shown as code, and in titles with a character of no width in what would be a reference.
 * Comments have no text of reports at all.
 */
import { cleanedName } from '../../domain/plain-name.ts';
import type { TrackerKind } from './tracker-client.ts';

export interface IssueText {
  /** Plain text of Merlon and of reports. */
  title: string;
  /** A sentence of Merlon. */
  introduction: string;
  /** Name and value. Values are of reports. */
  facts: readonly (readonly [name: string, value: string])[];
  /** The vulnerabilities of a group, of reports. */
  items: readonly string[];
  /** Items that are left out. */
  more: number;
  /** The page of Merlon; null if the server does not know its own address. */
  link: string | null;
  marker: string;
}

// The shortest limit of a title is that of Jira and of GitLab.
const maxTitle = 255;
const maxValue = 500;
const zeroWidth = '\u200b';

/** A title of one line without references. */
export function titleOf(text: string): string {
  const plain = cleanedName(text, maxValue)
    .replaceAll(/[@#!~%&$^*[\]](?=\S)/g, (sign) => `${sign}${zeroWidth}`)
    .replaceAll('://', `:${zeroWidth}//`);
  return plain.length <= maxTitle ? plain : `${plain.slice(0, maxTitle - 1).toWellFormed()}…`;
}

/** A span of code in Markdown, which ends nowhere inside of the text. */
function markdownCode(text: string): string {
  const plain = cleanedName(text, maxValue);
  if (plain === '') return '–';
  const longest = Math.max(0, ...(plain.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const pad = plain.startsWith('`') || plain.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${plain}${pad}${fence}`;
}

/** A line inside of `{noformat}`, which only a brace could end. */
function jiraLine(text: string): string {
  return cleanedName(text, maxValue).replaceAll('{', `{${zeroWidth}`);
}

export function issueBodyOf(kind: TrackerKind, text: IssueText): string {
  return kind === 'jira' ? jiraBody(text) : markdownBody(text);
}

function markdownBody({ introduction, facts, items, more, link, marker }: IssueText): string {
  return [
    introduction,
    facts.map(([name, value]) => `- **${name}:** ${markdownCode(value)}`).join('\n'),
    ...(items.length === 0 ? [] : [items.map((item) => `1. ${markdownCode(item)}`).join('\n')]),
    ...moreOf(more),
    ...(link === null ? [] : [`[Show in Merlon](${link})`]),
    closingNote,
    `<!-- ${marker} -->`,
  ].join('\n\n');
}

function jiraBody({ introduction, facts, items, more, link, marker }: IssueText): string {
  const lines = [
    ...facts.map(([name, value]) => `${name}: ${jiraLine(value)}`),
    ...items.map((item) => `- ${jiraLine(item)}`),
  ];
  return [
    introduction,
    `{noformat}\n${lines.join('\n')}\n{noformat}`,
    ...moreOf(more),
    ...(link === null ? [] : [`[Show in Merlon|${link}]`]),
    closingNote,
    `Reference: ${marker}`,
  ].join('\n\n');
}

const closingNote =
  'Merlon closes this issue when nothing of it is open any more. If you close it, the state in Merlon does not change.';

function moreOf(more: number): string[] {
  return more === 0 ? [] : [`${more} more are in Merlon.`];
}

/** The number of vulnerabilities that an issue is about, and of those that are open. */
export interface IssueCounts {
  total: number;
  open: number;
}

/** The comment about a change of an issue; null if there is nothing to say. `before` was synchronized last. */
export function changeComment(before: IssueCounts, now: IssueCounts): string | null {
  if (before.total === now.total && before.open === now.open) return null;
  const { total, open } = now;
  const done = total - open;
  if (total === 0) {
    return 'What this issue was about is part of another vulnerability in Merlon, which has an issue of its own. Merlon closes this issue.';
  }
  if (open === 0) {
    const all = total <= 1 ? 'The vulnerability is' : `All ${total} vulnerabilities are`;
    return `${all} fixed, or decided in Merlon. Merlon closes this issue.`;
  }
  const added = Math.max(0, total - before.total);
  const sentences = [
    ...(before.open === 0
      ? [total === 1 ? 'The vulnerability is open again.' : `${open} of ${total} are open again.`]
      : []),
    ...(added > 0 ? [`${added} more ${added === 1 ? 'has' : 'have'} come up.`] : []),
    ...(total > 1 && before.open > 0 ? [`${done} of ${total} are fixed or decided.`] : []),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}

/** The comment with a mark by which it is found again. */
export function commentOf(kind: TrackerKind, text: string, marker: string): string {
  return kind === 'jira' ? `${text}\n\nReference: ${marker}` : `${text}\n\n<!-- ${marker} -->`;
}
