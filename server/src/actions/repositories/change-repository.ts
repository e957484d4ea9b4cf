/** Admins correct the default branch of a repository, and the id by which its VCS knows it. */

import { type Static, Type } from 'typebox';
import { actorOf } from '../../access/audit/record.ts';
import type { ChangeTx } from '../../db/database.ts';
import { invalidInput } from '../../domain/errors.ts';
import { goesWith } from '../../domain/field-rules.ts';
import { checkedName, isPlainName, plainNameRule } from '../../domain/plain-name.ts';
import { parseBranch } from '../../domain/reference-name.ts';
import { repositorySources } from '../../domain/repository-enums.ts';
import type { Principal } from '../../http/principal.ts';
import { closedObject, oneOf } from '../../http/schema.ts';
import { setExposed } from '../../inventory/repositories/exposed.ts';
import { hasExternalId, setExternalId } from '../../inventory/repositories/external-id.ts';
import { lockIdentity } from '../../inventory/repositories/identify.ts';
import { getRepository } from '../../inventory/repositories/service.ts';
import { findRepository, type RepositoryDetailRow } from '../../inventory/repositories/store.ts';
import { setDefaultBranch } from './default-branch.ts';

const name = Type.String({ minLength: 1, maxLength: 255 });

export const RepositoryFields = closedObject({
  default_branch: Type.Optional(name),
  source: Type.Optional(oneOf(repositorySources, 'VCS. Needs `external_id`.')),
  external_id: Type.Optional(name),
  exposed: Type.Optional(
    Type.Boolean({
      description:
        'True: people outside the company can reach the software that is built from it. Policies test this as the fact `exposed`.',
    }),
  ),
});
export type RepositoryFields = Static<typeof RepositoryFields>;

/** Changes the given fields; absent fields stay. Throws 404, and DomainError for an invalid value. */
export async function changeRepository(
  tx: ChangeTx,
  principal: Principal,
  repository: string,
  fields: RepositoryFields,
): Promise<RepositoryDetailRow> {
  const before = await getRepository(tx, repository);
  const actor = actorOf(principal);
  const { source, external_id: externalId } = fields;
  if ((source === undefined) !== (externalId === undefined)) {
    const [missing, given] = source === undefined ? ['source', 'external_id'] : ['external_id', 'source'];
    throw invalidInput(goesWith(given), missing);
  }
  if (source !== undefined && externalId !== undefined) {
    if (!isPlainName(externalId)) throw invalidInput(plainNameRule, 'external_id');
    await lockIdentity(tx, { fullName: before.full_name, source, externalId });
    const isAsBefore = await hasExternalId(tx, before.id, { source, externalId });
    if (!isAsBefore) await setExternalId(tx, before.id, { source, externalId }, actor);
  }
  if (fields.default_branch !== undefined) {
    const branch = parseBranch(checkedName(fields.default_branch, 'default_branch'), 'default_branch');
    await setDefaultBranch(tx, before.id, branch, actor, { revives: true });
  }
  if (fields.exposed !== undefined && (await setExposed(tx, before.id, fields.exposed, actor))) {
    // A policy of any target may depend on it, and those about vulnerabilities ask for all of the repository.
    tx.changes.markForLater([before.id]);
  }
  const after = await findRepository(tx, { id: before.id });
  if (!after) throw new Error('the repository is not there');
  return after;
}
