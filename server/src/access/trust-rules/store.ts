/** SQL of trust rules, and of the tokens that were exchanged by them. */
import { insertRows } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import type { CiProvider } from '../../domain/ci-providers.ts';

export interface TrustRuleFields {
  name: string;
  provider: CiProvider;
  /** The address of the provider, as its tokens name it. */
  issuer: string;
  audience: string;
  /** The name of a claim to the value that it must have. */
  claims: Record<string, string>;
}

export interface TrustRuleRow extends TrustRuleFields {
  id: string;
  /** The service user as which the keys of the rule act. */
  user_id: string;
  created_at: Date;
  last_used_at: Date | null;
  last_refused_at: Date | null;
  last_refusal: string | null;
}

const columns =
  'id, name, provider, issuer, audience, claims, user_id, created_at, last_used_at, last_refused_at, last_refusal';

/** All rules of the workspace, newest first. With `issuer` only those for its tokens. */
export async function listTrustRules(tx: Tx, issuer: string | null = null): Promise<TrustRuleRow[]> {
  return tx.query<TrustRuleRow>(
    `select ${columns} from trust_rule where tenant_id = $1 and ($2::text is null or issuer = $2)
      order by id desc`,
    [tx.tenantId, issuer],
  );
}

export async function countTrustRules(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    'select count(*)::int as count from trust_rule where tenant_id = $1',
    [tx.tenantId],
  );
  return row?.count ?? 0;
}

export async function insertTrustRule(
  tx: Tx,
  rule: TrustRuleFields & { id: string; userId: string },
): Promise<void> {
  const { userId, ...fields } = rule;
  await insertRows(tx, 'trust_rule', [{ ...fields, user_id: userId, created_at: new Date() }]);
}

/** Deletes the rule and gives its name; undefined if the workspace has no such rule. */
export async function deleteTrustRule(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>(
    'delete from trust_rule where tenant_id = $1 and id = $2 returning name',
    [tx.tenantId, id],
  );
  return row?.name;
}

/** Stores when the rule gave a key. */
export async function recordUse(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query('update trust_rule set last_used_at = $3 where tenant_id = $1 and id = $2', [
    tx.tenantId,
    id,
    at,
  ]);
}

/** Stores why the rule refused a token, so that an admin sees what to mend. */
export async function recordRefusal(tx: Tx, id: string, refusal: string, at: Date): Promise<void> {
  await tx.query(
    'update trust_rule set last_refused_at = $4, last_refusal = $3 where tenant_id = $1 and id = $2',
    [tx.tenantId, id, refusal.slice(0, 1_000), at],
  );
}

/**
 * Keeps the digest of a token until the token has expired, and drops those that have. Returns false if the token was
 * exchanged before; a second exchange at the same time waits here for the first.
 */
export async function keepExchanged(tx: Tx, sha256: Buffer, expiresAt: Date, now: Date): Promise<boolean> {
  await tx.query('delete from exchanged_token where tenant_id = $1 and expires_at < $2', [tx.tenantId, now]);
  const rows = await tx.query(
    `insert into exchanged_token (tenant_id, token_sha256, expires_at) values ($1, $2, $3)
     on conflict do nothing returning 1`,
    [tx.tenantId, sha256, expiresAt],
  );
  return rows.length > 0;
}
