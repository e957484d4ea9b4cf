/**
 * Comments are texts of people about a vulnerability, beside its history. They decide nothing and never change. Their
 * author or an admin may remove them, and the audit log records that without the text.
 */

import { actorOf, recordAudit } from '../access/audit/record.ts';
import type { Tx } from '../db/database.ts';
import { invalidInput, orNotFound, resourceNotFound, tokenAbilityDenied } from '../domain/errors.ts';
import { formatId, getId, newId } from '../domain/ids.ts';
import { type Principal, roleAtLeast } from '../http/principal.ts';
import { type CommentRow, deleteComment, findComment, insertComment } from './comment-store.ts';
import { getVulnerabilityId } from './vulnerability-ids.ts';

/** Throws 404 and 422. */
export async function addComment(
  tx: Tx,
  principal: Principal,
  vulnerability: string,
  body: string,
): Promise<CommentRow> {
  if (body.trim() === '') throw invalidInput('Must not be empty.', 'body');
  const comment = { id: newId<'comment'>(), authorId: principal.user.id, body, at: new Date() };
  let vulnerabilityId = await getVulnerabilityId(tx, vulnerability);
  if (!(await insertComment(tx, vulnerabilityId, comment))) {
    // The vulnerability was merged between the read and the write, so its survivor is known now.
    vulnerabilityId = await getVulnerabilityId(tx, vulnerability);
    if (!(await insertComment(tx, vulnerabilityId, comment))) throw resourceNotFound();
  }
  await recordAudit(tx, actorOf(principal), 'vulnerability.comment', vulnerabilityId, {
    comment: formatId('comment', comment.id),
  });
  return orNotFound(await findComment(tx, vulnerabilityId, comment.id));
}

/** Throws 404, and 403 for another person's comment unless the caller is an admin. */
export async function removeComment(
  tx: Tx,
  principal: Principal,
  vulnerability: string,
  comment: string,
): Promise<void> {
  const vulnerabilityId = await getVulnerabilityId(tx, vulnerability);
  const row = orNotFound(await findComment(tx, vulnerabilityId, getId('comment', comment)));
  if (row.author_id !== principal.user.id && !roleAtLeast(principal.role, 'admin')) {
    throw tokenAbilityDenied({ role: 'admin' });
  }
  await deleteComment(tx, vulnerabilityId, row.id);
  await recordAudit(tx, actorOf(principal), 'vulnerability.delete_comment', vulnerabilityId, {
    comment: formatId('comment', row.id),
  });
}
