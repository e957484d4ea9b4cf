/** The invited person's side of an invitation. `members.ts` makes and withdraws invitations. */
import { type Answer, api, type RequestBody } from './client.ts';

export type InvitationPreview = Answer<'previewInvitation'>;

export function previewInvitation(token: string) {
  return api.previewInvitation({ body: { token } });
}

export function acceptInvitation(acceptance: RequestBody<'acceptInvitation'>) {
  return api.acceptInvitation({ body: acceptance });
}
