/** SQL of the numbers of a list by packed state, from the counters of its scope. */
import { separate } from '../db/planner-hints.ts';
import type { ListFilter } from './filters.ts';
import { type Parameters, rangesOf, sourceOf } from './list-source.ts';
import { counterKeys, idsOf, type Scope } from './scope.ts';

/**
 * SQL of the non-empty packed states of the list with their numbers; `allowed` is a condition on a counter c.
 * Vulnerabilities since a time are counted in the ranges of the index.
 */
export function countersOf(
  { scope, filter }: { scope: Scope; filter: ListFilter },
  allowed: string,
  tenant: string,
  parameters: Parameters,
): string {
  const { scope: counted, keys } = counterKeys(scope);
  const where = `c.tenant_id = ${tenant} and c.scope = ${parameters.add(counted)} and c.count > 0 and ${allowed}`;
  const counters =
    idsOf(scope) === null
      ? `select c.packed_state, c.count as n from vulnerability_count c where ${where} and c.key = ${parameters.add(keys[0])}`
      : `select c.packed_state, sum(c.count)::int as n from vulnerability_count c
        where ${where} and c.key = any(${parameters.add(keys)}::text[]) group by c.packed_state`;
  const { introducedSince: since } = filter;
  return since === null ? counters : countedSince(counters, scope, since, tenant, parameters);
}

/**
 * Counts the vulnerabilities since a time. If most of them are newer, it counts the older ones and subtracts them,
 * which reads fewer rows. The day counters of the workspace decide; vulnerabilities from before these counters count as
 * older.
 */
function countedSince(
  counters: string,
  scope: Scope,
  since: Date,
  tenant: string,
  parameters: Parameters,
): string {
  const time = `${parameters.add(since.toISOString())}::timestamptz`;
  const day = `${parameters.add(since.toISOString().slice(0, 10))}::date`;
  const ranges = rangesOf(scope, `(${counters}) b`, tenant, parameters);
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
  const found = separate(`select case when m.is_most then ${countOf('<')} else ${countOf('>=')} end as n`);
  return `select s.* from (
      select b.packed_state, (case when m.is_most then b.n - sum(f.n) else sum(f.n) end)::int as n
        from ${mostIsNewer} m cross join ${ranges} cross join lateral ${found} f
       group by b.packed_state, b.n, m.is_most) s
     where s.n > 0`;
}
