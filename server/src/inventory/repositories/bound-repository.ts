/** Holds a key that is bound to a repository to it, on routes that name a repository in their query. */
import { type Database, tenantReadTx } from '../../db/database.ts';
import { resourceNotFound } from '../../domain/errors.ts';
import { formatId } from '../../domain/ids.ts';
import { bindingOf, mayReadRepository, type Principal } from '../../http/principal.ts';
import { getRepository } from './service.ts';

/**
 * Returns the repository to read: for a bound key its id, so that a change of names while it waits leads to no other
 * repository, else `repo`, which is an id or a full name. Throws 404 for a repository that the key is not bound to, as for
 * one that is not there.
 */
export async function readableRepository(db: Database, principal: Principal, repo: string): Promise<string> {
  if (bindingOf(principal) === null) return repo;
  const repository = await tenantReadTx(db, principal.tenant.id, (tx) => getRepository(tx, repo));
  if (!mayReadRepository(principal, repository.id)) throw resourceNotFound();
  return formatId('repository', repository.id);
}
