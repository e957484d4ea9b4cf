/** Events of the audit log as the API and the CSV show them. */

import { Type } from 'typebox';
import { formatId, formatIdOrNull, isUuid, type UserId } from '../../domain/ids.ts';
import { type RuleScopeId, type RuleType, ruleIdKinds } from '../../domain/policy-enums.ts';
import { Account, IdAndName, NullableString, namedObject, Timestamp, timestamp } from '../../http/schema.ts';
import { auditObjects } from './objects.ts';
import type { AuditRow } from './read.ts';

export const AuditItem = namedObject('AuditEvent', {
  id: Type.String(),
  at: Timestamp,
  actor: Type.Union([Account, Type.Null({ description: 'The operator at the command line, or the clock.' })]),
  key: Type.Union([IdAndName, Type.Null({ description: 'Done at the console.' })]),
  action: Type.String(),
  target: Type.Object({ type: Type.String(), id: NullableString, name: NullableString }),
  data: Type.Object({}, { additionalProperties: true }),
  names: Type.Record(Type.String(), Type.String(), {
    description: 'Names by the ids in `data`; what no longer exists has none.',
  }),
  request_id: NullableString,
});

export function auditItem(row: AuditRow) {
  return {
    id: formatId('event', row.id),
    at: timestamp(row.at),
    actor:
      row.actor_id === null
        ? null
        : {
            id: formatId('user', row.actor_id),
            name: row.actor_name ?? '',
            email: row.actor_email ?? '',
          },
    key: row.api_key_id === null ? null : { id: formatId('key', row.api_key_id), name: row.key_name ?? '' },
    action: row.action,
    target: {
      type: row.target_type,
      id: formatIdOrNull(auditObjects[row.target_type].kind, row.target_id),
      name: row.target_name,
    },
    data: shown(row.data) as Record<string, unknown>,
    request_id: row.request_id,
  };
}

/** The data hold ids as the database has them, such as an assignee's or the scope of a rule. The API formats them. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  const { scopeId, ...rest } = value as Record<string, unknown>;
  const kind = ruleIdKinds[rest.type as RuleType];
  const scope =
    typeof scopeId === 'string' && isUuid(scopeId) && kind
      ? { id: formatId(kind, scopeId as RuleScopeId) }
      : {};
  return {
    ...Object.fromEntries(
      Object.entries(rest).map(([name, inner]) => [
        name,
        name === 'assignee' && typeof inner === 'string' && isUuid(inner)
          ? formatId('user', inner as UserId)
          : shown(inner),
      ]),
    ),
    ...scope,
  };
}
