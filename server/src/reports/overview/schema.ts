/** The overview and the trend as the API shows them. */

import { Type } from 'typebox';
import { severities } from '../../domain/packed-state.ts';
import { verdicts } from '../../domain/policy-enums.ts';
import { BySeverity } from '../../http/by-severity.ts';
import {
  extendedObject,
  IdAndName,
  NullableInteger,
  NullableTimestamp,
  namedObject,
  nullableString,
  OrganizationBrief,
  oneOf,
  RepositoryBrief,
} from '../../http/schema.ts';
import { SeveritySummary } from '../../vulnerabilities/schema.ts';

const Week = namedObject('WeekFigures', {
  new: Type.Integer({
    description:
      'Vulnerabilities that were found for the first time within the last seven days (UTC), today included.',
  }),
  new_before: NullableInteger,
  fixed: Type.Integer(),
  fixed_before: NullableInteger,
});

const Sla = namedObject('SlaFigures', {
  resolved: Type.Integer({
    description:
      'Violations on tracked references that were open or in review, and were resolved within the last 90 days.',
  }),
  kept: Type.Integer({ description: 'Those that were resolved by their due date.' }),
  percent: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Percentage of `resolved` that is `kept`, rounded down; null if none was resolved.',
  }),
});

const TrendWeek = namedObject('TrendWeek', {
  from: Type.String({ format: 'date' }),
  to: Type.String({ format: 'date' }),
  open: Type.Integer({ description: 'Open at the end of the week.' }),
  new: Type.Integer(),
  fixed: Type.Integer(),
});

const FirstDay = nullableString('The day of the first scan; null before it.', { format: 'date' });

const ViolationFigures = namedObject('ViolationFigures', {
  open: Type.Integer({ description: 'Open or in review.' }),
  blocking: Type.Integer(),
  overdue: Type.Integer(),
  due_soon: Type.Integer({ description: 'Due within seven days.' }),
});

const RepositoryRisk = namedObject('RepositoryRisk', {
  ...RepositoryBrief.properties,
  open: Type.Integer(),
  by_severity: BySeverity,
  score: Type.Integer({
    description: 'Sum of the open vulnerabilities, each with the weight of its severity.',
  }),
});

const FixTime = namedObject('FixTime', {
  severity: oneOf(severities),
  fixed: Type.Integer({ description: 'Number within 90 days.' }),
  mean_seconds: NullableInteger,
});

const RiskFigures = namedObject('RiskFigures', {
  open: SeveritySummary,
  violations: ViolationFigures,
  repositories: Type.Array(RepositoryRisk, { description: 'The ten repositories with the highest score.' }),
  fix_time: Type.Array(FixTime),
  week: Week,
  exploitable: Type.Integer({
    description:
      'Open vulnerabilities that are known to be exploitable: on tracked references, or on all with the scope `all`.',
  }),
  kev_loaded: Type.Boolean({
    description:
      "False: CISA's catalogue of exploited vulnerabilities was never loaded, so `exploitable` lacks its entries.",
  }),
  sla: Sla,
});

export const Overview = extendedObject('Overview', RiskFigures, {
  scans: Type.Object({
    last_finished_at: NullableTimestamp,
    failed_week: Type.Integer({ description: 'Scans that were uploaded within seven days and failed.' }),
    held_closures: Type.Integer({ description: 'Series with a held closure.' }),
    stale_series: Type.Integer({
      description: 'True: no report of the series has come for long, although its reference is active.',
    }),
  }),
  exceptions_requested: Type.Integer({
    description: 'Requested exceptions that wait for the review of an admin.',
  }),
});

export const StatusReport = extendedObject('StatusReport', RiskFigures, {
  organization: Type.Union([OrganizationBrief, Type.Null()]),
  application: Type.Union([IdAndName, Type.Null()]),
  at: Type.String({ format: 'date-time' }),
  since: FirstDay,
  weeks: Type.Array(TrendWeek, { description: 'The weeks of the last 90 days, as in the trend.' }),
  risks: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      severity: oneOf(severities),
      introduced_at: Type.String({ format: 'date-time' }),
      repository: RepositoryBrief,
    }),
    {
      description:
        'At most ten open and exploitable vulnerabilities: the most severe first, then the oldest.',
    },
  ),
  parts: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String({ description: 'Full path of an organization, or name of an application.' }),
      open: Type.Integer(),
      by_severity: BySeverity,
      score: Type.Integer({ description: 'Computed like the score of repositories.' }),
      fixed: Type.Integer({ description: 'Number within 90 days.' }),
      mean_seconds: NullableInteger,
      sla: Sla,
    }),
    {
      description:
        'Only for the whole workspace: the twenty organizations or applications with the highest score.',
    },
  ),
});

export const RepositoryCounts = namedObject('RepositoryCounts', {
  id: Type.String(),
  open: Type.Integer(),
  by_severity: BySeverity,
});

export const GroupCounts = namedObject('GroupCounts', {
  id: Type.String(),
  open: Type.Integer({ description: 'Open vulnerabilities in all its repositories.' }),
  by_severity: BySeverity,
  last_scanned_at: NullableTimestamp,
  verdict: nullableString(
    `${verdicts.join(', ')}: the strongest of the default branches of its repositories.`,
  ),
});

export const TeamOpen = namedObject('TeamOpen', {
  id: Type.String(),
  open: Type.Integer({ description: 'Open vulnerabilities on tracked references whose file the team owns.' }),
  by_severity: BySeverity,
});

export const Trend = namedObject('Trend', {
  repository: Type.Union([RepositoryBrief, Type.Null()]),
  since: FirstDay,
  days: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date' }),
      open: Type.Integer({ description: 'Open at the end of the day (UTC); for today, at present.' }),
      new: Type.Integer(),
      fixed: Type.Integer(),
      open_by_severity: BySeverity,
    }),
  ),
  weeks: Type.Array(TrendWeek, {
    description: 'The same days since the first scan, in weeks that end today; the first may be shorter.',
  }),
});
