/** Admins create, change and delete applications, which group repositories. The next sweeps evaluate policies. */

import { type Static, Type } from 'typebox';
import { type Actor, actorOf, recordAudit } from '../../access/audit/record.ts';
import { resolvePerson } from '../../access/members/lookup.ts';
import type { ChangeTx, Tx } from '../../db/database.ts';
import { foreignKeyViolation, uniqueViolation } from '../../db/error-codes.ts';
import type { DomainError } from '../../domain/domain-error.ts';
import { conflictingInput, invalidInput, orNotFound } from '../../domain/errors.ts';
import { memberRule, noSuch } from '../../domain/field-rules.ts';
import {
  type ApplicationId,
  formatId,
  getId,
  newId,
  parseId,
  type RepositoryId,
  type UserId,
} from '../../domain/ids.ts';
import { checkedName, checkedText, maxNameLength, nameKeyOf } from '../../domain/plain-name.ts';
import type { Principal } from '../../http/principal.ts';
import { nullableString } from '../../http/schema.ts';
import {
  type ApplicationRepository,
  deleteApplication,
  findApplication,
  findApplicationRepositoryIds,
  findIdByName,
  insertApplication,
  listKnownRepositories,
  listRepositoriesOf,
  lockApplication,
  type OwnedApplicationRow,
  setRepositories,
  updateApplication,
} from './store.ts';

export interface FullApplication {
  application: OwnedApplicationRow;
  repositories: ApplicationRepository[];
}

/** The application with its repositories. Throws 404. */
export async function getApplication(tx: Tx, text: string): Promise<FullApplication> {
  return readFull(tx, parseId('application', text));
}

/** Reads `app_…` as an id and any other text as the name, without case. Throws 404. */
export async function getNamedApplication(tx: Tx, text: string): Promise<FullApplication> {
  return readFull(tx, parseId('application', text) ?? (await findIdByName(tx, nameKeyOf(text))));
}

/** The ids of its repositories. Throws 404. */
export async function getRepositoryIdsOf(tx: Tx, text: string): Promise<RepositoryId[]> {
  const id = parseId('application', text);
  return orNotFound(
    await findApplicationRepositoryIds(tx, id === undefined ? { nameKey: nameKeyOf(text) } : { id }),
  );
}

async function readFull(tx: Tx, id: ApplicationId | null | undefined): Promise<FullApplication> {
  const application = orNotFound(id ? await findApplication(tx, id) : null);
  return { application, repositories: await listRepositoriesOf(tx, application.id) };
}

// This is about one page of text, which is enough for a description.
const maxDescription = 2_000;

/** The fields of an application that an admin sets. */
export const ApplicationFields = Type.Object({
  name: Type.String({ minLength: 1, maxLength: maxNameLength }),
  description: nullableString('Text for people; null: none.', { maxLength: maxDescription }),
  owner: nullableString('Member of the workspace: `me`, a user id or an e-mail address; null: no owner.', {
    title: 'ApplicationOwner',
    maxLength: 320,
  }),
  product: Type.Boolean({
    description: 'True: a product that the company makes available in the European Union.',
  }),
});
export type ApplicationFields = Static<typeof ApplicationFields>;

/** Makes an application and records it. Throws DomainError. */
export async function createApplication(
  tx: Tx,
  principal: Principal,
  input: ApplicationFields,
): Promise<FullApplication> {
  const fields = checked(input);
  const ownerId = await resolveOwner(tx, principal, input.owner);
  const id = newId<'application'>();
  if (
    !(await insertApplication(tx, { id, ...fields, ownerId, isProduct: input.product }).catch(
      refuseFormerMember,
    ))
  ) {
    throw taken(fields.name);
  }
  await recordAudit(tx, actorOf(principal), 'application.create', id, {
    ...fields,
    ...(ownerId !== null && ownerField(ownerId)),
    ...(input.product && { product: true }),
  });
  const application = orNotFound(await findApplication(tx, id));
  return { application, repositories: [] };
}

/** Changes the given fields and keeps the others. Throws 404, DomainError. */
export async function changeApplication(
  tx: ChangeTx,
  principal: Principal,
  text: string,
  input: Partial<ApplicationFields>,
): Promise<FullApplication> {
  const { id, name, description, owner, is_product: wasProduct } = await lock(tx, text);
  const before = { name, description };
  const { product: isProduct = wasProduct } = input;
  const after = checked({ ...before, ...input });
  const ownedBy = owner?.id ?? null;
  // An owner whose account is disabled stays, also in a form that sends all fields.
  const isSameOwner = input.owner === undefined || parseId('user', input.owner ?? '') === ownedBy;
  const ownerId = isSameOwner ? ownedBy : await resolveOwner(tx, principal, input.owner ?? null);
  if (
    after.name !== name ||
    after.description !== description ||
    ownerId !== ownedBy ||
    isProduct !== wasProduct
  ) {
    await updateApplication(tx, { id, ...after, ownerId, isProduct })
      .catch((error: { code?: string }) => {
        throw error.code === uniqueViolation ? taken(after.name) : error;
      })
      .catch(refuseFormerMember);
    if (after.name !== name) {
      const repositories = await listRepositoriesOf(tx, id);
      tx.changes.markForLater(repositories.map((repository) => repository.id));
    }
    await recordAudit(tx, actorOf(principal), 'application.change', id, {
      from: {
        ...before,
        ...(ownerId !== ownedBy && ownerField(ownedBy)),
        ...(isProduct !== wasProduct && { product: wasProduct }),
      },
      to: {
        ...after,
        ...(ownerId !== ownedBy && ownerField(ownerId)),
        ...(isProduct !== wasProduct && { product: isProduct }),
      },
    });
  }
  return getApplication(tx, text);
}

/**
 * Deletes the application and keeps its repositories. `checkUnused` gets the id of the locked application and may throw
 * to stop this. Throws 404, and the errors of `checkUnused`.
 */
export async function removeApplication(
  tx: ChangeTx,
  principal: Principal,
  text: string,
  checkUnused: (id: string) => Promise<void>,
): Promise<void> {
  const { id, name } = await lock(tx, text);
  await checkUnused(id);
  const { removed } = await setRepositories(tx, id, []);
  await deleteApplication(tx, id);
  tx.changes.markForLater(removed);
  await recordAudit(tx, actorOf(principal), 'application.delete', id, { name, repositories: removed.length });
}

/** Sets the repositories to exactly these. Throws 404, and DomainError for an id that is no repository. */
export async function regroup(
  tx: ChangeTx,
  principal: Principal,
  text: string,
  repositories: string[],
): Promise<FullApplication> {
  const { id } = await lock(tx, text);
  const ids = repositories.map((one) => parseId('repository', one));
  const known = await listKnownRepositories(tx, [...new Set(ids.filter((one) => one !== undefined))]);
  const knownIds = new Set<string | undefined>(known.map((repository) => repository.id));
  const unknown = repositories.filter((_, i) => !knownIds.has(ids[i]));
  if (unknown.length > 0) {
    throw invalidInput(noSuch('repository', unknown), 'repositories');
  }
  await replaceRepositories(tx, id, known, actorOf(principal));
  return getApplication(tx, text);
}

/** Sets the repositories of a locked application to exactly these, and records a change. */
export async function replaceRepositories(
  tx: ChangeTx,
  id: ApplicationId,
  repositories: ApplicationRepository[],
  actor: Actor,
): Promise<void> {
  const named = [...(await listRepositoriesOf(tx, id)), ...repositories];
  const names = new Map(named.map((repository) => [repository.id, repository.full_name]));
  const { added, removed } = await setRepositories(
    tx,
    id,
    repositories.map((repository) => repository.id),
  );
  if (added.length + removed.length === 0) return;
  tx.changes.markForLater([...added, ...removed]);
  const namesOf = (changed: RepositoryId[]) => changed.map((one) => names.get(one)).sort();
  await recordAudit(tx, actor, 'application.repositories', id, {
    added: namesOf(added),
    removed: namesOf(removed),
  });
}

async function resolveOwner(tx: Tx, principal: Principal, text: string | null): Promise<UserId | null> {
  return text === null ? null : (await resolvePerson(tx, principal, text, 'owner')).id;
}

// The error of a person whose membership has ended since it was looked up.
function refuseFormerMember(error: { code?: string }): never {
  if (error.code !== foreignKeyViolation) throw error;
  throw invalidInput(memberRule, 'owner');
}

function ownerField(id: UserId | null) {
  return { owner: id && formatId('user', id) };
}

function taken(name: string): DomainError {
  return conflictingInput(`There is already an application ${name}.`, 'name');
}

function checked({ name, description }: Pick<ApplicationFields, 'name' | 'description'>) {
  return {
    name: checkedName(name, 'name'),
    description: description === null ? null : checkedText(description, 'description'),
  };
}

async function lock(tx: Tx, text: string): Promise<OwnedApplicationRow> {
  return orNotFound(await lockApplication(tx, getId('application', text)));
}
