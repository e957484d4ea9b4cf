/**
 * The rules of status, as plain functions: what a vulnerability is on a reference, what it is on its own, and what
 * is shown where its reporters disagree. Nothing here reads or writes; `reconcile.ts` does.
 */
import { type Severity, type Status, severities } from '../domain/packed-state.ts';
import { highestVersion, lowestVersion, purlTypeOf, versionsAbove } from '../domain/versions.ts';
import type { Resolution } from './schema.ts';

/** What people decided; null while they have not. */
export type Decision = 'accepted' | 'ignored' | 'rejected' | null;

/**
 * Whose word a decision is, the strongest first; the position is the stored number. A weaker origin never changes
 * what a stronger one has said, be it that the vulnerability stays open.
 */
export const origins = ['person', 'vex', 'suppression'] as const;
export type Origin = (typeof origins)[number];

export function decisionOf(status: Status): Decision {
  return status === 'open' || status === 'fixed' ? null : status;
}

export interface ReferenceState {
  live: boolean;
  /** The default branch is always tracked. */
  tracked: boolean;
  active: boolean;
}

export function statusOnReference(decision: Decision, live: boolean): Status {
  return decision ?? (live ? 'open' : 'fixed');
}

/** The decision; else what tracked references say if it was ever on one; else what active ones say. */
export function ownStatus(decision: Decision, references: ReferenceState[]): Status {
  if (decision) return decision;
  const tracked = references.filter((reference) => reference.tracked);
  const deciding = tracked.length > 0 ? tracked : references.filter((reference) => reference.active);
  return deciding.some((reference) => reference.live) ? 'open' : 'fixed';
}

/** The status words of VEX; the position is the stored number. */
export const vexStatuses = [
  'not_affected',
  'false_positive',
  'affected',
  'exploitable',
  'fixed',
  'under_investigation',
] as const;
export type VexStatus = (typeof vexStatuses)[number];

/** What a VEX document says of the vulnerability in all versions that are live. */
export interface VexClaim {
  status: VexStatus;
  reason: string | null;
  statedAt: Date;
  /** Even where a policy blocks. */
  overridesPolicy: boolean;
  /** When it arrived: it covers the names that were joined before. */
  saidAt: Date;
}

/** A series whose ignore file or whose tool’s own review suppresses the vulnerability. */
export interface Suppression {
  reason: string | null;
  until: Date | null;
  /** Even where a policy blocks. */
  overridesPolicy: boolean;
  /** When it arrived: it covers the names that were joined before. */
  saidAt: Date;
}

/** A decision that no person made: it lasts as long as the word that it is made of. */
export interface AutomaticDecision {
  decidedBy: 'vex' | 'suppression';
  decision: Decision;
  resolution: Resolution | null;
  until: Date | null;
  reason: string | null;
  /** Even where a policy blocks. */
  overridesPolicy: boolean;
  /** When it arrived: it covers the names that were joined before. */
  saidAt: Date;
}

/**
 * What documents and ignore files say, the newest VEX word before any suppression; of suppressions the one that lasts longest.
 * Null: nobody says anything. Only words that may decide come in here, for a person's word goes before them all.
 */
export function automaticDecision(
  vex: VexClaim[],
  suppressions: Suppression[],
  at: Date,
): AutomaticDecision | null {
  const [newest] = [...vex].sort(
    (a, b) => b.statedAt.getTime() - a.statedAt.getTime() || compare(a.status, b.status),
  );
  if (newest) {
    const { status, reason, overridesPolicy, saidAt } = newest;
    const denied = status === 'not_affected' || status === 'false_positive';
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
  const standing = suppressions.filter(({ until }) => until === null || until > at);
  const [longest] = standing.sort((a, b) => lasts(b) - lasts(a) || compare(a.reason ?? '', b.reason ?? ''));
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
 * Since when it can be exploited: known before, as it was; by the catalogue alone, since the day of the entry, but
 * not before the vulnerability. Null: nothing says so.
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
  history: boolean;
}

export interface AgreedWord {
  severity: Severity;
  title: string;
  fixVersion: string | null;
  cvssScore: number | null;
  exploitable: boolean;
  verified: boolean;
  /** Nobody sees it in a current tree. */
  historyOnly: boolean;
}

// Whose title and score are shown, best prose first; tools that are not named come after, by name.
const toolOrder = ['trivy', 'grype', 'osv-scanner', 'npm-audit', 'snyk', 'codeql', 'semgrep', 'gitleaks'];

/**
 * The words of live reporters → what is shown, whatever the order in which they came. Needs one at least.
 * `purl` is the package's, whose type orders the fixes.
 */
export function agree(reporters: ReporterClaim[], purl: string | null): AgreedWord {
  const ordered = [...reporters].sort(
    (a, b) => place(a.tool) - place(b.tool) || compare(a.tool, b.tool) || compare(a.title, b.title),
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
    cvssScore: ordered.find((reporter) => reporter.cvssScore !== null)?.cvssScore ?? null,
    exploitable: ordered.some((reporter) => reporter.exploitable),
    verified: ordered.some((reporter) => reporter.verified),
    historyOnly: ordered.every((reporter) => reporter.history),
  };
}

function place(tool: string): number {
  const index = toolOrder.indexOf(tool);
  return index < 0 ? toolOrder.length : index;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The fixes that are newer than the installed version. All of them where none is newer, because the order of such
 * versions is not known.
 */
export function fixesAbove(purlType: string, installed: string | null, fixed: string[]): string[] {
  const above = installed === null ? fixed : versionsAbove(purlType, installed, fixed);
  return above.length > 0 ? above : fixed;
}

// Each tool's lowest fix; the highest of those satisfies them all. A tool without a fix has no say.
function lowestCommonFix(purlType: string, lists: string[][]): string | null {
  const lowest = lists.map((list) => lowestVersion(purlType, list)).filter((version) => version !== null);
  return highestVersion(purlType, lowest);
}
