/**
 * The mail of an invitation. It goes to a person who may not know Merlon, and its names are chosen by the people of a
 * workspace. So they are short, plain text without a phone number, and the subject has only the slug, which is made of
 * a to z, digits and dashes.
 */
import { cleanedName } from '../../domain/plain-name.ts';
import { link, type MailText, plainHtml, unlinked } from './mail-text.ts';

// A name of this length is recognised, and no message of its own.
const maxShownNameLength = 60;
// The shortest numbers that people call have seven digits, as those within an area of North America.
const digitsOfPhoneNumber = 7;

export interface InvitationMailFields {
  slug: string;
  workspace: string;
  inviter: string | null;
  role: string;
  expires_at: Date;
}

/** `url` is the link of the invitation. */
export function invitationMailText(
  { slug, workspace, inviter, role, expires_at: end }: InvitationMailFields,
  url: string,
): MailText {
  const name = shownName(workspace) || slug;
  const who = shownName(inviter ?? '') || 'An admin';
  const until = `${end.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const invitation = `${who} invites you to the workspace ${name} of Merlon, as ${role}.`;
  const rule = `The link is for you alone. It works once, until ${until}`;
  const reason =
    'You get this mail because an admin of the workspace has entered your address. If you do not expect it, do nothing.';
  return {
    subject: `Invitation to the workspace ${slug}`,
    text: [unlinked(invitation), '', 'To join, open:', url, '', `${rule}.`, '', reason, ''].join('\n'),
    html: [
      '<!doctype html><html lang="en"><head><meta name="referrer" content="no-referrer"></head><body style="font-family:sans-serif">',
      `<p>${plainHtml(invitation)}</p>`,
      `<p>${link('Join the workspace', url)}</p>`,
      `<p>${rule}.</p>`,
      `<p style="color:#666">${reason}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}

// A name such as "Your account is blocked, call 1 800 555 0100" would be a message from the operator's server.
function shownName(name: string): string {
  const digits = name.match(/\p{N}/gu)?.length ?? 0;
  return digits < digitsOfPhoneNumber ? cleanedName(name, maxShownNameLength) : '';
}
