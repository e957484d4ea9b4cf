/** Memberships: the role behind a request. */
import { type Database, tenantReadTx } from '../../db/database.ts';
import type { Role } from '../../http/principal.ts';
import { findRole } from './store.ts';

/** Looked up for every request: who was removed is out at the next one. */
export function membershipLookup(
  db: Database,
): (tenantId: string, userId: string) => Promise<Role | undefined> {
  return (tenantId, userId) => tenantReadTx(db, tenantId, (tx) => findRole(tx, tenantId, userId));
}
