/** Writes the counters behind every list, the numbers of each day and the open groups, as the last commit step. */
import { anchor, insertRows } from '../db/bulk.ts';
import type { ChangeTx, Tx } from '../db/database.ts';
import type { CounterDifference, DayDifference } from '../domain/change-set.ts';
import type { GroupDifference } from '../domain/open-groups.ts';
import { severities } from '../domain/packed-state.ts';
import { referenceNameKey } from './counter-key.ts';

/** The rows are written in the order of their keys, so that two transactions cannot deadlock. */
export async function writeCounters(tx: ChangeTx): Promise<void> {
  const { counters, days, groups } = tx.changes.takeCounters();
  await Promise.all([writeDifferences(tx, counters), writeDays(tx, days), writeGroups(tx, groups)]);
}

async function writeDifferences(tx: Tx, rows: CounterDifference[]): Promise<void> {
  const keyed = rows.map(({ idOrName, ...row }) => ({
    ...row,
    key: row.scope === 'reference_name' ? referenceNameKey(idOrName) : idOrName,
  }));
  await insertRows(tx, 'vulnerability_count', keyed, {
    order: 's.scope, s.key, s.packed_state',
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
    order: 's.scope, s.key, s.day, s.severity',
    conflict: `(tenant_id, scope, key, day, severity)
      do update set ${sums.map((column) => `${column} = t.${column} + excluded.${column}`).join(', ')}`,
  });
}

// Names with one key are one group, as in every count of groups.
async function writeGroups(tx: Tx, rows: GroupDifference[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = ['scope', 'kind', 'name', ...severities] as const;
  const types = ['text', 'text', 'text', ...severities.map(() => 'integer')];
  const { tenant, join } = anchor(tx);
  await tx.query(
    `insert into open_group as t (tenant_id, scope, kind, key, ${severities.join(', ')})
     select ${tenant}, s.scope, s.kind, s.key, ${severities.map((severity) => `sum(s.${severity})`).join(', ')}
       from (select d.*, case when d.kind = 'repository' then d.name else hashtextextended(d.name, 0)::text end as key
               from unnest(${types.map((type, at) => `$${at + 2}::${type}[]`).join(', ')}) d (${columns.join(', ')})) s ${join}
      group by ${tenant}, s.scope, s.kind, s.key order by s.scope collate "C", s.kind collate "C", s.key collate "C"
     on conflict (tenant_id, scope, kind, key)
      do update set ${severities.map((severity) => `${severity} = t.${severity} + excluded.${severity}`).join(', ')}`,
    [tx.tenantId, ...columns.map((column) => rows.map((row) => row[column]))],
  );
}
