/**
 * The rules of status, as plain functions: the status of a vulnerability on a reference, its own status, and the values
 * to show if its reporters disagree. This file reads and writes nothing; `reconcile.ts` does.
 */
import { compareText } from '../domain/comparators/digits.ts';
import { type Reach, type Severity, type Status, severities } from '../domain/packed-state.ts';
import {
  ecosystemOrder,
  highestVersion,
  lowestVersion,
  purlTypeOf,
  versionsAbove,
} from '../domain/versions.ts';
import { isDenial, type VexStatus } from '../domain/vex-status.ts';
import type { Resolution } from './schema.ts';

/** The decision about a vulnerability; null if there is none. */
export type Decision = 'accepted' | 'ignored' | 'rejected' | null;

/**
 * The origins of a decision, the strongest first; the domain `decision_origin` has the same values. A weaker origin
 * never changes the decision of a stronger one, even if that decision is to leave the vulnerability open.
 */
export const origins = ['person', 'vex', 'suppression'] as const;
export type Origin = (typeof origins)[number];

export function decisionOf(status: Status): Decision {
  return status === 'open' || status === 'fixed' ? null : status;
}

export interface ReferencePresence {
  live: boolean;
  /** The default branch is always tracked. */
  tracked: boolean;
  active: boolean;
}

export function statusOnReference(decision: Decision, live: boolean): Status {
  return decision ?? (live ? 'open' : 'fixed');
}

/**
 * Returns the decision if there is one. Otherwise tracked references decide if the vulnerability was ever on one, and
 * else the others do. Only active references count as live.
 */
export function overallStatus(
  decision: Decision,
  references: ReferencePresence[],
): { status: Status; reach: Reach } {
  const isLive = (among: ReferencePresence[]): boolean => among.some(({ live, active }) => live && active);
  const tracked = references.filter((reference) => reference.tracked);
  if (tracked.length === 0) {
    return { status: statusOnReference(decision, isLive(references)), reach: 'branches' };
  }
  const status = statusOnReference(decision, isLive(tracked));
  return { status, reach: status === 'fixed' && isLive(references) ? 'elsewhere' : 'tracked' };
}

/** The statement of a VEX document about the vulnerability in all live versions. */
export interface VexClaim {
  status: VexStatus;
  reason: string | null;
  statedAt: Date;
  /** True if the statement counts even where a policy blocks. */
  overridesPolicy: boolean;
  /** Time when the statement arrived. It covers the names that were joined before. */
  saidAt: Date;
}

/** A suppression by a series, from an ignore file or from the tool’s own review. */
export interface Suppression {
  reason: string | null;
  until: Date | null;
  /** True if the suppression counts even where a policy blocks. */
  overridesPolicy: boolean;
  /** Time when the suppression arrived. It covers the names that were joined before. */
  saidAt: Date;
}

/** A decision without a person. It lasts as long as the statement or suppression behind it. */
export interface AutomaticDecision {
  decidedBy: 'vex' | 'suppression';
  decision: Decision;
  resolution: Resolution | null;
  until: Date | null;
  reason: string | null;
  /** True if the decision counts even where a policy blocks. */
  overridesPolicy: boolean;
  /** Time when the source of the decision arrived. The decision covers the names that were joined before. */
  saidAt: Date;
}

const newestFirst = (a: VexClaim, b: VexClaim): number =>
  b.statedAt.getTime() - a.statedAt.getTime() || compareText(a.status, b.status);

/**
 * Returns the claim about all live versions; `byVersion` has the claims about each of them. The newest claim about a
 * version counts for it. A version that is affected makes the vulnerability affected, and a denial needs the right and
 * the time of all. Returns null if a version has no claim.
 */
export function vexClaimOfAll(byVersion: VexClaim[][]): VexClaim | null {
  const ofVersions = byVersion.flatMap((claims) => claims.toSorted(newestFirst)[0] ?? []);
  if (ofVersions.length < byVersion.length) return null;
  const affected = ofVersions.filter(({ status }) => !isDenial(status));
  const [newest] = (affected.length > 0 ? affected : ofVersions).toSorted(newestFirst);
  if (!newest) return null;
  return {
    ...newest,
    overridesPolicy: ofVersions.every(({ overridesPolicy }) => overridesPolicy),
    saidAt: new Date(Math.min(...ofVersions.map(({ saidAt }) => saidAt.getTime()))),
  };
}

/**
 * Returns the decision of documents and ignore files. The claim of VEX comes before any suppression, and among
 * suppressions the one that lasts longest counts. Returns null if there is neither. The caller passes only claims that
 * may decide and puts a person's decision before them. `at` may be the earlier time of a report, so the caller also
 * leaves out suppressions that have ended by now.
 */
export function automaticDecision(
  vex: VexClaim | null,
  suppressions: Suppression[],
  at: Date,
): AutomaticDecision | null {
  if (vex) {
    const { status, reason, overridesPolicy, saidAt } = vex;
    const denied = isDenial(status);
    return {
      decidedBy: 'vex',
      decision: denied ? 'rejected' : null,
      resolution: denied ? status : null,
      until: null,
      reason,
      overridesPolicy,
      saidAt,
    };
  }
  const active = suppressions.filter(({ until }) => until === null || until > at);
  const [longest] = active.sort((a, b) => lasts(b) - lasts(a) || compareText(a.reason ?? '', b.reason ?? ''));
  if (!longest) return null;
  const { until, reason, overridesPolicy, saidAt } = longest;
  const said = { decidedBy: 'suppression', until, reason, overridesPolicy, saidAt } as const;
  return until === null
    ? { ...said, decision: 'ignored', resolution: 'wont_fix' }
    : { ...said, decision: 'accepted', resolution: 'risk_accepted' };
}

function lasts({ until }: Suppression): number {
  return until === null ? Number.POSITIVE_INFINITY : until.getTime();
}

/**
 * Returns the time since which the vulnerability can be exploited. A known time stays. If only the catalogue has an
 * entry, the day of the entry counts, but not a day before the vulnerability. Returns null if no source has a time.
 */
export function exploitableSince(
  before: Date | null,
  reported: boolean,
  listedAt: Date | null,
  introducedAt: Date,
  at: Date,
): Date | null {
  if (!reported && listedAt === null) return null;
  if (before !== null) return before;
  if (reported || listedAt === null) return at;
  return listedAt > introducedAt ? listedAt : introducedAt;
}

export interface ReporterClaim {
  tool: string;
  severity: Severity;
  title: string;
  fixedVersions: string[];
  cvssScore: number | null;
  exploitable: boolean;
  verified: boolean;
  malware: boolean;
  history: boolean;
  /** True if the reference of its series is tracked. */
  tracked: boolean;
}

export interface AgreedClaim {
  severity: Severity;
  title: string;
  fixVersion: string | null;
  cvssScore: number | null;
  exploitable: boolean;
  verified: boolean;
  malware: boolean;
  /** True if no reporter sees it in a current tree. */
  historyOnly: boolean;
}

// The first of these tools on a tracked reference gives the title, else the first on another, in the order of the
// quality of their texts. Other tools come after them, by name.
const toolOrder = ['trivy', 'grype', 'osv-scanner', 'npm-audit', 'snyk', 'codeql', 'semgrep', 'gitleaks'];

/**
 * Combines the claims of live reporters into the values to show, independent of their order. Throws RangeError without
 * a claim. `purl` is the package URL, whose type defines the order of the fixes.
 */
export function agree(reporters: ReporterClaim[], purl: string | null): AgreedClaim {
  const ordered = [...reporters].sort(
    (a, b) =>
      Number(b.tracked) - Number(a.tracked) ||
      position(a.tool) - position(b.tool) ||
      compareText(a.tool, b.tool) ||
      compareText(a.title, b.title),
  );
  const [first] = ordered;
  if (!first) throw new RangeError('nobody reports it');
  const rank = Math.max(...ordered.map((reporter) => severities.indexOf(reporter.severity)));
  return {
    severity: severities[rank] ?? 'unknown',
    title: first.title,
    fixVersion: lowestCommonFix(
      purlTypeOf(purl),
      ordered.map((reporter) => reporter.fixedVersions),
    ),
    // As for the severity, no report lowers what another one says.
    cvssScore: ordered.reduce<number | null>(
      (score, { cvssScore }) => (cvssScore === null ? score : Math.max(score ?? 0, cvssScore)),
      null,
    ),
    exploitable: ordered.some((reporter) => reporter.exploitable),
    verified: ordered.some((reporter) => reporter.verified),
    malware: ordered.some((reporter) => reporter.malware),
    historyOnly: ordered.every((reporter) => reporter.history),
  };
}

function position(tool: string): number {
  const index = toolOrder.indexOf(tool);
  return index < 0 ? toolOrder.length : index;
}

/**
 * Returns the fixes that are newer than the installed version. If none is newer, the order of such versions is unknown,
 * and it returns all.
 */
export function fixesAbove(purlType: string, installed: string | null, fixed: string[]): string[] {
  // A single version stays in either case.
  if (installed === null || fixed.length < 2) return fixed;
  const above = versionsAbove(purlType, installed, fixed);
  return above.length > 0 ? above : fixed;
}

// Each tool names its lowest fix, and the highest of those satisfies all tools. A tool without a fix does not count,
// and neither does a text that the ecosystem cannot read, unless all are such: it would change the order of the others.
function lowestCommonFix(purlType: string, lists: string[][]): string | null {
  const { reads } = ecosystemOrder(purlType);
  const readable = (versions: string[]) => (versions.some(reads) ? versions.filter(reads) : versions);
  const lowest = lists
    .map((list) => lowestVersion(purlType, readable(list)))
    .filter((version) => version !== null);
  return highestVersion(purlType, readable(lowest));
}
