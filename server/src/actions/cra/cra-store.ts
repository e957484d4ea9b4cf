/**
 * SQL of the actively exploited vulnerabilities of products. A vulnerability is one CVE of CISA's catalogue in one
 * application that is a product, whether a tracked reference has it or had it; a rejected one is not, unless a name was
 * joined later.
 * The vulnerabilities with steps that a person has recorded stay in the list, whatever becomes of them. The cost grows
 * with the exploited vulnerabilities of the workspace.
 */
import type { Tx } from '../../db/database.ts';
import { rowByKey, separate } from '../../db/planner-hints.ts';
import { type CraState, type CraTimes, craStepNames, sqlNextDue } from '../../domain/cra.ts';
import type { ApplicationId, UserId } from '../../domain/ids.ts';
import {
  type Severity,
  sqlHighestSeverity,
  sqlIsInScope,
  sqlSeverity,
  sqlStatusIn,
} from '../../domain/packed-state.ts';
import { sqlCvesOf } from '../../vulnerabilities/cves.ts';
import { sqlIsPresent } from '../../vulnerabilities/present.ts';

export interface CraRow extends CraTimes {
  application_id: ApplicationId;
  application: string;
  cve: string;
  title: string | null;
  severity: Severity | null;
  /** When both the finding and the entry of the catalogue were there first; null if only a person knows of it. */
  known_at: Date | null;
  repositories: number;
  present_repositories: number;
  not_reportable_reason: string | null;
  /** 0 until a person has recorded something. */
  version: number;
  changed_by_name: string | null;
  changed_at: Date | null;
  next_due_at: Date | null;
  state: CraState;
  /** All steps are sent, or nothing is to be reported. */
  is_done: boolean;
}

/**
 * SQL of the vulnerabilities `v` that may be exploited, with the application `x` whose repository has or had them on a
 * tracked reference: nobody gets the product of another branch. A rejected one is none, unless a name was joined after
 * the decision. The index of exploitable vulnerabilities finds them; `$1` is the workspace.
 */
export const sqlExploitable = `${separate(`select v.* from vulnerability v
      where v.tenant_id = $1 and v.exploitable_at is not null and ${sqlIsInScope('v.packed_state', 'tracked')}
        and not (${sqlStatusIn('v.packed_state', 'rejected')} and v.decision_covers_names)`)} v
     join application_repository x on x.tenant_id = $1 and x.repository_id = v.repository_id`;

const exploited = `select x.application_id, i.cve, min(v.title) as title,
          min(greatest(v.introduced_at, k.added_on)) as known_at,
          ${sqlHighestSeverity(sqlSeverity('v.packed_state'))} as severity, count(distinct v.repository_id)::int as repositories,
          (count(distinct v.repository_id) filter (where ${sqlIsPresent}))::int as present_repositories
     from ${sqlExploitable}
     join application a on a.tenant_id = $1 and a.id = x.application_id and a.is_product
    cross join lateral ${sqlCvesOf} i
    cross join lateral ${separate('select k.added_on::timestamptz as added_on from kev k where k.cve = i.cve')} k
    group by x.application_id, i.cve`;

const allSent = craStepNames.map((step) => `c.${step}_at is not null`).join(' and ');

// $2 is the time by which a step is overdue. The clocks stand where nothing is to be reported.
const listed = `select c.*, c.state in ('complete', 'not_reportable') as is_done, a.name as application,
          u.name as changed_by_name
     from (select c.*,
                  case when c.not_reportable_reason is not null then 'not_reportable' when ${allSent} then 'complete'
                       when c.next_due_at < $2::timestamptz then 'overdue' else 'open' end as state
             from (select c.*, case when c.not_reportable_reason is null then ${sqlNextDue('c')} end as next_due_at
                     from (select coalesce(e.application_id, n.application_id) as application_id,
                                  coalesce(e.cve, n.cve) as cve, e.title, e.severity, e.known_at,
                                  coalesce(e.repositories, 0) as repositories,
                                  coalesce(e.present_repositories, 0) as present_repositories,
                                  coalesce(n.aware_at, e.known_at) as aware_at, n.early_warning_at,
                                  n.notification_at, n.measure_at, n.final_report_at, n.not_reportable_reason,
                                  coalesce(n.version, 0) as version, n.changed_by, n.changed_at
                             from (${exploited}) e
                             full join (select * from cra_notification where tenant_id = $1) n
                               on n.application_id = e.application_id and n.cve = e.cve) c) c) c
    cross join lateral ${rowByKey('application a', 'c.application_id')}
     left join user_account u on u.id = c.changed_by`;

/** The position of a notification in the list. */
export interface CraPosition {
  isDone: boolean;
  dueAt: string;
  applicationId: ApplicationId;
  cve: string;
}

export interface CraListQuery {
  state: CraState | null;
  applicationId: ApplicationId | null;
  /** The position of the last row of the page before. */
  after: CraPosition | null;
  limit: number;
}

// A clock that does not run yet is due after all others.
const never = '9999-12-31T00:00:00Z';

/** The unfinished ones by their next due date, then the others. */
export async function listCraNotifications(tx: Tx, query: CraListQuery, now: Date): Promise<CraRow[]> {
  const { state, applicationId, after, limit } = query;
  return tx.query<CraRow>(
    `select * from (${listed}) c
      where ($9::text[] is null or c.state = any($9))
        and ($3::uuid is null or c.application_id = $3)
        and ($4::boolean is null
          or (c.is_done, coalesce(c.next_due_at, '${never}'), c.application_id, c.cve)
             > ($4, $5::timestamptz, $6::uuid, $7::text collate "C"))
      order by c.is_done, coalesce(c.next_due_at, '${never}'), c.application_id, c.cve limit $8`,
    [
      tx.tenantId,
      now,
      applicationId,
      after?.isDone ?? null,
      after?.dueAt ?? null,
      after?.applicationId ?? null,
      after?.cve ?? null,
      limit,
      // An overdue one is open too.
      state === null ? null : state === 'open' ? ['open', 'overdue'] : [state],
    ],
  );
}

/** The position of a row in the list. */
export function craPositionOf(row: CraRow): [number, string, string, string] {
  return [Number(row.is_done), row.next_due_at?.toISOString() ?? never, row.application_id, row.cve];
}

export async function findCraNotification(
  tx: Tx,
  applicationId: ApplicationId,
  cve: string,
  now: Date,
): Promise<CraRow | undefined> {
  const [row] = await tx.query<CraRow>(
    `select * from (${listed}) c where c.application_id = $3 and c.cve = $4`,
    [tx.tenantId, now, applicationId, cve],
  );
  return row;
}

export interface RecordedSteps extends CraTimes {
  not_reportable_reason: string | null;
}

/**
 * Records the steps. `version` is that of the steps before, or 0 if there are none. Returns false if another change
 * came first.
 */
export async function writeCraNotification(
  tx: Tx,
  key: { applicationId: ApplicationId; cve: string; version: number; userId: UserId; at: Date },
  steps: RecordedSteps,
): Promise<boolean> {
  const rows = await tx.query(
    key.version === 0
      ? `insert into cra_notification (tenant_id, application_id, cve, changed_by, changed_at, aware_at, early_warning_at,
                notification_at, measure_at, final_report_at, not_reportable_reason)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning version`
      : `update cra_notification
            set version = version + 1, changed_by = $4, changed_at = $5, aware_at = $6, early_warning_at = $7,
                notification_at = $8, measure_at = $9, final_report_at = $10, not_reportable_reason = $11
          where tenant_id = $1 and application_id = $2 and cve = $3 and version = $12 returning version`,
    [
      ...[tx.tenantId, key.applicationId, key.cve, key.userId, key.at],
      ...[steps.aware_at, steps.early_warning_at, steps.notification_at, steps.measure_at],
      ...[steps.final_report_at, steps.not_reportable_reason],
      ...(key.version === 0 ? [] : [key.version]),
    ],
  );
  return rows.length > 0;
}
