/**
 * Removes an application. It is refused while a policy has a rule for the application, because that policy would then
 * apply elsewhere.
 */
import type { ChangeTx } from '../../db/database.ts';
import { invalidTransition } from '../../domain/errors.ts';
import type { Principal } from '../../http/principal.ts';
import { removeApplication } from '../../inventory/applications/service.ts';
import { holdPolicies, listPolicies } from '../../policies/definition/store.ts';

/** Removes the application; its repositories stay. Throws 404, and 409 while a policy has a rule for it. */
export async function removeUnusedApplication(
  tx: ChangeTx,
  principal: Principal,
  text: string,
): Promise<void> {
  await holdPolicies(tx);
  await removeApplication(tx, principal, text, async (id) => {
    const about = (await listPolicies(tx)).filter(({ rules }) =>
      rules.some((rule) => rule.type === 'application' && rule.scopeId === id),
    );
    if (about.length === 0) return;
    const keys = about.map((policy) => policy.key).join(', ');
    throw invalidTransition(`Policies have rules for the application: ${keys}. Change these policies first.`);
  });
}
