/** Exceptions as the API shows them, each with its subject. */
import { type Static, Type } from 'typebox';
import type { Tx } from '../../db/database.ts';
import { formatId, formatIdOrNull } from '../../domain/ids.ts';
import {
  NullablePerson,
  NullableString,
  NullableTimestamp,
  namedObject,
  nullableString,
  PolicyName,
  personOf,
  RepositoryBrief,
  Timestamp,
  timestamp,
  timestampOrNull,
} from '../../http/schema.ts';
import { describeTargets, Target, type TargetItem } from '../violations/targets.ts';
import { type ExceptionRow, exceptionModes, exceptionStatuses } from './exception-store.ts';

export const ExceptionItem = namedObject('Exception', {
  id: Type.String(),
  status: Type.String({ description: exceptionStatuses.join(', ') }),
  mode: Type.String({ description: exceptionModes.join(', ') }),
  enforcement_mode: NullableString,
  policy: PolicyName,
  repository: RepositoryBrief,
  violation_id: nullableString('Null: the exception is for the policy in the whole repository.'),
  target: Type.Union([Target, Type.Null()], {
    description:
      'Target of the violation; null if the exception is for no single violation, or if the target no longer exists.',
  }),
  reason: Type.String(),
  until: NullableTimestamp,
  requested_by: NullablePerson,
  requested_at: Timestamp,
  reviewed_by: NullablePerson,
  reviewed_at: NullableTimestamp,
  review_reason: NullableString,
});

/** The items come in the order of the rows. */
export async function showExceptions(tx: Tx, rows: ExceptionRow[]): Promise<Static<typeof ExceptionItem>[]> {
  const targets = await describeTargets(
    tx,
    rows.flatMap(({ target_type: type, target_id: id }) =>
      type === null || id === null ? [] : [{ type: type, id }],
    ),
    null,
  );
  return rows.map((row) =>
    exceptionItem(row, (row.target_id === null ? null : targets.get(row.target_id)) ?? null),
  );
}

function exceptionItem(row: ExceptionRow, target: TargetItem | null) {
  return {
    id: formatId('exception', row.id),
    status: row.status,
    mode: row.mode,
    enforcement_mode: row.enforcement_mode,
    policy: { id: formatId('policy', row.policy_id), key: row.policy_key, name: row.policy_name },
    repository: { id: formatId('repository', row.repository_id), full_name: row.repository_full_name },
    violation_id: formatIdOrNull('violation', row.violation_id),
    target,
    reason: row.reason,
    until: timestampOrNull(row.ends_at),
    requested_by: personOf(row.requester),
    requested_at: timestamp(row.created_at),
    reviewed_by: personOf(row.reviewer),
    reviewed_at: timestampOrNull(row.reviewed_at),
    review_reason: row.review_reason,
  };
}
