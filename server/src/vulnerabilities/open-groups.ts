/**
 * The groups of vulnerabilities that are open on tracked references or on default branches, from the table
 * `open_group`.
 */
import type { Tx } from '../db/database.ts';
import type { Grouping, OpenGroupScope } from '../domain/open-groups.ts';
import { severities } from '../domain/packed-state.ts';
import { type FilterQuery, hasCandidates, type ListFilter } from './filters.ts';
import type { CountedScope } from './scope.ts';

export interface CountedGroup {
  key: string;
  total: number;
  /** Numbers by severity, the highest severity first. */
  counts: number[];
  groups: number;
}

/** The scope of the table `open_group` that has the groups of these filters; null if they must be counted. */
export function heldScope(
  scope: CountedScope,
  filter: ListFilter,
  query: FilterQuery,
): OpenGroupScope | null {
  const others = [...filter.tests.keys()].filter((name) => name !== 'state' && name !== 'scope');
  if (query.state !== 'open' || others.length > 0) return null;
  if (hasCandidates(filter) || filter.introducedSince !== null) return null;
  if (scope.kind === 'default-branches') return 'default_branches';
  return scope.kind === 'tenant' && query.scope === 'tracked' ? 'workspace' : null;
}

const worstFirst = [...severities].reverse();

/** The groups with the most severe vulnerabilities. */
export async function listOpenGroups(
  tx: Tx,
  scope: OpenGroupScope,
  by: Grouping,
  limit: number,
): Promise<CountedGroup[]> {
  // The condition of the index, in exactly its form.
  const total = worstFirst.join(' + ');
  const where = `g.tenant_id = $1 and g.scope = $2 and g.kind = $3 and ${total} > 0`;
  return tx.query<CountedGroup>(
    `select g.key, ${total} as total, array[${worstFirst.join(', ')}] as counts,
            (select count(*)::int from open_group g where ${where}) as groups
       from open_group g where ${where}
      order by ${worstFirst.map((severity) => `g.${severity} desc`).join(', ')}, g.key limit $4`,
    [tx.tenantId, scope, by, limit],
    'open-groups',
  );
}
