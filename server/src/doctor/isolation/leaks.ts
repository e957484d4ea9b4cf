/** Collects the ids and names of the foreign workspace from its rows, so that any answer can be searched for them. */
import { type Database, tenantTx } from '../../db/database.ts';
import { formatId, type Id, type IdKind, isUuid, tenantUuid } from '../../domain/ids.ts';
import type { Side } from './canaries.ts';

type Query = <Row>(sql: string) => Promise<Row[]>;

/** Tables with a column `tenant_id`, from the catalog. */
export async function tenantTables(query: Query): Promise<string[]> {
  return (await columnsOfTenantTables(query)).map(({ name }) => name);
}

/** These tables with their columns as a list of SQL, without those of the last use of a key. */
function columnsOfTenantTables(query: Query): Promise<{ name: string; columns: string }[]> {
  return query(
    `select c.relname as name,
            string_agg(quote_ident(a.attname), ', ' order by a.attnum)
              filter (where a.attname not in ('last_used_at', 'last_used_address')) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where n.nspname = 'public' and c.relkind in ('r', 'p')
      group by 1 having bool_or(a.attname = 'tenant_id') order by 1`,
  );
}

/** Returns every UUID in the rows of a workspace, or in one of their columns, in the form of the database. */
export async function uuidsOf(
  { db }: { db: Database },
  side: Side,
  column?: string,
): Promise<Set<Id<IdKind>>> {
  const tenantId = side.tenant.id;
  return tenantTx(db, tenantId, async (tx) => {
    const found = new Set<Id<IdKind>>([tenantUuid(tenantId)]);
    for (const table of await tenantTables(tx.query)) {
      const rows = await tx.query<object>(`select * from ${table} where tenant_id = $1`, [tenantId]);
      for (const [name, value] of rows.flatMap((row) => Object.entries(row))) {
        if (column !== undefined && name !== column) continue;
        if (typeof value === 'string' && isUuid(value)) found.add(value as Id<IdKind>);
      }
    }
    return found;
  });
}

/** Returns the UUIDs of a workspace that are not in the rows of the other one. */
export async function ownUuids(server: { db: Database }, side: Side, other: Side): Promise<Set<Id<IdKind>>> {
  const theirs = await uuidsOf(server, side);
  for (const uuid of await uuidsOf(server, other)) theirs.delete(uuid);
  return theirs;
}

/**
 * Returns everything of the foreign workspace that is in a text: its key, UUIDs, API ids, its mark, e-mails, its name.
 */
export function leaksIn(text: string, foreignUuids: ReadonlySet<Id<IdKind>>, foreign: Side): string[] {
  const ids = [...text.matchAll(/(?<=_)[0-9a-hjkmnp-tv-z]{26}\b/g)].map(([id]) => id);
  const uuids = [...text.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi)].map(([id]) =>
    id.toLowerCase(),
  );
  const encoded = encodedOf(foreignUuids);
  return [
    ...ids.filter((id) => encoded.has(id)),
    ...uuids.filter((uuid) => foreignUuids.has(uuid as Id<IdKind>)),
    ...[foreign.tenant.id, foreign.mark, `@${foreign.slug}.example`, foreign.tenant.name].filter((mark) =>
      text.includes(mark),
    ),
  ];
}

const encodings = new WeakMap<ReadonlySet<string>, Set<string>>();

function encodedOf(uuids: ReadonlySet<Id<IdKind>>): Set<string> {
  let encoded = encodings.get(uuids);
  if (!encoded) {
    encoded = new Set([...uuids].map((uuid) => formatId<IdKind>('user', uuid).slice(-26)));
    encodings.set(uuids, encoded);
  }
  return encoded;
}

const digests = new WeakMap<Database, string>();

/**
 * Returns a digest of all rows of a workspace, by table. A request to another workspace must not change it. It omits
 * the last use of a key, which is written after the answer, but includes the queue of work that the clock makes due.
 */
export async function workspaceDigestOf({ db }: { db: Database }, side: Side): Promise<Map<string, string>> {
  const tenantId = side.tenant.id;
  return tenantTx(db, tenantId, async (tx) => {
    let sql = digests.get(db);
    if (sql === undefined) {
      const tables = await columnsOfTenantTables(tx.query);
      sql = tables
        .map(
          // A hash of the values themselves takes a fifth of the time of one of their text.
          ({ name, columns }) =>
            `select '${name}' as name, coalesce(sum(hash_record_extended(row(${columns}), 0)), 0)::text as digest
               from ${name} where tenant_id = $1`,
        )
        .join(' union all ');
      digests.set(db, sql);
    }
    const rows = await tx.query<{ name: string; digest: string }>(sql, [tenantId], 'isolation-digest');
    return new Map(rows.map((row) => [row.name, row.digest]));
  });
}
