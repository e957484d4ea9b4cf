/** Digests: one mail a day or a week about what has opened in the workspace, is due soon, or is overdue. */
import type { ReadTx } from '../../db/database.ts';
import type { VulnerabilityId } from '../../domain/ids.ts';
import { type Severity, severities } from '../../domain/packed-state.ts';
import { cleanedName } from '../../domain/plain-name.ts';
import { dayMs } from '../../domain/time.ts';
import { readEvents } from '../../events/read-events.ts';
import { consolePage } from '../../http/console-page.ts';
import { scopesOfRole } from '../../http/principal.ts';
import type { ListQuery } from '../../vulnerabilities/filters.ts';
import { readFirst } from '../../vulnerabilities/list.ts';
import { listOpenOf } from '../../vulnerabilities/store.ts';
import { type EventMessage, type MessageLine, severityCounts } from '../messages/event-message.ts';
import type { DigestEnd, DigestRhythm, NewDigest, Recipient } from './mail-store.ts';

/** The hour (UTC) of the digests: before the working day in Europe, and in the night of America. */
const hour = 5;
const daysOf: Record<Exclude<DigestRhythm, 'none'>, number> = { daily: 1, weekly: 7 };
const linesInPart = 5;
const maxTitleLength = 160;

/** The newest end of a digest's time that is not after `now`: today's hour or yesterday's, or that of a Monday. */
export function lastDigestEnd(rhythm: Exclude<DigestRhythm, 'none'>, now: Date): Date {
  const end = new Date(now);
  end.setUTCHours(hour, 0, 0, 0);
  if (end > now) end.setTime(end.getTime() - dayMs);
  // 1970-01-05 was a Monday; days of UTC have one length.
  const daysSinceMonday = (Math.floor(end.getTime() / dayMs) + 3) % 7;
  return rhythm === 'daily' ? end : new Date(end.getTime() - daysSinceMonday * dayMs);
}

/** The next time at which a digest may be due. */
export function nextDigestCheck(now: Date): Date {
  return new Date(lastDigestEnd('daily', now).getTime() + dayMs);
}

/** The time at which the first digest of a person begins. */
export function firstDigestStart(rhythm: Exclude<DigestRhythm, 'none'>, now: Date): Date {
  return new Date(lastDigestEnd(rhythm, now).getTime() - daysOf[rhythm] * dayMs);
}

/**
 * The digests that are due. Each begins where the last one of the person has ended, and the first one after the event
 * `firstAfter`. A person who has chosen after the end of the time gets the next one, and so do all after a restore,
 * because the reader of the mails starts anew and the install of the backup has sent those before.
 */
export function dueDigests(
  recipients: readonly Recipient[],
  lastEnds: ReadonlyMap<string, DigestEnd>,
  firstAfter: Record<Exclude<DigestRhythm, 'none'>, number>,
  startedAt: Date,
  now: Date,
): NewDigest[] {
  return recipients.flatMap(({ userId, digest, chosenAt }) => {
    if (digest === 'none') return [];
    const until = lastDigestEnd(digest, now);
    if (chosenAt === null || chosenAt > until || startedAt > until) return [];
    const last = lastEnds.get(userId);
    if (last !== undefined && last.until >= until) return [];
    return [{ user_id: userId, digest_until: until, digest_after: last?.through ?? firstAfter[digest] }];
  });
}

/** The events after a number, up to another one. */
export interface EventRange {
  after: number;
  through: number;
}

// More ids take memory, and nobody compares such numbers.
const maxOpened = 100_000;
const eventsInPage = 10_000;

/**
 * The vulnerabilities that a digest has as opened: those that are open on tracked references, and those that are open
 * on others only, such as pull requests. `isCut` says that there are more than `maxOpened`.
 */
interface Opened {
  tracked: VulnerabilityId[];
  others: VulnerabilityId[];
  isCut: boolean;
}

/** The digests of a round read the events once for all people with the same time and severities. */
export type OpenedByRange = Map<string, Opened>;

/**
 * The vulnerabilities that opened or reopened by these events and are still open. The time of a report says nothing
 * about it: a report of an old commit opens vulnerabilities too.
 */
async function listOpened(tx: ReadTx, { after, through }: EventRange, of: Severity[]): Promise<Opened> {
  const opened = new Map<VulnerabilityId, boolean>();
  for (let position = after; position < through; ) {
    const page = await readEvents(tx, position, through, { types: openingTypes, limit: eventsInPage });
    const ids = new Set(page.events.map(({ objectId }) => objectId as VulnerabilityId));
    for (const { id, tracked } of await listOpenOf(tx, [...ids], of)) opened.set(id, tracked);
    if (opened.size > maxOpened) break;
    position = page.through;
  }
  const listed = [...opened].slice(0, maxOpened);
  const idsOf = (wanted: boolean) => listed.flatMap(([id, tracked]) => (tracked === wanted ? [id] : []));
  return { tracked: idsOf(true), others: idsOf(false), isCut: opened.size > maxOpened };
}

const openingTypes = ['vulnerability.opened', 'vulnerability.reopened'] as const;

interface Part {
  label: string;
  query: ListQuery & { ids?: readonly VulnerabilityId[] };
  /** There may be more than are counted, because the limit is on the sum of the opened ones. */
  isCut?: boolean;
}

/** Null if all parts are empty. The lists are those of the console, read as the person. */
export async function writeDigest(
  tx: ReadTx,
  { userId, name, email, role, least_severity: least }: Recipient,
  events: EventRange,
  { slug, publicUrl }: { slug: string; publicUrl: string },
  openedByRange: OpenedByRange,
): Promise<EventMessage | null> {
  const person = { user: { id: userId, name, email, kind: 'user' as const }, scopes: scopesOfRole(role) };
  const severity: Severity[] = severities.slice(severities.indexOf(least));
  const open = { state: 'open', scope: 'tracked', severity } as const;
  const key = `${events.after}-${events.through}-${least}`;
  const opened = openedByRange.get(key) ?? (await listOpened(tx, events, severity));
  openedByRange.set(key, opened);
  const parts: Part[] = [
    { label: 'opened', query: { ...open, ids: opened.tracked }, isCut: opened.isCut },
    {
      label: 'opened on other branches only',
      query: { ...open, scope: 'all', ids: opened.others },
      isCut: opened.isCut,
    },
    { label: 'due soon', query: { ...open, due: 'soon' } },
    { label: 'overdue', query: { ...open, due: 'overdue' } },
  ];
  const shown: { sum: string; count: string; lines: MessageLine[]; more: number }[] = [];
  for (const { label, query, isCut = false } of parts) {
    const { total, bySeverity, rows } = await readFirst(tx, person, query, linesInPart);
    if (total === 0) continue;
    const sum = `${isCut ? 'at least ' : ''}${total.toLocaleString('en')} ${label}`;
    shown.push({
      sum,
      count: `${sum}: ${severityCounts((one) => bySeverity[one] ?? 0)}`,
      lines: rows.map((row) => ({
        text: cleanedName(row.title, maxTitleLength) || 'vulnerability',
        detail: cleanedName(`${label}, ${row.severity}, ${row.repository.full_name}`, 2 * maxTitleLength),
        url: consolePage(publicUrl, slug, `vulnerabilities?v=${row.id}`),
      })),
      more: total - rows.length,
    });
  }
  if (shown.length === 0) return null;
  return {
    title: `${slug}: ${shown.map(({ sum }) => sum).join(', ')}`,
    counts: shown.map(({ count }) => count),
    lines: shown.flatMap(({ lines }) => lines),
    more: shown.reduce((sum, { more }) => sum + more, 0),
    url: consolePage(publicUrl, slug, 'vulnerabilities'),
  };
}
