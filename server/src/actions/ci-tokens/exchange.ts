/**
 * Exchanges the token of a run of CI for a key of fifteen minutes. The token says by its signature which repository it
 * runs in; a trust rule of the workspace says which runs get a key. Each token is taken once.
 */
import { createHash } from 'node:crypto';
import { createRunKey, type RunKey } from '../../access/api-keys/service.ts';
import {
  listTrustRules,
  type RuleMismatch,
  recordExchange,
  recordMismatches,
  recordUse,
  shownBefore,
  type TrustRuleRow,
} from '../../access/trust-rules/store.ts';
import { type ChangeTx, callerReadTx, type Database, type Tx, tenantTx } from '../../db/database.ts';
import { type CiRun, ciProviderLabel, ciRunOf, findMismatch, hasOwnId } from '../../domain/ci-providers.ts';
import type { DomainError } from '../../domain/domain-error.ts';
import { authenticationRequired, tokenInvalidForTenant } from '../../domain/errors.ts';
import type { RepositoryId, TenantId } from '../../domain/ids.ts';
import { cleanedName } from '../../domain/plain-name.ts';
import { networkOf } from '../../http/network.ts';
import { getOrCreateRepository } from '../../inventory/repositories/create.ts';
import {
  findIdByExternalId,
  findRepository,
  type RepositoryDetailRow,
} from '../../inventory/repositories/store.ts';
import { requiresApproval } from '../../policies/exceptions/requires-approval.ts';
import type { VerifiedToken } from './verify-token.ts';

interface ExchangedKey extends RunKey {
  repository: { id: RepositoryId; fullName: string };
  reference: string;
}

/**
 * `refusal` is returned and not thrown, so that the transaction commits the mismatch that an admin sees beside the
 * rule.
 */
type Exchange = { key: ExchangedKey } | { refusal: DomainError };

/**
 * Throws 403 if no rule accepts the token, 401 if it was exchanged before, and a conflict for a new repository that the
 * workspace does not let a report make.
 */
export async function exchangeToken(
  db: Database,
  tenantId: TenantId,
  token: VerifiedToken,
  { ip, id }: { ip: string; id: string },
): Promise<ExchangedKey> {
  const now = new Date();
  const mismatches = await callerReadTx(db, networkOf(ip), tenantId, (tx) => findMismatches(tx, token, now));
  if (mismatches !== null) {
    if (mismatches.length > 0) await tenantTx(db, tenantId, (tx) => recordMismatches(tx, mismatches, now));
    throw tokenInvalidForTenant();
  }
  const exchange = await tenantTx(db, tenantId, (tx) => takeToken(tx, token, id));
  if ('refusal' in exchange) throw exchange.refusal;
  return exchange.key;
}

/**
 * The mismatches to record beside the rules of the workspace; null if a rule accepts the token. A rule that
 * shows a recent one is left out, so that requests of strangers do not start a transaction that writes.
 */
async function findMismatches(tx: Tx, token: VerifiedToken, now: Date): Promise<RuleMismatch[] | null> {
  const rules = await listTrustRules(tx, token.issuer);
  const mismatches: RuleMismatch[] = [];
  for (const rule of rules) {
    const reason = mismatchOf(rule, token);
    if (reason === null) return null;
    const isOwn = hasOwnId(rule.provider, rule.claims, token.claims);
    const shownAt = rule.last_refused_at;
    if (shownAt === null || shownAt < shownBefore(isOwn, now))
      mismatches.push({ ruleId: rule.id, reason, isOwn });
  }
  return mismatches;
}

async function takeToken(tx: ChangeTx, token: VerifiedToken, requestId: string): Promise<Exchange> {
  const now = new Date();
  const rules = await listTrustRules(tx, token.issuer);
  const accepting = rules.find((rule) => mismatchOf(rule, token) === null);
  // Its rule was deleted a moment ago.
  if (!accepting) return { refusal: tokenInvalidForTenant() };
  const run = ciRunOf(accepting.provider, token.claims, token.issuer);
  if (!run) {
    const reason = 'The token names no repository, or no branch, tag or pull request.';
    await recordMismatches(tx, [{ ruleId: accepting.id, reason, isOwn: true }], now);
    return { refusal: tokenInvalidForTenant() };
  }
  if (!(await recordUse(tx, accepting.id, now))) return { refusal: tokenInvalidForTenant() };
  const digest = createHash('sha256').update(`${token.issuer}\n${token.id}`).digest();
  if (!(await recordExchange(tx, digest, token.expiresAt))) {
    return { refusal: tokenUsed() };
  }
  const repository = await repositoryOf(tx, run, accepting);
  if ('reason' in repository) {
    await recordMismatches(tx, [{ ruleId: accepting.id, reason: repository.reason, isOwn: true }], now);
    return { refusal: tokenInvalidForTenant() };
  }
  const key = await createRunKey(
    tx,
    { id: accepting.id, userId: accepting.user_id },
    { repositoryId: repository.id, reference: run.reference },
    keyName(accepting, run),
    requestId,
  );
  return { key: { ...key, repository, reference: run.reference } };
}

/** Returns the reason why the rule does not accept the token; null if it does. */
function mismatchOf(rule: TrustRuleRow, { audiences, claims }: VerifiedToken): string | null {
  if (!audiences.includes(rule.audience)) {
    return `The token is for the audience ${audiences.join(', ')}; the rule says ${rule.audience}.`;
  }
  const mismatch = findMismatch(rule.claims, claims);
  if (!mismatch) return null;
  return `The token has ${mismatch.claim} ${mismatch.actual ?? 'not at all'}; the rule says ${mismatch.required}.`;
}

/**
 * Finds the repository by the id that the provider vouches for, and makes or renames it as an upload would. Gives the
 * reason of a refusal if the workspace knows a repository of this name by its name alone: everybody who can make a
 * repository of that name at the provider would get a key for it.
 */
async function repositoryOf(
  tx: ChangeTx,
  { fullName, source, externalId, organizationExternalId, isPrivate }: CiRun,
  rule: TrustRuleRow,
): Promise<{ id: RepositoryId; fullName: string } | { reason: string }> {
  const identity = { fullName, source, externalId, organizationExternalId, isPrivate };
  const id = await getOrCreateRepository(tx, identity, {
    mayStoreId: false,
    mayChangeWithoutApproval: false,
    requiresApproval: (repositoryId) => requiresApproval(tx, repositoryId),
    actor: { actorId: rule.user_id },
  });
  const row = await getRepository(tx, id);
  if (row.source === source && row.external_id === externalId) return { id, fullName: row.full_name };
  const bearer = await findIdByExternalId(tx, source, externalId);
  if (bearer === undefined) {
    return {
      reason: `The workspace knows ${fullName} by its name alone. If it is the same, an admin gives it its id: ${source}, ${externalId}.`,
    };
  }
  const { full_name: other } = await getRepository(tx, bearer);
  return {
    reason: `The workspace knows ${fullName} by its name alone, and ${other} has the id ${externalId}. An admin gives ${fullName} its own id, or another name.`,
  };
}

async function getRepository(tx: Tx, id: RepositoryId): Promise<RepositoryDetailRow> {
  const row = await findRepository(tx, { id });
  if (!row) throw new Error('the repository is not there');
  return row;
}

function keyName(rule: TrustRuleRow, run: CiRun): string {
  const number = run.runId === null ? '' : `, run ${run.runId}`;
  return cleanedName(`${ciProviderLabel(rule.provider)}: ${run.fullName}${number}`);
}

function tokenUsed(): DomainError {
  return authenticationRequired({
    error: 'invalid_token',
    description: 'The token was exchanged before: ask the CI for a new one',
  });
}
