/**
 * The description of a reference: the base that a pull request is compared with, and the environment of its deployment.
 * A report sets it as far as its sender may, and an admin sets it by API. The audit log records changes that policies
 * and verdicts depend on.
 */

import { type Actor, actorOf, recordAudit } from '../../access/audit/record.ts';
import type { ChangeTx, Tx } from '../../db/database.ts';
import { conflictingInput, invalidTransition, orNotFound } from '../../domain/errors.ts';
import { formatId, getId } from '../../domain/ids.ts';
import { nameKeyOf } from '../../domain/plain-name.ts';
import type { Principal } from '../../http/principal.ts';
import { lockRepositoryOfReference } from '../../inventory/repositories/lock.ts';
import {
  findDescription,
  type ReferenceDescriptionRow,
  replaceDescription,
  setInactive,
  updateDescription,
} from '../../inventory/repositories/store.ts';
import { reconcileReference } from '../../vulnerabilities/reconcile-scope.ts';

export interface ReferenceDescription {
  baseRef: string | null;
  baseSha: string | null;
  environment: string | null;
}

export interface Described {
  /** True if the environment has changed, because policies may depend on it. */
  isElsewhere: boolean;
  /** The given fields that stay as they were, because the sender may not change them. */
  kept: ('base' | 'environment')[];
}

/**
 * Writes the description that a report gives of its reference, which is locked; null keeps the old value. Without
 * `mayChange` the environment stays, and so does the base of a reference that was ever tracked. With `approves` the
 * base counts even if it is not a tracked reference and a policy blocks (`findBase`). The audit log records changes
 * that policies and verdicts depend on.
 */
export async function describeReference(
  tx: Tx,
  before: ReferenceDescriptionRow,
  given: ReferenceDescription,
  { mayChange, approves, actor }: { mayChange: boolean; approves: boolean; actor: Actor },
): Promise<Described> {
  const described: Described = { isElsewhere: false, kept: [] };
  if (given.baseRef === null && given.baseSha === null && given.environment === null) return described;
  const to = withKey(given);
  if (!mayChange && to.environment !== null && to.environment !== before.environment) {
    described.kept.push('environment');
    to.environment = null;
  }
  const namesBase = to.baseRef !== null || to.baseSha !== null;
  if (!mayChange && before.onceTracked && namesBase) {
    if (to.baseRef !== null && to.baseRef !== before.baseRef) described.kept.push('base');
    to.baseRef = null;
    to.baseSha = null;
  }
  await updateDescription(tx, before.id, { ...to, approves });
  described.isElsewhere = to.environment !== null && to.environment !== before.environment;
  const changed = {
    ...(described.isElsewhere ? { environment: { from: before.environment, to: to.environment } } : {}),
    ...(before.onceTracked && to.baseRef !== null && to.baseRef !== before.baseRef
      ? { base_ref: { from: before.baseRef, to: to.baseRef } }
      : {}),
  };
  await recordReferenceChange(tx, actor, before, changed);
  return described;
}

export interface ReferenceFields {
  /** A full reference; null means the default branch. */
  baseRef?: string | null;
  environment?: string | null;
  /**
   * True if the branch no longer exists: vulnerabilities that are open there alone count as fixed, until it is scanned
   * again.
   */
  deleted?: true;
  /** The last scan that the caller has read. */
  lastScannedAt?: Date | null;
}

/**
 * Writes an admin's correction; absent fields stay. A base that is given counts even if it is not the default branch.
 * Throws 404, 409 after another last scan than the given one, and DomainError for the end of a default branch while
 * others of its repository are active.
 */
export async function changeReference(
  tx: ChangeTx,
  principal: Principal,
  reference: string,
  fields: ReferenceFields,
): Promise<ReferenceDescriptionRow> {
  const id = getId('reference', reference);
  // As in an import, the repository is locked before its reference.
  if (fields.deleted) await lockRepositoryOfReference(tx, id);
  const before = orNotFound(await findDescription(tx, id));
  const { deleted, lastScannedAt, ...described } = fields;
  // Answers show whole seconds.
  if (lastScannedAt !== undefined && secondsOf(lastScannedAt) !== secondsOf(before.lastScannedAt)) {
    throw invalidTransition(
      'The reference has another last scan than the given last_scanned_at: read it again, and decide anew.',
    );
  }
  const after = withKey({ ...before, ...described });
  if (after.baseRef !== before.baseRef) after.baseSha = null;
  await replaceDescription(tx, before.id, { ...after, namesBase: fields.baseRef !== undefined });
  const changed = Object.fromEntries(
    (
      [
        ['base_ref', 'baseRef'],
        ['environment', 'environment'],
      ] as const
    ).flatMap(([name, field]) =>
      after[field] === before[field] ? [] : [[name, { from: before[field], to: after[field] }]],
    ),
  );
  const ends = deleted === true && (await endReference(tx, before));
  await recordReferenceChange(tx, actorOf(principal), before, {
    ...changed,
    ...(ends ? { active: { from: 'true', to: 'false' } } : {}),
  });
  const { changes } = tx;
  changes.markReferenceChanged(before.id, before.repositoryId);
  if (ends) {
    changes.at = new Date();
    const cause = { scanId: null, actorId: principal.user.id, at: changes.at };
    await reconcileReference(tx, before.id, cause);
    changes.markTargetsChanged(before.repositoryId);
  }
  return after;
}

function secondsOf(time: Date | null): number | null {
  return time && Math.floor(time.getTime() / 1000);
}

function withKey<T extends { environment: string | null }>(description: T): T {
  const { environment } = description;
  return environment === null ? description : { ...description, environment: nameKeyOf(environment) };
}

/** Returns false if it was not active. */
async function endReference(tx: Tx, { id }: ReferenceDescriptionRow): Promise<boolean> {
  const { wasActive, isActive } = await setInactive(tx, id);
  if (isActive) {
    throw conflictingInput(
      'The default branch ends last, with its repository: other references of the repository are active. Mark these as deleted first, or make another branch the default branch.',
      'deleted',
    );
  }
  return wasActive;
}

/** Records the changed fields of a reference in the audit log, if there are any. */
export async function recordReferenceChange(
  tx: Tx,
  actor: Actor,
  { id, repositoryId, fullRef }: Pick<ReferenceDescriptionRow, 'id' | 'repositoryId' | 'fullRef'>,
  changed: Record<string, { from: string | null; to: string | null }>,
): Promise<void> {
  if (Object.keys(changed).length === 0) return;
  const data = { reference: formatId('reference', id), ref: fullRef, ...changed };
  await recordAudit(tx, actor, 'repository.reference', repositoryId, data);
}
