/**
 * The reports about an actively exploited vulnerability of a product, and when each is due: Article 14 of Regulation
 * (EU) 2024/2847, the Cyber Resilience Act, which applies since 11 September 2026.
 */
import { hourMs } from './time.ts';

/** The steps in their order. `hours` run from `from`: awareness, or the first corrective or mitigating measure. */
export const craSteps = {
  early_warning: { from: 'aware_at', hours: 24, article: 'Article 14(2)(a)' },
  notification: { from: 'aware_at', hours: 72, article: 'Article 14(2)(b)' },
  final_report: { from: 'measure_at', hours: 14 * 24, article: 'Article 14(2)(c)' },
} as const;
export type CraStep = keyof typeof craSteps;
export const craStepNames = Object.keys(craSteps) as CraStep[];

/** The state of a step: `waiting` has no clock yet, because no measure is available. */
export const craStepStates = ['waiting', 'due', 'overdue', 'sent'] as const;
export type CraStepState = (typeof craStepStates)[number];

/**
 * The state of the whole: a step is missing (`open`) or late (`overdue`), all are sent, or nothing is to be reported.
 */
export const craStates = ['open', 'overdue', 'complete', 'not_reportable'] as const;
export type CraState = (typeof craStates)[number];

export interface CraTimes {
  aware_at: Date;
  measure_at: Date | null;
  early_warning_at: Date | null;
  notification_at: Date | null;
  final_report_at: Date | null;
}

export interface CraClock {
  dueAt: Date | null;
  sentAt: Date | null;
  state: CraStepState;
}

export function craClock(step: CraStep, times: CraTimes, now: Date): CraClock {
  const { from, hours } = craSteps[step];
  const start = times[from];
  const sentAt = times[`${step}_at`];
  const dueAt = start && new Date(start.getTime() + hours * hourMs);
  if (sentAt !== null) return { dueAt, sentAt, state: 'sent' };
  if (dueAt === null) return { dueAt, sentAt, state: 'waiting' };
  return { dueAt, sentAt, state: dueAt < now ? 'overdue' : 'due' };
}

/** SQL of the time when the next step is due; null if none has a clock that runs. `row` has the columns of CraTimes. */
export function sqlNextDue(row: string): string {
  const due = craStepNames.map((step) => {
    const { from, hours } = craSteps[step];
    return `case when ${row}.${step}_at is null then ${row}.${from} + interval '${hours} hours' end`;
  });
  return `least(${due.join(', ')})`;
}
