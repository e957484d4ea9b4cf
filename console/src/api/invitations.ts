/** The invited person's side of an invitation; making and withdrawing them belongs to members. */
import { call } from './http.ts';
import type { Role } from './workspaces.ts';

export interface InvitationPreview {
  workspace: { slug: string; name: string };
  email: string;
  role: Role;
  account: 'exists' | 'new';
  signed_in_as: string | null;
}

export function previewInvitation(token: string): Promise<InvitationPreview> {
  return call('POST', '/console/invitations/preview', { body: { token } });
}

export interface Acceptance {
  token: string;
  name?: string;
  password?: string;
}

export function acceptInvitation(acceptance: Acceptance): Promise<{ slug: string }> {
  return call('POST', '/console/invitations/accept', { body: acceptance });
}
