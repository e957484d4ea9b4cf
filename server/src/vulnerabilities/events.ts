/** The history of a vulnerability has one row per change, with time, cause and reason. A row never changes. */
import type { Tx } from '../db/database.ts';
import { newId } from '../domain/ids.ts';

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
  scanId: string | null;
  actorId: string | null;
  at: Date;
}

export interface VulnerabilityEvent {
  vulnerabilityId: string;
  kind: EventKind;
  reason?: string | null;
  data?: Record<string, unknown>;
}

export async function insertEvents(tx: Tx, cause: Cause, events: VulnerabilityEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(
    `insert into vulnerability_event (tenant_id, vulnerability_id, id, kind, at, actor_id, scan_id, reason, data)
     select $1, e.v, e.id, e.kind, $2, $3, $4, e.reason, e.data
       from json_to_recordset($5::json) as e (v uuid, id uuid, kind text, reason text, data jsonb)`,
    [
      tx.tenantId,
      cause.at,
      cause.actorId,
      cause.scanId,
      JSON.stringify(
        events.map((event) => ({
          v: event.vulnerabilityId,
          id: newId(),
          kind: event.kind,
          reason: event.reason ?? null,
          data: event.data ?? null,
        })),
      ),
    ],
  );
}
