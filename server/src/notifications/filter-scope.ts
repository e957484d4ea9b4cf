/** The repositories and applications by which an admin limits what a receiver is told. */
import type { Tx } from '../db/database.ts';
import { DomainError } from '../domain/domain-error.ts';
import { parseId } from '../domain/ids.ts';
import { listNames } from './webhooks/webhook-store.ts';

export interface ScopeIds {
  repository_ids: string[];
  application_ids: string[];
}

/**
 * The ids of the API as UUID text. `before` is what is stored already, which may not be there any more. Throws DomainError
 * for an id that the workspace does not have.
 */
export async function checkedScope(
  tx: Tx,
  { repositories, applications }: { repositories: string[]; applications: string[] },
  before: ScopeIds,
): Promise<ScopeIds> {
  const repositoryIds = repositories.map((text) => parseId('repository', text));
  const applicationIds = applications.map((text) => parseId('application', text));
  const names = await listNames(tx, {
    repositoryIds: repositoryIds.filter((id) => id !== undefined),
    applicationIds: applicationIds.filter((id) => id !== undefined),
  });
  const known = (
    texts: string[],
    ids: (string | undefined)[],
    kept: string[],
    field: 'repositories' | 'applications',
  ): string[] => {
    const isKnown = (id: string | undefined): id is string =>
      id !== undefined && (names.has(id) || kept.includes(id));
    const unknown = texts.filter((_, i) => !isKnown(ids[i]));
    if (unknown.length > 0) {
      const one = field === 'repositories' ? 'repository' : 'application';
      throw new DomainError('invalid', `no such ${one}: ${unknown.join(', ')}`, field);
    }
    return [...new Set(ids.filter(isKnown))];
  };
  return {
    repository_ids: known(repositories, repositoryIds, before.repository_ids, 'repositories'),
    application_ids: known(applications, applicationIds, before.application_ids, 'applications'),
  };
}
