/**
 * An admin invites a person into the workspace by a link that is shown once, and by another one that is mailed to the
 * address if the server has a mail server. Both are for this address and valid for a week. They become invalid when one
 * of them is accepted, when the invitation is withdrawn, and when its inviter is no longer an admin.
 */
import {
  callerReadTx,
  type Database,
  type InstallTx,
  switchTenant,
  type Tx,
  tenantTx,
} from '../../db/database.ts';
import { foldEmail } from '../../domain/email.ts';
import { conflictingInput, orNotFound, tokenAbilityDenied } from '../../domain/errors.ts';
import { getId, newId, type UserId } from '../../domain/ids.ts';
import { dayMs } from '../../domain/time.ts';
import { networkOf } from '../../http/network.ts';
import type { Principal, Role, Tenant } from '../../http/principal.ts';
import { actorOf, recordAudit } from '../audit/record.ts';
import { findRole } from '../entry.ts';
import { findUserIdByEmail } from '../users/lookup.ts';
import { checkedEmail } from '../users/service.ts';
import { findTenant } from '../workspaces/service.ts';
import {
  findOpenInvitation,
  type InvitationRow,
  listInvitations,
  type OpenInvitationRow,
  setAccepted,
  upsertInvitation,
  withdrawInvitation,
} from './invitation-store.ts';
import {
  createSecret,
  formatInvitationToken,
  type InvitationToken,
  isSameDigest,
  parseInvitationToken,
} from './invitation-token.ts';
import { checkMayGive, checkMayJoin, holdAdmin, listNonMembers } from './lookup.ts';
import { insertMember } from './store.ts';

// One week is long enough for a person who is away, and short enough for a link that stays in a chat.
const livesMs = 7 * dayMs;

/**
 * Creates an invitation. A second one for the same address makes a new link, and the earlier links become invalid. With
 * `mail` it is mailed, or shows the error that says why not; null without a mail server. Throws DomainError if the text
 * is no address, or the address of a member.
 */
export async function invite(
  tx: Tx,
  principal: Principal,
  { email, role }: { email: string; role: Role },
  mail: { error: string | null } | null = null,
): Promise<{ invitation: InvitationRow; token: string }> {
  const tenantId = principal.tenant.id;
  checkMayGive(principal, role);
  await holdAdmin(tx, principal);
  const address = checkedEmail(email);
  const userId = await findUserIdByEmail(tx, address);
  if (userId !== undefined && (await listNonMembers(tx, [userId])).length === 0) {
    throw conflictingInput('This person is already a member.', 'email');
  }
  const { secret, digest } = createSecret();
  const now = new Date();
  const id = await upsertInvitation(tx, {
    id: newId(),
    email: address,
    role,
    secret: digest,
    invitedBy: principal.user.id,
    expiresAt: new Date(now.getTime() + livesMs),
    mailStatus: mail && (mail.error === null ? 'pending' : 'failed'),
    mailError: mail?.error ?? null,
    now,
  });
  await recordAudit(tx, actorOf(principal), 'invitation.create', id, { email: address, role });
  const [invitation] = await listInvitations(tx, id);
  if (!invitation) throw new Error('an invitation that was just made is not there');
  return { invitation, token: formatInvitationToken(tenantId, id, secret) };
}

/** Withdraws the invitation. Throws 404 if it is not open. */
export async function withdraw(db: Database, principal: Principal, invitation: string): Promise<void> {
  const tenantId = principal.tenant.id;
  const id = getId('invitation', invitation);
  await tenantTx(db, tenantId, async (tx) => {
    const email = orNotFound(await withdrawInvitation(tx, id));
    await recordAudit(tx, actorOf(principal), 'invitation.withdraw', id, { email });
  });
}

export interface OpenInvitation {
  tenant: Tenant;
  email: string;
  role: Role;
  /** True for the link of the mail, which only the owner of the address has. */
  provesAddress: boolean;
}

/**
 * Any holder of the link may call this, so the answer does not say whether the invited address has an account.
 * `address` is the IP address of the request. The result is undefined for every invalid link, for any reason.
 */
export async function findInvitationByToken(
  db: Database,
  text: string,
  address: string,
): Promise<OpenInvitation | undefined> {
  const token = parseInvitationToken(text);
  if (!token) return undefined;
  return callerReadTx(db, networkOf(address), token.tenantId, async (tx) => {
    const row = await open(tx, token, false);
    const tenant = row && (await findTenant(tx, token.tenantId));
    if (!tenant) return undefined;
    return { tenant, email: row.email, role: row.role, provesAddress: row.provesAddress };
  });
}

/**
 * Accepts the invitation. The transaction has its workspace as tenant afterwards. A user who is already a member keeps
 * the role. `isNew` says that this transaction has created the account, for this workspace. Throws 404 for an invalid
 * link, and 403 for a user with another address or an unproved one.
 */
export async function acceptInvitation(
  installTx: InstallTx,
  text: string,
  user: { id: UserId; email: string; isNew?: true },
  requestId: string,
): Promise<Tenant> {
  const token = orNotFound(parseInvitationToken(text));
  const tx = switchTenant(installTx, token.tenantId);
  const row = orNotFound(await open(tx, token, true));
  const tenant = orNotFound(await findTenant(tx, token.tenantId));
  if (row.email !== foldEmail(user.email)) {
    throw tokenAbilityDenied({ person: 'The invitation is for another e-mail address' });
  }
  if (!user.isNew) await checkMayJoin(tx, user.id);
  const invited = row.role;
  const isNew = await insertMember(tx, user.id, invited);
  await setAccepted(tx, row.id);
  await recordAudit(tx, { actorId: user.id, requestId }, 'invitation.accept', user.id, {
    ...(isNew ? { role: invited } : { role: await findRole(tx, user.id), was_member_already: true }),
    ...(row.provesAddress ? { by_mail: true } : {}),
  });
  return tenant;
}

async function open(
  tx: Tx,
  { id, digest }: InvitationToken,
  lock: boolean,
): Promise<(OpenInvitationRow & { provesAddress: boolean }) | undefined> {
  const row = await findOpenInvitation(tx, id, lock);
  if (row === undefined) return undefined;
  const provesAddress = row.mail_secret_sha256 !== null && isSameDigest(row.mail_secret_sha256, digest);
  return provesAddress || isSameDigest(row.secret_sha256, digest) ? { ...row, provesAddress } : undefined;
}
