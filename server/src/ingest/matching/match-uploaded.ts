/**
 * Matches the packages that a report has brought, in the report's own scan: its verdict counts what affects them, and
 * nobody sees the reference in between.
 */
import { type ChangeTx, type Database, importTx, type Tx } from '../../db/database.ts';
import { isAffected } from '../../domain/affected-versions.ts';
import type { RepositoryId, ScanId, TenantId } from '../../domain/ids.ts';
import { isVersion, pinnedVersion, purlTypeOf } from '../../domain/versions.ts';
import { addCounts, type ImportCounts } from '../../domain/written-scan.ts';
import { needsRelease, releaseIn } from '../../parsers/reading/distributions.ts';
import {
  findContents,
  holdAdvisories,
  listAdvisoriesOf,
  listWithoutAdvisories,
} from '../advisories/osv-store.ts';
import type { ImportResult, ShownImport } from '../import/import.ts';
import type { ImportContext } from '../import/import-context.ts';
import { learnNames } from '../import/learned-names.ts';
import { taughtNames } from '../prepare/advisory-names.ts';
import { listsPackages, type PreparedReport } from '../prepare/prepared-report.ts';
import { matchReference } from './match-reference.ts';
import {
  listComparedVersions,
  listUnknownVersions,
  matchTool,
  mayConfirmMatch,
  takeReference,
} from './match-store.ts';
import { matchVersions } from './match-versions.ts';
import { namesOf } from './matched-report.ts';
import { isMatching } from './setting.ts';

/**
 * Learns the names of the advisories that affect packages which the workspace does not have yet. This comes before the
 * import, in a short transaction, so that parallel imports never wait for each other's names. The operator has loaded
 * the advisories, so their names count in the whole workspace.
 */
export async function learnMatchedNames(
  db: Database,
  tenantId: TenantId,
  report: PreparedReport,
  scan: { id: ScanId; repository_id: RepositoryId },
): Promise<void> {
  if (!listsPackages(report)) return;
  await importTx(db, tenantId, (tx) => learnNamesOfNewPackages(tx, report, scan));
}

/** Does the same in the transaction of a dry run, which is rolled back. */
export async function learnNamesOfNewPackages(
  tx: Tx,
  { runs }: PreparedReport,
  scan: { id: ScanId; repository_id: RepositoryId },
): Promise<void> {
  if (!(await isMatching(tx))) return;
  const listed = runs.flatMap(({ manifests }) =>
    manifests.flatMap(({ packages }) =>
      packages.flatMap(({ purl, version, distribution }) =>
        version === null ? [] : [distribution ?? { purl, version }],
      ),
    ),
  );
  const unknown = await listUnknownVersions(tx, listed);
  if (unknown.length === 0) return;
  const advisories = await listAdvisoriesOf(tx, [...new Set(unknown.map(({ purl }) => purl))]);
  const affecting = new Set<string>();
  for (const { purl, version } of unknown) {
    for (const advisory of advisories.get(purl) ?? []) {
      if (isAffected(purlTypeOf(purl), version, advisory)) affecting.add(advisory.id);
    }
  }
  await learnAdvisoryNames(tx, [...affecting], scan);
}

/** Learns what these advisories call themselves. */
export async function learnAdvisoryNames(
  tx: Tx,
  advisoryIds: string[],
  scan: { id: ScanId | null; repository_id: RepositoryId },
): Promise<void> {
  if (advisoryIds.length === 0) return;
  const names = taughtNames(namesOf(await findContents(tx, advisoryIds)));
  await learnNames(tx, names, { ...scan, uploaded_by: null, may_override_policy: true });
}

/**
 * Matches the reference after the packages of the report were written, and returns the counts of both together.
 * `versionIds` are the versions that the report was the first to have, or to have for their release.
 */
export async function matchUploaded(
  tx: ChangeTx,
  context: ImportContext,
  report: PreparedReport,
  { versionIds, counts, replacesPackages }: ImportResult,
): Promise<{ counts: ImportCounts; warnings: string[] }> {
  await holdAdvisories(tx);
  if (!(await isMatching(tx))) return { counts, warnings: [] };
  await matchVersions(tx, await listComparedVersions(tx, versionIds));
  await takeReference(tx, context.reference.id);
  const mayConfirm = replacesPackages && (await mayConfirmMatch(tx, context));
  const matched = await matchReference(tx, { ...context, mayConfirm });
  const warnings = [...(await warningsOfUnmatched(tx, report)), ...matched.warnings];
  return { counts: withMatch(counts, matched.counts), warnings };
}

/** The counts of a report with those of the match that came with it, whose rows are not rows of the report. */
function withMatch(report: ImportCounts, match: ImportCounts): ImportCounts {
  return addCounts(report, { ...match, read: 0 });
}

/** Matches the reference if it still is marked after the import, because the report listed no packages. */
export async function matchIfDue(
  tx: ChangeTx,
  context: ImportContext,
  imported: ShownImport,
): Promise<ShownImport> {
  await holdAdvisories(tx);
  if (imported.isLate || !(await isMatching(tx)) || !(await takeReference(tx, context.reference.id)))
    return imported;
  const { counts, warnings } = await matchReference(tx, { ...context, mayConfirm: false });
  return {
    counts: withMatch(imported.counts, counts),
    isLate: false,
    warnings: [...imported.warnings, ...warnings],
  };
}

/** Says how many packages no advisory can match, so that nobody takes them for free of vulnerabilities. */
async function warningsOfUnmatched(tx: Tx, { runs }: PreparedReport): Promise<string[]> {
  const packages = runs.flatMap(({ manifests }) => manifests.flatMap((manifest) => manifest.packages));
  const withoutRelease = new Set<string>();
  const withoutVersion = new Set<string>();
  const byType = new Map<string, Set<string>>();
  const byRelease = new Map<string, Set<string>>();
  for (const { purl, version, distribution } of packages) {
    const type = purlTypeOf(purl);
    if (type === 'generic') continue;
    if (!distribution && needsRelease(purl)) {
      withoutRelease.add(purl);
      continue;
    }
    if (distribution) addTo(byRelease, releaseIn(distribution.purl), purl);
    else addTo(byType, type, purl);
    const compared = distribution?.version ?? version;
    if (compared === null || !isVersion(type, pinnedVersion(compared))) withoutVersion.add(purl);
  }
  const missing = await listWithoutAdvisories(tx, largest(byType), largest(byRelease));
  const numbers = missing.map((name) => `${(byType.get(name) ?? byRelease.get(name))?.size} of ${name}`);
  return [
    ...(withoutRelease.size === 0
      ? []
      : [
          `No advisory is matched with ${withoutRelease.size} packages of a distribution, because the report does not say their release, or its advisories are not known by release.`,
        ]),
    ...(withoutVersion.size === 0
      ? []
      : [
          `Advisories about some versions are not matched with ${withoutVersion.size} packages, because the report gives no version for them, or a text such as \`latest\`.`,
        ]),
    ...(numbers.length === 0
      ? []
      : [
          `No advisory is matched with these packages, because none is loaded for them: ${numbers.join(', ')}.`,
        ]),
  ];
}

// A report may have any number of types of any length, and the warning only points to those that matter.
const maxNamed = 10;
const maxNameLength = 64;

function largest(groups: Map<string, Set<string>>): string[] {
  return [...groups]
    .filter(([name]) => name.length <= maxNameLength)
    .sort(([, a], [, b]) => b.size - a.size)
    .slice(0, maxNamed)
    .map(([name]) => name);
}

function addTo(groups: Map<string, Set<string>>, name: string, purl: string): void {
  groups.set(name, (groups.get(name) ?? new Set()).add(purl));
}

/**
 * A report must not speak in the name of the match, because a report that shows nothing would close what the match has
 * found. Its runs are those of another tool.
 */
export function withoutMatchTool(report: PreparedReport): PreparedReport {
  if (report.runs.every(({ tool }) => tool !== matchTool)) return report;
  const renamed = `${matchTool}-report`;
  return {
    ...report,
    runs: report.runs.map((run) => (run.tool === matchTool ? { ...run, tool: renamed } : run)),
    warnings: [
      ...report.warnings,
      `The tool ${matchTool} is this service's own, so what the report says in its name is that of ${renamed}.`,
    ],
  };
}
