/** The numbers of the vulnerabilities of a list by packed state, without a page. */
import { Parameters, type Tx } from '../db/database.ts';
import { candidates, countCandidates } from './candidates.ts';
import { hasCandidates, type ListFilter } from './filters.ts';
import type { PackedStateCount } from './schema.ts';
import { type CountedScope, countersOf, idsOf, rangesOf, withClause } from './scope.ts';

/**
 * Returns the non-empty packed states of the scope, before the filter on traits; with `within` only those of these
 * packed states, if the filter starts from an index of its own.
 */
export async function countPackedStates(
  tx: Tx,
  scope: CountedScope,
  filter: ListFilter,
  within: readonly number[] | null = null,
): Promise<PackedStateCount[]> {
  if (hasCandidates(filter)) {
    const parameters = new Parameters();
    const found = candidates(scope, filter, parameters.add(tx.tenantId), parameters);
    const states = within && `l.${found.state} = any(${parameters.add(within)}::smallint[])`;
    return tx.query<PackedStateCount>(
      `${withClause(found.queries)} ${countCandidates(found, states ? [states] : [])}`,
      parameters.values,
    );
  }
  const parameters = new Parameters();
  const counters = countersOf(
    scope,
    rangesOf({ scope, filter }, 'true', parameters.add(tx.tenantId), parameters),
  );
  const isOne = idsOf(scope) === null && filter.introducedSince === null;
  return tx.query(counters, parameters.values, isOne ? 'count-packedStates' : undefined);
}

/**
 * Returns the non-empty packed states of the workspace and those on the default branches, both from one read of the
 * candidates. The filter must start from an index of its own.
 */
export async function countBothStates(
  tx: Tx,
  filter: ListFilter,
): Promise<Record<'tenant' | 'default-branches', PackedStateCount[]>> {
  const parameters = new Parameters();
  const { queries, from, where } = candidates(
    { kind: 'tenant' },
    filter,
    parameters.add(tx.tenantId),
    parameters,
  );
  const rows = await tx.query<{ own: number; on_default: number | null; n: number }>(
    `${withClause(queries)} select l.packed_state as own, l.default_branch_state as on_default, count(*)::int as n
       from ${from} where ${where.join(' and ')} group by l.packed_state, l.default_branch_state`,
    parameters.values,
  );
  return {
    tenant: rows.map(({ own, n }) => ({ packed_state: own, n })),
    'default-branches': rows.flatMap(({ on_default: packedState, n }) =>
      packedState === null ? [] : { packed_state: packedState, n },
    ),
  };
}
