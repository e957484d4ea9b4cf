/** Disables the receivers of a restored install. */
import type pg from 'pg';
import { stopRestoredMails } from '../access/members/invitation-mail-store.ts';

const reason =
  'The install was restored from a backup. Enable it if no other install goes on with the same workspace.';

/**
 * Disables all webhooks and issue trackers: a copy for a test must not tell the receivers of the install that it was
 * made of, write its issues, or mail its invitations. The owner of the tables calls it while row-level security is off.
 */
export async function disableRestored(owner: pg.Client): Promise<void> {
  for (const table of ['webhook', 'issue_tracker']) {
    await owner.query(
      `update ${table} set enabled = false, leased_until = null, disabled_reason = $1 where enabled`,
      [reason],
    );
  }
  await stopRestoredMails(owner);
}
