/** SQL of invitations. An invitation is open until it is accepted or withdrawn, but nobody can use an expired one. */
import { updateRow } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import type { InvitationId, UserId } from '../../domain/ids.ts';
import type { Role } from '../../http/principal.ts';

export interface InvitationRow {
  id: InvitationId;
  email: string;
  role: Role;
  invited_by_id: UserId | null;
  invited_by_name: string | null;
  created_at: Date;
  expires_at: Date;
  is_expired: boolean;
  /** Null: the server had no mail server. */
  mail_status: MailStatus | null;
  mailed_at: Date | null;
  mail_error: string | null;
}

export const mailStatuses = ['pending', 'delivered', 'failed'] as const;
export type MailStatus = (typeof mailStatuses)[number];

/** Open invitations, newest first; with `id` only that one. */
export async function listInvitations(tx: Tx, id: InvitationId | null = null): Promise<InvitationRow[]> {
  return tx.query<InvitationRow>(
    `select i.id, i.email, i.role, i.invited_by as invited_by_id, u.name as invited_by_name, i.created_at, i.expires_at,
            i.expires_at <= now() as is_expired, i.mail_status, i.mailed_at, i.mail_error
       from invitation i left join user_account u on u.id = i.invited_by
      where i.tenant_id = $1 and i.accepted_at is null and i.withdrawn_at is null and ($2::uuid is null or i.id = $2)
      order by i.created_at desc, i.id desc`,
    [tx.tenantId, id],
  );
}

/** Inserts the invitation, or replaces the open one of the address, whose links become invalid. Returns the id. */
export async function upsertInvitation(
  tx: Tx,
  invitation: {
    id: InvitationId;
    email: string;
    role: Role;
    secret: Buffer;
    invitedBy: string | null;
    expiresAt: Date;
    mailStatus: MailStatus | null;
    mailError: string | null;
    now: Date;
  },
): Promise<InvitationId> {
  const [row] = await tx.query<{ id: InvitationId }>(
    `insert into invitation (tenant_id, id, email, role, secret_sha256, invited_by, expires_at, mail_status, mail_error, mail_due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (tenant_id, email) where accepted_at is null and withdrawn_at is null do update
       set role = excluded.role, secret_sha256 = excluded.secret_sha256, invited_by = excluded.invited_by,
           expires_at = excluded.expires_at, created_at = excluded.created_at,
           mail_status = excluded.mail_status, mail_error = excluded.mail_error, mail_due_at = excluded.mail_due_at,
           mail_secret_sha256 = null, mail_attempts = 0, mailed_at = null
     returning id`,
    [
      tx.tenantId,
      invitation.id,
      invitation.email,
      invitation.role,
      invitation.secret,
      invitation.invitedBy,
      invitation.expiresAt,
      invitation.mailStatus,
      invitation.mailError,
      invitation.now,
    ],
  );
  if (!row) throw new Error('an upsert returned nothing');
  return row.id;
}

/** Withdraws the invitation and returns its address; undefined if it is not open. */
export async function withdrawInvitation(tx: Tx, id: InvitationId): Promise<string | undefined> {
  const [row] = await tx.query<{ email: string }>(
    `update invitation set withdrawn_at = now()
      where tenant_id = $1 and id = $2 and accepted_at is null and withdrawn_at is null returning email`,
    [tx.tenantId, id],
  );
  return row?.email;
}

/** Withdraws the open invitations by the user, and with `alsoReceived` those to the user. Returns the number. */
export async function withdrawInvitationsOf(
  tx: Tx,
  userId: UserId,
  { alsoReceived }: { alsoReceived: boolean },
): Promise<number> {
  const rows = await tx.query(
    `update invitation set withdrawn_at = now()
      where tenant_id = $1 and accepted_at is null and withdrawn_at is null
        and (invited_by = $2 or ($3 and email = (select email from user_account where id = $2))) returning id`,
    [tx.tenantId, userId, alsoReceived],
  );
  return rows.length;
}

export interface OpenInvitationRow {
  id: InvitationId;
  email: string;
  role: Role;
  secret_sha256: Buffer;
  /** Null if no mail was sent. */
  mail_secret_sha256: Buffer | null;
}

/** SQL: true if the inviter is still an enabled admin, or a valid workspace key with the role of admin. */
export const sqlInviterIsAdmin = `(exists (select 1 from member m join user_account u on u.id = m.user_id
           where m.tenant_id = $1 and m.user_id = i.invited_by and m.role = 'admin' and u.disabled_at is null)
        or exists (select 1 from api_key k
           where k.user_id = i.invited_by and k.tenant_id = $1 and k.kind = 'workspace' and k.role = 'admin'
             and k.disabled_at is null and (k.expires_at is null or k.expires_at > now())))`;

/**
 * Finds a valid invitation whose inviter could still make it. With `lock` no other transaction accepts or withdraws it
 * until this one ends.
 */
export async function findOpenInvitation(
  tx: Tx,
  id: InvitationId,
  lock: boolean,
): Promise<OpenInvitationRow | undefined> {
  const [row] = await tx.query<OpenInvitationRow>(
    `select id, email, role, secret_sha256, mail_secret_sha256 from invitation i
      where tenant_id = $1 and id = $2 and accepted_at is null and withdrawn_at is null and expires_at > now()
        and ${sqlInviterIsAdmin}
      ${lock ? 'for update' : ''}`,
    [tx.tenantId, id],
  );
  return row;
}

export async function setAccepted(tx: Tx, id: InvitationId): Promise<void> {
  await updateRow(tx, 'invitation', id, {}, { accepted_at: 'now()' });
}
