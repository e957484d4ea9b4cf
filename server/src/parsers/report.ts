/**
 * The result of every parser: the shape between a scanner's file and the import.
 *
 * A parser is a pure function `(bytes) => Report`: no database, no clock, no file, no network. It keeps the tool's data
 * and decides nothing about identity; `identity.ts` decides it from these fields alone.
 */

import type { ArtifactType } from '../domain/artifact-types.ts';
import type { Severity, VulnerabilityType } from '../domain/packed-state.ts';
import type { Sentence } from '../domain/sentence.ts';
import type { VexStatus } from '../domain/vex-status.ts';

export interface Report {
  format: string;
  /** The number of the report's own rows before any matching: results, vulnerabilities, secrets, misconfigurations. */
  read: number;
  runs: Run[];
  /** Rows that could not be parsed. They are counted in `read` and shown with the scan. */
  unreadable: Unreadable[];
  /** The statements of a VEX document, or of the VEX part of an SBOM. Each row is counted in `read` once. */
  statements: VexStatement[];
  /** Facts that a person should know although nothing failed, one sentence each. Each sentence is kept once. */
  warnings: string[];
}

export interface Unreadable {
  /** A JSON pointer into the report, such as `/runs/0/results/12`. */
  pointer: string;
  reason: string;
}

/**
 * `failed`: the report says that the run did not succeed. `scanned_nothing`: the report shows that the tool scanned
 * nothing. Neither is evidence that anything is clean.
 */
export const runOutcomes = ['succeeded', 'failed', 'scanned_nothing'] as const;
export type RunOutcome = (typeof runOutcomes)[number];

/** One run of one tool. The import decides per run which vulnerabilities its absence may close. */
export interface Run {
  /** The tool family in lower case, the same over products and versions: `semgrep` for "Semgrep OSS". */
  tool: string;
  toolVersion: string | null;
  /** Tells several runs of one tool in one repository apart. It is empty if nothing does. */
  category: string;
  /** The tool scanned the history of commits, not the current tree. */
  history: boolean;
  /**
   * The outcome of the run, if the report states it. Findings that are missing from an unsuccessful run are not fixed.
   */
  outcome: RunOutcome;
  /** The JSON pointer of the run: unreadable rows below it belong to it. It is empty if the report is one run. */
  pointer: string;
  /** The parts that the run does not cover. Earlier findings in them are not fixed, although it does not show them. */
  gaps: Gap[];
  /**
   * The report shows that something was scanned: files, packages, checks that passed, rules, or an invocation that
   * succeeded. An empty list alone may come from a scanner that saw nothing.
   */
  showsScan: boolean;
  findings: ReportFinding[];
  /** The types that were looked for, found or not. It is empty for a list of packages that was not checked. */
  analysisTypes: VulnerabilityType[];
  /** The scanned container image; null for anything else, and if the report does not name it. */
  image: ReportImage | null;
  /** The packages that the run lists, vulnerable or not. Empty means that the report has no list of packages. */
  manifests: ReportManifest[];
}

/**
 * A part that the scanner did not examine, or that it left out of its report. An earlier finding is in the gap if it
 * fits each field that the gap has.
 */
export interface Gap {
  /** The file relative to the repository's root, or another location: `path` of its findings. */
  path?: string;
  /** `rule` of its findings. */
  rule?: string;
  /** The package URL without version. */
  package?: string;
  /** Any of the ids of an advisory. */
  advisory?: string;
  severity?: Severity;
  type?: VulnerabilityType;
}

/** Returns the pointers of those runs of which some rows could not be read. */
export function runsWithUnreadableRows(
  runs: readonly Pick<Run, 'pointer'>[],
  unreadable: readonly Unreadable[],
): ReadonlySet<string> {
  const readable = new Set(runs.map(({ pointer }) => pointer));
  const found = new Set<string>();
  for (const row of unreadable) {
    if (readable.size === 0) break;
    for (let pointer = row.pointer; ; pointer = pointer.slice(0, pointer.lastIndexOf('/'))) {
      if (readable.delete(pointer)) found.add(pointer);
      if (pointer === '') break;
    }
  }
  return found;
}

export interface ReportImage {
  /**
   * The name with registry and directory as in the report, without tag and digest. For an archive without a tag it is
   * the file's name.
   */
  name: string;
  tag: string | null;
}

/** A file, image or SBOM, with its packages. */
export interface ReportManifest {
  /**
   * The path relative to the repository's root. For an image it is the name without registry directory, tag and digest.
   */
  path: string;
  /** The package URL type of most packages (`npm`, `maven`, `deb`); `image` or `sbom` if the types are mixed. */
  type: string;
  packages: ReportInventoryPackage[];
}

export interface ReportInventoryPackage extends ReportPackage {
  /** SPDX ids, choices of them, or names as the tool wrote them. */
  licenses: string[];
  /** True if the manifest itself names the package; null if that is unknown. */
  direct: boolean | null;
  /**
   * The source package by which advisories of its distribution know it; missing for any other package, and if the
   * release is not known. Null if its mentions contradict each other.
   */
  distribution?: DistributionPackage | null | undefined;
}

export interface DistributionPackage {
  /** The package URL of the source package with the release: `pkg:deb/debian/openssl?distro=debian-12`. */
  purl: string;
  /** The version of the source package. */
  version: string;
}

/** One statement of a VEX document: the effect of a vulnerability on a package. */
export interface VexStatement {
  /** The JSON pointer of its row in the report. */
  pointer: string;
  /** The vulnerability's id as reported comes first, then the ids that the document treats as the same. */
  advisories: string[];
  status: VexStatus;
  /** The justification's word (`vulnerable_code_not_present`) with its text; null if there is none. */
  reason: string | null;
  /** The package of the statement. Null means any package of the repository that has the vulnerability. */
  package: ReportPackage | null;
  /** The product whose part the package is (`productKey`). It is absent if the format names none. */
  product?: string | null;
  /** The time of the latest statement, RFC 3339. */
  at: string | null;
}

export interface ReportFinding {
  /** The JSON pointer of its row in the report. */
  pointer: string;
  type: VulnerabilityType;
  severity: Severity;
  /** The title in the list: one line, at most 500 characters. It never holds a secret. */
  title: string;
  /** Plain text or Markdown as the tool wrote it. It is data, never markup, and never holds a secret. */
  description: string | null;
  /** The tool's rule id; for dependencies the advisory id as reported. It is empty if the tool gives none. */
  rule: string;
  /**
   * For dependency, container and malware: the advisory id as reported, then the ids that mean the same. For a license
   * of a package: `license:` and its name.
   */
  advisories: string[];
  /** Related ids that do not mean the same, such as several CVEs of one distribution advisory. */
  relatedAdvisories: string[];
  package: ReportPackage | null;
  /** The versions that fix it, as reported. It is empty if none is known. */
  fixedVersions: string[];
  cvss: { score: number; vector: string | null } | null;
  /** `CWE-79` and so on. */
  cwes: string[];
  /** Relative to the repository's root, with forward slashes; null if the report names no location. */
  path: string | null;
  /** The path names an image or a target and not a file. It is shown, but it is no part of the identity. */
  pathIsTarget: boolean;
  /** The line from 1; null if it is unknown. */
  line: number | null;
  artifact: ReportArtifact | null;
  /** A fingerprint on the allow-list of its tool; null otherwise. */
  fingerprint: { scheme: string; value: string; pathFree: boolean } | null;
  /**
   * The code at the location, without anything that looks like a secret. Without code it is the name of the location
   * (resource, parameter).
   */
  code: string | null;
  /**
   * The source code as the report has it, if something was removed from `code`. It leaves the thread only as a keyed
   * hash.
   */
  rawCode: string | null;
  /** For secrets only. `value` leaves the parser's thread only as a keyed hash. */
  secret: { value: string | null; maskedLine: string | null } | null;
  links: string[];
  /**
   * A suppression that was in force at the time of the run. `source` is a comment beside the code, which marks the
   * location. `file` is an ignore file or the tool's own review, which covers the whole problem.
   */
  suppression: { by: 'source' | 'file'; reason: string | null; expiresAt: string | null } | null;
  /** For secrets: the tool tried the secret, and it works. */
  verified: boolean;
  /** True if the tool says that it can be exploited or reached. */
  exploitable: boolean;
  /** For scans of the history: the date of the commit, RFC 3339. */
  committedAt: string | null;
  /**
   * Findings of one run with the same value are locations of one vulnerability: the JSON pointer of the row that names
   * several. Null for a row with one location.
   */
  sharedRow: string | null;
  /** The evidence that proves and explains the finding; null if the report shows none. */
  evidence: ReportEvidence | null;
}

/** Made by `newEvidence` alone, which bounds and redacts all texts. */
export interface ReportEvidence {
  snippet: ReportSnippet | null;
  /** The steps of the data flow, from the source to the sink. */
  dataFlow: ReportFlowStep[];
  /** The rule's own explanation, plain text or Markdown. */
  help: string | null;
  /** The advice for this finding, as plain text or Markdown. */
  remediation: string | null;
  /** Dependency paths to the vulnerable package, from the project's own dependency on, each as `name@version`. */
  dependencyPaths: string[][];
}

/** Lines of code around the finding. */
export interface ReportSnippet {
  text: string;
  /** Number of the first line, from 1; null if the report does not have it. */
  firstLine: number | null;
  /** The first and last line of the finding itself; null if the report does not have them. */
  markedFrom: number | null;
  markedTo: number | null;
}

export interface ReportFlowStep {
  /** Relative to the repository's root; null if the step names no file. */
  path: string | null;
  line: number | null;
  /** The event at this step: its message, or the code. */
  text: string;
}

export interface ReportPackage {
  /** Package URL without version, qualifiers and subpath: `pkg:npm/lodash`. */
  purl: string;
  name: string;
  version: string | null;
  /** True if the document names a path inside the package: the subpath of its package URL. */
  hasSubpath?: true;
}

export interface ReportArtifact {
  type: ArtifactType;
  name: string;
  /** The package URL with its version. */
  purl: string | null;
  digest: string | null;
}

/** A report that is refused as a whole. The scan shows the code. */
export class ReportError extends Error {
  declare readonly message: Sentence;
  readonly code: 'UNKNOWN_FORMAT' | 'MALFORMED_REPORT' | 'LIMIT_EXCEEDED';
  readonly pointer: string | null;
  readonly line: number | null;

  constructor(
    code: ReportError['code'],
    message: Sentence,
    location: { pointer?: string | null; line?: number | null } = {},
  ) {
    super(message);
    this.name = 'ReportError';
    this.code = code;
    this.pointer = location.pointer ?? null;
    this.line = location.line ?? null;
  }
}
