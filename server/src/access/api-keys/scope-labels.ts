/** Labels of the scopes for the person who creates a key, and the sets that are chosen most often. */
import { type KeyScope, scopes } from '../../http/principal.ts';

export const scopeLabels: Record<KeyScope, string> = {
  'vulnerabilities:read': 'List, read and export vulnerabilities, with history and comments',
  'policy-violations:read': 'Read policies, their violations and exceptions',
  'scans:read': 'Read scans, their status and the gate’s verdict',
  'organizations:read': 'Read organizations',
  'repositories:read': 'Read repositories and their references',
  'applications:read': 'Read applications',
  'tenants:read': 'List the workspaces that the key opens',
  'vulnerabilities:write': 'Assign, triage and comment vulnerabilities; read the members',
  'policy-violations:write': 'Snooze violations, ask for exceptions; as an admin review them',
  'policies:write': 'Make, change and try out policies',
  'scans:write': 'Upload reports; as an admin decide about series',
  'workspace:admin': 'Manage members, invitations, applications and settings; read the audit log',
};

export const presets: { name: string; scopes: KeyScope[] }[] = [
  { name: 'CI', scopes: ['scans:read', 'scans:write'] },
  { name: 'Read everything', scopes: scopes.filter((scope) => scope.endsWith(':read')) },
];
