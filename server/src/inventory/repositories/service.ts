/** Finds repositories and references by the texts of a caller. */
import type { Tx } from '../../db/database.ts';
import { orNotFound } from '../../domain/errors.ts';
import { parseId, type RepositoryId } from '../../domain/ids.ts';
import { nameKeyOf } from '../../domain/plain-name.ts';
import { referenceCandidates } from '../../domain/reference-name.ts';
import {
  findIdsByNameKey,
  findReferences,
  findRepository,
  type ReferenceRow,
  type RepositoryDetailRow,
  type RepositoryRef,
} from './store.ts';

/** Reads `repo_…` as an id and any other text as org/name, without case. */
export function repositoryRef(text: string): RepositoryRef {
  const id = parseId('repository', text);
  return id === undefined ? { nameKey: nameKeyOf(text) } : { id };
}

/** Throws 404 if the workspace has no such repository. */
export async function getRepository(tx: Tx, text: string): Promise<RepositoryDetailRow> {
  return orNotFound(await findRepository(tx, repositoryRef(text)));
}

/** The fields of a repository that are needed to find its references. */
export type ReferenceOwner = Pick<RepositoryDetailRow, 'id' | 'full_name' | 'default_full_ref'>;

/** The reference that a filter names: short or full, or HEAD for the default branch. A branch comes before a tag. */
export async function findNamedReference(
  tx: Tx,
  repository: ReferenceOwner,
  ref: string,
): Promise<ReferenceRow | undefined> {
  const defaultRef = repository.default_full_ref;
  const candidates = ref !== 'HEAD' ? referenceCandidates(ref) : defaultRef === null ? [] : [defaultRef];
  const found = await findReferences(tx, repository.id, candidates);
  return candidates.map((name) => found.find((row) => row.full_ref === name)).find((row) => row);
}

/** Full name in lower case → id, for the names that the workspace knows. */
export async function findRepositoryIds(tx: Tx, names: string[]): Promise<Map<string, RepositoryId>> {
  return findIdsByNameKey(tx, names.map(nameKeyOf));
}
