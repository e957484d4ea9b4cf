/** SQL of saved views. */
import { type Static, Type } from 'typebox';
import { changedNow, updateRow } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import type { SavedViewId, UserId } from '../../domain/ids.ts';
import { nameKeyOf } from '../../domain/plain-name.ts';

export const savedViewPages = ['vulnerabilities'] as const;
export type SavedViewPage = (typeof savedViewPages)[number];

// A name of this length fits a menu.
const maxNameLength = 100;
// All filters of a page with long values are shorter.
const maxQueryLength = 2_000;

/** The fields of a view that its owner sets. */
export const SavedViewFields = Type.Object({
  name: Type.String({ minLength: 1, maxLength: maxNameLength }),
  query: Type.String({
    maxLength: maxQueryLength,
    description: 'Query string of the page, without the question mark.',
  }),
  shared: Type.Boolean({ description: 'true: everybody in the workspace sees it. Needs the role member.' }),
});
export type SavedViewFields = Static<typeof SavedViewFields>;

export interface SavedViewRow extends SavedViewFields {
  id: SavedViewId;
  owner_id: UserId;
  owner_name: string;
  page: SavedViewPage;
  created_at: Date;
  updated_at: Date;
}

const columns =
  's.id, s.owner_id, u.name as owner_name, s.name, s.page, s.query, s.shared, s.created_at, s.updated_at';
const from = 'saved_view s join user_account u on u.id = s.owner_id';

/** The views of the person and those that others share, by name. Each of two indexes finds a part of them. */
export async function listSavedViews(tx: Tx, userId: UserId): Promise<SavedViewRow[]> {
  return tx.query<SavedViewRow>(
    `select * from (
       select ${columns}, s.name_key from ${from} where s.tenant_id = $1 and s.owner_id = $2
       union all
       select ${columns}, s.name_key from ${from} where s.tenant_id = $1 and s.shared and s.owner_id <> $2) v
      order by name_key, id`,
    [tx.tenantId, userId],
  );
}

/** Locks the view until the transaction ends. It does not find a private view of another person. */
export async function lockSavedView(
  tx: Tx,
  userId: UserId,
  id: SavedViewId,
): Promise<SavedViewRow | undefined> {
  const [row] = await tx.query<SavedViewRow>(
    `select ${columns} from ${from}
      where s.tenant_id = $1 and s.id = $3 and (s.owner_id = $2 or s.shared) for update of s`,
    [tx.tenantId, userId, id],
  );
  return row;
}

/** Makes the views of one person wait for each other. Returns false if they are no member any more. */
export async function lockMembership(tx: Tx, userId: UserId): Promise<boolean> {
  const rows = await tx.query(
    'select 1 from member where tenant_id = $1 and user_id = $2 for no key update',
    [tx.tenantId, userId],
  );
  return rows.length > 0;
}

/** Returns false if the person has a view of that name for that page. */
export async function insertSavedView(
  tx: Tx,
  view: SavedViewFields & { id: SavedViewId; ownerId: UserId; page: SavedViewPage },
): Promise<boolean> {
  const { id, ownerId, page, name, query, shared } = view;
  const rows = await tx.query(
    `insert into saved_view (tenant_id, id, owner_id, page, name, name_key, query, shared)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (tenant_id, owner_id, page, name_key) do nothing returning id`,
    [tx.tenantId, id, ownerId, page, name, nameKeyOf(name), query, shared],
  );
  return rows.length > 0;
}

/** Fails with a unique violation if the person has another view of that name for that page. */
export async function updateSavedView(
  tx: Tx,
  { id, name, query, shared }: SavedViewFields & { id: SavedViewId },
): Promise<void> {
  await updateRow(tx, 'saved_view', id, { name, name_key: nameKeyOf(name), query, shared }, changedNow);
}

export async function deleteSavedView(tx: Tx, id: SavedViewId): Promise<void> {
  await tx.query('delete from saved_view where tenant_id = $1 and id = $2', [tx.tenantId, id]);
}

/** Deletes the private views of a person who leaves. Their shared views stay for the others. */
export async function deleteOwnViews(tx: Tx, userId: UserId): Promise<void> {
  await tx.query('delete from saved_view where tenant_id = $1 and owner_id = $2 and not shared', [
    tx.tenantId,
    userId,
  ]);
}
