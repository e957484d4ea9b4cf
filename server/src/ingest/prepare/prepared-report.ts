/**
 * The output of the parser's thread: a report with its keys, ready to be imported. It has digests of secrets, never a
 * secret.
 */

import type { ArtifactType } from '../../domain/artifact-types.ts';
import type { ArtifactId } from '../../domain/ids.ts';
import type { Severity, VulnerabilityType } from '../../domain/packed-state.ts';
import type { Report, Run } from '../../parsers/report.ts';
import type { TaughtName } from './advisory-names.ts';
import type { PackedFindings } from './packed-findings.ts';

/** A report that is ready to be imported: rows with keys, in order of their ordinals. */
export interface PreparedReport extends Omit<Report, 'runs'> {
  runs: PreparedRun[];
  /** The names of advisories that the report teaches. */
  names: TaughtName[];
  /** Key → explanation of a rule, for `PreparedEvidence.help`. */
  helps: Map<string, string>;
}

/** True if the report lists packages. */
export function listsPackages({ runs }: Pick<PreparedReport, 'runs'>): boolean {
  return runs.some(({ manifests }) => manifests.length > 0);
}

export interface PreparedRun extends Omit<Run, 'findings'> {
  /** The findings, with each key once. */
  findings: PackedFindings;
  /** The keys of findings in code that are locations of one vulnerability, because one row of the report names them. */
  groups: string[][];
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
   * The identity of a secret. It is null for a package, whose identity comes from the canonical advisory, and for code.
   */
  identity: string | null;
  /** Number of its group in `groups` of the run; null for a finding without a group. */
  group: number | null;
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
    id: ArtifactId;
    type: ArtifactType;
    name: string;
    purl: string | null;
    digest: string | null;
  } | null;
  /** True if a comment in the code suppresses this location. */
  suppressed: boolean;
  /** Set if an ignore file or the tool's own review suppresses the whole problem. */
  suppression: { reason: string | null; expiresAt: string | null } | null;
  verified: boolean;
  exploitable: boolean;
  committedAt: string | null;
}

/** The fields of a finding that are not columns of `PackedFindings`. */
export type FindingContent = Omit<PreparedFinding, 'ordinal' | 'kind' | 'key' | 'digest'>;

/** The fields of a finding in code that the match rules read. */
export type CodeKeys = Pick<
  PreparedFinding,
  | 'ordinal'
  | 'group'
  | 'type'
  | 'path'
  | 'line'
  | 'ruleKey'
  | 'codeKey'
  | 'fingerprintKey'
  | 'fingerprintScheme'
  | 'fileKey'
>;

export interface PreparedEvidence {
  /** JSON of `EvidenceContent`. */
  content: string;
  /** The key of the rule's explanation in `helps` of the report. */
  help: string | null;
}
