/** SQL of the settings of a repository at its VCS. */
import type { Tx } from '../../db/database.ts';

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
  repositoryId: string,
  rows: ProviderSettingRow[],
): Promise<boolean> {
  const [result] = await tx.query<{ changed: boolean }>(
    `with given as (
       select s.* from json_to_recordset($3::json) as s (id uuid, name text, value text, manual_override boolean)
     ), gone as (
       delete from provider_setting p using given s
        where p.tenant_id = $1 and p.repository_id = $2 and p.name = s.name and s.value is null
       returning p.id
     ), written as (
       insert into provider_setting as p (tenant_id, id, repository_id, name, value, manual_override, changed_at)
       select $1, s.id, $2, s.name, s.value, coalesce(s.manual_override, o.manual_override, false), now()
         from given s
         left join lateral (select manual_override from provider_setting k
                where k.tenant_id = $1 and k.repository_id = $2 and k.name = s.name limit 1) o on true
        where s.value is not null
        order by s.name collate "C"
       on conflict (tenant_id, repository_id, name) do update
          set value = excluded.value, manual_override = excluded.manual_override, updated_at = now(),
              changed_at = case when p.value = excluded.value then p.changed_at else excluded.changed_at end
        where p.value <> excluded.value or p.manual_override <> excluded.manual_override
       returning p.id
     )
     select exists (select from gone) or exists (select from written) as changed`,
    [tx.tenantId, repositoryId, JSON.stringify(rows)],
  );
  return result?.changed ?? false;
}
