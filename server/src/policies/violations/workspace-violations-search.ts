/**
 * SQL of a search among the violations of a workspace: the vulnerabilities that have the terms are found first, then the
 * violations of each by the index of targets. The cost grows with what is found, as that of a search of vulnerabilities.
 */
import type { Tx } from '../../db/database.ts';
import { rowsByKey } from '../../db/planner-hints.ts';
import { bearing } from '../../vulnerabilities/candidates.ts';
import { Parameters } from '../../vulnerabilities/list-source.ts';
import type { KeyRow, PagePosition } from './read.ts';
import { type AllFilter, startOf } from './workspace-violations-read.ts';

/** The number of violations that are found, for each of these packed states that has any. */
export async function countFound(
  tx: Tx,
  filter: AllFilter,
  packedStates: number[],
): Promise<{ packed_state: number; n: number }[]> {
  const parameters = new Parameters();
  return tx.query(
    `${found(tx, filter, packedStates, null, parameters)}
     select p.packed_state, count(*)::int as n from violation p group by p.packed_state`,
    parameters.values,
  );
}

/** Keys of what is found after the position, soonest due first. */
export async function listFoundKeys(
  tx: Tx,
  filter: AllFilter,
  packedStates: number[],
  after: PagePosition | null,
  limit: number,
): Promise<KeyRow[]> {
  const parameters = new Parameters();
  return tx.query<KeyRow>(
    `${found(tx, filter, packedStates, after, parameters)}
     select p.id, p.packed_state, p.due_at from violation p
      order by p.due_at, p.id limit ${parameters.add(limit)}`,
    parameters.values,
  );
}

// SQL of a WITH clause: `violation` has the violations that are found.
function found(
  tx: Tx,
  { repositoryId, policyIds, due, terms }: AllFilter,
  packedStates: number[],
  after: PagePosition | null,
  parameters: Parameters,
): string {
  const tenant = parameters.add(tx.tenantId);
  const targets = [`l.tenant_id = ${tenant}`, ...bearing(terms, tenant, parameters)];
  if (repositoryId !== null) targets.push(`l.repository_id = ${parameters.add(repositoryId)}`);
  const start = startOf(due, after);
  const from = `(${parameters.add(start.at)}::timestamptz, ${parameters.add(start.id)}::uuid)`;
  const violations = [
    `p.packed_state = any(${parameters.add(packedStates)}::smallint[])`,
    `(p.due_at, p.id) > ${from}`,
    `p.due_at < ${parameters.add(due.to?.toISOString() ?? 'infinity')}::timestamptz`,
  ];
  if (policyIds !== null) violations.push(`p.policy_id = any(${parameters.add(policyIds)}::uuid[])`);
  const ofTarget = { column: 'target_id', next: 'policy_id', where: 'p.repository_id = t.repository_id' };
  return `with target as materialized (
       select l.id, l.repository_id from vulnerability l where ${targets.join(' and ')}),
     violation as materialized (
       select p.id, p.packed_state, p.due_at
         from target t cross join lateral ${rowsByKey('policy_violation p', 't.id', ofTarget)}
        where ${violations.join(' and ')})`;
}
