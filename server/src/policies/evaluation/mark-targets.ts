/** Marks the targets of violations as changed. */
import type { ChangeSet } from '../../domain/change-set.ts';
import type { TargetRow } from './scope-store.ts';

/** Vulnerabilities are marked one by one; for any other target the whole type is marked in its repository. */
export function markTargets(changes: ChangeSet, rows: TargetRow[]): void {
  for (const row of rows) {
    const type = row.target_type;
    if (type === 'vulnerability') changes.markChanged(row.target_id, row.repository_id);
    else changes.markTargetsChanged(row.repository_id, [type]);
  }
}
