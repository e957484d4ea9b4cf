/**
 * Parses the rows of a demo report, as far as the demo's own tests need to tell problems apart.
 *
 * It is not a parser of the product and must not be used as one, because it handles only the output of the demo's
 * writers.
 */
import type { DemoScan } from './generate.ts';

export interface ReportRow {
  type: 'dependency' | 'container' | 'license' | 'iac' | 'secret' | 'sast' | 'broken';
  /** Names the problem within its repository and type, independent of the line. */
  problem: string;
  rule: string;
  path: string;
  line: number | null;
  severity: string | null;
  code: string | null;
  fingerprint: string | null;
  suppressed: boolean;
}

interface TrivyRow {
  VulnerabilityID?: string;
  ID?: string;
  RuleID?: string;
  Name?: string;
  PkgName?: string;
  Severity: string;
  StartLine?: number;
  CauseMetadata?: { Resource: string; StartLine: number };
}

interface TrivyResult {
  Target: string;
  Class: string;
  Vulnerabilities?: TrivyRow[];
  Misconfigurations?: TrivyRow[];
  Secrets?: TrivyRow[];
  Licenses?: TrivyRow[];
}

interface SarifLocation {
  artifactLocation: { uri: string };
  region: { startLine: number; snippet?: { text: string } };
  contextRegion?: { snippet: { text: string } };
}

interface SarifResult {
  ruleId: string;
  locations: { physicalLocation: SarifLocation }[];
  fingerprints?: Record<string, string>;
  partialFingerprints?: Record<string, string>;
  suppressions?: object[];
}

interface SarifRun {
  tool: { driver: { name: string } };
  results: (SarifResult | string)[];
}

/** All rows of a report, in its order. */
export function listRows(scan: DemoScan): ReportRow[] {
  const report = JSON.parse(scan.report) as { Results?: TrivyResult[]; runs?: SarifRun[] };
  return [...(report.Results ?? []).flatMap(rowsOfResult), ...(report.runs ?? []).flatMap(rowsOfRun)];
}

function rowsOfResult(result: TrivyResult): ReportRow[] {
  const row = (type: ReportRow['type'], rule: string, subject: string, from: TrivyRow): ReportRow => ({
    type,
    problem: `${rule} ${subject}`,
    rule,
    path: result.Target,
    line: from.StartLine ?? from.CauseMetadata?.StartLine ?? null,
    severity: from.Severity,
    code: null,
    fingerprint: null,
    suppressed: false,
  });
  const packageType = result.Class === 'os-pkgs' ? 'container' : 'dependency';
  return [
    ...(result.Vulnerabilities ?? []).map((from) =>
      row(packageType, from.VulnerabilityID ?? '', from.PkgName ?? '', from),
    ),
    ...(result.Licenses ?? []).map((from) => row('license', from.Name ?? '', from.PkgName ?? '', from)),
    ...(result.Misconfigurations ?? []).map((from) =>
      row('iac', from.ID ?? '', `${result.Target} ${from.CauseMetadata?.Resource}`, from),
    ),
    ...(result.Secrets ?? []).map((from) =>
      row('secret', from.RuleID ?? '', `${result.Target} ${from.StartLine}`, from),
    ),
  ];
}

function rowsOfRun(run: SarifRun): ReportRow[] {
  return run.results.map((result): ReportRow => {
    const location = typeof result === 'string' ? undefined : result.locations[0]?.physicalLocation;
    if (typeof result === 'string' || location === undefined) return brokenRow;
    const code = (location.region.snippet ?? location.contextRegion?.snippet)?.text.trim() ?? null;
    const fingerprint =
      result.fingerprints?.['matchBasedId/v1'] ?? result.partialFingerprints?.primaryLocationLineHash ?? null;
    const isSecret = run.tool.driver.name === 'gitleaks';
    const path = location.artifactLocation.uri;
    return {
      type: isSecret ? 'secret' : 'sast',
      problem: `${result.ruleId} ${path} ${isSecret ? location.region.startLine : fingerprint}`,
      rule: result.ruleId,
      path,
      line: location.region.startLine,
      severity: null,
      code,
      fingerprint,
      suppressed: (result.suppressions ?? []).length > 0,
    };
  });
}

const brokenRow: ReportRow = {
  type: 'broken',
  problem: 'broken',
  rule: '',
  path: '',
  line: null,
  severity: null,
  code: null,
  fingerprint: null,
  suppressed: false,
};
