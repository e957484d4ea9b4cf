/** SQL of trust rules, and of the tokens that were exchanged by them. */
import { insertRows } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import type { CiProvider } from '../../domain/ci-providers.ts';
import type { TrustRuleId, UserId } from '../../domain/ids.ts';
import { cleanedName } from '../../domain/plain-name.ts';

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
  id: TrustRuleId;
  /** The service user as which the keys of the rule act. */
  user_id: UserId;
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

export async function insertTrustRule(
  tx: Tx,
  rule: TrustRuleFields & { id: TrustRuleId; userId: UserId },
): Promise<void> {
  const { userId, ...fields } = rule;
  await insertRows(tx, 'trust_rule', [{ ...fields, user_id: userId, created_at: new Date() }]);
}

/** Deletes the rule and gives its name; undefined if the workspace has no such rule. */
export async function deleteTrustRule(tx: Tx, id: TrustRuleId): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>(
    'delete from trust_rule where tenant_id = $1 and id = $2 returning name',
    [tx.tenantId, id],
  );
  return row?.name;
}

/**
 * Stores when the rule gave a key, and holds the rule until the transaction ends, so that a deletion at the same time
 * disables the key too. Returns false if the rule is no longer there.
 */
export async function recordUse(tx: Tx, id: TrustRuleId, at: Date): Promise<boolean> {
  const rows = await tx.query(
    'update trust_rule set last_used_at = $3 where tenant_id = $1 and id = $2 returning 1',
    [tx.tenantId, id, at],
  );
  return rows.length > 0;
}

/** A rule that did not accept a token, with the reason, so that an admin sees what to mend. */
export interface RuleMismatch {
  ruleId: TrustRuleId;
  reason: string;
  /** The token has the id of the owner or repository that the rule names, so no stranger sent it. */
  isOwn: boolean;
}

// Any user of the provider can have tokens signed and send them as fast as they like. Their mismatches must neither
// hide the one of the own job nor write for each request.
const ownEveryMs = 1_000;
const strangersEveryMs = 10 * 60_000;
const maxReasonLength = 1_000;

/** A mismatch is stored if the rule shows none since this time. */
export function shownBefore(isOwn: boolean, at: Date): Date {
  return new Date(at.getTime() - (isOwn ? ownEveryMs : strangersEveryMs));
}

/** Stores reasons beside their rules. A stranger's is left out if the rule shows one of the last ten minutes. */
export async function recordMismatches(tx: Tx, mismatches: readonly RuleMismatch[], at: Date): Promise<void> {
  // Rules that another request holds are skipped, so that no request waits for the lock of a rule.
  await tx.query(
    `with refused as (
       select r.id, u.reason
         from unnest($2::uuid[], $3::text[], $4::timestamptz[]) as u (id, reason, before)
         join trust_rule r on r.tenant_id = $1 and r.id = u.id
        where r.last_refused_at is null or r.last_refused_at < u.before
        for update of r skip locked)
     update trust_rule r set last_refused_at = $5, last_refusal = refused.reason
       from refused where r.tenant_id = $1 and r.id = refused.id`,
    [
      tx.tenantId,
      mismatches.map(({ ruleId }) => ruleId),
      mismatches.map(({ reason }) => cleanedName(reason, maxReasonLength)),
      mismatches.map(({ isOwn }) => shownBefore(isOwn, at)),
      at,
    ],
  );
}

/**
 * Stores the digest of a token until no node takes the token any more, and drops older ones. Returns false if the token
 * was exchanged before; a second exchange at the same time waits here for the first.
 */
export async function recordExchange(tx: Tx, sha256: Buffer, expiresAt: Date): Promise<boolean> {
  // The clock of a node may be wrong, so the database decides, a day after the token has expired.
  await tx.query(
    "delete from exchanged_token where tenant_id = $1 and expires_at < now() - interval '1 day'",
    [tx.tenantId],
  );
  const rows = await tx.query(
    `insert into exchanged_token (tenant_id, token_sha256, expires_at) values ($1, $2, $3)
     on conflict do nothing returning 1`,
    [tx.tenantId, sha256, expiresAt],
  );
  return rows.length > 0;
}
