/**
 * From findings to rows: what an import writes of each vulnerability, as plain functions. `write-findings.ts` sends
 * them, `write-store.ts` has the statements.
 */
import { newId } from '../../domain/ids.ts';
import { packBucket, type Severity, type Status, severities } from '../../domain/packed-state.ts';
import type { Cause } from '../../vulnerabilities/events.ts';
import { rungNumber } from '../../vulnerabilities/rungs.ts';
import { searchKey } from '../../vulnerabilities/search-words.ts';
import {
  agree,
  exploitableSince,
  ownStatus,
  type ReporterClaim,
  statusOnReference,
} from '../../vulnerabilities/status.ts';
import type { PreparedFinding } from '../prepare/prepared-report.ts';
import type { Changed, ImportContext } from './import-context.ts';
import type { Resolved } from './resolve.ts';

export interface StreamNow {
  id: string;
  tool: string;
  /** It looks through the history of commits. */
  history: boolean;
  seq: number;
  /** Older than the stream's newest report: it opens and reopens nothing. */
  late: boolean;
  alone: boolean;
  newestAt: Date | null;
}

export interface Group<T> {
  vulnerabilityId: string;
  rows: [T, ...T[]];
}

export function groupByVulnerability<T extends { vulnerabilityId: string }>(rows: T[]): Group<T>[] {
  const groups = new Map<string, Group<T>>();
  for (const row of rows) {
    const group = groups.get(row.vulnerabilityId);
    if (group) group.rows.push(row);
    else groups.set(row.vulnerabilityId, { vulnerabilityId: row.vulnerabilityId, rows: [row] });
  }
  return [...groups.values()];
}

/** Findings of one vulnerability → the stream's word on it. */
function wordOf(stream: StreamNow, rows: { finding: PreparedFinding }[]): ReporterClaim {
  const findings = rows.map((row) => row.finding);
  if (findings.length === 0) throw new RangeError('a vulnerability without findings');
  const rank = Math.max(...findings.map((finding) => severities.indexOf(finding.severity)));
  return {
    tool: stream.tool,
    severity: severities[rank] as Severity,
    title: findings.map((finding) => finding.title).sort()[0] ?? '',
    fixedVersions: [...new Set(findings.flatMap((finding) => finding.fixedVersions))].sort(),
    cvssScore: findings.reduce<number | null>(
      (score, finding) => (finding.cvssScore === null ? score : Math.max(score ?? 0, finding.cvssScore)),
      null,
    ),
    exploitable: findings.some((finding) => finding.exploitable),
    verified: findings.some((finding) => finding.verified),
    history: stream.history,
  };
}

export function reporterOf(
  context: ImportContext,
  stream: StreamNow,
  vulnerabilityId: string,
  rows: { finding: PreparedFinding }[],
) {
  const word = wordOf(stream, rows);
  return {
    v: vulnerabilityId,
    stream: stream.id,
    tool: word.tool,
    live: !stream.late,
    // A partial report does not show all places: what it says cannot lower the word.
    partial: stream.alone,
    severity: severities.indexOf(word.severity),
    title: word.title,
    fixed: word.fixedVersions,
    cvss: word.cvssScore,
    exploitable: word.exploitable,
    verified: word.verified,
    history: word.history,
    ...waiverOf(context, rows),
  };
}

/** The stream waives it when it waives all that it shows of it; as long as the shortest of its waivers lasts. */
function waiverOf({ decides, binds, reference }: ImportContext, rows: { finding: PreparedFinding }[]) {
  const waivers = rows.map((row) => row.finding.waiver).filter((waiver) => waiver !== null);
  const waived = waivers.length === rows.length;
  const reasons = waivers.map((waiver) => waiver.reason).filter((reason) => reason !== null);
  const ends = waivers.map((waiver) => waiver.expiresAt).filter((end) => end !== null);
  return {
    waived,
    waiver_reason: waived ? (reasons.sort()[0] ?? null) : null,
    waived_until: waived ? (ends.sort()[0] ?? null) : null,
    waiver_decides: waived && decides && reference.tracked,
    waiver_binds: binds,
  };
}

export type ReporterInput = ReturnType<typeof reporterOf>;

export function newVulnerability(
  context: ImportContext,
  stream: StreamNow,
  cause: Cause,
  { vulnerabilityId, rows }: Group<Resolved>,
) {
  const word = wordOf(stream, rows);
  const [{ finding, identity, advisory, exploitedSince, locationId }] = rows;
  const agreed = agree([word], finding.purl);
  const isSeen = rows.some((row) => !row.finding.suppressed);
  const live = !stream.late && isSeen;
  const { reference } = context;
  const at = cause.at.toISOString();
  const introduced = rows
    .map((row) => row.finding.committedAt)
    .filter((time) => time !== null)
    .sort()[0];
  const introducedAt = introduced !== undefined && introduced < at ? new Date(introduced) : cause.at;
  const reported = agreed.exploitable || agreed.verified;
  const exploitableAt = exploitableSince(null, reported, exploitedSince, introducedAt, cause.at);
  const bucketFor = (status: Status): number =>
    packBucket({
      severity: agreed.severity,
      type: finding.type,
      status,
      source: stream.history ? 'git_history' : 'current',
      confirmed: agreed.verified,
      triaged: false,
      assigned: false,
    });
  const ownStatusIf = (isLive: boolean): Status =>
    ownStatus(null, [{ live: isLive, tracked: reference.tracked, active: reference.active }]);
  const fixedAt = live ? null : ((stream.late ? stream.newestAt : cause.at)?.toISOString() ?? at);
  const place = rows.find((row) => !row.finding.suppressed)?.locationId ?? locationId;
  return {
    id: vulnerabilityId,
    repositoryId: context.repositoryId,
    identity,
    bucket: bucketFor(ownStatusIf(live)),
    // What a late report shows was open at its time, and is fixed since `fixedAt`.
    bucketThen: bucketFor(ownStatusIf(isSeen)),
    introducedAt: introducedAt.toISOString(),
    vulnerableAt: at,
    exploitableAt: live ? (exploitableAt?.toISOString() ?? null) : null,
    locationId: place,
    live,
    firstSeenAt: at,
    fixedAt,
    title: agreed.title,
    searchKey: searchKey({ title: agreed.title, package: finding.purl }),
    rule: finding.rule,
    advisory,
    package: finding.purl,
    fixVersion: agreed.fixVersion,
    cvssScore: agreed.cvssScore,
    reference: {
      referenceId: reference.id,
      fullRef: reference.fullRef,
      onDefault: reference.isDefault,
      bucket: bucketFor(statusOnReference(null, live)),
    },
  };
}

export type NewVulnerability = ReturnType<typeof newVulnerability>;

export function detailOf(vulnerabilityId: string, rows: { finding: PreparedFinding }[]) {
  const findings = rows.map((row) => row.finding);
  const all = (pick: (finding: PreparedFinding) => string[]): string[] => [
    ...new Set(findings.flatMap(pick)),
  ];
  return {
    v: vulnerabilityId,
    description: findings.find((finding) => finding.description !== null)?.description ?? null,
    identifiers: all((finding) => [...finding.advisories, ...finding.relatedAdvisories]),
    cwes: all((finding) => finding.cwes),
    links: all((finding) => finding.links).slice(0, maxLinks),
    vector: findings.find((finding) => finding.cvssVector !== null)?.cvssVector ?? null,
  };
}

// Advisories list dozens of mirrors of one text; a person follows a few.
const maxLinks = 50;

export type DetailInput = ReturnType<typeof detailOf>;

type PlacedRow = Changed & { newLocation?: boolean };

/**
 * Each place once. Two rows may share one (two names of an advisory): it is new if it is for one of them, and
 * suppressed only if all say so.
 */
export function distinctPlaces(rows: PlacedRow[]): PlacedRow[] {
  const places = new Map<string, PlacedRow>();
  for (const row of rows) {
    const before = places.get(row.locationId);
    if (!before) places.set(row.locationId, row);
    else {
      const suppressed = before.finding.suppressed && row.finding.suppressed;
      const newLocation = (before.newLocation ?? false) || (row.newLocation ?? false);
      places.set(row.locationId, { ...before, newLocation, finding: { ...before.finding, suppressed } });
    }
  }
  return [...places.values()];
}

export function placeOf(
  context: ImportContext,
  stream: StreamNow,
  cause: Cause,
  row: PlacedRow,
  artifacts: Map<string, string>,
) {
  const { finding } = row;
  return {
    id: row.locationId,
    isNew: row.newLocation ?? false,
    repository: context.repositoryId,
    v: row.vulnerabilityId,
    reference: context.reference.id,
    artifact: finding.artifact ? (artifacts.get(finding.artifact.key) ?? null) : null,
    place: finding.place,
    line: finding.line,
    suppressed: finding.suppressed,
    at: cause.at.toISOString(),
    fixed_at: stream.late ? (stream.newestAt ?? cause.at).toISOString() : null,
    path: finding.path,
    rule: finding.ruleKey,
    file: finding.fileKey,
    code: finding.codeKey,
    fingerprint: finding.fingerprintKey,
    scheme: finding.fingerprintScheme,
  };
}

export type PlaceInput = ReturnType<typeof placeOf>;

// A complete report opens an interval; a late one has its own; a partial one has both.
export function sightingsOf(stream: StreamNow, rows: Resolved[]) {
  const one = (row: Resolved, alone: boolean) => ({
    l: row.locationId,
    v: row.vulnerabilityId,
    stream: stream.id,
    key: row.finding.key,
    digest: row.finding.digest,
    since: stream.seq,
    until: alone ? stream.seq + 1 : null,
    rung: rungNumber(row.rung),
    alone,
  });
  return [
    ...(stream.late ? [] : rows.map((row) => one(row, false))),
    ...(stream.alone ? rows.map((row) => one(row, true)) : []),
  ];
}

export type SightingInput = ReturnType<typeof sightingsOf>[number];

/** Ids for artifacts that the workspace does not know yet. */
export function artifactRows(findings: PreparedFinding[]) {
  const rows = new Map<string, NonNullable<PreparedFinding['artifact']> & { id: string }>();
  for (const { artifact } of findings) {
    if (artifact && !rows.has(artifact.key)) rows.set(artifact.key, { ...artifact, id: newId() });
  }
  return [...rows.values()];
}
