/** Gives a workspace violations of two policies, with due dates of some weeks before and after today. */
import { evaluateRepositories } from '../../src/policies/evaluation/evaluate-repositories.ts';
import { applyAndEvaluate, factIs, policiesOf, policyOf } from '../support/policies.ts';
import type { TestServer } from '../support/server.ts';
import type { TestWorkspace } from '../support/workspace.ts';

/**
 * Some vulnerabilities have two violations, either of which may be due first. The rules of policies compute the due
 * dates.
 */
export async function createDueDates(server: TestServer, { tenant }: TestWorkspace): Promise<void> {
  await applyAndEvaluate(
    server,
    tenant.id,
    policiesOf(
      policyOf('severe', "{fact: severity, operator: '>=', value: high}", { window: '10d' }),
      policyOf('packages', factIs('type', 'dependency'), { window: '12d', mode: 'warn' }),
    ),
  );
  await server.owner.query(
    `update policy_violation set started_at = started_at - make_interval(days => abs(hashtext(target_id::text || policy_id)) % 20)
      where tenant_id = $1`,
    [tenant.id],
  );
  const { rows } = await server.owner.query('select id from repository where tenant_id = $1', [tenant.id]);
  await evaluateRepositories(
    server.db,
    tenant.id,
    rows.map(({ id }) => id),
    null,
  );
}
