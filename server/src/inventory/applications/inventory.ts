/** Applications of an inventory file. */

import type { ChangeTx } from '../../db/database.ts';
import { DomainError } from '../../domain/domain-error.ts';
import { newId } from '../../domain/ids.ts';
import type { Inventory } from '../file/document.ts';
import { findRepositoryIds } from '../repositories/service.ts';
import { upsertApplication } from './store.ts';

type ApplicationInput = NonNullable<Inventory['applications']>[number];

/** Applies the entry of the file; the application then has exactly its repositories. */
export async function applyApplication(tx: ChangeTx, input: ApplicationInput): Promise<void> {
  const names = input.repositories ?? [];
  const ids = await findRepositoryIds(tx, names);
  const unknown = names.filter((name) => !ids.has(name.toLowerCase()));
  if (unknown.length > 0) {
    throw new DomainError(
      'missing',
      `application ${input.name}: there is no repository ${unknown.join(', ')}`,
    );
  }
  const changed = await upsertApplication(tx, {
    id: newId(),
    name: input.name,
    description: input.description ?? null,
    repositoryIds: [...ids.values()],
  });
  tx.changes.markForLater(changed);
}
