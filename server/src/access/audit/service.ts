/** Reads the audit log, filtered, page by page or as one CSV. */

import { type Database, type Tx, tenantReadTx } from '../../db/database.ts';
import { invalidInput } from '../../domain/errors.ts';
import { type EventId, nilId, parseAnyId, parseId, type UserId } from '../../domain/ids.ts';
import { parseTime } from '../../domain/time.ts';
import { csvRow } from '../../http/csv-row.ts';
import {
  type Cursors,
  declareFilters,
  openPage,
  type PageQuery,
  type QueryOf,
  textFilter,
} from '../../http/page.ts';
import type { Principal } from '../../http/principal.ts';
import { oneOf } from '../../http/schema.ts';
import { findUserIdByEmail } from '../users/lookup.ts';
import { auditActions } from './actions.ts';
import { withNames } from './names.ts';
import { type AuditFilter, type AuditRow, listAuditEvents } from './read.ts';
import { auditItem } from './schema.ts';

const filters = {
  actor: {
    schema: textFilter(255, 'me, a user id, an e-mail address, or operator for actions of the command line.'),
  },
  action: { schema: oneOf(auditActions, 'Only this action.') },
  target: { schema: textFilter(255, 'Id of the object of the action.') },
  since: { schema: textFilter(64, 'RFC 3339.') },
  until: { schema: textFilter(64, 'Only before this time (RFC 3339).') },
};
export const auditFilters = declareFilters(filters);
type AuditQuery = QueryOf<typeof filters>;

/** One page of events, newest first. Throws 422. */
export async function listAudit(
  db: Database,
  cursors: Cursors,
  principal: Principal,
  query: AuditQuery & PageQuery,
) {
  const tenantId = principal.tenant.id;
  // `me` is another person for another caller.
  const me = query.actor === 'me' ? principal.user.id : null;
  const list = openPage(cursors, [tenantId, 'listAudit', me], query);
  return tenantReadTx(db, tenantId, async (tx) => {
    const filter = await resolveFilter(tx, principal, query);
    const rows = await listAuditEvents(tx, filter, list.afterId, list.take);
    return list.readAnswer(
      rows,
      (shown) => withNames(tx, shown.map(auditItem)),
      (last) => [last.id],
    );
  });
}

async function resolveFilter(tx: Tx, principal: Principal, query: AuditQuery): Promise<AuditFilter> {
  const since = query.since === undefined ? undefined : parseTime(query.since, 'since');
  const until = query.until === undefined ? undefined : parseTime(query.until, 'until');
  const targetId = query.target === undefined ? undefined : parseAnyId(query.target)?.id;
  if (query.target !== undefined && targetId === undefined) {
    throw invalidInput('Must be an id, such as vc_… or usr_….', 'target');
  }
  return {
    ...(query.actor === undefined ? {} : { actorId: await resolveActor(tx, principal, query.actor) }),
    ...(query.action === undefined ? {} : { action: query.action }),
    ...(targetId === undefined ? {} : { targetId }),
    ...(since ? { since } : {}),
    ...(until ? { until } : {}),
  };
}

async function resolveActor(tx: Tx, principal: Principal, text: string): Promise<UserId | null> {
  if (text === 'operator') return null;
  if (text === 'me') return principal.user.id;
  const id = parseId('user', text);
  if (id !== undefined) return id;
  if (!text.includes('@')) {
    throw invalidInput('Must be me, operator, a user id or an e-mail address.', 'actor');
  }
  // An address without an account gives the same answer as a person without events.
  return (await findUserIdByEmail(tx, text)) ?? nilId;
}

type Item = ReturnType<typeof auditItem>;

/** Name of the column → its cell. */
const columns: [string, (item: Item) => string | null | undefined][] = [
  ['id', (item) => item.id],
  ['at', (item) => item.at],
  ['actor_id', (item) => item.actor?.id],
  ['actor_name', (item) => item.actor?.name],
  ['actor_email', (item) => item.actor?.email],
  ['key_id', (item) => item.key?.id],
  ['key_name', (item) => item.key?.name],
  ['action', (item) => item.action],
  ['target_type', (item) => item.target.type],
  ['target_id', (item) => item.target.id],
  ['target_name', (item) => item.target.name],
  ['data', (item) => JSON.stringify(item.data)],
  ['request_id', (item) => item.request_id],
];

export function auditCsvHeader(): string {
  return csvRow(columns.map(([name]) => name));
}

// An export holds this many rows at a time, which are a few hundred kilobytes of text.
const rowsAtOnce = 1_000;

/**
 * Throws 422 before the first part. Each part is read in its own transaction, which ends before the part is written, so
 * that a slow client holds nothing but its connection. Events that are recorded meanwhile are not exported.
 */
export async function exportAudit(
  db: Database,
  principal: Principal,
  query: AuditQuery,
): Promise<AsyncGenerator<string>> {
  const tenantId = principal.tenant.id;
  const filter = await tenantReadTx(db, tenantId, (tx) => resolveFilter(tx, principal, query));
  return (async function* () {
    yield auditCsvHeader();
    for (let last: AuditRow | undefined; ; ) {
      const before: EventId | null = last?.id ?? null;
      const rows: AuditRow[] = await tenantReadTx(db, tenantId, (tx) =>
        listAuditEvents(tx, filter, before, rowsAtOnce),
      );
      yield rows
        .map(auditItem)
        .map((item) => csvRow(columns.map(([, cell]) => cell(item))))
        .join('');
      if (rows.length < rowsAtOnce) return;
      last = rows.at(-1);
    }
  })();
}
