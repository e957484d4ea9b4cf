/** Writes the counters behind every list and the numbers of each day, as the last commit step. */
import type { Tx } from '../db/database.ts';
import type { DayDifference } from '../domain/change-set.ts';

/** The rows are written in the order of their keys, so that two transactions cannot deadlock. */
export async function writeCounters(tx: Tx, changes = tx.changes): Promise<void> {
  const { counters, days } = changes.takeCounters();
  await Promise.all([writeDifferences(tx, counters), writeDays(tx, days)]);
}

async function writeDifferences(tx: Tx, rows: object[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `insert into vulnerability_count as c (tenant_id, scope, key, packed_state, count)
     select $1, d.scope, d.key, d.packed_state, d.count
       from json_to_recordset($2::json) as d (scope text, key text, packed_state smallint, count integer)
      order by d.scope, d.key collate "C", d.packed_state
     on conflict (tenant_id, scope, key, packed_state) do update set count = c.count + excluded.count`,
    [tx.tenantId, JSON.stringify(rows)],
  );
}

async function writeDays(tx: Tx, rows: DayDifference[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `insert into vulnerability_day as t (tenant_id, scope, key, day, severity, introduced, opened, closed, fixed,
            fix_seconds)
     select $1, d.scope, d.key, d.day, d.severity, d.introduced, d.opened, d.closed, d.fixed, d.fix_seconds
       from json_to_recordset($2::json) as d (scope text, key text, day date, severity text,
            introduced integer, opened integer, closed integer, fixed integer, fix_seconds bigint)
      order by d.scope, d.key collate "C", d.day, d.severity
     on conflict (tenant_id, scope, key, day, severity) do update set introduced = t.introduced + excluded.introduced,
       opened = t.opened + excluded.opened, closed = t.closed + excluded.closed, fixed = t.fixed + excluded.fixed,
       fix_seconds = t.fix_seconds + excluded.fix_seconds`,
    [tx.tenantId, JSON.stringify(rows)],
  );
}
