/** SQL of the settings of a repository at its VCS. */
import { anchor } from '../../db/bulk.ts';
import { readClock } from '../../db/commit-watermark.ts';
import type { Tx } from '../../db/database.ts';
import type { RepositoryId } from '../../domain/ids.ts';

export interface ProviderSettingRow {
  id: string;
  name: string;
  /** Null removes the setting. */
  value: string | null;
  /** Null keeps the value; for a new setting it means false. */
  manual_override: boolean | null;
}

/** Writes the rows and keeps all other settings. If nothing differs, it writes nothing and returns false. */
export async function writeProviderSettings(
  tx: Tx,
  repositoryId: RepositoryId,
  rows: ProviderSettingRow[],
): Promise<boolean> {
  const given = JSON.stringify(rows);
  const removed = await tx.query(
    `delete from provider_setting p using json_to_recordset($3::json) as s (name text, value text)
      where p.tenant_id = $1 and p.repository_id = $2 and p.name = s.name and s.value is null
     returning p.id`,
    [tx.tenantId, repositoryId, given],
  );
  const { tenant, join } = anchor(tx);
  const written = await tx.query(
    `insert into provider_setting as p (tenant_id, id, repository_id, name, value, manual_override, changed_at)
     select ${tenant}, s.id, $2, s.name, s.value, coalesce(s.manual_override, o.manual_override, false), $4::timestamptz
       from json_to_recordset($3::json) as s (id uuid, name text, value text, manual_override boolean) ${join}
       left join lateral (select manual_override from provider_setting k
              where k.tenant_id = $1 and k.repository_id = $2 and k.name = s.name limit 1) o on true
      where s.value is not null
      order by s.name collate "C"
     on conflict (tenant_id, repository_id, name) do update
        set value = excluded.value, manual_override = excluded.manual_override, updated_at = excluded.updated_at,
            changed_at = case when p.value = excluded.value then p.changed_at else excluded.changed_at end
      where p.value <> excluded.value or p.manual_override <> excluded.manual_override
     returning p.id`,
    [tx.tenantId, repositoryId, given, await readClock(tx)],
  );
  return removed.length + written.length > 0;
}
