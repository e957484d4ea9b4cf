/** SQL of the references of a repository with their last scan, open vulnerabilities and verdict. */

import type { Tx } from '../../db/database.ts';
import { rowByKey, rowsByKey } from '../../db/planner-hints.ts';
import type { ReferenceId, RepositoryId } from '../../domain/ids.ts';
import { type Severity, sqlIsOpen, sqlSeverity } from '../../domain/packed-state.ts';
import { sqlStrongestVerdict, type Verdict } from '../../domain/policy-enums.ts';
import type { ReferenceType } from '../../domain/reference-name.ts';

export interface ReferenceListRow {
  id: ReferenceId;
  full_ref: string;
  type: ReferenceType;
  head_sha: string | null;
  is_default: boolean;
  tracked: boolean;
  active: boolean;
  last_scanned_at: Date | null;
  base_ref: string | null;
  environment_key: string | null;
  /** Severity → open vulnerabilities on the reference; severities without any are missing. */
  open: Partial<Record<Severity, number>>;
  /** The strongest verdict of the newest scans. */
  verdict: Verdict | null;
}

/** The last row of the page before. `scannedAt` is null if the reference has no scan. */
export interface ReferencePosition {
  isDefault: boolean;
  scannedAt: Date | null;
  id: ReferenceId;
}

/** In SQL: a subquery with the strongest verdict of the newest scans of the reference. */
export const newestVerdict = (referenceId: string): string => `(
        select ${sqlStrongestVerdict('s.verdict')} as verdict
          from ${rowsByKey('scan_series t', referenceId, { column: 'reference_id', next: 'tool' })}
         cross join lateral ${rowByKey('scan s', 't.last_scan_id')} where s.status = 'completed')`;

export interface RepositoryScanRow {
  id: RepositoryId;
  last_scanned_at: Date | null;
  /** The verdict of the default branch. */
  verdict: Verdict | null;
}

/** The last scans of these repositories, in the order of the ids; unknown ids are left out. */
export async function listRepositoryScans(tx: Tx, ids: RepositoryId[]): Promise<RepositoryScanRow[]> {
  return tx.query<RepositoryScanRow>(
    `select r.id, r.last_scanned_at, v.verdict
       from unnest($2::uuid[]) with ordinality k (id, n)
      cross join lateral ${rowByKey('repository r', 'k.id')}
       left join lateral ${rowByKey('reference d', 'r.default_reference_id', { where: 'd.active' })} on true
      cross join lateral ${newestVerdict('d.id')} v
      order by k.n`,
    [tx.tenantId, ids],
  );
}

/**
 * References after the position: the default branch, then the newest scanned. A page reads all references of the
 * repository, which are as many as its pull requests. It reads the other fields for its own rows only.
 */
export async function listReferences(
  tx: Tx,
  repositoryId: RepositoryId,
  after: ReferencePosition | null,
  limit: number,
): Promise<ReferenceListRow[]> {
  const scannedAt = `coalesce(last_scanned_at, '-infinity')`;
  return tx.query<ReferenceListRow>(
    `select f.id, f.full_ref, f.type, f.head_sha, f.is_default, f.tracked, f.active, f.last_scanned_at, f.base_ref, f.environment_key, v.verdict,
            coalesce(c.open, '{}') as open
       from (select id, full_ref, type, head_sha, is_default, tracked, active, last_scanned_at,
                   base_ref, environment_key, ${scannedAt} as scanned_at
              from reference
              where tenant_id = $1 and repository_id = $2
                and ($3::boolean is null
                  or (is_default, ${scannedAt}, id) < ($3, coalesce($4::timestamptz, '-infinity'), $5::uuid))
              order by is_default desc, scanned_at desc, id desc limit $6) f
      cross join lateral (
        select json_object_agg(severity, n) as open
          from (select ${sqlSeverity('packed_state')} as severity, sum(count) as n from vulnerability_count
                 where tenant_id = $1 and scope = 'reference' and key = f.id
                   and ${sqlIsOpen('packed_state')} and count > 0 group by 1) c) c
      cross join lateral ${newestVerdict('f.id')} v
      order by f.is_default desc, f.scanned_at desc, f.id desc`,
    [
      tx.tenantId,
      repositoryId,
      after?.isDefault ?? null,
      after?.scannedAt?.toISOString() ?? null,
      after?.id ?? null,
      limit,
    ],
  );
}

/** The ids of the repositories that have a reference in one of these environments. */
export async function listRepositoriesDeployedTo(tx: Tx, environments: string[]): Promise<RepositoryId[]> {
  const rows = await tx.query<{ id: RepositoryId }>(
    `select distinct repository_id as id from reference
      where tenant_id = $1 and environment_key = any($2::text[]) order by id`,
    [tx.tenantId, environments],
  );
  return rows.map(({ id }) => id);
}
