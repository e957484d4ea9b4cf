/** Applications of an inventory file. */

import type { ChangeTx } from '../../db/database.ts';
import { resourceNotFound } from '../../domain/errors.ts';
import { newId } from '../../domain/ids.ts';
import { nameKeyOf } from '../../domain/plain-name.ts';
import type { Inventory } from '../file/document.ts';
import { findRepositoryIds } from '../repositories/service.ts';
import { replaceRepositories } from './service.ts';
import { listKnownRepositories, upsertApplication } from './store.ts';

type ApplicationInput = NonNullable<Inventory['applications']>[number];

/**
 * Applies the entry of the file; a field that the file does not give keeps its value. Throws DomainError for an unknown
 * repository.
 */
export async function applyApplication(tx: ChangeTx, input: ApplicationInput): Promise<void> {
  const { name, description, repositories: names } = input;
  const id = await upsertApplication(tx, { id: newId(), name, description });
  if (names === undefined) return;
  const ids = await findRepositoryIds(tx, names);
  const unknown = names.filter((one) => !ids.has(nameKeyOf(one)));
  if (unknown.length > 0) {
    throw resourceNotFound(
      `The application ${name} has repositories that do not exist: ${unknown.join(', ')}.`,
    );
  }
  await replaceRepositories(tx, id, await listKnownRepositories(tx, [...ids.values()]), { actorId: null });
}
