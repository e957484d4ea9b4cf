/**
 * Holds the upload of a bound key to its repository and reference. Only the provider's token named the repository with
 * its ids, so what the sender says of them does not count.
 */

import type { Tx } from '../../db/database.ts';
import { coversReference } from '../../domain/ci-providers.ts';
import { tokenAbilityDenied, validationFailed } from '../../domain/errors.ts';
import { isLocalExternalId } from '../../domain/ids.ts';
import { nameKeyOf } from '../../domain/plain-name.ts';
import type { ReferenceName } from '../../domain/reference-name.ts';
import { isRepositoryName } from '../../domain/repository-name.ts';
import type { Sentence } from '../../domain/sentence.ts';
import type { KeyBinding } from '../../http/principal.ts';
import { findRepository, type RepositoryDetailRow } from '../../inventory/repositories/store.ts';
import type { ReportInput } from './intake.ts';

/**
 * Returns the repository of the key. Throws 422 if the request names another repository or a reference that the key
 * does not cover, and 403 if the repository is no longer there.
 */
export async function boundRepository(
  tx: Tx,
  binding: KeyBinding,
  { fullName, reference }: { fullName: string; reference: ReferenceName | null },
): Promise<RepositoryDetailRow> {
  const repository = await findRepository(tx, { id: binding.repositoryId });
  if (!repository) throw tokenAbilityDenied({ person: 'The repository of the key is not there' });
  const errors: Record<string, Sentence[]> = {};
  // A repository that gave its name to another one has a name that no report can say. The binding alone chooses it.
  const canBeNamed = isRepositoryName(repository.full_name);
  if (canBeNamed && nameKeyOf(repository.full_name) !== nameKeyOf(fullName)) {
    errors.repo = [`The key of this run is for ${repository.full_name} alone.`];
  }
  if (reference === null || !coversReference(binding.reference, reference)) {
    const allowed = binding.reference === 'pull_requests' ? 'pull requests' : binding.reference;
    errors.ref = [`The key of this run takes reports about ${allowed} alone.`];
  }
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
  return repository;
}

/**
 * A default branch counts for a repository without one only: the token does not say which it is, and a job on any
 * branch could make its own branch the one that is tracked. Throws as `boundRepository`.
 */
export async function withinBinding(
  tx: Tx,
  input: ReportInput,
  binding: KeyBinding | null,
): Promise<ReportInput> {
  if (binding === null) return input;
  const { fullName } = input.repository;
  const repository = await boundRepository(tx, binding, { fullName, reference: input.reference });
  const isNamedByVcs = !isLocalExternalId(repository.external_id);
  const known = repository.default_full_ref;
  return {
    ...input,
    defaultBranch: known === null || input.defaultBranch?.fullRef === known ? input.defaultBranch : null,
    repository: {
      fullName: repository.full_name,
      source: isNamedByVcs ? repository.source : null,
      externalId: isNamedByVcs ? repository.external_id : null,
      organizationExternalId: null,
      isPrivate: repository.is_private,
    },
  };
}

/**
 * The stored form of an idempotency key. Those of a bound API key are its own, so that its run cannot use up the one
 * that a job of another repository or reference is about to send. The first word keeps them apart from those of other
 * API keys, which may contain anything.
 */
export function idempotencyKeyOf(given: string | undefined, binding: KeyBinding | null): string | null {
  if (given === undefined) return null;
  if (binding === null) return `unbound ${given}`;
  return `bound ${binding.repositoryId} ${binding.reference} ${given}`;
}
