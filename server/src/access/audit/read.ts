/**
 * SQL of the audit log, newest first. A page is a range of one index for every filter. Ids are in order of time, so a
 * filter by time limits the ids, and the index of the condition with the fewest events is read.
 */

import { Parameters, type Tx } from '../../db/database.ts';
import { setPlanner } from '../../db/planner-hints.ts';
import {
  type EventId,
  type Id,
  type IdKind,
  type KeyId,
  nilId,
  tenantUuid,
  type UserId,
} from '../../domain/ids.ts';
import type { AuditAction } from './actions.ts';
import { type AuditObjectType, type auditObjects, objectName } from './objects.ts';

export interface AuditFilter {
  /** Null selects actions without an account: those of the operator and of the clock. */
  actorId?: UserId | null;
  action?: AuditAction;
  targetId?: Id<IdKind>;
  since?: Date;
  /** Events before this time. */
  until?: Date;
}

export interface AuditRow {
  id: EventId;
  at: Date;
  actor_id: UserId | null;
  actor_name: string | null;
  actor_email: string | null;
  api_key_id: KeyId | null;
  key_name: string | null;
  action: string;
  target_type: AuditObjectType;
  target_id: Id<(typeof auditObjects)[AuditObjectType]['kind']> | null;
  /** Null if the target no longer exists. */
  target_name: string | null;
  data: Record<string, unknown>;
  request_id: string | null;
}

type Column = 'actor_id' | 'action' | 'target_id';

/** Events before `beforeId`, with the names of their targets. */
export async function listAuditEvents(
  tx: Tx,
  filter: AuditFilter,
  beforeId: EventId | null,
  limit: number,
): Promise<AuditRow[]> {
  const range = rangeOf(filter, beforeId);
  const asked = columnsAsked(filter);
  // Only one index gives each of the orders below, so the planner must not sort. In a workspace without statistics it
  // would otherwise take another index with a sort, and read the whole log.
  const unsorted = setPlanner(tx, { enable_sort: 'off' });
  const [by] = await Promise.all([chooseColumn(tx, asked, range), unsorted]);
  const parameters = new Parameters(tx.tenantId, range.low, range.high);
  const page = pageOf(asked, by, parameters);
  const times = [
    ...(filter.since ? [`e.at >= ${parameters.add(filter.since)}`] : []),
    ...(filter.until ? [`e.at < ${parameters.add(filter.until)}`] : []),
  ];
  return tx.query<AuditRow>(
    `select e.id, e.at, e.actor_id, u.name as actor_name, u.email as actor_email, e.api_key_id, k.name as key_name,
            e.action, e.target_type, e.target_id, ${objectName} as target_name, e.data, e.request_id
       from (select * from audit_event e where ${[page.where, ...times].join(' and ')}
              order by ${page.order} limit ${parameters.add(limit)}) e
       left join user_account u on u.id = e.actor_id
       left join api_key k on k.id = e.api_key_id
      order by e.id desc`,
    parameters.values,
  );
}

/**
 * Gives the names of objects by their UUID, without those that no longer exist. Any caller may have written an id into
 * a text of the log, so a person is named only if they are a member or have acted here.
 */
export async function listObjectNames(
  tx: Tx,
  objects: { type: string; id: string }[],
): Promise<Map<string, string>> {
  if (objects.length === 0) return new Map();
  const rows = await tx.query<{ id: string; name: string | null }>(
    `select e.target_id as id, ${objectName} as name
       from unnest($2::text[], $3::uuid[]) as e (target_type, target_id)
      where e.target_type not in ('user', 'key', 'workspace')
         or e.target_type = 'workspace' and e.target_id = $4
         or e.target_type = 'user'
            and (exists (select 1 from member m where m.tenant_id = $1 and m.user_id = e.target_id)
                 or exists (select 1 from audit_event a where a.tenant_id = $1 and a.actor_id = e.target_id))
         or e.target_type = 'key'
            and exists (select 1 from api_key k where k.tenant_id = $1 and k.id = e.target_id)`,
    [tx.tenantId, objects.map(({ type }) => type), objects.map(({ id }) => id), tenantUuid(tx.tenantId)],
  );
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}

interface Range {
  low: string;
  high: string;
}

const highest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
// The time of an event is the beginning of its transaction, by the clock of the database. Its id is made later, by the
// clock of the node that writes it.
const slackMs = 3600 * 1000;

function rangeOf({ since, until }: AuditFilter, beforeId: EventId | null): Range {
  const high = until ? idAt(until.getTime() + slackMs) : highest;
  return {
    low: since ? idAt(since.getTime() - slackMs) : nilId,
    high: beforeId !== null && beforeId < high ? beforeId : high,
  };
}

/** The lowest possible id of that time. */
function idAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

type Asked = { column: Column; value: string | null }[];

/** The condition that likely has the fewest events comes first. */
function columnsAsked({ targetId, actorId, action }: AuditFilter): Asked {
  return [
    ...(targetId === undefined ? [] : [{ column: 'target_id' as const, value: targetId }]),
    ...(actorId === undefined ? [] : [{ column: 'actor_id' as const, value: actorId }]),
    ...(action === undefined ? [] : [{ column: 'action' as const, value: action }]),
  ];
}

// With more events than this, each column is good enough.
const probed = 2_000;

/** Chooses the column whose condition has fewer events in the range. */
async function chooseColumn(tx: Tx, asked: Asked, range: Range): Promise<Column | undefined> {
  const [first, second] = asked;
  if (!first || !second || first.column === 'target_id') return first?.column;
  const parameters = new Parameters(tx.tenantId, range.low, range.high);
  const counts = [first, second].map(({ column }) => {
    const { where, order } = pageOf(
      asked.filter((one) => one.column === column),
      column,
      parameters,
    );
    return `(select count(*)::int from (select 1 from audit_event e where ${where} order by ${order} limit ${probed}) n)`;
  });
  const [row] = await tx.query<{ first: number; second: number }>(
    `select ${counts[0]} as first, ${counts[1]} as second`,
    parameters.values,
  );
  return row && row.second < row.first ? second.column : first.column;
}

/** The range is one of the index of column `by`. The other conditions are checked row by row. */
function pageOf(
  asked: Asked,
  by: Column | undefined,
  parameters: Parameters,
): { where: string; order: string } {
  const ranged = asked.some(({ column, value }) => column === by && value !== null);
  const conditions = asked.map(({ column, value }) => {
    if (value === null) return `e.${column} is null`;
    const parameter = parameters.add(value);
    if (column !== by) return `e.${column} = ${parameter}`;
    // The condition is no equality, because the planner would then drop the column from the order.
    return `e.${column} is not null and (e.${column}, e.id) >= (${parameter}, $2) and (e.${column}, e.id) < (${parameter}, $3)`;
  });
  return {
    where: ['e.tenant_id = $1', ...(ranged ? [] : ['e.id >= $2', 'e.id < $3']), ...conditions].join(' and '),
    order: by === undefined ? 'e.id desc' : `e.${by} desc, e.id desc`,
  };
}
