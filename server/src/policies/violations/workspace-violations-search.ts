/**
 * SQL of a search among the violations of a workspace. The vulnerabilities with the terms are found first, then the
 * violations of each by the index of targets. The cost grows with the number of results, as for a search of
 * vulnerabilities.
 */
import { Parameters, type Tx } from '../../db/database.ts';
import { rowsByKey } from '../../db/planner-hints.ts';
import { bearing } from '../../vulnerabilities/candidates.ts';
import type { firstKey, ViolationKeyRow, ViolationPosition } from './read.ts';
import { startOf, type WorkspaceViolationFilter } from './workspace-violations-read.ts';

interface FoundRow extends ViolationKeyRow {
  /** Null for a row of the page. */
  n: number | null;
}

/**
 * The number of violations that are found for each of these packed states, and their keys after the position, soonest
 * due first. One statement reads both, because the search costs more than all else.
 */
export async function searchWorkspaceViolations(
  tx: Tx,
  { repositoryId, policyIds, due, terms }: WorkspaceViolationFilter,
  packedStates: number[],
  after: ViolationPosition | null,
  limit: number,
): Promise<{ counts: { packed_state: number; n: number }[]; keys: ViolationKeyRow[] }> {
  const parameters = new Parameters();
  const tenant = parameters.add(tx.tenantId);
  const isAfter = ({ at, id }: typeof firstKey) =>
    `(p.due_at, p.id) > (${parameters.add(at)}::timestamptz, ${parameters.add(id)}::uuid)`;
  const targets = [`l.tenant_id = ${tenant}`, ...bearing(terms, tenant, parameters)];
  if (repositoryId !== null) targets.push(`l.repository_id = ${parameters.add(repositoryId)}`);
  const violations = [
    `p.packed_state = any(${parameters.add(packedStates)}::smallint[])`,
    isAfter(startOf(due, null)),
    `p.due_at < ${parameters.add(due.to?.toISOString() ?? 'infinity')}::timestamptz`,
  ];
  if (policyIds !== null) violations.push(`p.policy_id = any(${parameters.add(policyIds)}::uuid[])`);
  const ofTarget = { column: 'target_id', next: 'policy_id', where: 'p.repository_id = t.repository_id' };
  const rows = await tx.query<FoundRow>(
    `with target as materialized (
       select l.id, l.repository_id from vulnerability l where ${targets.join(' and ')}),
     violation as materialized (
       select p.id, p.packed_state, p.due_at
         from target t cross join lateral ${rowsByKey('policy_violation p', 't.id', ofTarget)}
        where ${violations.join(' and ')}),
     page as (
       select p.id, p.packed_state, p.due_at from violation p where ${isAfter(startOf(due, after))}
        order by p.due_at, p.id limit ${parameters.add(limit)})
     select null::uuid as id, p.packed_state, null::timestamptz as due_at, count(*)::int as n
       from violation p group by p.packed_state
     union all
     select id, packed_state, due_at, null from page
      order by due_at, id`,
    parameters.values,
  );
  return {
    counts: rows.flatMap(({ packed_state, n }) => (n === null ? [] : [{ packed_state, n }])),
    keys: rows.filter(({ n }) => n === null),
  };
}
