/**
 * Limits the mails of invitations, so that no admin can use the server to write to strangers, and gives each mail its
 * own link. This link is never shown to the inviter, so a person who has it reads the mails of the address.
 */
import { createHash } from 'node:crypto';
import type { Tx } from '../../db/database.ts';
import { foldEmail } from '../../domain/email.ts';
import type { InvitationId, TenantId } from '../../domain/ids.ts';
import { dayMs } from '../../domain/time.ts';
import { type Counts, tryLimiter } from '../../http/rate-limit.ts';
import { endMailWithoutInviter, type InvitationToMail, setMailSecret } from './invitation-mail-store.ts';
import { createSecret, formatInvitationToken } from './invitation-token.ts';

// A company that starts invites its people within days. The limit of an address counts all workspaces of the server.
const mailsOfWorkspace = 100;
const mailsToAddress = 5;
const windowSeconds = dayMs / 1000;

export interface InvitationMails {
  /**
   * Counts a mail and makes its invitation, with the reason why it is not mailed, or null. The mail does not count if
   * `make` throws.
   */
  count<T>(tenantId: TenantId, email: string, make: (error: string | null) => Promise<T>): Promise<T>;
}

export function invitationMails(counts: Counts): InvitationMails {
  const ofWorkspace = tryLimiter('invitation-mail-workspace', mailsOfWorkspace, windowSeconds, counts);
  const toAddress = tryLimiter('invitation-mail-address', mailsToAddress, windowSeconds, counts);
  const take = async (tenantId: TenantId, key: string): Promise<string | null> => {
    // A workspace that may send no more must not use up the mails to an address.
    const isLimited = (await ofWorkspace.take(tenantId)) > 0 || (await toAddress.take(key)) > 0;
    return isLimited
      ? 'Too many invitations were mailed today. Send the link yourself, or try tomorrow.'
      : null;
  };
  return {
    count: async (tenantId, text, make) => {
      const email = foldEmail(text);
      if (!isMailable(email)) return make('Mails go only to addresses of plain letters, digits and signs.');
      const key = addressKey(email);
      // The invitation is made in any case, also while the counts cannot be reached.
      const error = await take(tenantId, key).catch(
        () => 'Mails cannot be counted at the moment. Send the link yourself, or try again.',
      );
      try {
        return await make(error);
      } catch (refusal) {
        if (error === null) {
          await Promise.allSettled([ofWorkspace.giveBack(tenantId), toAddress.giveBack(key)]);
        }
        throw refusal;
      }
    },
  };
}

// HTML Living Standard, "valid e-mail address", with a dot in the domain. Nothing in it can name a second recipient.
const mailable =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

function isMailable(email: string): boolean {
  return mailable.test(email);
}

// The table of limits must not hold e-mail addresses of people.
function addressKey(email: string): string {
  return createHash('sha256').update(email).digest('base64url');
}

export interface MailedInvitation extends InvitationToMail {
  /** The secret of the link in the mail. */
  token: string;
  /** Identifies this mail to `writeInvitationMailResult`. */
  digest: Buffer;
}

/**
 * Makes the link of the next mail of the invitation; the link of an earlier mail becomes invalid. Undefined if there is
 * nothing to mail any more: the invitation was accepted, withdrawn or mailed, or its inviter is no longer an admin.
 */
export async function makeMailLink(tx: Tx, id: InvitationId): Promise<MailedInvitation | undefined> {
  const { secret, digest } = createSecret();
  const invitation = await setMailSecret(tx, id, digest);
  if (invitation !== undefined) {
    return { ...invitation, token: formatInvitationToken(tx.tenantId, id, secret), digest };
  }
  await endMailWithoutInviter(tx, id);
  return undefined;
}
