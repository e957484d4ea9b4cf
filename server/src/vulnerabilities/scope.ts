/**
 * The scope of a list: the part of the workspace whose vulnerabilities it may show. It has the counters that cover the
 * scope, and SQL of its rows: the table that holds them, their numbers by packed state, and the ranges of an index. A
 * statement is built in parts, which share its parameters.
 */
import type { Parameters, Tx } from '../db/database.ts';
import { separate } from '../db/planner-hints.ts';
import type { CounterScope } from '../domain/change-set.ts';
import { invalidInput } from '../domain/errors.ts';
import { nilId, type ReferenceId, type RepositoryId } from '../domain/ids.ts';
import { referenceCandidates } from '../domain/reference-name.ts';
import { getRepositoryIdsOf } from '../inventory/applications/service.ts';
import { findNamedReference, getRepository } from '../inventory/repositories/service.ts';
import { referenceNameKey } from './counter-key.ts';

export const listScopes = ['tracked', 'default_branches', 'all'] as const;
export type ListScope = (typeof listScopes)[number];

/** The narrowest set of counters and the index that cover the request. */
export type CountedScope =
  | { kind: 'tenant' }
  | { kind: 'repository'; repositoryId: RepositoryId }
  | { kind: 'repositories'; repositoryIds: RepositoryId[] }
  | { kind: 'reference'; referenceId: ReferenceId }
  | { kind: 'references'; referenceIds: ReferenceId[] }
  | { kind: 'ref-name'; fullRef: string }
  | { kind: 'default-branches' };

export interface ScopeQuery {
  repo?: string;
  ref?: string;
  scope?: ListScope;
  application?: string;
}

/**
 * Null means that the list is empty: the repository has no such reference, or does not belong to the application.
 * Throws 404 for an unknown repository or application.
 */
export async function resolveScope(tx: Tx, query: ScopeQuery): Promise<CountedScope | null> {
  const { repo, scope } = query;
  if (scope !== undefined && query.ref !== undefined) {
    throw invalidInput('Give scope or ref, not both.', 'scope');
  }
  const ref = scope === 'default_branches' ? 'HEAD' : query.ref;
  const [repository, ofApplication] = await Promise.all([
    repo === undefined ? undefined : getRepository(tx, repo),
    query.application === undefined ? undefined : getRepositoryIdsOf(tx, query.application),
  ]);
  if (repository) {
    if (ofApplication && !ofApplication.includes(repository.id)) return null;
    if (ref === undefined) return { kind: 'repository', repositoryId: repository.id };
    const reference = await findNamedReference(tx, repository, ref);
    if (!reference || (ref === 'HEAD' && !reference.active)) return null;
    return { kind: 'reference', referenceId: reference.id };
  }
  if (ofApplication) return scopeOfRepositories(tx, ofApplication, ref);
  if (ref === undefined) return { kind: 'tenant' };
  if (ref === 'HEAD') return { kind: 'default-branches' };
  return { kind: 'ref-name', fullRef: await chooseFullRef(tx, referenceCandidates(ref)) };
}

async function scopeOfRepositories(
  tx: Tx,
  repositoryIds: RepositoryId[],
  ref: string | undefined,
): Promise<CountedScope | null> {
  if (repositoryIds.length === 0) return null;
  if (ref === undefined) return { kind: 'repositories', repositoryIds };
  const fullRef = ref === 'HEAD' ? null : await chooseFullRef(tx, referenceCandidates(ref));
  const rows = await tx.query<{ id: ReferenceId }>(
    fullRef === null
      ? `select f.id from repository r join reference f on f.tenant_id = $1 and f.id = r.default_reference_id and f.active
          where r.tenant_id = $1 and r.id = any($2::uuid[])`
      : `select f.id from reference f
          where f.tenant_id = $1 and f.repository_id = any($2::uuid[]) and f.full_ref = $3`,
    [tx.tenantId, repositoryIds, ...(fullRef === null ? [] : [fullRef])],
  );
  return rows.length === 0 ? null : { kind: 'references', referenceIds: rows.map((row) => row.id) };
}

/** Returns the first of these full names with a count above zero, or the first name if there is none. */
async function chooseFullRef(tx: Tx, fullRefs: string[]): Promise<string> {
  const rows = await tx.query<{ at: number }>(
    `select f.rank::int - 1 as at from unnest($2::uuid[]) with ordinality f (key, rank)
      where exists (select 1 from vulnerability_count c
                     where c.tenant_id = $1 and c.scope = 'reference_name' and c.key = f.key and c.count > 0)
      order by f.rank limit 1`,
    [tx.tenantId, fullRefs.map(referenceNameKey)],
    'choose-full-ref',
  );
  return fullRefs[rows[0]?.at ?? 0] ?? '';
}

/** Returns scope and keys in `vulnerability_count`. */
export function counterKeys(scope: CountedScope): { scope: CounterScope; keys: string[] } {
  switch (scope.kind) {
    case 'tenant':
      return { scope: 'workspace', keys: [nilId] };
    case 'repository':
      return { scope: 'repository', keys: [scope.repositoryId] };
    case 'repositories':
      return { scope: 'repository', keys: scope.repositoryIds };
    case 'reference':
      return { scope: 'reference', keys: [scope.referenceId] };
    case 'references':
      return { scope: 'reference', keys: scope.referenceIds };
    case 'ref-name':
      return { scope: 'reference_name', keys: [referenceNameKey(scope.fullRef)] };
    case 'default-branches':
      return { scope: 'default_branches', keys: [nilId] };
  }
}

/** The ids of a scope that is several repositories or references; null for any other. */
export function idsOf(scope: CountedScope): string[] | null {
  if (scope.kind === 'repositories') return scope.repositoryIds;
  return scope.kind === 'references' ? scope.referenceIds : null;
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
export function sourceOf(scope: CountedScope, parameters: Parameters, scopeId?: string): ListSource {
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
 * SQL of the ranges of the list that are not empty: a packed state with the number of its vulnerabilities (`n`). In a
 * scope of several repositories or references each of these has its own ranges, with its id as `scope_id`. `allowed` is
 * a condition on a counter c. Vulnerabilities since a time are counted in the index.
 */
export function rangesOf(
  { scope, filter }: { scope: CountedScope; filter: { introducedSince: Date | null } },
  allowed: string,
  tenant: string,
  parameters: Parameters,
): string {
  const { scope: counted, keys } = counterKeys(scope);
  const [scopeId, key] =
    idsOf(scope) === null
      ? ['', `= ${parameters.add(keys[0])}`]
      : [', c.key as scope_id', `= any(${parameters.add(keys)}::uuid[])`];
  const ranges = `select c.packed_state, c.count as n${scopeId} from vulnerability_count c
        where c.tenant_id = ${tenant} and c.scope = ${parameters.add(counted)} and c.key ${key} and c.count > 0 and ${allowed}`;
  const { introducedSince: since } = filter;
  return since === null ? ranges : countedSince(ranges, scope, since, tenant, parameters);
}

/** SQL of the packed states of the list with their numbers; `ranges` is SQL of its ranges. */
export function countersOf(scope: CountedScope, ranges: string): string {
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
  scope: CountedScope,
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
                     where d.tenant_id = ${tenant} and d.scope = 'workspace' and d.key = '${nilId}' and d.day >= ${day})
               > (select coalesce(sum(w.count), 0) from vulnerability_count w
                   where w.tenant_id = ${tenant} and w.scope = 'workspace' and w.key = '${nilId}') as is_most`);
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
