/** Copies what a pull request shows to others, as if each had been scanned with the same report. */
import type { TenantId } from '../server/src/domain/ids.ts';
import type { OpenDatabase } from '../server/src/open.ts';
import { asOwner } from './workspace.ts';

// The copies have ids of their own, which follow from the copied id and the number.
const copiedId = (column: string): string => `md5(t.${column}::text || n)::uuid`;

const name = "'refs/pull/' || n || '/head'";
const series = 'select id from scan_series where tenant_id = $1 and reference_id = $2';

// For each table the values that a copy has instead of the copied row's, and the rows that are copied.
const tables: Record<string, { values: Record<string, string>; where: string }> = {
  reference: { values: { id: copiedId('id'), full_ref: name }, where: 't.id = $2' },
  scan_series: {
    values: { id: copiedId('id'), reference_id: copiedId('reference_id') },
    where: 't.reference_id = $2',
  },
  location_observation: {
    values: { location_id: copiedId('location_id'), series_id: copiedId('series_id') },
    where: `t.series_id in (${series})`,
  },
  vulnerability_reporter: {
    values: { series_id: copiedId('series_id') },
    where: `t.series_id in (${series})`,
  },
  vulnerability_location: {
    values: { id: copiedId('id'), reference_id: copiedId('reference_id') },
    where: 't.reference_id = $2',
  },
  vulnerability_reference: {
    values: { reference_id: copiedId('reference_id'), location_id: copiedId('location_id'), full_ref: name },
    where: 't.reference_id = $2',
  },
  violation_reference: { values: { reference_id: copiedId('reference_id') }, where: 't.reference_id = $2' },
};

/** Copies the pull request `from` of the workspace to `count` others, numbered from 1,000 on. */
export async function copyPullRequest(
  open: OpenDatabase,
  { tenantId, from, count }: { tenantId: TenantId; from: string; count: number },
): Promise<void> {
  await asOwner(open, async (client) => {
    const { rows: found } = await client.query<{ id: string }>(
      'select id from reference where tenant_id = $1 and full_ref = $2',
      [tenantId, from],
    );
    for (const [table, { values, where }] of Object.entries(tables)) {
      const { rows } = await client.query<{ name: string }>(
        `select attname as name from pg_attribute
          where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [table],
      );
      const columns = rows.map((row) => row.name);
      await client.query(
        `insert into ${table} (${columns.join(', ')})
         select ${columns.map((column) => values[column] ?? `t.${column}`).join(', ')}
           from ${table} t cross join generate_series(1000, ${999 + count}) n where t.tenant_id = $1 and ${where}`,
        [tenantId, found[0]?.id],
      );
    }
    await client.query('vacuum (analyze)');
  });
}
