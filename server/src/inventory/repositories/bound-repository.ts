/** Holds a key that is bound to a repository to it, on routes that name a repository in their query. */
import { type Database, tenantReadTx } from '../../db/database.ts';
import { resourceNotFound } from '../../domain/errors.ts';
import { formatId } from '../../domain/ids.ts';
import { bindingOf, mayReadRepository, type Principal } from '../../http/principal.ts';
import { getRepository } from './service.ts';

/**
 * For a bound key, returns the id of the repository, so that a rename while the request waits cannot lead to another
 * one. For other keys and sessions, returns `repo` unchanged: an id or a full name. Throws 404 for a repository that
 * the key is not bound to, as for one that is not there.
 */
export async function resolveBoundRepository(
  db: Database,
  principal: Principal,
  repo: string,
): Promise<string> {
  if (bindingOf(principal) === null) return repo;
  const repository = await tenantReadTx(db, principal.tenant.id, (tx) => getRepository(tx, repo));
  if (!mayReadRepository(principal, repository.id)) throw resourceNotFound();
  return formatId('repository', repository.id);
}
