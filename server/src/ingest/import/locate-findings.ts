/**
 * Locating reads the known locations in the files of new findings in code. If a folder has moved since, such as the
 * checkout of the build machine, it also reads the locations under the old path.
 */
import type { Tx } from '../../db/database.ts';
import { fileKeyOf } from '../prepare/identity.ts';
import type { CodeKeys } from '../prepare/prepared-report.ts';
import type { ImportContext } from './import-context.ts';
import type { CodeFinding, KnownLocation } from './match-code.ts';
import { findMovedFolder, type MovedFolder, pathBefore } from './moved-folder.ts';
import type { ObservationRow } from './observation-store.ts';
import {
  listKnownLocations,
  listRulesInFiles,
  listRulesInFilesOfDefault,
  seesOtherCode,
} from './resolve-store.ts';
import type { SeriesRow } from './series-row-store.ts';

/** Returns the findings with all known locations in their files, and in the same files before a folder moved. */
export async function locateFindings(
  tx: Tx,
  context: ImportContext,
  series: SeriesRow & { detached: boolean },
  findings: CodeKeys[],
  absent: ObservationRow[],
): Promise<{ inFiles: CodeFinding[]; known: KnownLocation[] }> {
  const asReported = findings.flatMap((finding): CodeFinding[] =>
    finding.fileKey === null ? [] : [{ ...finding, fileKey: finding.fileKey, fileKeyBefore: null }],
  );
  const known = await listKnownLocations(tx, context, asReported);
  const folder = await movedFolderOf(tx, context, series, findings, absent, known);
  if (folder === null) return { inFiles: asReported, known };
  const inFiles = findings.flatMap((finding): CodeFinding[] => {
    const before = finding.type === 'dast' ? null : pathBefore(folder, finding.path);
    const fileKeyBefore =
      before === null || finding.ruleKey === null ? null : fileKeyOf(finding.ruleKey, finding.type, before);
    return finding.fileKey === null ? [] : [{ ...finding, fileKey: finding.fileKey, fileKeyBefore }];
  });
  return { inFiles, known: await listKnownLocations(tx, context, inFiles) };
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
  known: KnownLocation[],
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
  const inReport = new Set(findings.map(({ ruleKey, path }) => `${ruleKey} ${path}`));
  const missing = shown.filter(({ ruleKey, path }) => !inReport.has(`${ruleKey} ${path}`));
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
