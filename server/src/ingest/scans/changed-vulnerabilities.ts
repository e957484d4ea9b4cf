/**
 * Lists of the vulnerabilities behind a number: those that a scan found first, those that it fixed, and those that the
 * mass-closure check keeps it from closing. Each is shown as it is now on the reference of the scan, the worst first.
 * This file only reads.
 */

import type { Static } from 'typebox';
import { Parameters, type Tx } from '../../db/database.ts';
import { rowByKey } from '../../db/planner-hints.ts';
import { firstIdSince, type ReferenceId, type SeriesId, type VulnerabilityId } from '../../domain/ids.ts';
import { type Severity, severityRank, sqlSeverity, sqlSeverityRank } from '../../domain/packed-state.ts';
import { bySeverityOf } from '../../http/by-severity.ts';
import { idIn, type OpenPage } from '../../http/page.ts';
import { extendedObject, namedObject, page } from '../../http/schema.ts';
import {
  SeveritySummary,
  VulnerabilityItem,
  type VulnerabilityRow,
  vulnerabilityItem,
} from '../../vulnerabilities/schema.ts';
import { Identifiers, sqlIdentifiers } from '../../vulnerabilities/vulnerability-fields.ts';
import { sqlHeldClosure } from '../import/held-closure-store.ts';
import type { ScanRow } from './store.ts';

export const scanChanges = ['new', 'fixed'] as const;
export type ScanChange = (typeof scanChanges)[number];

const ChangedItem = extendedObject('ChangedVulnerability', VulnerabilityItem, {
  identifiers: Identifiers,
});
export const ChangedList = namedObject('ChangedVulnerabilityPage', {
  summary: SeveritySummary,
  ...page(ChangedItem).properties,
});

interface ChangedRow extends VulnerabilityRow {
  identifiers: string[];
}

/** A set of vulnerabilities, as a statement that returns their ids, and the reference on which they are shown. */
export interface ChangedSet {
  referenceId: ReferenceId;
  sql: string;
  /** The values of `sql` from $3 on. $1 is the workspace and $2 is the reference. */
  values: unknown[];
}

// Ids carry the clock of the process that made them, and scans carry the clock of the database. Five minutes is more
// than the two may differ.
const clockMarginMs = 5 * 60 * 1000;

/** Returns the changes of a completed scan. A dry run has changed nothing and must not be passed. */
export function changedByScan(scan: ScanRow, change: ScanChange): ChangedSet {
  const { reference_id: referenceId } = scan;
  if (change === 'new') {
    const from = new Date((scan.started_at ?? scan.created_at).getTime() - clockMarginMs);
    const to = new Date((scan.finished_at ?? new Date()).getTime() + clockMarginMs);
    return {
      referenceId,
      sql: `select v.id from vulnerability v
             where v.tenant_id = $1 and v.id >= $3 and v.id < $4 and v.repository_id = $5 and v.opened_scan_id = $6`,
      values: [firstIdSince(from), firstIdSince(to), scan.repository_id, scan.id],
    };
  }
  // A fixed vulnerability left the series with this scan, and left the reference with it; otherwise another series may
  // still see it there.
  return {
    referenceId,
    sql: `select distinct g.vulnerability_id as id
            from series_scan t
            join location_observation g on g.tenant_id = $1 and g.series_id = t.series_id and g.until_seq = t.seq
           where t.tenant_id = $1 and t.scan_id = $3 and not t.detached
             and (exists (select 1 from vulnerability_event e
                           where e.tenant_id = $1 and e.vulnerability_id = g.vulnerability_id and e.scan_id = $3
                             and e.kind = 'fixed')
               or exists (select 1 from vulnerability_reference p
                           where p.tenant_id = $1 and p.vulnerability_id = g.vulnerability_id
                             and p.reference_id = $2 and not p.live and p.fixed_at = $4))`,
    values: [scan.id, scan.scanned_at],
  };
}

/**
 * Returns the vulnerabilities that the series' newest complete scan would have fixed and the mass-closure check keeps
 * open.
 */
export function heldOfSeries(series: { id: SeriesId; reference_id: ReferenceId }): ChangedSet {
  return {
    referenceId: series.reference_id,
    sql: sqlHeldClosure('$3::uuid', '$2::uuid'),
    values: [series.id],
  };
}

export interface ChangedPosition {
  rank: number;
  id: VulnerabilityId;
}

/** Returns a page in order of severity, and within one severity the newest first. */
export async function readChanged(
  tx: Tx,
  set: ChangedSet,
  list: OpenPage,
): Promise<Static<typeof ChangedList>> {
  const after = list.after && { rank: Number(list.after[0]), id: idIn(list.after[1]) };
  const rows = await listChanged(tx, set, after, list.take);
  return {
    summary: await countChanged(tx, set),
    ...list.answer(rows, changedItem, (last) => [severityRank(last.packed_state), last.id]),
  };
}

function changedItem(row: ChangedRow): Static<typeof ChangedItem> {
  return { ...vulnerabilityItem(row), identifiers: row.identifiers };
}

async function countChanged(tx: Tx, set: ChangedSet): Promise<Static<typeof SeveritySummary>> {
  const rows = await tx.query<{ severity: Severity; n: number }>(
    `${locationsOf(set)} select ${sqlSeverity('packed_state')} as severity, count(*)::int as n from location group by 1`,
    [tx.tenantId, set.referenceId, ...set.values],
  );
  return { total: rows.reduce((sum, { n }) => sum + n, 0), by_severity: bySeverityOf(rows) };
}

async function listChanged(
  tx: Tx,
  set: ChangedSet,
  after: ChangedPosition | null,
  limit: number,
): Promise<ChangedRow[]> {
  const { values, add } = new Parameters(tx.tenantId, set.referenceId, ...set.values);
  const rank = sqlSeverityRank('packed_state');
  const rest = after ? `where (${rank}, id) < (${add(after.rank)}::int, ${add(after.id)}::uuid)` : '';
  return tx.query<ChangedRow>(
    `${locationsOf(set)}
     select v.id, v.title, k.packed_state, v.resolution, v.introduced_at, v.vulnerable_at, v.exploitable_at,
            v.repository_id, r.name as repository_name, r.full_name as repository_full_name,
            l.id as location_id, l.path, l.line, l.vulnerable_at as location_vulnerable_at,
            l.fixed_at as location_fixed_at, l.suppressed,
            f.id as reference_id, f.full_ref, f.head_sha as reference_sha, f.type as reference_type,
            f.active as reference_active,
            ${sqlIdentifiers} as identifiers
       from (select id, packed_state, location_id from location ${rest} order by ${rank} desc, id desc limit ${add(limit)}) k
       join vulnerability v on v.tenant_id = $1 and v.id = k.id
       join repository r on r.tenant_id = $1 and r.id = v.repository_id
       join vulnerability_location l on l.tenant_id = $1 and l.id = k.location_id
       join reference f on f.tenant_id = $1 and f.id = $2
      order by ${sqlSeverityRank('k.packed_state')} desc, k.id desc`,
    values,
  );
}

function locationsOf({ sql }: ChangedSet): string {
  return `with changed as materialized (${sql}),
     location as materialized (
       select c.id, p.packed_state, p.location_id from changed c
        cross join lateral ${rowByKey('vulnerability_reference p', 'c.id', {
          column: 'vulnerability_id',
          where: 'p.reference_id = $2',
        })})`;
}
