/**
 * Settings that a repository has at its VCS, as an inventory file tells them: branch protection, secret scanning and
 * the like. Policies ask about them; nothing here knows what a setting means.
 */

import type { Tx } from '../../db/database.ts';
import { newId } from '../../domain/ids.ts';
import type { Inventory } from '../file/document.ts';
import { writeProviderSettings } from './provider-setting-store.ts';

type ProviderSettings = NonNullable<NonNullable<Inventory['repositories']>[number]['settings']>;

/**
 * Makes the settings that are named what is said of them, null for none; the others stay. Values are kept as text:
 * `true`, `2`, `enabled`. False where nothing was another before.
 */
export async function applyProviderSettings(
  tx: Tx,
  tenantId: string,
  repositoryId: string,
  settings: ProviderSettings,
): Promise<boolean> {
  const rows = Object.entries(settings).map(([name, said]) => {
    const isLong = typeof said === 'object' && said !== null;
    const value = isLong ? said.value : said;
    return {
      id: newId(),
      name,
      value: value === null ? null : String(value),
      manual_override: isLong ? (said.manual_override ?? null) : null,
    };
  });
  return rows.length > 0 && writeProviderSettings(tx, tenantId, repositoryId, rows);
}
