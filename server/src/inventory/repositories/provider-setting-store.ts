/** SQL of the settings of a repository at its VCS. */
import { insertRows } from '../../db/bulk.ts';
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
  const before = await tx.query<{ name: string; manual_override: boolean }>(
    'select name, manual_override from provider_setting where tenant_id = $1 and repository_id = $2',
    [tx.tenantId, repositoryId],
  );
  const overrides = new Map(before.map(({ name, manual_override: override }) => [name, override]));
  const removed = await tx.query(
    'delete from provider_setting where tenant_id = $1 and repository_id = $2 and name = any($3::text[]) returning id',
    [tx.tenantId, repositoryId, rows.filter(({ value }) => value === null).map(({ name }) => name)],
  );
  const changedAt = await readClock(tx);
  const written = await insertRows(
    tx,
    'provider_setting',
    rows
      .filter(({ value }) => value !== null)
      .map(({ id, name, value, manual_override: override }) => ({
        id,
        repository_id: repositoryId,
        name,
        value,
        manual_override: override ?? overrides.get(name) ?? false,
        changed_at: changedAt,
      })),
    {
      order: 's.name collate "C"',
      conflict: `(tenant_id, repository_id, name) do update
        set value = excluded.value, manual_override = excluded.manual_override, updated_at = excluded.updated_at,
            changed_at = case when t.value = excluded.value then t.changed_at else excluded.changed_at end
      where t.value <> excluded.value or t.manual_override <> excluded.manual_override`,
      returning: 't.id',
    },
  );
  return removed.length + written.length > 0;
}
