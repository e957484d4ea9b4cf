/** Notifications of the Cyber Resilience Act as the API shows them. */
import { Type } from 'typebox';
import { type CraStep, craClock, craStates, craStepStates } from '../../domain/cra.ts';
import { formatId } from '../../domain/ids.ts';
import { type Severity, severities } from '../../domain/packed-state.ts';
import {
  IdAndName,
  NullableString,
  NullableTimestamp,
  namedObject,
  nullableTimestamp,
  oneOf,
  Timestamp,
  timestamp,
  timestampOrNull,
} from '../../http/schema.ts';
import type { CraRow } from './cra-store.ts';

const Step = namedObject('CraStep', {
  due_at: nullableTimestamp('Null: the clock does not run yet, because no measure is available.'),
  sent_at: NullableTimestamp,
  state: oneOf(craStepStates, 'As the clock has it, whatever `not_reportable_reason` says.'),
});

export const CraNotification = namedObject('CraNotification', {
  application: IdAndName,
  cve: Type.String(),
  title: NullableString,
  severity: Type.Union([oneOf<Severity>(severities), Type.Null()]),
  known_at: nullableTimestamp(
    'When it was first both found in the product and listed by CISA as exploited; null: only a person has said so.',
  ),
  repositories: Type.Integer({ description: 'Repositories of the product in which it is or was.' }),
  present_repositories: Type.Integer({
    description: 'Those of them in which it is, open or with a decision.',
  }),
  state: oneOf(craStates),
  aware_at: Timestamp,
  early_warning: Step,
  notification: Step,
  measure_at: nullableTimestamp('When a corrective or mitigating measure was available.'),
  final_report: Step,
  not_reportable_reason: NullableString,
  version: Type.Integer({ description: 'Send it with a change; 0: nothing is recorded.' }),
  changed_by: NullableString,
  changed_at: NullableTimestamp,
});

export function craItem(row: CraRow, now: Date) {
  const step = (name: CraStep) => {
    const { dueAt, sentAt, state } = craClock(name, row, now);
    return { due_at: timestampOrNull(dueAt), sent_at: timestampOrNull(sentAt), state };
  };
  return {
    application: { id: formatId('application', row.application_id), name: row.application },
    cve: row.cve,
    title: row.title,
    severity: row.severity,
    known_at: timestampOrNull(row.known_at),
    repositories: row.repositories,
    present_repositories: row.present_repositories,
    state: row.state,
    aware_at: timestamp(row.aware_at),
    early_warning: step('early_warning'),
    notification: step('notification'),
    measure_at: timestampOrNull(row.measure_at),
    final_report: step('final_report'),
    not_reportable_reason: row.not_reportable_reason,
    version: row.version,
    changed_by: row.changed_by_name,
    changed_at: timestampOrNull(row.changed_at),
  };
}
