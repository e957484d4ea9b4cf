/**
 * The form of the company's repositories: their packages, code, secrets and checks, week by week. This file has only
 * types and functions that read weeks. Week 0 is eight weeks before the end of the story, and week 8 is its end.
 */
import type { Ecosystem } from '../knowledge/advisories.ts';
import type { Distribution } from '../knowledge/os-advisories.ts';

export const lastWeek = 8;

/** A version from week 0 on, or the versions by the week of their arrival. `absent` removes the package. */
export type VersionHistory = string | Readonly<Record<number, string>>;
export const absent = 'absent';

export type Tool = 'trivy' | 'trivy-image' | 'semgrep' | 'codeql' | 'gitleaks';

export interface Manifest {
  path: string;
  ecosystem: Ecosystem;
  packages: Readonly<Record<string, VersionHistory>>;
}

export interface Image {
  /** The name has no tag. */
  name: string;
  distribution: Distribution;
  release: string;
  packages: Readonly<Record<string, VersionHistory>>;
}

export interface Branch {
  ref: string;
  refType: 'branch' | 'tag' | 'pull_request';
  /** The week of the default branch that it was cut from, and whose state it keeps. */
  cut: number;
  /** The weeks in which it was scanned. Its scan is this many days after that of the default branch. */
  scanned: readonly number[];
  daysLater: number;
  tools: readonly Tool[];
  /** Packages that the branch changes, by the path of their manifest. */
  packages?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Repository {
  /** `organization/name`. */
  name: string;
  /** The number of weeks between two scans of the default branch, for each tool. */
  schedule: Readonly<Partial<Record<Tool, number>>>;
  manifests: readonly Manifest[];
  images?: readonly Image[];
  /** Table: rule | path:line | weeks | code. A rule with a slash is CodeQL's, any other Semgrep's. */
  code: string;
  /** Table: check | path:from-to | weeks | resource | code. */
  misconfigurations: string;
  /** Table: kind | path:line | weeks | line of code, with the secret between « and » (`«*»` if it is masked). */
  secrets: string;
  /** Table: package | license | category | severity | manifest | weeks. */
  licenses: string;
  /** CodeQL's `automationDetails.id` names it. */
  codeqlLanguage?: string;
  /**
   * A Gitleaks scan of the whole history finds secrets that were removed long ago. A scan of the files finds only
   * present ones.
   */
  gitleaksScope?: 'history' | 'files';
  branches: readonly Branch[];
  renames?: readonly { week: number; from: string; to: string }[];
  edits?: readonly { week: number; path: string; from: string; to: string }[];
  suppressions?: readonly { week: number; code: string; justification: string }[];
  /** Reports with an error: one row is not a result, or the run stopped after the last manifest. */
  mishaps?: readonly { week: number; tool: Tool; kind: 'broken-row' | 'half-run' }[];
}

/**
 * True if something is present that is declared as `0-2,5-` or `6-,feature/customs`. It is present on the default
 * branch in these weeks, both ends included. It is also present on a named branch, and on a branch that was created
 * in one of these weeks.
 */
export function isPresent(weeks: string, week: number, ref: string): boolean {
  return weeks.split(',').some((part) => {
    const interval = /^(\d+)-(\d*)$/.exec(part);
    if (interval === null) return part === ref;
    const until = interval[2] === '' ? lastWeek : Number(interval[2]);
    return week >= Number(interval[1]) && week <= until;
  });
}

/** The version of a package in a week, or null while it is not used. */
export function versionAt(history: VersionHistory, week: number): string | null {
  if (typeof history === 'string') return history;
  const since = Object.keys(history)
    .map(Number)
    .filter((from) => from <= week)
    .sort((a, b) => b - a)[0];
  const version = since === undefined ? undefined : history[since];
  return version === undefined || version === absent ? null : version;
}
