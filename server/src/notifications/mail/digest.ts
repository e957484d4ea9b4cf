/** Digests: one mail a day or a week about what has opened in the workspace, is due soon, or is overdue. */
import type { ReadTx } from '../../db/database.ts';
import { type Severity, severities } from '../../domain/packed-state.ts';
import { cleanedName } from '../../domain/plain-name.ts';
import { dayMs } from '../../domain/time.ts';
import { consolePage } from '../../http/console-page.ts';
import { scopesOfRole } from '../../http/principal.ts';
import type { ListQuery } from '../../vulnerabilities/filters.ts';
import { readFirst } from '../../vulnerabilities/service.ts';
import { type EventMessage, type MessageLine, severityCounts } from '../messages/event-message.ts';
import type { DigestRhythm, NewDigest, Recipient } from './mail-store.ts';

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

/**
 * The digests that are due. Each begins where the last one of the person has ended. A person who has chosen after the
 * end of the time gets the next one.
 */
export function dueDigests(
  recipients: readonly Recipient[],
  lastEnds: ReadonlyMap<string, Date>,
  now: Date,
): NewDigest[] {
  return recipients.flatMap(({ userId, digest, chosenAt }) => {
    if (digest === 'none') return [];
    const until = lastDigestEnd(digest, now);
    if (chosenAt === null || chosenAt > until) return [];
    const since = lastEnds.get(userId) ?? new Date(until.getTime() - daysOf[digest] * dayMs);
    return since >= until ? [] : [{ user_id: userId, digest_since: since, digest_until: until }];
  });
}

interface Part {
  label: string;
  query: ListQuery;
}

/** Null if there is nothing to tell. The lists are those of the console, read as the person. */
export async function writeDigest(
  tx: ReadTx,
  { userId, name, email, role, least_severity: least }: Recipient,
  since: Date,
  { slug, publicUrl }: { slug: string; publicUrl: string },
): Promise<EventMessage | null> {
  const person = { user: { id: userId, name, email, kind: 'user' as const }, scopes: scopesOfRole(role) };
  const severity: Severity[] = severities.slice(severities.indexOf(least));
  const open = { state: 'open', severity } as const;
  const parts: Part[] = [
    { label: 'opened', query: { ...open, introduced_since: since.toISOString() } },
    { label: 'due soon', query: { ...open, due: 'soon' } },
    { label: 'overdue', query: { ...open, due: 'overdue' } },
  ];
  const told: { sum: string; count: string; lines: MessageLine[]; more: number }[] = [];
  for (const { label, query } of parts) {
    const { total, bySeverity, rows } = await readFirst(tx, person, query, linesInPart);
    if (total === 0) continue;
    const sum = `${total.toLocaleString('en')} ${label}`;
    told.push({
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
  if (told.length === 0) return null;
  return {
    title: `${slug}: ${told.map(({ sum }) => sum).join(', ')}`,
    counts: told.map(({ count }) => count),
    lines: told.flatMap(({ lines }) => lines),
    more: told.reduce((sum, { more }) => sum + more, 0),
    url: consolePage(publicUrl, slug, 'vulnerabilities'),
  };
}
