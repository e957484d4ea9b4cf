/** Memberships: the role behind a request, a new member. */
import { type Database, type Tx, tenantReadTx } from '../../db/database.ts';
import type { Role } from '../../http/principal.ts';
import { recordAudit } from '../audit/record.ts';
import { findRole, upsertMember } from './store.ts';

/** Looked up for every request: who was removed is out at the next one. */
export function membershipLookup(
  db: Database,
): (tenantId: string, userId: string) => Promise<Role | undefined> {
  return (tenantId, userId) => tenantReadTx(db, tenantId, (tx) => findRole(tx, tenantId, userId));
}

/** Makes the user a member, or changes the role. */
export async function addMember(tx: Tx, tenantId: string, userId: string, role: Role): Promise<void> {
  await upsertMember(tx, tenantId, userId, role);
  await recordAudit(tx, tenantId, [
    { actorId: null, action: 'member.set', targetType: 'user', targetId: userId, data: { role } },
  ]);
}
