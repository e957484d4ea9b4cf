/**
 * Settings of a repository at its VCS, from an inventory file: branch protection, secret scanning and the like.
 * Policies test them, and no code here knows the meaning of a setting.
 */

import type { Tx } from '../../db/database.ts';
import { newId, type RepositoryId } from '../../domain/ids.ts';
import type { Inventory } from '../file/document.ts';
import { writeProviderSettings } from './provider-setting-store.ts';

type ProviderSettings = NonNullable<NonNullable<Inventory['repositories']>[number]['settings']>;

/**
 * Writes the named settings; null removes one. The others stay. Values are stored as text, such as `true`, `2` and
 * `enabled`. Returns false if nothing has changed.
 */
export async function applyProviderSettings(
  tx: Tx,
  repositoryId: RepositoryId,
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
  return rows.length > 0 && writeProviderSettings(tx, repositoryId, rows);
}
