/** SQL of mails: what each member wants, the position in the outbox, and the mails that wait or were sent. */

import { type Static, Type } from 'typebox';
import { invitationMailsDue } from '../../access/members/invitation-mail-store.ts';
import { insertRows } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import type { DueCondition } from '../../db/due-tenants.ts';
import type { UserId, VulnerabilityId } from '../../domain/ids.ts';
import { severities, sqlIsOpen } from '../../domain/packed-state.ts';
import { dayMs, minuteMs } from '../../domain/time.ts';
import { unresolvedOfVulnerabilities } from '../../domain/violation-state.ts';
import type { Role } from '../../http/principal.ts';
import { oneOf } from '../../http/schema.ts';

export const digestRhythms = ['none', 'daily', 'weekly'] as const;
export type DigestRhythm = (typeof digestRhythms)[number];

/** The mails that a member gets. */
export const MailSettings = Type.Object({
  approvals: Type.Boolean({ description: 'At once: exceptions that wait for the approval of the caller.' }),
  assigned: Type.Boolean({
    description:
      'At once: vulnerabilities that are assigned to the caller, and when they are due within three days.',
  }),
  digest: oneOf(digestRhythms),
  least_severity: oneOf(severities, 'The digest tells what has opened at or above it.'),
});
export type MailSettings = Static<typeof MailSettings>;

/** The settings of a member who has chosen nothing: only what is addressed to the person. */
const defaultSettings: MailSettings = {
  approvals: true,
  assigned: true,
  digest: 'none',
  least_severity: 'high',
};

export async function findMailSettings(tx: Tx, userId: UserId): Promise<MailSettings> {
  const [row] = await tx.query<MailSettings>(
    'select approvals, assigned, digest, least_severity from mail_setting where tenant_id = $1 and user_id = $2',
    [tx.tenantId, userId],
  );
  return row ?? defaultSettings;
}

export async function upsertMailSettings(
  tx: Tx,
  userId: UserId,
  { approvals, assigned, digest, least_severity: severity }: MailSettings,
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into mail_setting (tenant_id, user_id, approvals, assigned, digest, least_severity, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (tenant_id, user_id) do update set approvals = excluded.approvals, assigned = excluded.assigned,
       digest = excluded.digest, least_severity = excluded.least_severity, updated_at = excluded.updated_at`,
    [tx.tenantId, userId, approvals, assigned, digest, severity, now],
  );
}

export interface Recipient extends MailSettings {
  userId: UserId;
  role: Role;
  name: string;
  email: string;
  /** When the person has chosen; null for one who has not. */
  chosenAt: Date | null;
}

/**
 * The enabled members with what they want; with `userId` only that one. Members without a proved address are left out:
 * an admin may have entered the address of a stranger, and texts of reports are chosen by anybody.
 */
export async function listRecipients(tx: Tx, userId: UserId | null = null): Promise<Recipient[]> {
  return tx.query<Recipient>(
    `select m.user_id as "userId", m.role, u.name, u.email, s.updated_at as "chosenAt",
            coalesce(s.approvals, ${defaultSettings.approvals}) as approvals,
            coalesce(s.assigned, ${defaultSettings.assigned}) as assigned,
            coalesce(s.digest, '${defaultSettings.digest}') as digest,
            coalesce(s.least_severity, '${defaultSettings.least_severity}') as least_severity
       from member m join user_account u on u.id = m.user_id
       left join mail_setting s on s.tenant_id = $1 and s.user_id = m.user_id
      where m.tenant_id = $1 and u.disabled_at is null and u.email_verified
        and ($2::uuid is null or m.user_id = $2) order by m.user_id`,
    [tx.tenantId, userId],
  );
}

/** True in SQL if the workspace has new events, or a mail is due, and no process is busy with it. */
export const mailsDue: DueCondition[] = [
  'not exists (select 1 from mail_reader where tenant_id = asked_tenant)',
  `exists (select 1 from mail_reader r where r.tenant_id = asked_tenant
     and (r.leased_until is null or r.leased_until <= asked_at)
     and (r.digest_check_at <= asked_at or r.position < (select s.last_number from event_sequence s where s.tenant_id = asked_tenant)
          or exists (select 1 from mail m where m.tenant_id = asked_tenant and m.status = 'pending'
                      and m.due_at <= asked_at)
          or ${invitationMailsDue}))`,
];

export interface Reader {
  /** The number of the last event that was read. */
  position: number;
  digestCheckAt: Date;
  startedAt: Date;
}

/** Takes the workspace for one process; null if another one has it. `first` is where a workspace begins. */
export async function leaseReader(
  tx: Tx,
  first: Omit<Reader, 'startedAt'>,
  { now, until }: { now: Date; until: Date },
): Promise<Reader | null> {
  await tx.query(
    `insert into mail_reader (tenant_id, position, digest_check_at, started_at) values ($1, $2, $3, $4)
     on conflict (tenant_id) do nothing`,
    [tx.tenantId, first.position, first.digestCheckAt, now],
  );
  const [row] = await tx.query<Omit<Reader, 'position'> & { position: string }>(
    `update mail_reader set leased_until = $3
      where tenant_id = $1 and (leased_until is null or leased_until <= $2)
      returning position, digest_check_at as "digestCheckAt", started_at as "startedAt"`,
    [tx.tenantId, now, until],
  );
  return row === undefined ? null : { ...row, position: Number(row.position) };
}

export async function moveReader(
  tx: Tx,
  { position, digestCheckAt }: Omit<Reader, 'startedAt'>,
): Promise<void> {
  await tx.query('update mail_reader set position = $2, digest_check_at = $3 where tenant_id = $1', [
    tx.tenantId,
    position,
    digestCheckAt,
  ]);
}

export async function releaseReader(tx: Tx, until: Date): Promise<void> {
  await tx.query('update mail_reader set leased_until = null where tenant_id = $1 and leased_until = $2', [
    tx.tenantId,
    until,
  ]);
}

/** The assignees of these vulnerabilities; one without any is missing. */
export async function listAssignees(
  tx: Tx,
  vulnerabilityIds: readonly VulnerabilityId[],
): Promise<Map<string, UserId>> {
  if (vulnerabilityIds.length === 0) return new Map();
  const rows = await tx.query<{ id: string; assignee_id: UserId }>(
    `select id, assignee_id from vulnerability
      where tenant_id = $1 and id = any($2::uuid[]) and assignee_id is not null`,
    [tx.tenantId, vulnerabilityIds],
  );
  return new Map(rows.map(({ id, assignee_id: assignee }) => [id, assignee]));
}

/** Mails to the same person have this time between them; what happens meanwhile is in the next one. */
const minutesBetweenMails = 5;

/** Adds events to the waiting mail of each person, or makes one. */
export async function addNotices(
  tx: Tx,
  numbersOf: ReadonlyMap<UserId, readonly number[]>,
  newMailId: () => string,
  now: Date,
): Promise<void> {
  const users = [...numbersOf.keys()];
  if (users.length === 0) return;
  const rows = await tx.query<{ user_id: UserId; waiting: string | null; newest: Date }>(
    `select user_id, max(created_at) as newest,
            (array_agg(id) filter (where status = 'pending' and attempts = 0))[1] as waiting
       from mail
      where tenant_id = $1 and user_id = any($2::uuid[]) and created_at > $3 and digest_until is null
      group by user_id`,
    [tx.tenantId, users, new Date(now.getTime() - keptMs)],
  );
  const before = new Map(rows.map((row) => [row.user_id, row]));
  const created = users.filter((user) => (before.get(user)?.waiting ?? null) === null);
  await insertRows(
    tx,
    'mail',
    created.map((user) => ({
      id: newMailId(),
      user_id: user,
      events: numbersOf.get(user),
      due_at: later(now, before.get(user)?.newest),
      created_at: now,
    })),
  );
  const waiting = users.flatMap((user) => {
    const id = before.get(user)?.waiting ?? null;
    return id === null ? [] : { id, events: numbersOf.get(user) };
  });
  await tx.query(
    `update mail m set events = m.events || k.events
       from json_to_recordset($2::json) as k (id uuid, events bigint[])
      where m.tenant_id = $1 and m.id = k.id`,
    [tx.tenantId, JSON.stringify(waiting)],
  );
}

function later(now: Date, newest: Date | undefined): Date {
  return new Date(Math.max(now.getTime(), (newest?.getTime() ?? 0) + minutesBetweenMails * minuteMs));
}

export interface DigestEnd {
  until: Date;
  /** The number of the last event in it. */
  through: number;
}

/** Lists the end of each person's last digest. */
export async function listDigestEnds(tx: Tx): Promise<Map<string, DigestEnd>> {
  const rows = await tx.query<{ user_id: UserId; until: Date; through: string }>(
    `select distinct on (user_id) user_id, digest_until as until, digest_through as through from mail
      where tenant_id = $1 and digest_until is not null order by user_id, digest_until desc`,
    [tx.tenantId],
  );
  return new Map(
    rows.map(({ user_id: user, until, through }) => [user, { until, through: Number(through) }]),
  );
}

export interface NewDigest {
  user_id: UserId;
  digest_until: Date;
  digest_after: number;
}

/** Adds digests that are due, up to the event `through`. A person has one of each time at most. */
export async function addDigests(
  tx: Tx,
  digests: readonly (NewDigest & { id: string })[],
  through: number,
  now: Date,
): Promise<void> {
  const rows = digests.map((digest) => ({
    ...digest,
    digest_through: through,
    due_at: now,
    created_at: now,
  }));
  await insertRows(tx, 'mail', rows, { conflict: 'do nothing' });
}

export interface MailRow {
  id: string;
  user_id: UserId;
  /** The numbers of the events that the mail tells. A digest tells all of a range. */
  events: string[];
  is_digest: boolean;
  /** Null for a mail about events. */
  digest_after: string | null;
  digest_through: string | null;
  attempts: number;
}

/** The mails that are due, oldest first. */
export async function listDueMails(tx: Tx, now: Date, limit: number): Promise<MailRow[]> {
  return tx.query<MailRow>(
    `select id, user_id, events, digest_until is not null as is_digest, digest_after, digest_through, attempts
       from mail
      where tenant_id = $1 and status = 'pending' and due_at <= $2 order by due_at, id limit $3`,
    [tx.tenantId, now, limit],
  );
}

export interface MailResult {
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  dueAt: Date;
  error: string | null;
}

/**
 * Stores what became of an attempt, unless another process has sent the mail meanwhile. A digest counts as delivered
 * before it is sent, and is opened again if that fails.
 */
export async function writeMailResult(
  tx: Tx,
  id: string,
  { status, attempts, dueAt, error }: MailResult,
): Promise<void> {
  await tx.query(
    `update mail set status = $3, attempts = $4, due_at = $5, error = $6
      where tenant_id = $1 and id = $2 and (status = 'pending' or digest_until is not null)`,
    [tx.tenantId, id, status, attempts, dueAt, error],
  );
}

// The events that a mail tells end as early, by the default. Longer than this no row is of use.
const keptMs = 30 * dayMs;

export async function deleteOldMails(tx: Tx, now: Date): Promise<void> {
  await tx.query('delete from mail where tenant_id = $1 and created_at <= $2', [
    tx.tenantId,
    new Date(now.getTime() - keptMs),
  ]);
}

/** The objects of events that still concern the person: to review, assigned and open, or assigned and due. */
export async function listStillConcerning(
  tx: Tx,
  { userId, role }: Pick<Recipient, 'userId' | 'role'>,
  objectIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `select e.id from policy_exception e
      where e.tenant_id = $1 and e.id = any($2::uuid[]) and e.status = 'requested' and $5::text = 'admin'
        and e.requested_by <> $3 and e.on_behalf_of is distinct from $3
     union all
     select v.id from vulnerability v
      where v.tenant_id = $1 and v.id = any($2::uuid[]) and v.assignee_id = $3 and ${sqlIsOpen('v.packed_state')}
     union all
     select p.id from policy_violation p
       join vulnerability v on v.tenant_id = $1 and v.id = p.target_id and v.assignee_id = $3
      where p.tenant_id = $1 and p.id = any($2::uuid[]) and p.packed_state = any($4::smallint[])`,
    [tx.tenantId, objectIds, userId, unresolvedOfVulnerabilities, role],
  );
  return new Set(rows.map(({ id }) => id));
}
