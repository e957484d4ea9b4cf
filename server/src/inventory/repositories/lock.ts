/** The lock of a repository makes its imports, merges and splits run one after the other. */
import type { Tx } from '../../db/database.ts';
import type { ReferenceId, RepositoryId } from '../../domain/ids.ts';

/**
 * Checks again that the caller has the right for what it has asked for, and throws if it has lost it. It uses another
 * connection, so it may be called in `importTx` only.
 */
export type CheckStill = () => Promise<void>;

/**
 * Locks until the transaction ends. The lock must come before that of any vulnerability. An import may hold it for
 * minutes, so an action of a person gives `checkStill`, which is called after the wait.
 */
export async function lockRepository(
  tx: Tx,
  repositoryId: RepositoryId,
  checkStill?: CheckStill,
): Promise<void> {
  await tx.query('select 1 from repository where tenant_id = $1 and id = $2 for no key update', [
    tx.tenantId,
    repositoryId,
  ]);
  await checkStill?.();
}

/** Locks until the transaction ends, unless another transaction holds the lock. Then it returns false. */
export async function tryLockRepository(tx: Tx, repositoryId: RepositoryId): Promise<boolean> {
  const locked = await tx.query(
    'select 1 from repository where tenant_id = $1 and id = $2 for no key update skip locked',
    [tx.tenantId, repositoryId],
  );
  return locked.length > 0;
}

/** Locks the repository of the reference, if there is one. */
export async function lockRepositoryOfReference(tx: Tx, referenceId: ReferenceId): Promise<void> {
  await tx.query(
    `select 1 from repository r join reference f on f.tenant_id = $1 and f.id = $2 and f.repository_id = r.id
      where r.tenant_id = $1 for no key update of r`,
    [tx.tenantId, referenceId],
  );
}

/**
 * Locks the names and external ids of all repositories of the workspace until the transaction ends: `shared` to create
 * or rename one, which `lockIdentity` locks as well, and otherwise to apply a change to all or to many of them.
 */
export async function lockIdentities(tx: Tx, { shared }: { shared: boolean }): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock${shared ? '_shared' : ''}(hashtextextended($1, 0))`, [
    `repositories ${tx.tenantId}`,
  ]);
}

/** Locks a name or an external id of the workspace until the transaction ends, even if no repository has it. */
export async function lockIdentityKey(tx: Tx, key: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `repository ${tx.tenantId} ${key}`,
  ]);
}
