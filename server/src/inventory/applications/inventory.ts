/** Applications of an inventory file. */

import type { ChangeTx } from '../../db/database.ts';
import { DomainError } from '../../domain/domain-error.ts';
import { newId } from '../../domain/ids.ts';
import type { Inventory } from '../file/document.ts';
import { findRepositoryIds } from '../repositories/service.ts';
import { upsertApplication } from './store.ts';

type ApplicationInput = NonNullable<Inventory['applications']>[number];

/** Applies the entry of the file; a field that the file does not give keeps its value. */
export async function applyApplication(tx: ChangeTx, input: ApplicationInput): Promise<void> {
  const changed = await upsertApplication(tx, {
    id: newId(),
    name: input.name,
    description: input.description,
    repositoryIds: input.repositories && (await idsOf(tx, input.name, input.repositories)),
  });
  tx.changes.markForLater(changed);
}

async function idsOf(tx: ChangeTx, application: string, names: string[]): Promise<string[]> {
  const ids = await findRepositoryIds(tx, names);
  const unknown = names.filter((name) => !ids.has(name.toLowerCase()));
  if (unknown.length > 0) {
    throw new DomainError(
      'missing',
      `application ${application}: there is no repository ${unknown.join(', ')}`,
    );
  }
  return [...ids.values()];
}
