/**
 * Saved views: a page of the console with its query, under a name. Its owner keeps it to themselves or, as a member,
 * shares it with the workspace. The query is data that only the console reads; it applies the parameters that it knows.
 */

import type { Tx } from '../../db/database.ts';
import { uniqueViolation } from '../../db/error-codes.ts';
import type { DomainError } from '../../domain/domain-error.ts';
import {
  conflictingInput,
  invalidInput,
  invalidTransition,
  orNotFound,
  resourceNotFound,
  tokenAbilityDenied,
} from '../../domain/errors.ts';
import { getId, newId, type SavedViewId } from '../../domain/ids.ts';
import { checkedName, isPlainName, plainNameRule } from '../../domain/plain-name.ts';
import { type Principal, roleAtLeast } from '../../http/principal.ts';
import { lockWorkspace } from '../api-keys/store.ts';
import type { AuditAction } from '../audit/actions.ts';
import { actorOf, recordAudit } from '../audit/record.ts';
import {
  deleteSavedView,
  insertSavedView,
  listSavedViews,
  lockMembership,
  lockSavedView,
  type SavedViewFields,
  type SavedViewPage,
  type SavedViewRow,
  updateSavedView,
} from './store.ts';

// A menu with more views is no shortcut any more. The number also limits a list, which has no pages.
const maxOwnViews = 100;
const maxSharedViews = 200;

/** Throws 403 for a viewer who shares, 409 if there are too many views, and DomainError. */
export async function createSavedView(
  tx: Tx,
  principal: Principal,
  input: SavedViewFields & { page: SavedViewPage },
): Promise<SavedViewRow> {
  const fields = checked(input);
  if (fields.shared) await checkMayShare(tx, principal);
  const { id: ownerId } = principal.user;
  if (!(await lockMembership(tx, ownerId))) throw resourceNotFound();
  const views = await listSavedViews(tx, ownerId);
  if (views.filter((view) => view.owner_id === ownerId).length >= maxOwnViews) {
    throw invalidTransition(`You have ${maxOwnViews} saved views, which is the limit: delete one first.`);
  }
  const id = newId<'savedView'>();
  if (!(await insertSavedView(tx, { id, ownerId, page: input.page, ...fields }))) throw taken(fields.name);
  await audit(tx, principal, 'saved_view.create', id, fields);
  return getSavedView(tx, principal, id);
}

/** Changes the given fields. Throws 404, 403 for a shared view of another person, and as `createSavedView`. */
export async function changeSavedView(
  tx: Tx,
  principal: Principal,
  text: string,
  input: Partial<SavedViewFields>,
): Promise<SavedViewRow> {
  const before = await getSavedView(tx, principal, getId('savedView', text));
  if (before.owner_id !== principal.user.id) {
    throw tokenAbilityDenied({ person: 'Only its owner may change a saved view' });
  }
  const { id, name, query, shared } = before;
  const after = checked({ name, query, shared, ...input });
  if (after.shared) await checkMayShare(tx, principal, shared);
  await updateSavedView(tx, { id, ...after }).catch((error: { code?: string }) => {
    throw error.code === uniqueViolation ? taken(after.name) : error;
  });
  await audit(tx, principal, 'saved_view.change', id, after);
  return getSavedView(tx, principal, id);
}

/** Throws 404, and 403 for a shared view of another person unless the caller is an admin. */
export async function removeSavedView(tx: Tx, principal: Principal, text: string): Promise<void> {
  const view = await getSavedView(tx, principal, getId('savedView', text));
  if (view.owner_id !== principal.user.id && !roleAtLeast(principal.role, 'admin')) {
    throw tokenAbilityDenied({ role: 'admin' });
  }
  await deleteSavedView(tx, view.id);
  await audit(tx, principal, 'saved_view.delete', view.id, view);
}

async function getSavedView(tx: Tx, { user }: Principal, id: SavedViewId): Promise<SavedViewRow> {
  return orNotFound(await lockSavedView(tx, user.id, id));
}

function taken(name: string): DomainError {
  return conflictingInput(`You already have a view ${name}.`, 'name');
}

function checked({ name, query, shared }: SavedViewFields): SavedViewFields {
  if (!isPlainName(query)) throw invalidInput(plainNameRule, 'query');
  return { name: checkedName(name, 'name'), query, shared };
}

async function checkMayShare(tx: Tx, { role, user }: Principal, isShared = false): Promise<void> {
  if (!roleAtLeast(role, 'member')) throw tokenAbilityDenied({ role: 'member' });
  if (isShared) return;
  await lockWorkspace(tx);
  const views = await listSavedViews(tx, user.id);
  if (views.filter((view) => view.shared).length >= maxSharedViews) {
    throw invalidTransition(
      `The workspace shares ${maxSharedViews} views, which is the limit: unshare or delete one first.`,
    );
  }
}

// A private view is personal, so the audit log that admins read does not have it.
async function audit(
  tx: Tx,
  principal: Principal,
  action: AuditAction,
  targetId: SavedViewId,
  { name, query, shared }: SavedViewFields,
): Promise<void> {
  const data = shared ? { name, query, shared } : { shared };
  await recordAudit(tx, actorOf(principal), action, targetId, data);
}
