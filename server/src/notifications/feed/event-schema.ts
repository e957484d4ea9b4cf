/** The events of a workspace as the feed and webhooks show them: a schema for each type. */
import { type Static, type TProperties, Type } from 'typebox';
import type { policyModes } from '../../domain/policy-enums.ts';
import {
  type EventSubject,
  eventSchemaName,
  subjectOf,
  type WorkspaceEventType,
  workspaceEventTypes,
} from '../../domain/workspace-event.ts';
import type { Scope } from '../../http/principal.ts';
import {
  NullableString,
  NullableTimestamp,
  namedObject,
  PolicyName,
  RepositoryBrief,
  Timestamp,
} from '../../http/schema.ts';

/** The scope that opens the events of a subject. Keys are the business of admins, as in the audit log. */
export const scopeOfSubject: Record<EventSubject, Scope> = {
  vulnerability: 'vulnerabilities:read',
  violation: 'policy-violations:read',
  exception: 'policy-violations:read',
  scan: 'scans:read',
  key: 'workspace:admin',
  advisory: 'vulnerabilities:read',
};

/** The types that these scopes open. */
export function typesFor(scopes: readonly Scope[]): WorkspaceEventType[] {
  return workspaceEventTypes.filter((type) => scopes.includes(scopeOfSubject[subjectOf(type)]));
}

const state = {
  status: Type.String({ description: 'After the event, as all fields here.' }),
  severity: Type.String(),
  type: Type.String(),
  confirmed: Type.Boolean(),
  triaged: Type.Boolean(),
  resolution: NullableString,
  assignee: NullableString,
};

const EventVulnerability = namedObject('EventVulnerability', {
  id: Type.String(),
  title: Type.Union([Type.String(), Type.Null()], {
    description: 'As it is now; null once the vulnerability is part of another, or deleted.',
  }),
  ...state,
  previous: Type.Optional(
    Type.Partial(Type.Object(state), { description: 'The fields that the event has changed, before it.' }),
  ),
  change: Type.Optional(Type.String({ description: 'What the history calls it, such as accepted.' })),
  reason: Type.Optional(Type.String()),
  merged_into: Type.Optional(
    Type.String({ description: 'The vulnerability that it is part of from now on.' }),
  ),
  split_from: Type.Optional(Type.String({ description: 'The vulnerability that it was a part of.' })),
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
    title: Type.Union([Type.String(), Type.Null()], { description: 'Of a vulnerability, as it is now.' }),
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
  error: Type.Union([Type.String(), Type.Null()], { description: 'The code of the error of a failed scan.' }),
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
    advisory: Type.Union([Type.String(), Type.Null()], {
      description: 'The name of the advisory, such as GHSA-….',
    }),
  },
};

const Cause = namedObject('EventCause', {
  scan: NullableString,
  user: Type.Union([Type.String(), Type.Null()], {
    description: 'Null, as the scan, if the clock or the operator did it.',
  }),
});

/** Type → schema of its event. */
export const eventSchemas = Object.fromEntries(
  workspaceEventTypes.map((type) => {
    const subject = subjectOf(type);
    const data = namedObject(`${subject.charAt(0).toUpperCase()}${subject.slice(1)}EventData`, {
      occurred_at: Type.String({
        format: 'date-time',
        description: 'The time of the report, of the act, or at which it became true.',
      }),
      repository: Type.Union([RepositoryBrief, Type.Null()]),
      cause: Cause,
      ...objects[subject],
    });
    const schema = namedObject(eventSchemaName(type), {
      id: Type.String({
        description: 'The same in the feed and in each attempt of a webhook: know doubles by it.',
      }),
      type: Type.Unsafe<WorkspaceEventType>({ type: 'string', enum: [type] }),
      timestamp: Type.String({ format: 'date-time', description: 'When it was recorded.' }),
      workspace: namedObject('EventWorkspace', { id: Type.String(), slug: Type.String() }),
      data,
    });
    return [type, schema] as const;
  }),
);

export const EventCursor = namedObject('EventCursor', {
  cursor: Type.String({ description: 'The last line: `since` of the next request.' }),
  more: Type.Boolean({ description: 'More events wait: ask at once.' }),
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
