/**
 * Plain functions that turn findings into the rows which an import writes. `write-findings.ts` sends them.
 */
import type { SeriesId, VulnerabilityId } from '../../domain/ids.ts';
import { packState, type Severity, severities, type Traits } from '../../domain/packed-state.ts';
import { maxFixedVersions } from '../../parsers/reading/limits.ts';
import type { Gap } from '../../parsers/report.ts';
import { storedVersions } from '../../vulnerabilities/claim-columns.ts';
import { type IntelOfCves, isCve } from '../../vulnerabilities/cves.ts';
import {
  type Details,
  detailColumns,
  detailsWithKey,
  maxStoredLinks,
} from '../../vulnerabilities/descriptions.ts';
import type { Cause } from '../../vulnerabilities/events.ts';
import { allIds, furtherIds } from '../../vulnerabilities/identifiers.ts';
import { searchKey } from '../../vulnerabilities/search-terms.ts';
import {
  agree,
  exploitableSince,
  overallStatus,
  type ReporterClaim,
  statusOnReference,
} from '../../vulnerabilities/status.ts';
import type { PreparedFinding } from '../prepare/prepared-report.ts';
import { type ImportContext, type LocatedFinding, suppressionRights } from './import-context.ts';
import { ownershipOf } from './ownership.ts';
import type { Resolved } from './resolve.ts';

export interface SeriesNow {
  id: SeriesId;
  tool: string;
  /** The series looks through the history of commits. */
  history: boolean;
  seq: number;
  /** The report is older than the series' newest report, so it opens and reopens nothing. */
  late: boolean;
  detached: boolean;
  /** The parts at which the run has not looked, as far as its report says so. */
  gaps: readonly Gap[];
  /** The report does not show all that the series sees (`adding-report.ts`). */
  addsOnly: boolean;
  /** See `SeriesOfFile`. */
  left: SeriesId | null;
  newestAt: Date | null;
}

export interface Group<T> {
  vulnerabilityId: VulnerabilityId;
  rows: [T, ...T[]];
}

export function groupByVulnerability<T extends { vulnerabilityId: VulnerabilityId }>(rows: T[]): Group<T>[] {
  const groups = new Map<string, Group<T>>();
  for (const row of rows) {
    const group = groups.get(row.vulnerabilityId);
    if (group) group.rows.push(row);
    else groups.set(row.vulnerabilityId, { vulnerabilityId: row.vulnerabilityId, rows: [row] });
  }
  return [...groups.values()];
}

/** Creates the claim of the series on a vulnerability from its findings. Throws RangeError without findings. */
function claimOf(
  { reference }: ImportContext,
  series: SeriesNow,
  rows: { finding: PreparedFinding }[],
): ReporterClaim {
  const findings = rows.map((row) => row.finding);
  if (findings.length === 0) throw new RangeError('a vulnerability without findings');
  const rank = Math.max(...findings.map((finding) => severities.indexOf(finding.severity)));
  return {
    tool: series.tool,
    severity: severities[rank] as Severity,
    title: findings.map((finding) => finding.title).sort()[0] ?? '',
    fixedVersions: [...new Set(findings.flatMap((finding) => finding.fixedVersions))]
      .sort()
      .slice(0, maxFixedVersions),
    cvssScore: findings.reduce<number | null>(
      (score, finding) => (finding.cvssScore === null ? score : Math.max(score ?? 0, finding.cvssScore)),
      null,
    ),
    exploitable: findings.some((finding) => finding.exploitable),
    verified: findings.some((finding) => finding.verified),
    malware: findings.some((finding) => finding.type === 'malware'),
    history: series.history,
    tracked: reference.tracked,
  };
}

/**
 * The claim of the series on a vulnerability, which is new if `known` is not given. `showsAll` is false if the series
 * sees it also in findings that the report does not show.
 */
export function reporterOf(
  context: ImportContext,
  series: SeriesNow,
  vulnerabilityId: VulnerabilityId,
  rows: { finding: PreparedFinding }[],
  known?: { title: string; showsAll: boolean },
) {
  const showsAll = known?.showsAll ?? true;
  const claim = claimOf(context, series, rows);
  return {
    vulnerability_id: vulnerabilityId,
    series_id: series.id,
    tool: claim.tool,
    live: !series.late,
    // A report that does not show all locations cannot lower the claim.
    partial: series.detached || !showsAll,
    severity: claim.severity,
    // A new vulnerability has the title of its only claim.
    title: known === undefined || known.title === claim.title ? null : claim.title,
    fixed_versions: storedVersions(claim.fixedVersions),
    cvss_score: claim.cvssScore,
    exploitable: claim.exploitable,
    verified: claim.verified,
    malware: claim.malware,
    history: claim.history,
    ...suppressionOf(context, rows, showsAll),
  };
}

/**
 * The series suppresses the vulnerability if it suppresses all findings of it, and the report shows all. The
 * suppression with the earliest end sets the end.
 */
function suppressionOf(context: ImportContext, rows: { finding: PreparedFinding }[], showsAll: boolean) {
  const suppressions = rows
    .map((row) => row.finding.suppression)
    .filter((suppression) => suppression !== null);
  const suppressed = showsAll && suppressions.length === rows.length;
  const { decides, overridesPolicy } = suppressionRights(context);
  const reasons = suppressions.map((suppression) => suppression.reason).filter((reason) => reason !== null);
  const ends = suppressions.map((suppression) => suppression.expiresAt).filter((end) => end !== null);
  return {
    suppressed,
    suppression_reason: suppressed ? (reasons.sort()[0] ?? null) : null,
    suppressed_until: suppressed ? (ends.sort()[0] ?? null) : null,
    suppression_may_decide: suppressed && decides,
    suppression_overrides_policy: suppressed && overridesPolicy,
  };
}

export type ReporterInput = ReturnType<typeof reporterOf>;

export function newVulnerability(
  context: ImportContext,
  series: SeriesNow,
  cause: Cause,
  { vulnerabilityId, rows, details }: Group<Resolved> & { details: Details },
  { exploited, bands }: IntelOfCves,
) {
  const claim = claimOf(context, series, rows);
  const [{ finding, identity, advisory }] = rows;
  const agreed = agree([claim], finding.purl);
  const isSeen = rows.some((row) => !row.finding.suppressed);
  const live = !series.late && isSeen;
  const { reference } = context;
  const at = cause.at.toISOString();
  const introduced = rows
    .map((row) => row.finding.committedAt)
    .filter((time) => time !== null)
    .sort()[0];
  const introducedAt = introduced !== undefined && introduced < at ? new Date(introduced) : cause.at;
  const reported = live && (agreed.exploitable || agreed.verified);
  const [exploitedSince = null] = cvesOf(rows)
    .flatMap((cve) => exploited.get(cve) ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime());
  const scored = allIds(details).flatMap((id) => bands.get(id) ?? []);
  const epssBand = scored.length === 0 ? null : Math.max(...scored);
  const exploitableAt = exploitableSince(null, reported, exploitedSince, introducedAt, cause.at);
  const shown = rows.find((row) => !row.finding.suppressed) ?? rows[0];
  const location = shown.locationId;
  const { assigned, ...owned } = ownershipOf(context, shown.finding.path);
  const packedStateFor = (statusAndReach: Pick<Traits, 'status' | 'reach'>): number =>
    packState({
      severity: agreed.severity,
      // Advisories of one malicious package may not all call it malware.
      type: agreed.malware ? 'malware' : finding.type,
      ...statusAndReach,
      source: series.history ? 'git_history' : 'current',
      confirmed: agreed.verified,
      triaged: false,
      assigned: assigned !== null,
      fixKnown: agreed.fixVersion !== null,
    });
  const ownIf = (isLive: boolean) =>
    overallStatus(null, [{ live: isLive, tracked: reference.tracked, active: reference.active }]);
  const stateOnReference = packedStateFor({ status: statusOnReference(null, live), reach: 'tracked' });
  const fixedAt = live ? null : ((series.late ? series.newestAt : cause.at)?.toISOString() ?? at);
  const shared = { introduced_at: introducedAt.toISOString() };
  return {
    // A finding of a late report was open at the time of the report, and is fixed since `fixedAt`.
    packedStateThen: packedStateFor(ownIf(isSeen)),
    fixedAt: fixedAt === null ? null : new Date(fixedAt),
    assigned,
    row: {
      ...shared,
      ...owned,
      id: vulnerabilityId,
      repository_id: context.repositoryId,
      identity,
      packed_state: packedStateFor(ownIf(live)),
      default_branch_state: reference.isDefault && reference.active ? stateOnReference : null,
      epss_band: epssBand,
      vulnerable_at: at,
      opened_at: at,
      opened_scan_id: cause.scanId,
      exploitable_at: exploitableAt?.toISOString() ?? null,
      primary_reference_id: reference.id,
      primary_location_id: location,
      title: agreed.title,
      search_key: searchKey({ title: agreed.title, package: finding.purl }),
      rule: finding.rule === advisory ? null : finding.rule,
      advisory,
      package: finding.purl,
      fix_version: agreed.fixVersion,
      cvss_score: agreed.cvssScore,
      ...detailColumns(details),
    },
    onReference: {
      ...shared,
      vulnerability_id: vulnerabilityId,
      reference_id: reference.id,
      location_id: location,
      packed_state: stateOnReference,
      live,
      first_seen_at: at,
      fixed_at: fixedAt,
      full_ref: reference.fullRef,
    },
  };
}

/** The CVEs of findings. The advisory may be learned, so that no finding has it. */
export function cvesOf(rows: Pick<Resolved, 'advisory' | 'finding'>[]): string[] {
  return rows.flatMap(({ advisory, finding: { advisories, relatedAdvisories } }) =>
    [advisory ?? '', ...advisories, ...relatedAdvisories].filter(isCve),
  );
}

export type NewVulnerability = ReturnType<typeof newVulnerability>;

/**
 * Returns the details that findings give. `advisory` is that of the findings, which may be learned; null leaves it out.
 */
export function detailsOf(
  { vulnerabilityId, rows }: Group<{ finding: PreparedFinding }>,
  advisory: string | null = null,
): Details {
  const findings = rows.map((row) => row.finding);
  const all = (pick: (finding: PreparedFinding) => string[]): string[] => [
    ...new Set(findings.flatMap(pick)),
  ];
  return detailsWithKey({
    vulnerability_id: vulnerabilityId,
    description: findings.find((finding) => finding.description !== null)?.description ?? null,
    advisory,
    identifiers: furtherIds(
      advisory,
      all((finding) => [...finding.advisories, ...finding.relatedAdvisories]),
    ),
    cwes: all((finding) => finding.cwes),
    links: all((finding) => finding.links).slice(0, maxStoredLinks),
    cvss_vector: findings.find((finding) => finding.cvssVector !== null)?.cvssVector ?? null,
  });
}

/**
 * Returns each location once. Two rows may share one location (two names of an advisory): it is new if it is new for
 * one of them, and suppressed only if all rows are.
 */
export function distinctLocations(rows: LocatedFinding[]): LocatedFinding[] {
  const locations = new Map<string, LocatedFinding>();
  for (const row of rows) {
    const before = locations.get(row.locationId);
    if (!before) locations.set(row.locationId, row);
    else {
      const suppressed = before.finding.suppressed && row.finding.suppressed;
      const newLocation = before.newLocation || row.newLocation;
      locations.set(row.locationId, { ...before, newLocation, finding: { ...before.finding, suppressed } });
    }
  }
  return [...locations.values()];
}

export function writtenLocationOf(
  context: ImportContext,
  series: SeriesNow,
  cause: Cause,
  row: LocatedFinding,
) {
  const { finding } = row;
  return {
    id: row.locationId,
    isNew: row.newLocation,
    repository_id: context.repositoryId,
    vulnerability_id: row.vulnerabilityId,
    reference_id: context.reference.id,
    artifact_id: finding.artifact?.id ?? null,
    location_key: finding.location,
    line: finding.line,
    suppressed: finding.suppressed,
    vulnerable_at: cause.at.toISOString(),
    fixed_at: series.late ? (series.newestAt ?? cause.at).toISOString() : null,
    path: finding.path,
    rule_key: finding.ruleKey,
    file_key: finding.fileKey,
    code_key: finding.codeKey,
    fingerprint_key: finding.fingerprintKey,
    fingerprint_scheme: finding.fingerprintScheme,
  };
}

export type LocationInput = ReturnType<typeof writtenLocationOf>;

/**
 * The digest of an observation. A detached report writes the complement, so that the next complete report takes the
 * finding for changed and builds the claim again, from all findings.
 */
export function observationDigestOf({ detached }: SeriesNow, { digest }: PreparedFinding): string {
  return detached ? String(~BigInt(digest)) : digest;
}

// A complete report opens an interval, a late report gets a detached one, and a partial report gets both.
export function observationsOf(series: SeriesNow, rows: Resolved[]) {
  const one = (row: Resolved, detached: boolean) => ({
    location_id: row.locationId,
    vulnerability_id: row.vulnerabilityId,
    series_id: series.id,
    key: row.finding.key,
    digest: observationDigestOf(series, row.finding),
    suppressed: row.finding.suppressed,
    since_seq: series.seq,
    until_seq: detached ? series.seq + 1 : null,
    match_method: row.matchMethod,
    detached,
  });
  return [
    ...(series.late ? [] : rows.map((row) => one(row, false))),
    ...(series.detached ? rows.map((row) => one(row, true)) : []),
  ];
}

export type ObservationInput = ReturnType<typeof observationsOf>[number];

/** Returns each artifact once. */
export function artifactRows(findings: PreparedFinding[]) {
  const artifacts = findings.flatMap(({ artifact }) => artifact ?? []);
  return [...new Map(artifacts.map((artifact) => [artifact.id, artifact])).values()];
}
