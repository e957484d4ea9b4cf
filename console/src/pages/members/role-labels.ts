/** Roles in words. */
import type { Role } from '../../api/workspaces.ts';

/** Says what each role may do. */
export const roleDescriptions: Record<Role, string> = {
  viewer: 'Sees everything in the workspace except its members, and changes nothing.',
  member: 'Also uploads reports, assigns, comments and triages, and requests exceptions.',
  admin: 'Also approves, writes policies, and manages members, keys and settings.',
};

/** Returns the role with its article: `an admin`. */
export function asRole(role: Role): string {
  return role === 'admin' ? 'an admin' : `a ${role}`;
}

/** Explains why the buttons of the only admin do nothing. */
export const lastAdminText = 'The only admin: make somebody else one first.';
