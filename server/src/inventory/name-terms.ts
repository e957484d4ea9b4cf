/**
 * The search by name finds repositories, organizations and applications as it finds packages: from the beginning of
 * each part of the name. `acme/shop-api` has the terms `acme/shop-api`, `shop-api` and `api`. A search finds every term
 * that begins with it.
 */
import { insertRows } from '../db/bulk.ts';
import type { Tx } from '../db/database.ts';
import { separate } from '../db/planner-hints.ts';
import type { Id } from '../domain/ids.ts';
import { type CursorValue, type OpenPage, textFilter } from '../http/page.ts';
import { packageTermsOf, searchedTerm, termEnd } from './packages/package-terms.ts';

export type NamedKind = 'repository' | 'organization' | 'application';

/** Stores the terms of a name, and removes those of the previous name. */
export async function replaceNameTerms<Kind extends NamedKind>(
  tx: Tx,
  kind: Kind,
  targetId: Id<NoInfer<Kind>>,
  name: string,
): Promise<void> {
  const terms = packageTermsOf({ namespace: null, name });
  const rows = terms.map((term) => ({ kind, term, target_id: targetId }));
  await Promise.all([
    tx.query('delete from name_term where tenant_id = $1 and target_id = $2 and term <> all($3::text[])', [
      tx.tenantId,
      targetId,
      terms,
    ]),
    insertRows(tx, 'name_term', rows, { order: 's.term collate "C"', conflict: 'do nothing' }),
  ]);
}

/** The filter `q` of a list. */
export const nameFilter = {
  schema: textFilter(255, 'Beginning of the name or of a part of it. An exact match comes first.'),
};

export interface NameSearch {
  /** The beginning of a term; null lists everything. */
  term: string | null;
  /** The last row of the page before. */
  afterId: OpenPage['afterId'];
  /** The term by which it was found; null if the cursor has no room for it. */
  afterTerm: string | null;
  limit: number;
}

export function nameSearch(
  q: string | undefined,
  { after, afterId, take }: Pick<OpenPage, 'after' | 'afterId' | 'take'>,
): NameSearch {
  const afterTerm = after?.[1] === undefined ? null : String(after[1]);
  return { term: q === undefined ? null : searchedTerm(q), afterId, afterTerm, limit: take };
}

// A cursor of 255 characters has room for this much beside the id.
const maxTermBytes = 130;

/**
 * Returns the position of a row. With its term, the next page does not depend on a name that changes or is deleted
 * meanwhile.
 */
export function namePosition({ id, sort_key: term }: { id: string; sort_key?: string }): CursorValue[] {
  return term === undefined || Buffer.byteLength(JSON.stringify(term)) > maxTermBytes ? [id] : [id, term];
}

/**
 * SQL of a page: each id that a search finds, with the first of its terms as `sort_key`, so that an exact name comes
 * first. `add` adds a parameter of the statement. `joined` and `condition` limit the row `t`.
 */
export function pageByName(
  kind: NamedKind,
  { term, afterId, afterTerm, limit }: NameSearch & { term: string },
  add: (value: unknown) => string,
  { joined = '', condition = 'true' } = {},
): string {
  const begin = add(term);
  const found = `e.tenant_id = $1 and e.term >= ${begin}`;
  const earlier = separate(
    `select 1 from name_term e where ${found} and e.target_id = t.target_id and e.term < t.term`,
  );
  const after = afterId === null ? null : `${add(afterId)}::uuid`;
  const position =
    afterTerm === null
      ? `(select min(e.term) from name_term e where ${found} and e.target_id = ${after})`
      : add(afterTerm);
  return `select t.target_id as id, t.term as sort_key from name_term t ${joined}
    where t.tenant_id = $1 and t.kind = '${kind}' and t.term >= ${begin} and t.term < ${add(termEnd(term))}
      and ${after === null ? 'true' : `(t.term, t.target_id) > (${position}, ${after})`}
      and not exists ${earlier} and ${condition}
    order by t.term, t.target_id limit ${add(limit)}`;
}

/** Removes the terms of a deleted object. */
export async function deleteNameTerms(tx: Tx, targetId: Id<NamedKind>): Promise<void> {
  await tx.query('delete from name_term where tenant_id = $1 and target_id = $2', [tx.tenantId, targetId]);
}
