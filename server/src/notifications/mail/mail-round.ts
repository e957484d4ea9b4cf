/**
 * A round of mails of one workspace. The process takes the workspace by a lease, finds out whom the new events of the
 * outbox concern, and whose digest is due, and sends the mails that are due. The content of a mail is read when it is
 * sent, so that it says what is still so, to a person who may still see it.
 */

import { makeMailLink } from '../../access/members/invitation-mail.ts';
import {
  type DueInvitation,
  listDueInvitations,
  writeInvitationMailResult,
} from '../../access/members/invitation-mail-store.ts';
import { findSlug } from '../../access/workspaces/store.ts';
import { type Database, importTx, type ReadTx, type Tx, tenantReadTx } from '../../db/database.ts';
import { newId, nilId, parseId, type TenantId, type UserId, type VulnerabilityId } from '../../domain/ids.ts';
import { cleanedName } from '../../domain/plain-name.ts';
import { dayMs, minuteMs } from '../../domain/time.ts';
import type { WorkspaceEventType } from '../../domain/workspace-event.ts';
import {
  findNumberBefore,
  listEventsByNumber,
  type OutboxEvent,
  readEvents,
  readOutboxState,
} from '../../events/read-events.ts';
import { consolePage } from '../../http/console-page.ts';
import { showEvents } from '../feed/event-item.ts';
import { chooseForLines, type EventMessage, eventMessage } from '../messages/event-message.ts';
import { dueDigests, firstDigestStart, nextDigestCheck, type OpenedByRange, writeDigest } from './digest.ts';
import { invitationMailText } from './invitation-mail-text.ts';
import {
  addDigests,
  addNotices,
  deleteOldMails,
  leaseReader,
  listAssignees,
  listDigestEnds,
  listDueMails,
  listRecipients,
  listStillConcerning,
  type MailResult,
  type MailRow,
  moveReader,
  type Recipient,
  releaseReader,
  writeMailResult,
} from './mail-store.ts';
import { mailText } from './mail-text.ts';
import type { Mail, Mailer, MailOutcome } from './mailer.ts';

export interface MailDependencies {
  db: Database;
  mailer: Mailer;
  publicUrl: string;
  /** Called for each attempt that has failed. */
  failed?: (error: string) => void;
  /** The time of the database. */
  now: () => Date;
  stopping?: AbortSignal;
}

// The waits after each failed attempt. A mail server that is repaired on the same day loses none.
const waitsMs = [1, 5, 15, 60, 180, 360].map((minutes) => minutes * minuteMs);
// The mails of a round; each takes a second or two.
const mailsInRound = 20;
const eventsInRound = 10_000;
// A lease covers a round with its last mail: a round begins none in the second half of it.
const leaseMs = 10 * minuteMs;
// After a longer pause, such as that of a server without mail, nobody gets a mail about what is old.
const oldestMs = dayMs;
const linesInMail = 20;
const maxShownErrorLength = 200;

const mailedTypes: readonly WorkspaceEventType[] = [
  'exception.requested',
  'vulnerability.assigned',
  'violation.due_soon',
];

/** Makes and sends what is due, up to the bounds of a round. Returns true if more is due. */
export async function mailRound(dependencies: MailDependencies, tenantId: TenantId): Promise<boolean> {
  const { db, stopping, now } = dependencies;
  const at = now();
  const until = new Date(at.getTime() + leaseMs);
  const round = await importTx(db, tenantId, async (tx) => {
    const { last, deleted } = await readOutboxState(tx);
    const digestCheckAt = nextDigestCheck(at);
    // The first mails are about what happens from now on.
    const reader = await leaseReader(tx, { position: last, digestCheckAt }, { now: at, until });
    if (reader === null) return null;
    const through = await addNewNotices(tx, Math.max(reader.position, deleted), last, at);
    if (reader.digestCheckAt <= at) {
      const firstAfter = {
        daily: await findNumberBefore(tx, firstDigestStart('daily', at)),
        weekly: await findNumberBefore(tx, firstDigestStart('weekly', at)),
      };
      const lastEnds = await listDigestEnds(tx);
      const digests = dueDigests(await listRecipients(tx), lastEnds, firstAfter, reader.startedAt, at);
      await addDigests(
        tx,
        digests.map((digest) => ({ ...digest, id: newId() })),
        last,
        at,
      );
      await deleteOldMails(tx, at);
    }
    await moveReader(tx, { position: through, digestCheckAt });
    const invitations = await listDueInvitations(tx, at, mailsInRound);
    const due = await listDueMails(tx, at, mailsInRound - invitations.length);
    return { due, invitations, isAllRead: through >= last };
  });
  if (round === null) return false;
  let isReachable = true;
  const isOver = (): boolean =>
    !isReachable || (stopping?.aborted ?? false) || now().getTime() > at.getTime() + leaseMs / 2;
  for (const invitation of round.invitations) {
    if (isOver()) break;
    isReachable = await mailInvitation(dependencies, tenantId, invitation);
  }
  const openedByRange: OpenedByRange = new Map();
  for (const row of round.due) {
    if (isOver()) break;
    const store = (result: MailResult) => importTx(db, tenantId, (tx) => writeMailResult(tx, row.id, result));
    let mail: MailContent | null;
    try {
      mail = await tenantReadTx(db, tenantId, (tx) =>
        writeMail(tx, row, dependencies.publicUrl, openedByRange),
      );
    } catch (error) {
      // A mail that cannot be written must not keep the others of the workspace waiting.
      await store(failedAttempt(dependencies, row, 'deferred', (error as Error).message.slice(0, 500)));
      continue;
    }
    // A digest must not come twice, so it counts as delivered before it is sent. One that is lost with its process is
    // in no mail.
    if (row.is_digest) {
      await store({ status: 'delivered', attempts: row.attempts + 1, dueAt: now(), error: null });
    }
    const result = await sendMail(dependencies, row, mail);
    isReachable = result.outcome !== 'unreachable';
    await store(result);
  }
  await importTx(db, tenantId, (tx) => releaseReader(tx, until));
  const isFull = round.due.length + round.invitations.length === mailsInRound;
  return isReachable && !stopping?.aborted && (!round.isAllRead || isFull);
}

/** Mails an invitation with a new link. Returns false if the mail server cannot be used. */
async function mailInvitation(
  dependencies: MailDependencies,
  tenantId: TenantId,
  { id, attempts }: DueInvitation,
): Promise<boolean> {
  const { db, publicUrl } = dependencies;
  const invitation = await importTx(db, tenantId, (tx) => makeMailLink(tx, id));
  if (invitation === undefined) return true;
  const url = `${publicUrl}/invite#${invitation.token}`;
  // Each attempt has its own link and therefore its own id, so that no mail server drops the newer one as a double.
  const { outcome, ...result } = await sendMail(
    dependencies,
    { id: newId(), attempts },
    {
      to: { name: '', address: invitation.email },
      ...invitationMailText(invitation, url),
      settingsUrl: null,
      secret: invitation.token,
    },
  );
  await importTx(db, tenantId, (tx) =>
    writeInvitationMailResult(tx, id, invitation.digest, {
      ...result,
      error: outcome === 'sent' ? null : shownError(outcome, result),
      // A connection that breaks can do so after the server has taken the mail.
      mayArrive: outcome === 'sent' || outcome === 'unreachable',
    }),
  );
  return outcome !== 'unreachable';
}

/** The error as an admin of a workspace may read it: the answer of the mail server, but not where it is. */
function shownError(outcome: MailOutcome, { status, error }: MailResult): string {
  if (outcome === 'refused') return cleanedName(error ?? '', maxShownErrorLength);
  const problem =
    outcome === 'deferred' ? 'The mail server did not take the mail' : 'Merlon could not use the mail server';
  return status === 'pending' ? `${problem}. Merlon tries again.` : `${problem} for half a day.`;
}

/** Turns new events into mails. Returns the number of the last event that was read. */
async function addNewNotices(tx: Tx, position: number, last: number, now: Date): Promise<number> {
  if (position >= last) return last;
  const { events, through } = await readEvents(tx, position, last, {
    types: mailedTypes,
    limit: eventsInRound,
  });
  const recent = events.filter(({ recordedAt }) => now.getTime() - recordedAt.getTime() < oldestMs);
  if (recent.length > 0) await addNotices(tx, await recipientsOf(tx, recent), newId, now);
  return through;
}

/** The numbers of the events that each person is notified of. Nobody is notified of their own actions. */
async function recipientsOf(tx: Tx, events: readonly OutboxEvent[]): Promise<Map<UserId, number[]>> {
  const recipients = await listRecipients(tx);
  const reviewers = recipients.filter(({ role, approvals }) => role === 'admin' && approvals);
  const owners = new Set(recipients.filter(({ assigned }) => assigned).map(({ userId }) => userId));
  const targetOf = (event: OutboxEvent): VulnerabilityId | undefined => {
    const { type, id } = event.data.target as { type: string; id: string };
    return type === 'vulnerability' ? parseId('vulnerability', id) : undefined;
  };
  const due = events.filter(({ type }) => type === 'violation.due_soon');
  const assignees = await listAssignees(
    tx,
    due.flatMap((event) => targetOf(event) ?? []),
  );
  const personsOf = (event: OutboxEvent): UserId[] => {
    if (event.type === 'exception.requested') return reviewers.map(({ userId }) => userId);
    const owner =
      event.type === 'violation.due_soon'
        ? assignees.get(targetOf(event) ?? nilId)
        : parseId('user', String(event.data.assignee));
    return owner !== undefined && owners.has(owner) ? [owner] : [];
  };
  const numbersOf = new Map<UserId, number[]>();
  for (const event of events) {
    for (const userId of personsOf(event)) {
      if (userId === event.actorId) continue;
      const numbers = numbersOf.get(userId);
      if (numbers) numbers.push(event.number);
      else numbersOf.set(userId, [event.number]);
    }
  }
  return numbersOf;
}

type MailContent = Omit<Mail, 'id'>;

/** Null if there is nothing to say any more, or the person has left or wants no such mail. */
async function writeMail(
  tx: ReadTx,
  row: MailRow,
  publicUrl: string,
  openedByRange: OpenedByRange,
): Promise<MailContent | null> {
  const [recipient] = await listRecipients(tx, row.user_id);
  if (recipient === undefined) return null;
  const workspace = { id: tx.tenantId, slug: await findSlug(tx), publicUrl };
  const settingsUrl = consolePage(publicUrl, workspace.slug, 'notifications');
  const written = await messageFor(tx, recipient, row, workspace, openedByRange);
  if (written === null) return null;
  return {
    to: { name: recipient.name, address: recipient.email },
    ...mailText(written.message, written.reason, settingsUrl),
    settingsUrl,
  };
}

async function messageFor(
  tx: ReadTx,
  recipient: Recipient,
  { events: numbers, is_digest: isDigest, digest_after: after, digest_through: through }: MailRow,
  workspace: { id: TenantId; slug: string; publicUrl: string },
  openedByRange: OpenedByRange,
): Promise<{ message: EventMessage; reason: string } | null> {
  if (isDigest) {
    const { digest } = recipient;
    const range = { after: Number(after), through: Number(through) };
    const message =
      digest === 'none' ? null : await writeDigest(tx, recipient, range, workspace, openedByRange);
    return message && { message, reason: `You get this mail because you chose a ${digest} digest.` };
  }
  const events = await eventsFor(tx, recipient, numbers.map(Number));
  if (events.length === 0) return null;
  const items = await showEvents(tx, workspace, chooseForLines(events, linesInMail));
  const reason = 'You get this mail because it waits for you, or is about what is assigned to you.';
  return { message: eventMessage(workspace, events, items), reason };
}

/** The events that still concern the person, each object once for each type. */
async function eventsFor(tx: Tx, recipient: Recipient, numbers: number[]): Promise<OutboxEvent[]> {
  const events = await listEventsByNumber(tx, numbers);
  const isWanted = ({ type }: OutboxEvent): boolean =>
    type === 'exception.requested' ? recipient.approvals : recipient.assigned;
  const concerning = await listStillConcerning(
    tx,
    recipient,
    events.map(({ objectId }) => objectId),
  );
  const wanted = events.filter((event) => isWanted(event) && concerning.has(event.objectId));
  return [...new Map(wanted.map((event) => [`${event.type} ${event.objectId}`, event])).values()];
}

async function sendMail(
  dependencies: MailDependencies,
  { id, attempts }: Pick<MailRow, 'id' | 'attempts'>,
  content: MailContent | null,
): Promise<MailAttempt> {
  const { outcome, error } =
    content === null
      ? ({ outcome: 'sent', error: 'there was nothing to say any more' } as const)
      : await dependencies.mailer.send({ id, ...content });
  if (outcome !== 'sent') return failedAttempt(dependencies, { attempts }, outcome, error ?? '');
  return { outcome, status: 'delivered', attempts: attempts + 1, dueAt: dependencies.now(), error };
}

type MailAttempt = MailResult & { outcome: MailOutcome };

function failedAttempt(
  { failed, now }: MailDependencies,
  { attempts }: Pick<MailRow, 'attempts'>,
  outcome: MailOutcome,
  error: string,
): MailAttempt {
  failed?.(error);
  const wait = waitsMs[attempts];
  const isOver = outcome === 'refused' || wait === undefined;
  return {
    outcome,
    status: isOver ? 'failed' : 'pending',
    attempts: attempts + 1,
    dueAt: new Date(now().getTime() + (isOver ? 0 : wait)),
    error,
  };
}
