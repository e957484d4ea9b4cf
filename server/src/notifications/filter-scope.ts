/** The repositories and applications by which an admin limits the events of a receiver. */

import { Type } from 'typebox';
import type { Tx } from '../db/database.ts';
import { invalidInput } from '../domain/errors.ts';
import { noSuch } from '../domain/field-rules.ts';
import { type ApplicationId, formatId, parseId, type RepositoryId } from '../domain/ids.ts';
import { listFilterScopeNames } from './filter-scope-store.ts';

// An application covers more repositories than one receiver may list.
const maxFilterIds = 200;

/** The schema of the ids by which a person limits a receiver. */
export function filterIds(description: string) {
  return Type.Array(Type.String({ maxLength: 64 }), { maxItems: maxFilterIds, description });
}

export interface ScopeIds {
  repository_ids: RepositoryId[];
  application_ids: ApplicationId[];
}

/**
 * The ids of the API as UUID text. `before` is what is stored already, which may not be there any more. Throws
 * DomainError for an id that the workspace does not have.
 */
export async function checkedScope(
  tx: Tx,
  { repositories, applications }: { repositories: string[]; applications: string[] },
  before: ScopeIds,
): Promise<ScopeIds> {
  const repositoryIds = repositories.map((text) => parseId('repository', text));
  const applicationIds = applications.map((text) => parseId('application', text));
  const names = await listFilterScopeNames(tx, {
    repositoryIds: repositoryIds.filter((id) => id !== undefined),
    applicationIds: applicationIds.filter((id) => id !== undefined),
  });
  const known = <Scope extends string>(
    texts: string[],
    ids: (Scope | undefined)[],
    kept: Scope[],
    field: 'repositories' | 'applications',
  ): Scope[] => {
    const isKnown = (id: Scope | undefined): id is Scope =>
      id !== undefined && (names.has(id) || kept.includes(id));
    const unknown = texts.filter((_, i) => !isKnown(ids[i]));
    if (unknown.length > 0) {
      const one = field === 'repositories' ? 'repository' : 'application';
      throw invalidInput(noSuch(one, unknown), field);
    }
    return [...new Set(ids.filter(isKnown))];
  };
  return {
    repository_ids: known(repositories, repositoryIds, before.repository_ids, 'repositories'),
    application_ids: known(applications, applicationIds, before.application_ids, 'applications'),
  };
}

/** The names of all that these scopes have, by id. */
export async function namesOfScopes(
  tx: Tx,
  scopes: readonly ScopeIds[],
): Promise<ReadonlyMap<string, string>> {
  return listFilterScopeNames(tx, {
    repositoryIds: scopes.flatMap((scope) => scope.repository_ids),
    applicationIds: scopes.flatMap((scope) => scope.application_ids),
  });
}

/** The scope as the API shows it. What is not there any more has no name. */
export function shownScope(
  { repository_ids: repositories, application_ids: applications }: ScopeIds,
  names: ReadonlyMap<string, string>,
) {
  return {
    repositories: repositories.map((id) => ({
      id: formatId('repository', id),
      full_name: names.get(id) ?? '',
    })),
    applications: applications.map((id) => ({ id: formatId('application', id), name: names.get(id) ?? '' })),
  };
}

/** The scope as the audit log records it. */
export function recordedScope(
  { repository_ids: repositories, application_ids: applications }: ScopeIds,
  names: ReadonlyMap<string, string>,
) {
  const named = (ids: string[]): string[] => ids.map((id) => names.get(id) ?? id).sort();
  return { repositories: named(repositories), applications: named(applications) };
}
