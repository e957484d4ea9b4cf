/** SQL of the mails of invitations. */

import type pg from 'pg';
import type { Tx } from '../../db/database.ts';
import type { DueCondition } from '../../db/due-tenants.ts';
import type { InvitationId } from '../../domain/ids.ts';
import type { Role } from '../../http/principal.ts';
import { type MailStatus, sqlInviterIsAdmin } from './invitation-store.ts';

const sqlToBeMailed = (now: string): string =>
  `i.mail_status = 'pending' and i.accepted_at is null and i.withdrawn_at is null and i.expires_at > ${now}`;

const isDue = (tenant: string, now: string): string =>
  `i.tenant_id = ${tenant} and ${sqlToBeMailed(now)} and i.mail_due_at <= ${now}`;

/** True if the workspace has an invitation to mail. */
export const invitationMailsDue: DueCondition = `exists (select 1 from invitation i where ${isDue('asked_tenant', 'asked_at')})`;

export interface DueInvitation {
  id: InvitationId;
  attempts: number;
}

/** The invitations to mail, oldest first. */
export async function listDueInvitations(tx: Tx, now: Date, limit: number): Promise<DueInvitation[]> {
  return tx.query<DueInvitation>(
    `select i.id, i.mail_attempts as attempts from invitation i where ${isDue('$1', '$2')}
      order by i.mail_due_at, i.id limit $3`,
    [tx.tenantId, now, limit],
  );
}

export interface InvitationToMail {
  email: string;
  role: Role;
  expires_at: Date;
  slug: string;
  workspace: string;
  /** Null if a workspace key has invited. */
  inviter: string | null;
}

/** Stores the digest of the link in the mail, if the invitation is still to be mailed; otherwise returns undefined. */
export async function setMailSecret(
  tx: Tx,
  id: InvitationId,
  digest: Buffer,
): Promise<InvitationToMail | undefined> {
  const rows = await tx.query(
    `update invitation i set mail_secret_sha256 = $3
      where tenant_id = $1 and id = $2 and ${sqlToBeMailed('now()')} and ${sqlInviterIsAdmin} returning id`,
    [tx.tenantId, id, digest],
  );
  if (rows.length === 0) return undefined;
  const [row] = await tx.query<InvitationToMail>(
    `select i.email, i.role, i.expires_at, t.slug, t.name as workspace, u.name as inviter
       from invitation i join tenant t on t.id = i.tenant_id
       left join user_account u on u.id = i.invited_by and u.kind = 'user'
      where i.tenant_id = $1 and i.id = $2`,
    [tx.tenantId, id],
  );
  return row;
}

/** Ends the mail of an invitation that nobody can accept, because its inviter is no longer an admin. */
export async function endMailWithoutInviter(tx: Tx, id: InvitationId): Promise<void> {
  await tx.query(
    `update invitation i set mail_status = 'failed', mail_error = $3
      where tenant_id = $1 and id = $2 and mail_status = 'pending' and not ${sqlInviterIsAdmin}`,
    [tx.tenantId, id, 'The inviter is no longer an admin.'],
  );
}

/**
 * Stores what became of an attempt. `digest` is that of its link: an invitation that was made again meanwhile has
 * another mail. The link becomes invalid unless the mail may arrive.
 */
export async function writeInvitationMailResult(
  tx: Tx,
  id: InvitationId,
  digest: Buffer,
  {
    status,
    attempts,
    dueAt,
    error,
    mayArrive,
  }: { status: MailStatus; attempts: number; dueAt: Date; error: string | null; mayArrive: boolean },
): Promise<void> {
  await tx.query(
    `update invitation set mail_status = $4, mail_attempts = $5, mail_due_at = $6, mail_error = $7,
            mailed_at = $8, mail_secret_sha256 = case when $9 then mail_secret_sha256 end
      where tenant_id = $1 and id = $2 and mail_status = 'pending' and mail_secret_sha256 = $3`,
    [
      tx.tenantId,
      id,
      digest,
      status,
      attempts,
      dueAt,
      error,
      status === 'delivered' ? dueAt : null,
      mayArrive,
    ],
  );
}

/**
 * Sends no mail of a restored install that waited in the backup. The owner of the tables calls it while row-level
 * security is off.
 */
export async function stopRestoredMails(owner: pg.Client): Promise<void> {
  await owner.query(
    `update invitation set mail_status = 'failed', mail_error = $1 where mail_status = 'pending'`,
    ['The install was restored from a backup before the mail was sent.'],
  );
}
