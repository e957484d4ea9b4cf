/** SQL of single violations: the exception in force, and the scan that saw the target. */

import type { Tx } from '../../db/database.ts';
import type { ExceptionId, RepositoryId, ScanId } from '../../domain/ids.ts';
import type { EnforcementMode, TargetId, TargetType } from '../../domain/policy-enums.ts';
import type { ExceptionMode } from '../exceptions/exception-store.ts';

export async function findException(
  tx: Tx,
  id: ExceptionId,
): Promise<{ id: ExceptionId; mode: ExceptionMode; enforcement_mode: EnforcementMode | null } | undefined> {
  const [row] = await tx.query<{
    id: ExceptionId;
    mode: ExceptionMode;
    enforcement_mode: EnforcementMode | null;
  }>('select id, mode, enforcement_mode from policy_exception where tenant_id = $1 and id = $2', [
    tx.tenantId,
    id,
  ]);
  return row;
}

export interface SeeingScan {
  id: ScanId;
  full_ref: string;
  sha: string | null;
  started_at: Date | null;
  finished_at: Date | null;
}

// The series that show or have shown the target. For a vulnerability, `until_seq` is the number of the scan that ended
// its observation; null means that the series still shows it.
const seriesOf: Partial<Record<TargetType, string>> = {
  vulnerability: `select g.series_id, g.until_seq from vulnerability_location l
       join location_observation g on g.tenant_id = $1 and g.location_id = l.id
      where l.tenant_id = $1 and l.vulnerability_id = $2`,
  package: `select m.series_id, null::int as until_seq from package_version n
       join manifest_package m on m.tenant_id = $1 and m.package_version_id = n.id and m.repository_id = $3
      where n.tenant_id = $1 and n.package_id = $2`,
  package_version: `select m.series_id, null::int as until_seq from manifest_package m
      where m.tenant_id = $1 and m.package_version_id = $2 and m.repository_id = $3`,
  manifest: `select t.id as series_id, null::int as until_seq from scan_series t
      where t.tenant_id = $1 and t.repository_id = $3 and exists (
        select 1 from manifest_package m
         where m.tenant_id = $1 and m.reference_id = t.reference_id and m.series_id = t.id and m.manifest_id = $2)`,
  analysis: `select t.id as series_id, null::int as until_seq from analysis a
       join repository r on r.tenant_id = $1 and r.id = a.repository_id
       join scan_series t on t.tenant_id = $1 and t.reference_id = r.default_reference_id
        and a.type = any(t.analysis_types)
      where a.tenant_id = $1 and a.id = $2`,
  asset: `select t.id as series_id, null::int as until_seq from scan_series t
      where t.tenant_id = $1 and t.repository_id = $3 and t.asset_id = $2`,
};

/** The newest completed scan that saw the target. */
export async function findSeeingScan(
  tx: Tx,
  type: TargetType,
  target: { target_id: TargetId; repository_id: RepositoryId },
): Promise<SeeingScan | undefined> {
  const seriesList = seriesOf[type];
  if (seriesList === undefined) return undefined;
  const [row] = await tx.query<SeeingScan>(
    `select s.id, f.full_ref, s.sha, s.started_at, s.finished_at
       from (select x.series_id, bool_or(x.until_seq is null) as is_open, max(x.until_seq) as until_seq
               from (${seriesList}) x where $3::uuid is not null group by x.series_id) x
      cross join lateral (
        select c.scan_id from series_scan c
         where c.tenant_id = $1 and c.series_id = x.series_id and (x.is_open or c.seq < x.until_seq)
         order by c.seq desc limit 1) c
       join scan s on s.tenant_id = $1 and s.id = c.scan_id and s.status = 'completed'
       join reference f on f.tenant_id = $1 and f.id = s.reference_id
      order by s.scanned_at desc, s.id desc limit 1`,
    [tx.tenantId, target.target_id, target.repository_id],
  );
  return row;
}
