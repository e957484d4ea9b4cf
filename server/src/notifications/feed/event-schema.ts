/** The events of a workspace as the feed and webhooks show them: a schema for each subject. */
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import type { policyModes } from '../../domain/policy-enums.ts';
import {
  type EventSubject,
  eventSchemaName,
  subjectOf,
  typesAbout,
  type WorkspaceEventType,
  workspaceEventTypes,
} from '../../domain/workspace-event.ts';
import type { KeyScope } from '../../http/principal.ts';
import {
  extendedObject,
  NullableString,
  NullableTimestamp,
  namedObject,
  nullableString,
  oneOf,
  PolicyName,
  RepositoryBrief,
  Timestamp,
} from '../../http/schema.ts';

/** The scope that opens the events of a subject. Keys are the business of admins, as in the audit log. */
export const scopeOfSubject: Record<EventSubject, KeyScope> = {
  vulnerability: 'vulnerabilities:read',
  violation: 'policy-violations:read',
  exception: 'policy-violations:read',
  scan: 'scans:read',
  key: 'workspace:admin',
  advisory: 'vulnerabilities:read',
};

/** The types that these scopes open. */
export function typesFor(scopes: readonly KeyScope[]): WorkspaceEventType[] {
  return workspaceEventTypes.filter((type) => scopes.includes(scopeOfSubject[subjectOf(type)]));
}

const state = {
  status: Type.String(),
  severity: Type.String(),
  type: Type.String(),
  confirmed: Type.Boolean(),
  triaged: Type.Boolean(),
  resolution: NullableString,
  assignee: NullableString,
};

const EventVulnerability = namedObject('EventVulnerability', {
  id: Type.String(),
  title: nullableString('The present title; null if the vulnerability was merged into another or deleted.'),
  ...state,
  previous: Type.Optional(
    Type.Partial(Type.Object(state), {
      description: 'The values before the event, of the fields that it changed.',
    }),
  ),
  change: Type.Optional(Type.String({ description: 'The event of the history, such as accepted.' })),
  reason: Type.Optional(Type.String()),
  merged_into: Type.Optional(
    Type.String({ description: 'The vulnerability into which this one was merged.' }),
  ),
  split_from: Type.Optional(Type.String({ description: 'The vulnerability from which this one was split.' })),
});

const NullablePolicyName = Type.Union([PolicyName, Type.Null()]);

const EventViolation = namedObject('EventViolation', {
  id: Type.String(),
  status: Type.String(),
  previous_status: NullableString,
  severity: Type.String(),
  enforcement_mode: Type.String(),
  due_at: Timestamp,
  snoozed_until: NullableTimestamp,
  policy: NullablePolicyName,
  target: Type.Object({
    type: Type.String(),
    id: Type.String(),
    title: nullableString('The present title of a vulnerability; null for other targets.'),
  }),
});

const EventException = namedObject('EventException', {
  id: Type.String(),
  status: Type.String(),
  mode: Type.String(),
  enforcement_mode: Type.Unsafe<(typeof policyModes)[number] | null>({ type: ['string', 'null'] }),
  until: NullableTimestamp,
  policy: NullablePolicyName,
  violation: NullableString,
  requested_by: Type.String(),
  reason: NullableString,
});

const EventScan = namedObject('EventScan', {
  id: Type.String(),
  status: Type.String(),
  verdict: NullableString,
  dry_run: Type.Boolean(),
  tools: Type.Array(Type.String()),
  counts: Type.Union([
    Type.Object({
      new: Type.Integer(),
      fixed: Type.Integer(),
      reopened: Type.Integer(),
      closing_held: Type.Integer(),
    }),
    Type.Null(),
  ]),
  error: nullableString('The error code of a failed scan.'),
});

const EventKey = namedObject('EventKey', {
  id: Type.String(),
  kind: Type.String(),
  name: Type.String(),
  expires_at: NullableTimestamp,
});

const objects: Record<EventSubject, TProperties> = {
  vulnerability: { vulnerability: EventVulnerability },
  violation: { violation: EventViolation },
  exception: { exception: EventException },
  scan: { scan: EventScan },
  key: { key: EventKey },
  advisory: {
    vulnerability: EventVulnerability,
    advisory: nullableString('Name of the advisory, such as GHSA-….'),
  },
};

const Cause = namedObject('EventCause', {
  scan: NullableString,
  user: nullableString('Scan and user are null if the event was caused by the clock or by the operator.'),
});

const EventId = Type.String({
  title: 'EventId',
  description:
    'The feed and every attempt of a webhook send the same id: use it to recognise repeated events.',
});
const RecordedAt = Type.String({
  title: 'EventRecordedAt',
  format: 'date-time',
  description: 'The time at which the event was recorded.',
});
const OccurredAt = Type.String({
  title: 'EventOccurredAt',
  format: 'date-time',
  description: 'The time of the report or the action, or the time at which it became true.',
});

// The document has the list once, under this name.
export const EventType = Type.Unsafe<WorkspaceEventType>({
  type: 'string',
  title: 'EventType',
  enum: workspaceEventTypes,
});

const Event = namedObject('Event', {
  id: EventId,
  type: EventType,
  timestamp: RecordedAt,
  workspace: namedObject('EventWorkspace', { id: Type.String(), slug: Type.String() }),
});
const EventData = namedObject('EventData', {
  occurred_at: OccurredAt,
  repository: Type.Union([RepositoryBrief, Type.Null()]),
  cause: Cause,
});

/** Subject → schema of the events about it. */
export const eventSchemas = Object.fromEntries(
  (Object.keys(objects) as EventSubject[]).map((subject) => {
    const name = eventSchemaName(subject);
    const data = extendedObject(`${name}Data`, EventData, objects[subject]);
    const schema = extendedObject(name, Event, { type: oneOf(typesAbout(subject)), data });
    return [subject, schema];
  }),
) as unknown as Record<EventSubject, TObject>;

export const EventCursor = namedObject('EventCursor', {
  cursor: Type.String({ description: 'In the last line: send it as `since` of the next request.' }),
  more: Type.Boolean({ description: 'True: there are more events, so read again at once.' }),
});
export type EventCursor = Static<typeof EventCursor>;

export const EventLine = Type.Union([...Object.values(eventSchemas), EventCursor], { title: 'EventLine' });

/** An event as it is sent. The schemas say what `data` has. */
export interface EventItem {
  id: string;
  type: WorkspaceEventType;
  timestamp: string;
  workspace: { id: string; slug: string };
  data: Record<string, unknown> & {
    repository: { id: string; full_name: string } | null;
  };
}
