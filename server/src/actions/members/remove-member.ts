/**
 * Removes a member. The access ends first, with every key and invitation. The assignments are removed after that
 * commit, so that an import which holds those rows does not keep the access open. A request waits a few seconds for
 * these rows, and the sweep removes the assignments that are left.
 */

import { endMembership, endMembershipAsOperator } from '../../access/members/service.ts';
import { type Database, tenantTx } from '../../db/database.ts';
import { lockNotAvailable, queryCanceled } from '../../db/error-codes.ts';
import type { TenantId, UserId } from '../../domain/ids.ts';
import type { Principal } from '../../http/principal.ts';
import { disownApplications } from '../../inventory/applications/store.ts';
import { unassignAll } from '../../vulnerabilities/unassign.ts';

/** Throws 404, 403 for a caller who is not an admin any more, and 409 for the last admin. */
export async function removeMember(db: Database, principal: Principal, user: string): Promise<void> {
  const userId = await endMembership(db, principal, user, disownApplications);
  try {
    await unassignAll(db, principal.tenant.id, userId, principal.user.id, tenantTx);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== lockNotAvailable && code !== queryCanceled) throw error;
  }
}

/** Works like `removeMember`, for the operator. Throws DomainError for a user who is not a member. */
export async function removeMemberAsOperator(
  db: Database,
  tenantId: TenantId,
  user: { id: UserId; email: string },
): Promise<{ withoutAdmin: boolean }> {
  const ended = await endMembershipAsOperator(db, tenantId, user, disownApplications);
  await unassignAll(db, tenantId, user.id, null);
  return ended;
}
