/** SQL that reads the claims that count (`counting-claims.ts`), and the series that make them. */
import type { Tx } from '../db/database.ts';
import { rowByKey, rowsByKey } from '../db/planner-hints.ts';
import type { ReferenceId, RepositoryId, SeriesId, VulnerabilityId } from '../domain/ids.ts';
import type { Severity } from '../domain/packed-state.ts';
import { sqlClaimTitle, sqlFixedVersions } from './claim-columns.ts';
import { sqlClaimCounts, sqlClaimReference, sqlSuppressionDecides } from './counting-claims.ts';
import type { ReporterClaim, Suppression } from './status.ts';

export interface CountingClaim extends ReporterClaim {
  vulnerability_id: VulnerabilityId;
  /** The suppression of this reporter, if it may decide and has not ended by the time of the database. */
  suppression: Suppression | null;
}

const claimContent = [
  ...[
    'vulnerability_id',
    'tool',
    'severity',
    'title',
    'fixed_versions',
    'cvss_score',
    'exploitable',
    'verified',
  ],
  ...['malware', 'history', 'suppression_overrides_policy', 'suppression_reason', 'suppressed_until'],
].map((column) => `w.${column}`);

/**
 * Lists the claims on these vulnerabilities that count, those of `seriesIds` or else of all series. Those with the same
 * content are one, because the series of many pull requests say the same, and it is as new as the newest of them.
 */
export async function listCountingClaims(
  tx: Tx,
  ids: VulnerabilityId[],
  seriesIds?: SeriesId[],
): Promise<CountingClaim[]> {
  const rows = await tx.query<{
    vulnerability_id: VulnerabilityId;
    tool: string;
    severity: Severity;
    title: string;
    fixed_versions: string[];
    cvss_score: number | null;
    exploitable: boolean;
    verified: boolean;
    malware: boolean;
    history: boolean;
    tracked: boolean;
    suppresses: boolean;
    suppression_overrides_policy: boolean;
    suppression_reason: string | null;
    suppressed_until: Date | null;
    updated_at: Date;
  }>(
    `select w.vulnerability_id, w.tool, w.severity, ${sqlClaimTitle('w', 'v')} as title,
            ${sqlFixedVersions('w')} as fixed_versions, w.cvss_score,
            w.exploitable, w.verified, w.malware, w.history, w.tracked, w.suppresses,
            w.suppression_overrides_policy, w.suppression_reason, w.suppressed_until, w.updated_at
       from (select ${claimContent.join(', ')}, f.tracked,
                    ${sqlSuppressionDecides('w')} and coalesce(w.suppressed_until > now(), true) as suppresses,
                    max(w.updated_at) as updated_at
               from vulnerability_reporter w
               ${sqlClaimReference('w')}
              where w.tenant_id = $1 and w.vulnerability_id = any($2::uuid[]) and ${sqlClaimCounts('w')}
                ${seriesIds ? 'and w.series_id = any($3::uuid[])' : ''}
              group by ${claimContent.join(', ')}, f.tracked, suppresses) w
      cross join lateral ${rowByKey('vulnerability v', 'w.vulnerability_id')}`,
    [tx.tenantId, ids, ...(seriesIds ? [seriesIds] : [])],
  );
  return rows.map((row) => ({
    vulnerability_id: row.vulnerability_id,
    tool: row.tool,
    severity: row.severity,
    title: row.title,
    fixedVersions: row.fixed_versions,
    cvssScore: row.cvss_score,
    exploitable: row.exploitable,
    verified: row.verified,
    malware: row.malware,
    history: row.history,
    tracked: row.tracked,
    suppression: row.suppresses
      ? {
          reason: row.suppression_reason,
          until: row.suppressed_until,
          overridesPolicy: row.suppression_overrides_policy,
          saidAt: row.updated_at,
        }
      : null,
  }));
}

/** Lists the series of the tracked references of these repositories, and those of the given references. */
export async function listSeriesOfReferences(
  tx: Tx,
  { trackedIn, references }: { trackedIn: RepositoryId[]; references: readonly ReferenceId[] },
): Promise<SeriesId[]> {
  const rows = await tx.query<{ id: SeriesId }>(
    `select s.id
       from (select f.id
               from unnest($2::uuid[]) as k (id)
               cross join lateral ${rowsByKey('reference f', 'k.id', { column: 'repository_id', next: 'id', where: 'f.tracked' })}
             union select unnest($3::uuid[])) c
       cross join lateral ${rowsByKey('scan_series s', 'c.id', { column: 'reference_id' })}`,
    [tx.tenantId, trackedIn, references],
  );
  return rows.map(({ id }) => id);
}
