/**
 * Trust rules: an admin says which runs of a CI provider get a key of fifteen minutes. A rule must require an id that
 * the provider never gives to somebody else, because a name can be taken over after a rename.
 */
import type { Tx } from '../../db/database.ts';
import { ciProviderLabel, idClaims, knownClaims, sourceOfIssuer } from '../../domain/ci-providers.ts';
import type { DomainError } from '../../domain/domain-error.ts';
import { invalidInput, invalidTransition, orNotFound } from '../../domain/errors.ts';
import { getId, newId } from '../../domain/ids.ts';
import { parseIssuer } from '../../domain/issuer.ts';
import { checkedName, isPlainName, plainNameRule } from '../../domain/plain-name.ts';
import type { Sentence } from '../../domain/sentence.ts';
import type { Principal } from '../../http/principal.ts';
import { disableKeysOfRule, lockWorkspace } from '../api-keys/store.ts';
import { actorOf, recordAudit } from '../audit/record.ts';
import { holdAdmin } from '../members/lookup.ts';
import { createServiceUser } from '../users/service.ts';
import { serviceAccountEmail } from '../users/service-account.ts';
import {
  deleteTrustRule,
  insertTrustRule,
  listTrustRules,
  type TrustRuleFields,
  type TrustRuleRow,
} from './store.ts';

// One rule covers an organization at the provider. Each exchange reads all rules of an issuer.
const maxRules = 200;
const maxClaimLength = 255;

/**
 * Makes a rule. `issuers` are those that the operator allows. Throws DomainError for a field that is wrong, 403 for a
 * caller who is no longer an admin, and 409 if there are too many rules.
 */
export async function createTrustRule(
  tx: Tx,
  principal: Principal,
  input: TrustRuleFields,
  issuers: readonly string[],
): Promise<TrustRuleRow> {
  await holdAdmin(tx, principal);
  const fields = checkedFields(input, issuers);
  // A rule that is made at the same time counts too.
  await lockWorkspace(tx);
  const rules = await listTrustRules(tx);
  if (rules.length >= maxRules) {
    throw invalidTransition(
      `The workspace has ${maxRules} trust rules, which is the limit: delete one first.`,
    );
  }
  checkOneServer(rules, fields);
  const id = newId<'trustRule'>();
  const userId = await createServiceUser(tx, serviceAccountEmail(tx.tenantId, 'trustRule', id), fields.name);
  await insertTrustRule(tx, { ...fields, id, userId });
  await recordAudit(tx, actorOf(principal), 'trust_rule.create', id, { ...fields });
  const row = (await listTrustRules(tx)).find((rule) => rule.id === id);
  if (!row) throw new Error('a rule that was just made is not there');
  return row;
}

// Two servers of one kind give the same ids to different repositories, and a repository is known by kind and id.
function checkOneServer(rules: readonly TrustRuleRow[], { provider, issuer }: TrustRuleFields): void {
  const source = sourceOfIssuer(provider, issuer);
  const other = rules.find(
    (rule) => rule.issuer !== issuer && sourceOfIssuer(rule.provider, rule.issuer) === source,
  );
  // All of github.com gives its ids once, whatever the issuer of an enterprise is.
  if (!other || source === 'ghc') return;
  throw invalidInput(
    `The workspace has a rule for ${other.issuer}, which may use the same ids for other projects. Use another workspace for this server.`,
    'issuer',
  );
}

/** Deletes the rule, and disables the keys that it gave. Throws 404 if it is no rule of this workspace. */
export async function removeTrustRule(tx: Tx, principal: Principal, text: string): Promise<void> {
  const id = getId('trustRule', text);
  const name = orNotFound(await deleteTrustRule(tx, id));
  await disableKeysOfRule(tx, id, new Date());
  await recordAudit(tx, actorOf(principal), 'trust_rule.delete', id, { name });
}

function checkedFields(input: TrustRuleFields, issuers: readonly string[]): TrustRuleFields {
  const name = checkedName(input.name, 'name');
  const issuer = parseIssuer(input.issuer);
  if (issuer === undefined || !issuers.includes(issuer)) {
    throw invalidInput(
      `Must be an issuer that the operator allows (MERLON_CI_ISSUERS): ${issuers.join(', ') || 'there is none'}.`,
      'issuer',
    );
  }
  const audience = input.audience.trim();
  if (audience === '' || !isPlainName(audience)) throw invalidInput(plainNameRule, 'audience');
  return { name, provider: input.provider, issuer, audience, claims: checkedClaims(input) };
}

function checkedClaims({ provider, claims }: TrustRuleFields): Record<string, string> {
  const invalid = (message: Sentence): DomainError => invalidInput(message, 'claims');
  const known = knownClaims(provider);
  const unknown = Object.keys(claims).filter((claim) => !known.includes(claim));
  if (unknown.length > 0) {
    throw invalid(
      `No such claim of ${ciProviderLabel(provider)}: ${unknown.join(', ')}. Its claims are ${known.join(', ')}.`,
    );
  }
  const ids = idClaims(provider);
  if (!ids.some((claim) => claims[claim] !== undefined)) {
    throw invalid(
      `Must require ${ids.join(' or ')}: a name alone is not safe, because others can take it over.`,
    );
  }
  for (const [claim, value] of Object.entries(claims)) {
    if (value === '' || value.length > maxClaimLength || !isPlainName(value)) {
      throw invalid(`The claim ${claim} must have 1 to ${maxClaimLength} characters. ${plainNameRule}`);
    }
    if (ids.includes(claim) && !/^\d+$/.test(value)) {
      throw invalid(`The claim ${claim} must be a number, such as 123456, not a name.`);
    }
  }
  return claims;
}
