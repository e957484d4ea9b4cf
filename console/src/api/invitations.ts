/** The invited person's side of an invitation; making and withdrawing them belongs to members. */
import type { Answer } from './client.ts';
import { call } from './http.ts';

export type InvitationPreview = Answer<'previewInvitation'>;

export function previewInvitation(token: string): Promise<InvitationPreview> {
  return call('POST', '/console/invitations/preview', { body: { token } });
}

export interface Acceptance {
  token: string;
  name?: string;
  password?: string;
}

export function acceptInvitation(acceptance: Acceptance): Promise<Answer<'acceptInvitation'>> {
  return call('POST', '/console/invitations/accept', { body: acceptance });
}
