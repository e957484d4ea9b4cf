/** Writes the counters behind every list and the numbers of each day, as the last commit step. */
import { insertRows } from '../db/bulk.ts';
import type { ChangeTx, Tx } from '../db/database.ts';
import type { CounterDifference, DayDifference } from '../domain/change-set.ts';

/** The rows are written in the order of their keys, so that two transactions cannot deadlock. */
export async function writeCounters(tx: ChangeTx, changes = tx.changes): Promise<void> {
  const { counters, days } = changes.takeCounters();
  await Promise.all([writeDifferences(tx, counters), writeDays(tx, days)]);
}

async function writeDifferences(tx: Tx, rows: CounterDifference[]): Promise<void> {
  await insertRows(tx, 'vulnerability_count', rows, {
    order: 's.scope, s.key collate "C", s.packed_state',
    conflict: '(tenant_id, scope, key, packed_state) do update set count = t.count + excluded.count',
  });
}

const sums = [
  'introduced',
  'opened',
  'closed',
  'fixed',
  'fix_seconds',
  'resolved',
  'resolved_in_time',
] as const;

async function writeDays(tx: Tx, rows: DayDifference[]): Promise<void> {
  await insertRows(tx, 'vulnerability_day', rows, {
    order: 's.scope, s.key collate "C", s.day, s.severity',
    conflict: `(tenant_id, scope, key, day, severity)
      do update set ${sums.map((column) => `${column} = t.${column} + excluded.${column}`).join(', ')}`,
  });
}
