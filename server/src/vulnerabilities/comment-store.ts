/** SQL of comments. */

import type { Person } from '../access/members/lookup.ts';
import type { Tx } from '../db/database.ts';
import type { CommentId, UserId, VulnerabilityId } from '../domain/ids.ts';

export interface CommentRow {
  id: CommentId;
  author_id: UserId;
  author: Person | null;
  body: string;
  created_at: Date;
}

const columns = `c.id, c.author_id, c.body, c.created_at,
  case when u.id is null then null
       else json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as author`;

/** Lists comments after `afterId`, oldest first. */
export async function listComments(
  tx: Tx,
  vulnerabilityId: VulnerabilityId,
  afterId: CommentId | null,
  limit: number,
): Promise<CommentRow[]> {
  return tx.query<CommentRow>(
    `select ${columns} from vulnerability_comment c left join user_account u on u.id = c.author_id
      where c.tenant_id = $1 and c.vulnerability_id = $2 and ($3::uuid is null or c.id > $3)
      order by c.id limit $4`,
    [tx.tenantId, vulnerabilityId, afterId, limit],
  );
}

export async function findComment(
  tx: Tx,
  vulnerabilityId: VulnerabilityId,
  id: CommentId,
): Promise<CommentRow | undefined> {
  const [row] = await tx.query<CommentRow>(
    `select ${columns} from vulnerability_comment c left join user_account u on u.id = c.author_id
      where c.tenant_id = $1 and c.vulnerability_id = $2 and c.id = $3`,
    [tx.tenantId, vulnerabilityId, id],
  );
  return row;
}

/**
 * Returns false if the vulnerability has just been merged away. Otherwise the vulnerability cannot be merged away until
 * the transaction ends.
 */
export async function insertComment(
  tx: Tx,
  vulnerabilityId: VulnerabilityId,
  comment: { id: CommentId; authorId: UserId; body: string; at: Date },
): Promise<boolean> {
  const locked = await tx.query(
    'select 1 from vulnerability where tenant_id = $1 and id = $2 for key share',
    [tx.tenantId, vulnerabilityId],
  );
  if (locked.length === 0) return false;
  await tx.query(
    `insert into vulnerability_comment (tenant_id, vulnerability_id, id, author_id, body, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)`,
    [tx.tenantId, vulnerabilityId, comment.id, comment.authorId, comment.body, comment.at],
  );
  return true;
}

export async function deleteComment(tx: Tx, vulnerabilityId: VulnerabilityId, id: CommentId): Promise<void> {
  await tx.query(
    'delete from vulnerability_comment where tenant_id = $1 and vulnerability_id = $2 and id = $3',
    [tx.tenantId, vulnerabilityId, id],
  );
}
