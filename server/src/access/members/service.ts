/** Adds, changes and ends memberships. The API always keeps one admin. */

import { type Database, type Tx, tenantTx } from '../../db/database.ts';
import { invalidTransition, orNotFound, resourceNotFound, tokenAbilityDenied } from '../../domain/errors.ts';
import { getId, type TenantId, type UserId } from '../../domain/ids.ts';
import type { Principal, Role } from '../../http/principal.ts';
import { type Actor, actorOf, recordAudit } from '../audit/record.ts';
import { deleteOwnViews } from '../saved-views/store.ts';
import { withdrawInvitationsOf } from './invitation-store.ts';
import { checkMayGive, checkMayJoin, isOnlyAdmin } from './lookup.ts';
import {
  deleteMember,
  listMembers,
  lockAdminsAnd,
  type MemberRow,
  updateRole,
  upsertMember,
} from './store.ts';

const operator: Actor = { actorId: null };

/**
 * Makes the user a member, or changes the role, for the operator and for the person who creates a workspace. Throws 403
 * for a new member whose address is not proved.
 */
export async function addMember(tx: Tx, userId: UserId, role: Role, actor: Actor = operator): Promise<void> {
  await checkMayJoin(tx, userId);
  const from = await upsertMember(tx, userId, role);
  await recordAudit(tx, actor, 'member.set', userId, from === undefined ? { role } : { role, from });
}

/** Changes the role. Throws 404, 403 for a caller who is no longer an admin, and 409 for the last admin. */
export async function changeRole(
  db: Database,
  principal: Principal,
  user: string,
  role: Role,
): Promise<MemberRow> {
  const tenantId = principal.tenant.id;
  checkMayGive(principal, role);
  return tenantTx(db, tenantId, async (tx) => {
    const { id, before } = await lockMember(tx, principal, user, role);
    if (before !== role) {
      await updateRole(tx, id, role);
      const withdrawn = before === 'admin' ? await withdrawInvitationsOf(tx, id, { alsoReceived: false }) : 0;
      await recordAudit(tx, actorOf(principal), 'member.set', id, {
        role,
        from: before,
        ...(withdrawn > 0 ? { invitations_withdrawn: withdrawn } : {}),
      });
    }
    const [row] = await listMembers(tx, id);
    return orNotFound(row);
  });
}

/** Ends the membership and all its keys, from the next request on. Returns the user's id. Throws as `changeRole`. */
export async function endMembership(
  db: Database,
  principal: Principal,
  user: string,
  takeBack: TakeBack,
): Promise<UserId> {
  const tenantId = principal.tenant.id;
  return tenantTx(db, tenantId, async (tx) => {
    const { id, before } = await lockMember(tx, principal, user, null);
    await takeOut(tx, id, before, actorOf(principal), takeBack);
    return id;
  });
}

/**
 * Does the same as `endMembership` for the operator, who may also remove the last admin. Throws DomainError without a
 * member.
 */
export async function endMembershipAsOperator(
  db: Database,
  tenantId: TenantId,
  user: { id: UserId; email: string },
  takeBack: TakeBack,
): Promise<{ withoutAdmin: boolean }> {
  return tenantTx(db, tenantId, async (tx) => {
    const locked = await lockAdminsAnd(tx, user.id);
    const member = locked.find((row) => row.user_id === user.id);
    if (!member) throw resourceNotFound(`The user ${user.email} is not a member of the workspace.`);
    const withoutAdmin = await isOnlyAdmin(tx, user.id);
    await takeOut(tx, user.id, member.role, operator, takeBack);
    return { withoutAdmin };
  });
}

/** Takes from a member what only a member may have, in the transaction that ends the membership. */
export type TakeBack = (tx: Tx, userId: UserId) => Promise<void>;

async function takeOut(tx: Tx, userId: UserId, role: Role, actor: Actor, takeBack: TakeBack): Promise<void> {
  await takeBack(tx, userId);
  await deleteMember(tx, userId);
  await deleteOwnViews(tx, userId);
  const withdrawn = await withdrawInvitationsOf(tx, userId, { alsoReceived: true });
  await recordAudit(tx, actor, 'member.remove', userId, {
    role,
    ...(withdrawn > 0 ? { invitations_withdrawn: withdrawn } : {}),
  });
}

/** `to` is the new role; null ends the membership. */
async function lockMember(
  tx: Tx,
  { user: caller }: Principal,
  user: string,
  to: Role | null,
): Promise<{ id: UserId; before: Role }> {
  const id = getId('user', user);
  const locked = await lockAdminsAnd(tx, id);
  const isAdmin = (userId: UserId): boolean =>
    locked.some((row) => row.user_id === userId && row.role === 'admin');
  // If two admins remove each other at the same time, only the first one is still an admin here.
  if (caller.kind === 'user' && !isAdmin(caller.id)) throw tokenAbilityDenied({ role: 'admin' });
  const member = orNotFound(locked.find((row) => row.user_id === id));
  const others = locked.filter((row) => row.user_id !== id && row.is_enabled);
  if (isAdmin(id) && to !== 'admin' && others.length === 0) {
    throw invalidTransition('The workspace would be left without an admin: make another member admin first.');
  }
  return { id, before: member.role };
}
