/**
 * Workspace events say what has happened in a workspace, for those who follow it from outside: the feed, webhooks and
 * messages. A transaction notes them in its change set, and a commit step writes them to the outbox.
 */
import type { EventId, Id, IdKind, RepositoryId, ScanId, UserId } from './ids.ts';

/**
 * The types are a part of the API: a type may be added, but never renamed or removed. It is written from the release
 * after the one that adds it, because older nodes pass over types that they do not know (`db/migrations/README.md`).
 */
export const workspaceEventTypes = [
  'vulnerability.opened',
  'vulnerability.fixed',
  'vulnerability.reopened',
  'vulnerability.status_changed',
  'vulnerability.assigned',
  'violation.opened',
  'violation.due_soon',
  'violation.overdue',
  'violation.resolved',
  'violation.snoozed',
  'exception.requested',
  'exception.approved',
  'exception.refused',
  'exception.expiring',
  'scan.completed',
  'scan.failed',
  'scan.closing_held',
  'key.created',
  'key.expiring',
  'key.expired',
  'key.revoked',
  'advisory.matched',
] as const;
export type WorkspaceEventType = (typeof workspaceEventTypes)[number];

/** The first word of a type says what the event is about. */
export type EventSubject = WorkspaceEventType extends `${infer Subject}.${string}` ? Subject : never;

/** The kind of id that the object of an event has. An advisory matches a vulnerability. */
export const eventSubjects = {
  vulnerability: 'vulnerability',
  violation: 'violation',
  exception: 'exception',
  scan: 'scan',
  key: 'key',
  advisory: 'vulnerability',
} as const satisfies Record<EventSubject, IdKind>;
export type EventObjectId = Id<(typeof eventSubjects)[EventSubject]>;

export function subjectOf(type: WorkspaceEventType): EventSubject {
  return type.slice(0, type.indexOf('.')) as EventSubject;
}

/** The types of the events about a subject. */
export function typesAbout(subject: EventSubject): WorkspaceEventType[] {
  return workspaceEventTypes.filter((type) => subjectOf(type) === subject);
}

/** The name of the schema of the events about a subject, such as `VulnerabilityEvent`. */
export function eventSchemaName(subject: EventSubject): string {
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)}Event`;
}

/** An event as a transaction notes it. */
export interface WorkspaceEvent {
  type: WorkspaceEventType;
  /** The vulnerability, violation, exception, scan or key that it is about, as UUID text. */
  objectId: EventObjectId;
  /** Null if it is about no repository. */
  repositoryId: RepositoryId | null;
  /** The scan or the user that caused it. Both are null if the clock, or the operator, did. */
  scanId: ScanId | null;
  actorId: UserId | null;
  /** When it happened: the time of the report, or of the act. */
  at: Date;
  /**
   * The fields of the object that belong to this moment, as the API shows them. Names are looked up when it is read.
   */
  data: Record<string, unknown>;
}

// The last two bytes of the id of a batch are free for the number of an event in it.
export const maxEventsInBatch = 1_000;

/** The id of an event: that of its batch, with its number in the last two bytes. */
export function eventIdOf(batchId: string, index: number): EventId {
  return `${batchId.slice(0, -4)}${index.toString(16).padStart(4, '0')}` as EventId;
}
