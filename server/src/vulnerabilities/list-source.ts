/**
 * SQL of the rows of a scope: the table that holds them, their numbers by packed state, and the ranges of an index. A
 * statement is built in parts, which share its parameters.
 */
import { separate } from '../db/planner-hints.ts';
import { counterKeys, idsOf, type Scope } from './scope.ts';

/** Collects the parameters of a statement. */
export class Parameters {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

export interface ListSource {
  table: 'vulnerability' | 'vulnerability_reference';
  /** Column with the vulnerability's id. */
  id: string;
  /** Column with the packed state in the scope. */
  state: 'packed_state' | 'default_branch_state';
  /** The condition of the scope on the rows l; empty for the whole workspace. */
  where: string;
}

/** `scopeId`: SQL of one repository or reference, if the scope has several. Without it, all of them are meant. */
export function sourceOf(scope: Scope, parameters: Parameters, scopeId?: string): ListSource {
  const own = { table: 'vulnerability', id: 'id', state: 'packed_state' } as const;
  const onReference = { ...own, table: 'vulnerability_reference', id: 'vulnerability_id' } as const;
  const among = (ids: string[]): string => scopeId ?? `any(${parameters.add(ids)}::uuid[])`;
  switch (scope.kind) {
    case 'tenant':
      return { ...own, where: '' };
    case 'repository':
      return { ...own, where: `l.repository_id = ${parameters.add(scope.repositoryId)}` };
    case 'repositories':
      return { ...own, where: `l.repository_id = ${among(scope.repositoryIds)}` };
    case 'reference':
      return { ...onReference, where: `l.reference_id = ${parameters.add(scope.referenceId)}` };
    case 'references':
      return { ...onReference, where: `l.reference_id = ${among(scope.referenceIds)}` };
    case 'ref-name':
      return { ...onReference, where: `l.full_ref = ${parameters.add(scope.fullRef)}` };
    case 'default-branches':
      return { ...own, state: 'default_branch_state', where: 'l.default_branch_state is not null' };
  }
}

/**
 * SQL of the ranges of the list that are not empty: a packed state with the number of its vulnerabilities (`n`). In a scope
 * of several repositories or references each of these has its own ranges, with its id as `scope_id`. `allowed` is a
 * condition on a counter c. Vulnerabilities since a time are counted in the index.
 */
export function rangesOf(
  { scope, filter }: { scope: Scope; filter: { introducedSince: Date | null } },
  allowed: string,
  tenant: string,
  parameters: Parameters,
): string {
  const { scope: counted, keys } = counterKeys(scope);
  const [scopeId, key] =
    idsOf(scope) === null
      ? ['', `= ${parameters.add(keys[0])}`]
      : [', c.key::uuid as scope_id', `= any(${parameters.add(keys)}::text[])`];
  const ranges = `select c.packed_state, c.count as n${scopeId} from vulnerability_count c
        where c.tenant_id = ${tenant} and c.scope = ${parameters.add(counted)} and c.key ${key} and c.count > 0 and ${allowed}`;
  const { introducedSince: since } = filter;
  return since === null ? ranges : countedSince(ranges, scope, since, tenant, parameters);
}

/** SQL of the packed states of the list with their numbers; `ranges` is SQL of its ranges. */
export function countersOf(scope: Scope, ranges: string): string {
  if (idsOf(scope) === null) return ranges;
  return `select b.packed_state, sum(b.n)::int as n from (${ranges}) b group by b.packed_state`;
}

/**
 * Counts the vulnerabilities since a time. If most of them are newer, it counts the older ones and subtracts them,
 * which reads fewer rows. The day counters of the workspace decide; vulnerabilities from before these counters count as
 * older.
 */
function countedSince(
  ranges: string,
  scope: Scope,
  since: Date,
  tenant: string,
  parameters: Parameters,
): string {
  const time = `${parameters.add(since.toISOString())}::timestamptz`;
  const day = `${parameters.add(since.toISOString().slice(0, 10))}::date`;
  const source = sourceOf(scope, parameters, 'b.scope_id');
  const countOf = (comparison: string): string => `(
          select count(*) from ${source.table} l
           where l.tenant_id = ${tenant}${source.where ? ` and ${source.where}` : ''} and l.${source.state} = b.packed_state
             and l.introduced_at ${comparison} ${time})`;
  const mostIsNewer = separate(`
        select 2 * (select coalesce(sum(d.introduced), 0) from vulnerability_day d
                     where d.tenant_id = ${tenant} and d.scope = 'workspace' and d.key = '' and d.day >= ${day})
               > (select coalesce(sum(w.count), 0) from vulnerability_count w
                   where w.tenant_id = ${tenant} and w.scope = 'workspace' and w.key = '') as is_most`);
  const found = separate(
    `select (case when m.is_most then b.n - ${countOf('<')} else ${countOf('>=')} end)::int as n`,
  );
  return `select b.packed_state, f.n${idsOf(scope) === null ? '' : ', b.scope_id'}
        from ${mostIsNewer} m cross join ${separate(ranges)} b cross join lateral ${found} f where f.n > 0`;
}

/** SQL of the WITH clause of these named queries. */
export function withClause(queries: string[]): string {
  return queries.length === 0 ? '' : `with ${queries.join(',\n    ')}`;
}
