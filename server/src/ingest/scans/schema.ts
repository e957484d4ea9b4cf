/** Scans as the API shows them. */

import { Type } from 'typebox';
import { formatId } from '../../domain/ids.ts';
import { verdicts } from '../../domain/policy-enums.ts';
import { repositorySources } from '../../domain/repository-enums.ts';
import {
  addCounts,
  type ImportCounts,
  maxKeptTexts,
  maxKeptTools,
  noCounts,
} from '../../domain/written-scan.ts';
import {
  extendedObject,
  NullableInteger,
  NullableString,
  NullableTimestamp,
  namedObject,
  nullableString,
  RepositoryBrief,
  Timestamp,
  timestamp,
  timestampOrNull,
} from '../../http/schema.ts';
import { ReferenceBrief, referenceOf } from '../../vulnerabilities/schema.ts';
import { type ScanDetailRow, type ScanRow, scanStatuses, shownOutcomes } from './store.ts';

const countFields = {
  read: Type.Integer({ description: 'Number of rows in the report.' }),
  new: Type.Integer({ description: 'Vulnerabilities that were unknown in this repository.' }),
  unchanged: Type.Integer(),
  reopened: Type.Integer({
    description: 'Vulnerabilities that were fixed on this reference and are present again.',
  }),
  fixed: Type.Integer({ description: 'Vulnerabilities that are no longer present on this reference.' }),
  suppressed: Type.Integer(),
  unreadable: Type.Integer({ description: 'Rows that could not be read.' }),
  closing_held: Type.Integer({
    description: 'Vulnerabilities that would be fixed, but are held for review.',
  }),
};

const statementCounts = Type.Object(
  { decided: Type.Integer(), suggested: Type.Integer(), unmatched: Type.Integer() },
  { description: 'VEX statements of a single scan; a sum of scans has none.' },
);

const Counts = namedObject('ScanCounts', {
  ...countFields,
  statements: Type.Optional(statementCounts),
});
const NullableCounts = Type.Union([Counts, Type.Null()]);
const NullableVerdict = nullableString(verdicts.join(', '));

const ScanRepository = namedObject('ScanRepository', {
  ...RepositoryBrief.properties,
  source: Type.String({ description: repositorySources.join(', ') }),
  org: Type.Object({ full_path: Type.String() }),
});

export const ScanItem = namedObject('Scan', {
  id: Type.String(),
  repository: ScanRepository,
  reference: ReferenceBrief,
  sha: NullableString,
  status: Type.String({
    description: `${scanStatuses.join(', ')}. \`canceled\` is reserved: nothing cancels a scan.`,
  }),
  format: Type.String(),
  tools: Type.Array(Type.String(), { description: `At most ${maxKeptTools}.` }),
  category: NullableString,
  source: nullableString('current, git_history; null: the report decides.'),
  partial: Type.Boolean(),
  dry_run: Type.Boolean(),
  file_name: NullableString,
  scanned_at: Timestamp,
  created_at: Timestamp,
  started_at: NullableTimestamp,
  finished_at: NullableTimestamp,
  progress: Type.Union([
    namedObject('ScanProgress', { step: Type.String(), done: Type.Integer(), total: Type.Integer() }),
    Type.Null(),
  ]),
  counts: NullableCounts,
  warning_count: Type.Integer({
    description: `Number of warnings, at most ${maxKeptTexts}. The operation for one scan shows them.`,
  }),
  verdict: NullableVerdict,
  error: Type.Union([
    namedObject('ScanError', {
      code: Type.String(),
      message: Type.String(),
      pointer: NullableString,
      line: NullableInteger,
    }),
    Type.Null(),
  ]),
});

export const ScanDetail = extendedObject('ScanDetail', ScanItem, {
  warnings: Type.Array(Type.String()),
  unreadable: Type.Array(Type.Object({ pointer: Type.String(), reason: Type.String() }), {
    description: `The first ${maxKeptTexts} rows that could not be read. \`counts\` has the number of all.`,
  }),
});

export const ScanState = namedObject('ScanStatus', {
  repository: RepositoryBrief,
  reference: Type.Union([ReferenceBrief, Type.Null()]),
  status: NullableString,
  verdict: NullableVerdict,
  counts: NullableCounts,
  scans: Type.Array(
    namedObject('ScanRun', {
      id: Type.String(),
      reference: ReferenceBrief,
      tool: NullableString,
      category: NullableString,
      status: Type.String(),
      outcome: nullableString(
        `How the tool's run ended: ${shownOutcomes.join(', ')} (some rows could not be read, without \`force\`); null until the scan is completed, and of a late report, which says nothing of the present. Only a run that succeeded satisfies \`expect\`.`,
      ),
    }),
  ),
  missing: Type.Array(
    Type.String({ description: 'Expected tools that have no completed scan with a successful run.' }),
  ),
});

export function scanItem(scan: ScanRow) {
  return {
    id: formatId('scan', scan.id),
    repository: {
      id: formatId('repository', scan.repository_id),
      full_name: scan.repository_full_name,
      source: scan.repository_source,
      org: { full_path: scan.organization_full_path },
    },
    reference: referenceOf(scan),
    sha: scan.sha,
    status: scan.status,
    format: scan.format,
    tools: scan.tools,
    category: scan.category,
    source: scan.source,
    partial: scan.partial,
    dry_run: scan.dry_run,
    file_name: scan.file_name,
    scanned_at: timestamp(scan.scanned_at),
    created_at: timestamp(scan.created_at),
    started_at: timestampOrNull(scan.started_at),
    finished_at: timestampOrNull(scan.finished_at),
    progress: scan.progress,
    counts: scan.counts,
    warning_count: scan.warning_count,
    verdict: scan.verdict,
    error: scan.error,
  };
}

export function scanDetail(scan: ScanDetailRow) {
  return { ...scanItem(scan), warnings: scan.warnings, unreadable: scan.unreadable };
}

export function sumCounts(rows: (ImportCounts | null)[]): ImportCounts | null {
  const known = rows.filter((counts) => counts !== null);
  return known.length === 0 ? null : known.reduce(addCounts, noCounts);
}
