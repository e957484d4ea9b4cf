/**
 * Locating reads the known locations in the files of new findings in code. If a folder has moved since, such as the
 * checkout of the build machine, it also reads the locations under the old path.
 */
import type { Tx } from '../../db/database.ts';
import type { LocationId, RepositoryId, SeriesId } from '../../domain/ids.ts';
import { fileKeyOf } from '../prepare/identity.ts';
import type { CodeKeys } from '../prepare/prepared-report.ts';
import type { ImportContext } from './import-context.ts';
import type { ObservationRow, SeriesRow } from './import-store.ts';
import type { Candidate, CodeFinding } from './match-code.ts';
import { findMovedFolder, type MovedFolder, pathBefore, type RuleInFile } from './moved-folder.ts';
import { listCandidates } from './resolve-store.ts';

/** Returns the findings with all known locations in their files, and in the same files before a folder moved. */
export async function locateFindings(
  tx: Tx,
  context: ImportContext,
  series: SeriesRow & { detached: boolean },
  findings: CodeKeys[],
  absent: ObservationRow[],
): Promise<{ locations: CodeFinding[]; known: Omit<Candidate, 'seen'>[] }> {
  const asReported = findings.flatMap((finding): CodeFinding[] =>
    finding.fileKey === null ? [] : [{ ...finding, fileKey: finding.fileKey, fileKeyBefore: null }],
  );
  const known = await listCandidates(tx, context, asReported);
  const folder = await movedFolderOf(tx, context, series, findings, absent, known);
  if (folder === null) return { locations: asReported, known };
  const locations = findings.flatMap((finding): CodeFinding[] => {
    const before = finding.type === 'dast' ? null : pathBefore(folder, finding.path);
    const fileKeyBefore =
      before === null || finding.ruleKey === null ? null : fileKeyOf(finding.ruleKey, before);
    return finding.fileKey === null ? [] : [{ ...finding, fileKey: finding.fileKey, fileKeyBefore }];
  });
  return { locations, known: await listCandidates(tx, context, locations) };
}

/**
 * Compares the report with the findings that the series no longer sees; a new series compares with the default
 * branch's. A detached report does not show which findings are missing.
 */
async function movedFolderOf(
  tx: Tx,
  { repositoryId, reference }: ImportContext,
  series: SeriesRow & { detached: boolean },
  findings: CodeKeys[],
  absent: ObservationRow[],
  known: Omit<Candidate, 'seen'>[],
): Promise<MovedFolder | null> {
  const isNew = series.last_seq === 0;
  if (series.detached || (isNew ? reference.isDefault : absent.length === 0)) return null;
  const knownFiles = new Set(known.map((location) => location.fileKey));
  const unknown = new Map(
    findings.flatMap(({ ruleKey, fileKey, path, type }) =>
      ruleKey === null || fileKey === null || type === 'dast' || knownFiles.has(fileKey)
        ? []
        : [[fileKey, { ruleKey, path }]],
    ),
  );
  // A normal report of a new branch is already known on the default branch.
  if (unknown.size < 2 || (isNew && unknown.size < knownFiles.size)) return null;
  const shown = isNew
    ? await listRulesInFilesOfDefault(tx, repositoryId, series.id)
    : await listRulesInFiles(tx, [...new Set(absent.map((row) => row.location_id))]);
  const inReport = new Set(findings.map((finding) => finding.fileKey));
  const missing = shown.filter(({ ruleKey, path }) => !inReport.has(fileKeyOf(ruleKey, path)));
  const allMissing =
    missing.length === shown.length &&
    (isNew ||
      !(await seesOtherCode(
        tx,
        series.id,
        absent.map((row) => row.key),
      )));
  return findMovedFolder(missing, [...unknown.values()], allMissing);
}

/** Lists the rules in files of these locations, each once. Packages and secrets are left out. */
async function listRulesInFiles(tx: Tx, locationIds: LocationId[]): Promise<RuleInFile[]> {
  return tx.query<RuleInFile>(
    `select distinct rule_key as "ruleKey", path from vulnerability_location
      where tenant_id = $1 and id = any($2::uuid[]) and rule_key is not null`,
    [tx.tenantId, locationIds],
  );
}

/** True if the series sees code in a file under a key that is not in this list. */
async function seesOtherCode(tx: Tx, seriesId: SeriesId, keys: string[]): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(
    `select exists (select 1 from location_observation o
                      join vulnerability_location l on l.tenant_id = $1 and l.id = o.location_id and l.rule_key is not null
                     where o.tenant_id = $1 and o.series_id = $2 and o.until_seq is null
                       and not (o.key = any($3::uuid[]))) as found`,
    [tx.tenantId, seriesId, keys],
  );
  return row?.found ?? false;
}

/** Lists the current findings of the same tool and category on the default branch, as rules in files. */
async function listRulesInFilesOfDefault(
  tx: Tx,
  repositoryId: RepositoryId,
  seriesId: SeriesId,
): Promise<RuleInFile[]> {
  return tx.query<RuleInFile>(
    `select distinct l.rule_key as "ruleKey", l.path
       from scan_series mine
       join scan_series s on s.tenant_id = $1 and s.repository_id = $2 and s.tool = mine.tool
        and s.category = mine.category and s.source = mine.source and s.retired_at is null
       join reference f on f.tenant_id = $1 and f.id = s.reference_id and f.is_default
       join location_observation o on o.tenant_id = $1 and o.series_id = s.id and o.until_seq is null
       join vulnerability_location l on l.tenant_id = $1 and l.id = o.location_id and l.rule_key is not null
      where mine.tenant_id = $1 and mine.id = $3`,
    [tx.tenantId, repositoryId, seriesId],
  );
}
