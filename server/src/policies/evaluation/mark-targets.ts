/** Marks the targets of violations as changed. */
import type { ChangeSet } from '../../domain/change-set.ts';
import type { TargetRow } from './scope-store.ts';

/** A target that is no vulnerability is marked with all others of its type in the repository. */
export function markTargets(changes: ChangeSet, rows: TargetRow[]): void {
  for (const row of rows) {
    const type = row.target_type;
    if (type === 'vulnerability') changes.markChanged(row.target_id, row.repository_id);
    else changes.markTargetsChanged(row.repository_id, [type]);
  }
}
