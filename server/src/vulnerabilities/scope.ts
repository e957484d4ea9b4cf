/** The scope of a list: the part of the workspace whose vulnerabilities it may show, and the counters that cover it. */
import type { Tx } from '../db/database.ts';
import type { CounterScope } from '../domain/change-set.ts';
import { validationFailed } from '../domain/errors.ts';
import { referenceCandidates } from '../domain/reference-name.ts';
import { getRepositoryIdsOf } from '../inventory/applications/service.ts';
import { findNamedReference, getRepository } from '../inventory/repositories/service.ts';

export const listScopes = ['tracked', 'default_branches', 'all'] as const;
export type ListScope = (typeof listScopes)[number];

/** The narrowest set of counters and the index that cover the request. */
export type Scope =
  | { kind: 'tenant' }
  | { kind: 'repository'; repositoryId: string }
  | { kind: 'repositories'; repositoryIds: string[] }
  | { kind: 'reference'; referenceId: string }
  | { kind: 'references'; referenceIds: string[] }
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
export async function resolveScope(tx: Tx, query: ScopeQuery): Promise<Scope | null> {
  const { repo, scope } = query;
  if (scope !== undefined && query.ref !== undefined) {
    throw validationFailed({ scope: ['Give scope or ref, not both.'] });
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
    return reference ? { kind: 'reference', referenceId: reference.id } : null;
  }
  if (ofApplication) return scopeOfRepositories(tx, ofApplication, ref);
  if (ref === undefined) return { kind: 'tenant' };
  if (ref === 'HEAD') return { kind: 'default-branches' };
  return { kind: 'ref-name', fullRef: await chooseFullRef(tx, referenceCandidates(ref)) };
}

async function scopeOfRepositories(
  tx: Tx,
  repositoryIds: string[],
  ref: string | undefined,
): Promise<Scope | null> {
  if (repositoryIds.length === 0) return null;
  if (ref === undefined) return { kind: 'repositories', repositoryIds };
  const fullRef = ref === 'HEAD' ? null : await chooseFullRef(tx, referenceCandidates(ref));
  const rows = await tx.query<{ id: string }>(
    fullRef === null
      ? `select r.default_reference_id as id from repository r
          where r.tenant_id = $1 and r.id = any($2::uuid[]) and r.default_reference_id is not null`
      : `select f.id from reference f
          where f.tenant_id = $1 and f.repository_id = any($2::uuid[]) and f.full_ref = $3`,
    [tx.tenantId, repositoryIds, ...(fullRef === null ? [] : [fullRef])],
  );
  return rows.length === 0 ? null : { kind: 'references', referenceIds: rows.map((row) => row.id) };
}

/** Returns the first of these full names with a count above zero, or the first name if there is none. */
async function chooseFullRef(tx: Tx, fullRefs: string[]): Promise<string> {
  const rows = await tx.query<{ key: string }>(
    `select f.key from unnest($2::text[]) with ordinality f (key, rank)
      where exists (select 1 from vulnerability_count c
                     where c.tenant_id = $1 and c.scope = 'reference_name' and c.key = f.key and c.count > 0)
      order by f.rank limit 1`,
    [tx.tenantId, fullRefs],
    'choose-full-ref',
  );
  return rows[0]?.key ?? fullRefs[0] ?? '';
}

/** Returns scope and keys in `vulnerability_count`. */
export function counterKeys(scope: Scope): { scope: CounterScope; keys: string[] } {
  switch (scope.kind) {
    case 'tenant':
      return { scope: 'workspace', keys: [''] };
    case 'repository':
      return { scope: 'repository', keys: [scope.repositoryId] };
    case 'repositories':
      return { scope: 'repository', keys: scope.repositoryIds };
    case 'reference':
      return { scope: 'reference', keys: [scope.referenceId] };
    case 'references':
      return { scope: 'reference', keys: scope.referenceIds };
    case 'ref-name':
      return { scope: 'reference_name', keys: [scope.fullRef] };
    case 'default-branches':
      return { scope: 'default_branches', keys: [''] };
  }
}

/** The ids of a scope that is several repositories or references; null for any other. */
export function idsOf(scope: Scope): string[] | null {
  if (scope.kind === 'repositories') return scope.repositoryIds;
  return scope.kind === 'references' ? scope.referenceIds : null;
}
