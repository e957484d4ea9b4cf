/**
 * A message for people about events of a workspace: how many there are of each type, and the few that matter most, each
 * with its page. Texts in it come from reports and from people, so each output of the message must escape them.
 */

import { type Severity, severities } from '../../domain/packed-state.ts';
import { cleanedName } from '../../domain/plain-name.ts';
import { type EventSubject, subjectOf, type WorkspaceEventType } from '../../domain/workspace-event.ts';
import type { OutboxEvent } from '../../events/read-events.ts';
import { consolePage } from '../../http/console-page.ts';
import type { EventItem } from '../feed/event-schema.ts';

export interface MessageLine {
  /** The subject of the event: the title of a vulnerability, the name of a policy. */
  text: string;
  /** The change, with its repository and its end. */
  detail: string;
  /** Its page in the console; null if the server does not know its own address. */
  url: string | null;
}

export interface EventMessage {
  /** The name of the workspace with the counts by type: `acme: 3 vulnerabilities opened, 1 scan failed`. */
  title: string;
  /** One line for each type, with the counts by severity. */
  counts: string[];
  lines: MessageLine[];
  /** The number of events without a line. */
  more: number;
  /** The start page of the workspace, under the same condition as the pages of the lines. */
  url: string | null;
}

const maxTextLength = 160;

const nouns: Record<EventSubject, [one: string, many: string]> = {
  vulnerability: ['vulnerability', 'vulnerabilities'],
  violation: ['violation', 'violations'],
  exception: ['exception', 'exceptions'],
  scan: ['scan', 'scans'],
  key: ['key', 'keys'],
  advisory: ['advisory', 'advisories'],
};

// All other types say it by themselves.
const phrases: Partial<Record<WorkspaceEventType, string>> = {
  'vulnerability.status_changed': 'changed',
  'violation.due_soon': 'due within three days',
  'exception.expiring': 'expiring soon',
  'scan.closing_held': 'with a closure held for review',
  'key.expiring': 'expiring soon',
};

/** The change in words: `overdue` for `violation.overdue`. */
function phraseOf(type: WorkspaceEventType): string {
  return phrases[type] ?? type.slice(type.indexOf('.') + 1).replaceAll('_', ' ');
}

// These wait for a person, and are few. All others without a severity only inform.
const asksForAct: ReadonlySet<WorkspaceEventType> = new Set([
  'exception.requested',
  'exception.expiring',
  'scan.failed',
  'scan.closing_held',
  'key.expiring',
]);

const severityOf = ({ data }: OutboxEvent): Severity | undefined =>
  (data as { severity?: Severity }).severity;

function rankOf(event: OutboxEvent): number {
  if (asksForAct.has(event.type)) return severities.length;
  return severities.indexOf(severityOf(event) ?? 'unknown');
}

/** The events of a message that get a line: those that matter most, and of equal ones the oldest. */
export function chooseForLines(events: readonly OutboxEvent[], maxLines: number): OutboxEvent[] {
  return events.toSorted((a, b) => rankOf(b) - rankOf(a) || a.number - b.number).slice(0, maxLines);
}

/** `items` are the events that `chooseForLines` gives, as the feed shows them. */
export function eventMessage(
  workspace: { slug: string; publicUrl: string | null },
  events: readonly OutboxEvent[],
  items: readonly EventItem[],
): EventMessage {
  const { slug, publicUrl } = workspace;
  const pageOf = (path: string): string | null =>
    publicUrl === null ? null : consolePage(publicUrl, slug, path);
  const byType = [...Map.groupBy(events, ({ type }) => type)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const sums = byType.map(([type, { length }]) => countOf(type, length));
  return {
    title: `${slug}: ${sums.join(', ')}`,
    counts: byType.map(([, of], i) => [sums[i], bySeverity(of)].filter((part) => part !== '').join(': ')),
    lines: items.map((item) => lineOf(item, pageOf)),
    more: events.length - items.length,
    url: pageOf(''),
  };
}

function countOf(type: WorkspaceEventType, count: number): string {
  const [one, many] = nouns[subjectOf(type)];
  return `${count.toLocaleString('en')} ${count === 1 ? one : many} ${phraseOf(type)}`;
}

function bySeverity(events: readonly OutboxEvent[]): string {
  const groups = Map.groupBy(events, severityOf);
  return severityCounts((severity) => groups.get(severity)?.length ?? 0);
}

/** `3 critical, 20 high`: severities without any are left out. */
export function severityCounts(countOf: (severity: Severity) => number): string {
  return severities
    .toReversed()
    .filter((severity) => countOf(severity) > 0)
    .map((severity) => `${countOf(severity).toLocaleString('en')} ${severity}`)
    .join(', ');
}

/** The fields of the objects of events that a line shows. The schemas of the events say which object has which. */
interface ShownObject {
  id: string;
  kind?: string;
  title?: string | null;
  name?: string;
  severity?: string;
  due_at?: string;
  until?: string | null;
  expires_at?: string | null;
  error?: string | null;
  tools?: string[];
  violation?: string | null;
  policy?: { key: string; name: string } | null;
  target?: { title: string | null };
}

function lineOf({ type, data }: EventItem, pageOf: (path: string) => string | null): MessageLine {
  const subject = subjectOf(type);
  const object = (data[subject === 'advisory' ? 'vulnerability' : subject] ?? {}) as ShownObject;
  const { text, path, end } = shownBySubject[subject](object, data.repository?.full_name);
  const [noun] = nouns[subject];
  const detail = [
    object.severity,
    `${noun} ${phraseOf(type)}`,
    data.repository?.full_name,
    end,
    object.error ?? undefined,
  ].filter((part) => part !== undefined && part !== '');
  return {
    text: cleanedName(text ?? '', maxTextLength) || noun,
    detail: cleanedName(detail.join(', '), 2 * maxTextLength),
    url: pageOf(path),
  };
}

interface ShownSubject {
  text: string | null | undefined;
  /** The page in the workspace. */
  path: string;
  end?: string | undefined;
}

const dayOf = (word: string, time: string | null | undefined): string | undefined =>
  time ? `${word} ${time.slice(0, 10)}` : undefined;

const ofVulnerability = ({ id, title }: ShownObject): ShownSubject => ({
  text: title,
  path: `vulnerabilities?v=${id}`,
});

const shownBySubject: Record<EventSubject, (object: ShownObject, repo?: string) => ShownSubject> = {
  vulnerability: ofVulnerability,
  advisory: ofVulnerability,
  violation: ({ id, policy, target, due_at: due }) => ({
    text: [policy?.name, target?.title].filter((part) => part).join(': '),
    path: `violations/${id}`,
    end: dayOf('due', due),
  }),
  exception: ({ policy, violation, until }, repo) => ({
    text: policy?.name,
    path: violation
      ? `violations/${violation}`
      : `exceptions?${new URLSearchParams({ ...(policy && { policy: policy.key }), ...(repo && { repo }) })}`,
    end: dayOf('until', until),
  }),
  scan: ({ id, tools }) => ({ text: tools?.join(', '), path: `scans/${id}` }),
  key: ({ id, kind, name, expires_at: end }) => ({
    text: name,
    path: `keys?${kind === 'workspace' ? 'kind=workspace&' : ''}key=${id}`,
    end: dayOf('ends', end),
  }),
};
