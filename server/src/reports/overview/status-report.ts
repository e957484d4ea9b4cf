/** The status report: the figures of a workspace, an organization or an application, for those who decide about it. */
import { isKevLoaded } from '../../actions/intel/store.ts';
import type { Tx } from '../../db/database.ts';
import { dueRange } from '../../domain/due.ts';
import { orNotFound } from '../../domain/errors.ts';
import { formatId } from '../../domain/ids.ts';
import { severityCountsOf } from '../../http/by-severity.ts';
import { timestamp } from '../../http/schema.ts';
import { getNamedApplication } from '../../inventory/applications/service.ts';
import { findNamedOrganization } from '../../inventory/organizations/service.ts';
import { fixTimesOf, meanOf, outcomeDays, slaOf, weekOf } from './figures.ts';
import { countExploitable } from './figures-store.ts';
import { openSummary, riskItem, riskWeights, shownRepositories } from './overview.ts';
import {
  countViolationsIn,
  listExploitable,
  listParts,
  listRepositoryIds,
  type PartKind,
  type PartRow,
  type RiskVulnerability,
} from './status-report-store.ts';
import { countOpen, countViolations, listByRisk, listDays, listOutcomes } from './store.ts';
import { datesUpTo, readHistory } from './trend.ts';

const shownRisks = 10;
const shownParts = 20;

export interface StatusReportQuery {
  organization?: string;
  application?: string;
  by?: PartKind;
}

/** Throws 404 for an unknown organization or application. */
export async function readStatusReport(tx: Tx, query: StatusReportQuery, now: Date) {
  const { by = 'organization' } = query;
  const { subject, organization, application } = await resolveSubject(tx, query);
  const dates = datesUpTo(now, 14);
  const since = datesUpTo(now, outcomeDays)[0] ?? '';
  const times = { now, soon: dueRange('soon', now).to ?? now };
  const [open, history, days, outcomes, exploitable, violations, repositories, risks, parts, kevLoaded] =
    await Promise.all([
      countOpen(tx, subject),
      readHistory(tx, subject, { days: outcomeDays, now }),
      listDays(tx, subject, { since: dates[0] ?? '', until: dates.at(-1) ?? '' }),
      listOutcomes(tx, subject, since),
      countExploitable(tx, subject, 'tracked'),
      subject === null
        ? countViolations(tx, { ...times, onlyTracked: true })
        : countViolationsIn(tx, subject.repositoryIds, times),
      listByRisk(tx, subject, 'tracked', riskWeights, shownRepositories),
      listExploitable(tx, subject, shownRisks),
      subject === null ? listParts(tx, by, { weights: riskWeights, since, limit: shownParts }) : [],
      isKevLoaded(tx),
    ]);
  return {
    organization,
    application,
    at: timestamp(now),
    since: history.since,
    weeks: history.weeks,
    open: openSummary(open),
    week: weekOf(dates, days, history.since),
    exploitable,
    kev_loaded: kevLoaded,
    violations,
    sla: slaOf(outcomes),
    fix_time: fixTimesOf(outcomes),
    repositories: repositories.map(riskItem),
    risks: risks.map(vulnerabilityItem),
    parts: parts.map((row) => partItem(row, by)),
  };
}

async function resolveSubject(tx: Tx, { organization: path, application: name }: StatusReportQuery) {
  if (path !== undefined) {
    const found = orNotFound(await findNamedOrganization(tx, path), `There is no organization ${path}.`);
    return {
      subject: { repositoryIds: await listRepositoryIds(tx, found.id) },
      organization: {
        id: formatId('organization', found.id),
        name: found.name,
        full_path: found.full_path,
      },
      application: null,
    };
  }
  if (name === undefined) return { subject: null, organization: null, application: null };
  const { application, repositories } = await getNamedApplication(tx, name);
  return {
    subject: { repositoryIds: repositories.map(({ id }) => id) },
    organization: null,
    application: { id: formatId('application', application.id), name: application.name },
  };
}

function vulnerabilityItem(row: RiskVulnerability) {
  return {
    id: formatId('vulnerability', row.id),
    title: row.title,
    severity: row.severity,
    introduced_at: timestamp(row.introduced_at),
    repository: { id: formatId('repository', row.repository_id), full_name: row.full_name },
  };
}

function partItem({ id, name, open, score, fixed, seconds, resolved, in_time }: PartRow, kind: PartKind) {
  const { total, by_severity } = openSummary(severityCountsOf(open));
  return {
    id: formatId(kind, id),
    name,
    open: total,
    by_severity,
    score,
    fixed,
    mean_seconds: meanOf(seconds, fixed),
    sla: slaOf([{ resolved, in_time }]),
  };
}
