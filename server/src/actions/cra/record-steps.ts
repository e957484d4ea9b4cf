/** A person records the steps of reporting an actively exploited vulnerability of a product. */

import { actorOf, recordAudit } from '../../access/audit/record.ts';
import type { ChangeTx } from '../../db/database.ts';
import type { CraTimes } from '../../domain/cra.ts';
import { isCveId } from '../../domain/cve.ts';
import { invalidInput, invalidTransition, orNotFound, resourceNotFound } from '../../domain/errors.ts';
import { getId } from '../../domain/ids.ts';
import { checkedText } from '../../domain/plain-name.ts';
import { minuteMs } from '../../domain/time.ts';
import type { Principal } from '../../http/principal.ts';
import { findApplication } from '../../inventory/applications/store.ts';
import { type CraRow, findCraNotification, type RecordedSteps, writeCraNotification } from './cra-store.ts';

/** The steps as a person gives them: an absent one stays as it is, and null removes it. */
export type GivenSteps = { [Step in keyof RecordedSteps]?: RecordedSteps[Step] };

// Clocks of people and of the server may differ by this much.
const toleranceMs = 5 * minuteMs;
// People give minutes, and what is known by itself has seconds.
const isBefore = (time: Date, start: Date): boolean => time.getTime() + minuteMs <= start.getTime();

/**
 * Records the given steps. A CVE that no report has found in the product is recorded too, because the company may know
 * of it from elsewhere. Throws 404 for an unknown application and for what is no CVE, 409 for one that is no product
 * and if another person has recorded something since `version`, and DomainError for steps that contradict each other.
 */
export async function recordCraSteps(
  tx: ChangeTx,
  principal: Principal,
  {
    application,
    cve,
    version,
    given,
  }: { application: string; cve: string; version: number; given: GivenSteps },
  now: Date,
): Promise<CraRow> {
  const applicationId = getId('application', application);
  const found = orNotFound(await findApplication(tx, applicationId));
  if (!isCveId(cve)) throw resourceNotFound();
  const before = await findCraNotification(tx, applicationId, cve, now);
  if (!before && !found.is_product) {
    throw invalidTransition(`The application ${found.name} is not a product. Mark it as one first.`);
  }
  const from = stepsOf(before);
  const to = checkedSteps({ ...from, ...given }, now);
  const at = now;
  const key = { applicationId, cve, version, userId: principal.user.id, at };
  if ((before?.version ?? 0) !== version || !(await writeCraNotification(tx, key, to))) {
    throw invalidTransition(
      'Another person has recorded a step meanwhile: read the notification again, then send its version.',
    );
  }
  await recordAudit(tx, actorOf(principal), 'application.cra_notification', applicationId, {
    cve,
    from: before ? textOf(from) : null,
    to: textOf(to),
  });
  const after = await findCraNotification(tx, applicationId, cve, now);
  if (!after) throw new Error('the notification is not there');
  return after;
}

type PossibleSteps = Omit<RecordedSteps, 'aware_at'> & { aware_at: Date | null };

function stepsOf(row: CraRow | undefined): PossibleSteps {
  const { aware_at = null, early_warning_at = null, notification_at = null } = row ?? {};
  const { measure_at = null, final_report_at = null, not_reportable_reason = null } = row ?? {};
  return { aware_at, early_warning_at, notification_at, measure_at, final_report_at, not_reportable_reason };
}

function checkedSteps({ aware_at: awareAt, ...steps }: PossibleSteps, now: Date): RecordedSteps {
  if (awareAt === null) {
    throw invalidInput(
      'No report has found this CVE in the product. Give the time at which the company became aware of it.',
      'aware_at',
    );
  }
  const times: CraTimes = { ...steps, aware_at: awareAt };
  for (const [field, time] of Object.entries(times).filter(([name]) => name.endsWith('_at'))) {
    if (time !== null && time.getTime() > now.getTime() + toleranceMs) {
      throw invalidInput('Must not be in the future: record a step when it is done.', field);
    }
  }
  for (const field of ['early_warning_at', 'notification_at', 'final_report_at'] as const) {
    const time = times[field];
    if (time !== null && isBefore(time, awareAt)) {
      throw invalidInput('Must not be before the company became aware (aware_at).', field);
    }
  }
  const { measure_at: measureAt, final_report_at: finalAt } = times;
  if (finalAt !== null && (measureAt === null || isBefore(finalAt, measureAt))) {
    throw invalidInput(
      'The final report follows a corrective or mitigating measure: give measure_at, not after this time.',
      'final_report_at',
    );
  }
  const reason = steps.not_reportable_reason?.trim() ?? null;
  if (reason === '') throw invalidInput('Say why nothing is to be reported.', 'not_reportable_reason');
  return {
    ...times,
    not_reportable_reason: reason === null ? null : checkedText(reason, 'not_reportable_reason'),
  };
}

function textOf(steps: PossibleSteps): Record<string, string> {
  return Object.fromEntries(
    Object.entries(steps).flatMap(([name, value]) =>
      value === null ? [] : [[name, value instanceof Date ? value.toISOString() : value]],
    ),
  );
}
