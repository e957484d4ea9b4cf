/**
 * What every parser gives back: the shape between a scanner's file and the import.
 *
 * A parser is a pure function `(bytes) => Report`: no database, no clock, no file, no network. It keeps what
 * the tool said and decides nothing about identity; `identity.ts` does, from these fields alone.
 */
import type { ArtifactType } from '../domain/artifact-types.ts';
import type { Severity, VulnerabilityType } from '../domain/packed-state.ts';

export interface Report {
  format: string;
  /** The report's own rows, before any matching: results, vulnerabilities, secrets, misconfigurations. */
  read: number;
  runs: Run[];
  /** Rows that could not be understood. They are counted in `read` and shown with the scan. */
  unreadable: Unreadable[];
  /** What a VEX document, or the VEX part of an SBOM, says of vulnerabilities. Counted in `read` once. */
  statements: VexStatement[];
  /** What a person should know though nothing failed, one sentence each; the same sentence stands once. */
  warnings: string[];
}

export interface Unreadable {
  /** JSON pointer into the report, such as `/runs/0/results/12`. */
  pointer: string;
  reason: string;
}

/**
 * `failed`: the report says that the run did not succeed. `looked_at_nothing`: the report shows that the tool looked at
 * nothing. Neither is evidence that anything is clean.
 */
export const runOutcomes = ['succeeded', 'failed', 'looked_at_nothing'] as const;
export type RunOutcome = (typeof runOutcomes)[number];

/** One run of one tool: what its absence may close later is decided per run. */
export interface Run {
  /** Family in lower case, the same over products and versions: `semgrep` for "Semgrep OSS". */
  tool: string;
  toolVersion: string | null;
  /** What tells several runs of one tool in one repository apart; empty when nothing does. */
  category: string;
  /** When the tool ran, RFC 3339, if the report says. */
  ranAt: string | null;
  /** It looked through the history of commits, not through the current tree. */
  history: boolean;
  /** How the run ended, as far as the report says. What is missing from a run that did not succeed is not fixed. */
  outcome: RunOutcome;
  findings: ReportFinding[];
  /** What was looked for, whether or not it was found; empty for a list of packages that nobody looked through. */
  analysisTypes: VulnerabilityType[];
  /** The container image that was scanned; null for anything else, and where the report does not name it. */
  image: ReportImage | null;
  /** Packages that the run lists, vulnerable or not. Empty: the report says nothing about packages. */
  manifests: ReportManifest[];
}

export interface ReportImage {
  /** With registry and directory as the report writes them, without tag and digest; of an archive its file's name. */
  name: string;
  tag: string | null;
}

/** A file, image or SBOM with the packages that it brings. */
export interface ReportManifest {
  /** Relative to the repository's root; of an image its name without registry directory, tag and digest. */
  path: string;
  /** The package URL's type of most of its packages (`npm`, `maven`, `deb`), `image` or `sbom` where it is mixed. */
  type: string;
  packages: ReportInventoryPackage[];
}

export interface ReportInventoryPackage extends ReportPackage {
  /** SPDX ids or expressions, or names as the tool wrote them. */
  licenses: string[];
  /** Asked for by the manifest itself; null when the report does not tell. */
  direct: boolean | null;
}

/** One product by one statement: a VEX document says of a vulnerability what it means for a package. */
export interface VexStatement {
  /** Where it stands in the report: JSON pointer. */
  pointer: string;
  /** The vulnerability's id as reported first, then what the document calls the same. */
  advisories: string[];
  status: 'not_affected' | 'false_positive' | 'affected' | 'exploitable' | 'fixed' | 'under_investigation';
  /** The justification's word (`vulnerable_code_not_present`) and the text beside it; null when there is none. */
  reason: string | null;
  /** The package it speaks of; null: whatever package of the repository has the vulnerability. */
  package: ReportPackage | null;
  /** When it was said last, RFC 3339. */
  at: string | null;
}

export interface ReportFinding {
  /** Where it stands in the report: JSON pointer. */
  pointer: string;
  type: VulnerabilityType;
  severity: Severity;
  /** One line, at most 500 characters: what the list shows. Never holds a secret. */
  title: string;
  /** Plain text or Markdown as the tool wrote it. Data, never markup. Never holds a secret. */
  description: string | null;
  /** The tool's rule id; for dependencies the advisory id as reported. Empty when the tool gives none. */
  rule: string;
  /** Dependency, container, license, malware: advisory id as reported first, then what it calls the same. */
  advisories: string[];
  /** Ids that belong to it but do not mean the same (several CVEs of one distro advisory). */
  relatedAdvisories: string[];
  package: ReportPackage | null;
  /** Versions that fix it, as reported; empty when none is known. */
  fixedVersions: string[];
  cvss: { score: number; vector: string | null } | null;
  /** `CWE-79` and so on. */
  cwes: string[];
  /** Relative to the repository's root, forward slashes; null when the report names no place. */
  path: string | null;
  /** The path names an image or a target and no file: shown, but no part of identity. */
  pathIsTarget: boolean;
  /** From 1; null when unknown. */
  line: number | null;
  artifact: ReportArtifact | null;
  /** A fingerprint on the allow-list of its tool; null otherwise. */
  fingerprint: { scheme: string; value: string; pathFree: boolean } | null;
  /** The code at the place, raw; or, where there is none, what names the place (resource, parameter). */
  code: string | null;
  /** Secrets only. `value` leaves the parser's thread as a keyed hash alone. */
  secret: { value: string | null; maskedLine: string | null } | null;
  links: string[];
  /**
   * Suppressed, in force at the time of the run. `source`: by a comment beside the code, which marks the place.
   * `file`: by an ignore file or the tool's own review, which speaks of the whole problem.
   */
  suppression: { by: 'source' | 'file'; reason: string | null; expiresAt: string | null } | null;
  /** Secrets: the tool tried it and it works. */
  verified: boolean;
  /** The tool says that it can be exploited or reached. */
  exploitable: boolean;
  /** History scans: the commit's date, RFC 3339. */
  committedAt: string | null;
}

export interface ReportPackage {
  /** Package URL without version, qualifiers and subpath: `pkg:npm/lodash`. */
  purl: string;
  name: string;
  version: string | null;
}

export interface ReportArtifact {
  type: ArtifactType;
  name: string;
  /** With version. */
  purl: string | null;
  digest: string | null;
}

/** A report that cannot be taken: nothing of it is kept. Codes are shown with the scan. */
export class ReportError extends Error {
  readonly code: 'UNKNOWN_FORMAT' | 'MALFORMED_REPORT' | 'LIMIT_EXCEEDED';
  readonly pointer: string | null;
  readonly line: number | null;

  constructor(
    code: ReportError['code'],
    message: string,
    place: { pointer?: string | null; line?: number | null } = {},
  ) {
    super(message);
    this.name = 'ReportError';
    this.code = code;
    this.pointer = place.pointer ?? null;
    this.line = place.line ?? null;
  }
}
