/** The scope of a list of vulnerabilities: the narrowest set of counters and the index that cover what is asked for. */
import type { Tx } from '../db/database.ts';
import type { CounterScope } from '../domain/change-set.ts';
import { referenceCandidates } from '../domain/reference-name.ts';
import { findNamedReference, getRepository } from '../inventory/repositories/service.ts';

export type Scope =
  | { kind: 'tenant' }
  | { kind: 'repository'; repositoryId: string }
  | { kind: 'reference'; referenceId: string }
  | { kind: 'ref-name'; fullRef: string }
  | { kind: 'default-branches' };

/** Null means that the repository has no such reference, so the list is empty. Throws 404 for an unknown repository. */
export async function resolveScope(
  tx: Tx,
  { repo, ref }: { repo?: string; ref?: string },
): Promise<Scope | null> {
  if (repo !== undefined) {
    const repository = await getRepository(tx, repo);
    if (ref === undefined) return { kind: 'repository', repositoryId: repository.id };
    const reference = await findNamedReference(tx, repository, ref);
    return reference ? { kind: 'reference', referenceId: reference.id } : null;
  }
  if (ref === undefined) return { kind: 'tenant' };
  if (ref === 'HEAD') return { kind: 'default-branches' };
  return { kind: 'ref-name', fullRef: await chooseFullRef(tx, referenceCandidates(ref)) };
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

/** Returns scope and key in `vulnerability_count`. */
export function counterKey(scope: Scope): { scope: CounterScope; key: string } {
  switch (scope.kind) {
    case 'tenant':
      return { scope: 'workspace', key: '' };
    case 'repository':
      return { scope: 'repository', key: scope.repositoryId };
    case 'reference':
      return { scope: 'reference', key: scope.referenceId };
    case 'ref-name':
      return { scope: 'reference_name', key: scope.fullRef };
    case 'default-branches':
      return { scope: 'default_branches', key: '' };
  }
}
