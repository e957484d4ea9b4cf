/** The vulnerabilities in requests of triage, and the decision about one in their answers. */
import { type TSchema, Type } from 'typebox';
import { formatId } from '../../domain/ids.ts';
import { unpackState } from '../../domain/packed-state.ts';
import {
  NullablePerson,
  NullableString,
  NullableTimestamp,
  namedObject,
  nullableString,
  personOf,
  Timestamp,
  timestamp,
  timestampOrNull,
} from '../../http/schema.ts';
import { resolutionOf } from '../../vulnerabilities/schema.ts';
import type { AssignmentRow, DecidedRow } from '../../vulnerabilities/store.ts';

// A person selects fewer by hand on one or two pages; a larger clean-up takes several requests.
const maxAtOnce = 500;

export function nonEmptyList<T extends TSchema>(item: T) {
  return Type.Array(item, { minItems: 1, maxItems: maxAtOnce });
}

export const StatusVersion = Type.String({
  title: 'StatusVersion',
  maxLength: 255,
  description: 'The version that you have read. If it has changed, the request is refused with 409.',
});

/** A vulnerability of a request, which may say what version of it was read. */
export const NamedVulnerability = namedObject(
  'NamedVulnerability',
  { id: Type.String({ maxLength: 255 }), status_version: Type.Optional(StatusVersion) },
  { additionalProperties: false },
);

export const Assignee = nullableString(
  'me, a user id or an e-mail address; null or unassigned clears the assignment.',
  { title: 'Assignee', maxLength: 255 },
);

export const Assigned = namedObject('AssignedVulnerability', {
  id: Type.String(),
  assignee: NullablePerson,
  status_version: Type.String(),
  updated_at: Timestamp,
});

export function assignedOf(row: AssignmentRow) {
  return {
    id: formatId('vulnerability', row.id),
    assignee: personOf(row.assignee),
    status_version: String(row.status_version),
    updated_at: timestamp(row.updated_at),
  };
}

export const decisionFields = {
  id: Type.String(),
  status: Type.String(),
  resolution: NullableString,
  confirmed: Type.Boolean(),
  triaged: Type.Boolean(),
  accepted_until: NullableTimestamp,
  status_version: Type.String(),
  updated_at: Timestamp,
};

export function decidedItem(row: DecidedRow) {
  const { status, confirmed, triaged } = unpackState(row.packed_state);
  return {
    id: formatId('vulnerability', row.id),
    status,
    resolution: resolutionOf(row.packed_state, row.resolution),
    confirmed,
    triaged,
    accepted_until: timestampOrNull(row.accepted_until),
    status_version: String(row.status_version),
    updated_at: timestamp(row.updated_at),
  };
}
