/**
 * The output of the parser's thread: a report with its keys, ready to be imported. It has digests of secrets, never a
 * secret.
 */

import type { ArtifactType } from '../../domain/artifact-types.ts';
import type { Severity, VulnerabilityType } from '../../domain/packed-state.ts';
import type {
  ReportImage,
  ReportManifest,
  RunOutcome,
  Unreadable,
  VexStatement,
} from '../../parsers/report.ts';
import type { TaughtName } from './advisory-names.ts';

/** A report that is ready to be imported: rows with keys, in order of their ordinals. */
export interface PreparedReport {
  format: string;
  read: number;
  unreadable: Unreadable[];
  warnings: string[];
  runs: PreparedRun[];
  statements: VexStatement[];
  /** The names of advisories that the report teaches. */
  names: TaughtName[];
}

export interface PreparedRun {
  tool: string;
  category: string;
  history: boolean;
  outcome: RunOutcome;
  /** The findings, with each key once. */
  findings: PackedFindings;
  analysisTypes: VulnerabilityType[];
  image: ReportImage | null;
  manifests: ReportManifest[];
}

/** Keys are UUID text: 128 bits of SHA-256, compact in an index. */
export interface PreparedFinding {
  ordinal: number;
  kind: 'package' | 'secret' | 'code';
  /** Identifies the same finding in the next report of the series. */
  key: string;
  /** A digest of the content that a report may change without making it another finding: int8 text. */
  digest: string;
  /** Identifies the same location of its vulnerability on its reference. */
  location: string;
  /**
   * The identity of a secret, hex of 32 bytes. It is null for a package, whose identity comes from the canonical
   * advisory.
   */
  identity: string | null;
  masked: boolean;
  advisories: string[];
  relatedAdvisories: string[];
  purl: string | null;
  ruleKey: string | null;
  fileKey: string | null;
  codeKey: string | null;
  fingerprintKey: string | null;
  fingerprintScheme: string | null;
  type: VulnerabilityType;
  severity: Severity;
  title: string;
  description: string | null;
  rule: string;
  fixedVersions: string[];
  cvssScore: number | null;
  cvssVector: string | null;
  cwes: string[];
  links: string[];
  path: string;
  line: number | null;
  artifact: {
    key: string;
    type: ArtifactType;
    name: string;
    purl: string | null;
    digest: string | null;
  } | null;
  /** A comment beside the code suppresses this location. */
  suppressed: boolean;
  /** An ignore file or the tool's own review suppresses the whole problem. */
  suppression: { reason: string | null; expiresAt: string | null } | null;
  verified: boolean;
  exploitable: boolean;
  committedAt: string | null;
}

/** Findings in a form that is transferred between threads (`packed-findings.ts`). */
export interface PackedFindings {
  /** 16 bytes per finding, in order of ordinals. */
  keys: Uint8Array;
  digests: BigInt64Array;
  /** 0 is a package, 1 is a secret, 2 is code. */
  kinds: Uint8Array;
  /** The findings as JSON, with some hundred in each chunk. */
  chunks: Uint8Array[];
  /** The ordinal of the first finding. Ordinals continue from run to run. */
  first: number;
  suppressed: number;
}
