/**
 * The people of Kestrel Freight who use Merlon: one person of each role, and a second admin, because an admin may not
 * approve their own request. All are invented, and nothing here is computed.
 */
import type { Role } from '@merlon/server/src/http/principal.ts';

export interface DemoPerson {
  name: string;
  email: string;
  role: Role;
  /** True if this person may create workspaces. */
  operator?: boolean;
}

export const people = {
  admin: { name: 'Robin Vale', email: 'robin@kestrel-freight.example', role: 'admin', operator: true },
  approver: { name: 'Noor Haddad', email: 'noor@kestrel-freight.example', role: 'admin' },
  member: { name: 'Sam Reed', email: 'sam@kestrel-freight.example', role: 'member' },
  viewer: { name: 'Lena Fuchs', email: 'lena@kestrel-freight.example', role: 'viewer' },
} satisfies Record<string, DemoPerson>;
