/**
 * The base of a reference may have a vulnerability where a policy does not apply, for example in the files of tests. Then
 * the violation is new on the reference, although the vulnerability is not.
 */
import type { Tx } from '../../db/database.ts';
import { rowByKey } from '../../db/planner-hints.ts';
import { batches } from '../../domain/batches.ts';
import { matchQuery } from '../definition/compile.ts';
import { clausesOf } from '../definition/condition.ts';
import { factsOfLocations, sourceAtLocations } from '../definition/fact-sources.ts';
import { listPolicies } from '../definition/policy.ts';
import { baseSeries, seenOnBase } from './base-series.ts';

// As for an evaluation: a statement of some hundred kilobytes.
const batchSize = 4_000;

/**
 * Ids of the violations on the reference whose condition no location on the base meets at the moment `at`. Only policies
 * that test where a vulnerability is have such violations.
 */
export async function listUnmetOnBase(
  tx: Tx,
  reference: { id: string; repository_id: string },
  base: { referenceId: string; at: Date; sha: string | null },
): Promise<string[]> {
  const policies = (await listPolicies(tx)).filter(
    ({ status, targetType, condition }) =>
      status === 'active' &&
      targetType === 'vulnerability' &&
      clausesOf(condition).some(({ fact }) => factsOfLocations.includes(fact)),
  );
  if (policies.length === 0) return [];
  const rows = await tx.query<{ id: string; policy_id: string; target_id: string }>(
    `select v.id, v.policy_id, v.target_id from violation_reference m
      cross join lateral ${rowByKey('policy_violation v', 'm.violation_id')}
      where m.tenant_id = $1 and m.reference_id = $2 and m.policy_id = any($3::uuid[])`,
    [tx.tenantId, reference.id, policies.map((policy) => policy.id)],
  );
  const met = new Set<string>();
  for (const ids of batches([...new Set(rows.map((row) => row.target_id))], batchSize)) {
    const { sql, values } = matchQuery({
      tenantId: tx.tenantId,
      repositoryIds: [reference.repository_id],
      target: 'vulnerability',
      conditions: policies.map((policy) => policy.condition),
      ids,
      now: new Date(),
      source: (add) => {
        const [id, at, sha] = [add(base.referenceId), add(base.at), add(base.sha ?? '')];
        const locations = `select l.path, b.source = 'current' as is_current ${seenOnBase('v.id', id)}`;
        return {
          ...sourceAtLocations(`${add(reference.id)}::uuid`, locations),
          with: baseSeries(id, at, sha),
        };
      },
    });
    for (const row of await tx.query<{ target_id: string; met: number[] }>(sql, values)) {
      for (const i of row.met) met.add(`${policies[i]?.id} ${row.target_id}`);
    }
  }
  return rows.filter((row) => !met.has(`${row.policy_id} ${row.target_id}`)).map((row) => row.id);
}
