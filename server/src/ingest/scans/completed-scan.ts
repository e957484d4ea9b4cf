/** The events of scans: completed, failed, and that so much would be closed that it waits for a person. */
import type { ChangeTx } from '../../db/database.ts';
import type { WorkspaceEvent } from '../../domain/workspace-event.ts';
import type { FailedScan } from './store.ts';

/** Commit step: notes that the transaction has completed a scan. */
export async function noteCompletedScan({ changes }: ChangeTx): Promise<void> {
  const scan = changes.completedScan;
  if (scan === null) return;
  changes.completedScan = null;
  const { counts } = scan;
  const event: WorkspaceEvent = {
    type: 'scan.completed',
    objectId: scan.id,
    repositoryId: scan.repositoryId,
    scanId: scan.id,
    actorId: null,
    at: scan.scannedAt,
    data: {
      status: 'completed',
      verdict: scan.verdict ?? null,
      dry_run: scan.isDryRun,
      tools: scan.tools,
      counts: {
        new: counts.new,
        fixed: counts.fixed,
        reopened: counts.reopened,
        closing_held: counts.closing_held,
      },
      error: null,
    },
  };
  changes.addEvent(event);
  if (counts.closing_held > 0 && !scan.isDryRun) changes.addEvent({ ...event, type: 'scan.closing_held' });
}

export function failedScanEvent(scan: FailedScan, code: string): WorkspaceEvent {
  return {
    type: 'scan.failed',
    objectId: scan.id,
    repositoryId: scan.repository_id,
    scanId: scan.id,
    actorId: null,
    at: scan.scanned_at,
    data: {
      status: 'failed',
      verdict: null,
      dry_run: scan.dry_run,
      tools: [],
      counts: null,
      // The message may quote the report, so the code alone leaves the workspace.
      error: code,
    },
  };
}
