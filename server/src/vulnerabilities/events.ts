/**
 * The history of a vulnerability has one row per change, with time, cause and reason. A row never changes. The first
 * entry, that it was opened, is no row: the vulnerability itself has its time and scan, and its id is that of the
 * entry.
 */
import { insertRows } from '../db/bulk.ts';
import type { Tx } from '../db/database.ts';
import { newId, type ScanId, type UserId, type VulnerabilityId } from '../domain/ids.ts';

/** The domain `event_kind` of the database has the same values. */
export const eventKinds = [
  'opened',
  'seen_on_reference',
  'moved',
  'fixed',
  'reopened',
  'accepted',
  'ignored',
  'rejected',
  'confirmed',
  'decision_removed',
  'acceptance_ended',
  'assigned',
  'unassigned',
  'severity_changed',
  'merged',
  'split',
  'undone',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** The cause of a change: a scan, a person, or the clock (both ids are null). */
export interface Cause {
  scanId: ScanId | null;
  actorId: UserId | null;
  at: Date;
}

export interface VulnerabilityEvent {
  vulnerabilityId: VulnerabilityId;
  kind: Exclude<EventKind, 'opened'>;
  reason?: string | null;
  data?: Record<string, unknown>;
}

export async function insertEvents(tx: Tx, cause: Cause, events: VulnerabilityEvent[]): Promise<void> {
  const rows = events.map(({ vulnerabilityId, kind, reason = null, data = null }) => ({
    vulnerability_id: vulnerabilityId,
    id: newId(),
    kind,
    at: cause.at,
    actor_id: cause.actorId,
    scan_id: cause.scanId,
    reason,
    data,
  }));
  await insertRows(tx, 'vulnerability_event', rows);
}
