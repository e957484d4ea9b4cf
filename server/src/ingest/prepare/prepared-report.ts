/** What leaves the parser's thread: a report with its keys, ready to be imported. Digests of secrets, never a secret. */

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

/** A report, ready to be imported: rows with keys, in order of their ordinals. */
export interface PreparedReport {
  format: string;
  read: number;
  unreadable: Unreadable[];
  warnings: string[];
  runs: PreparedRun[];
  statements: VexStatement[];
  /** What the report teaches of advisories' names. */
  names: TaughtName[];
}

export interface PreparedRun {
  tool: string;
  category: string;
  history: boolean;
  outcome: RunOutcome;
  /** Each key once. */
  findings: PackedFindings;
  analysisTypes: VulnerabilityType[];
  image: ReportImage | null;
  manifests: ReportManifest[];
}

/** Keys are UUID text: 128 bits of SHA-256, compact in an index. */
export interface PreparedFinding {
  ordinal: number;
  kind: 'package' | 'secret' | 'code';
  /** The same finding in the next report of the series. */
  key: string;
  /** Of what a report may change without making it another finding: int8 text. */
  digest: string;
  /** The same place of its vulnerability on its reference. */
  place: string;
  /** Secrets: identity, hex of 32 bytes. Packages: null, made from the canonical advisory. */
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
  /** By a comment beside the code: this place is not looked at. */
  suppressed: boolean;
  /** By an ignore file or the tool's own review: somebody has decided about the whole problem. */
  suppression: { reason: string | null; expiresAt: string | null } | null;
  verified: boolean;
  exploitable: boolean;
  committedAt: string | null;
}

/** Findings in a form that crosses the thread's border by transfer, `packed-findings.ts`. */
export interface PackedFindings {
  /** 16 bytes a finding, in order of ordinals. */
  keys: Uint8Array;
  digests: BigInt64Array;
  /** 0 package, 1 secret, 2 code. */
  kinds: Uint8Array;
  /** The findings, some hundred to a chunk, as JSON. */
  chunks: Uint8Array[];
  /** Ordinal of the first one: ordinals go on from run to run. */
  first: number;
  suppressed: number;
}
