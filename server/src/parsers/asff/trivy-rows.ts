/**
 * The rows that Trivy's own template for AWS Security Hub writes. They are turned into rows of Trivy's JSON, so that
 * both reports of one scan give the same findings.
 */
import { type JsonRecord, recordAt, stringAt, stringsAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import type { ReportFinding } from '../report.ts';
import { readMisconfiguration, readSecret } from '../trivy/checks.ts';
import { readTrivyVulnerability } from '../trivy/packages.ts';
import type { TrivyReader, TrivyResult } from '../trivy/result.ts';
import { severityName } from './findings.ts';

/** Returns null for a row that cannot be read. */
export function readTrivyRow(
  record: JsonRecord,
  pointer: string,
  image: { name: string; system: string } | null,
  context: ParseContext,
): ReportFinding[] | null {
  const [resource] = resourcesOf(record);
  const other = recordAt(recordAt(resource, 'Details'), 'Other');
  const recommendation = recordAt(recordAt(record, 'Remediation'), 'Recommendation');
  const id = stringAt(other, 'CVE ID') ?? stringAt(record, 'GeneratorId')?.replace(/^Trivy\/?/, '') ?? null;
  const result: TrivyResult = {
    record: {},
    pointer,
    target: stringAt(resource, 'Id') ?? '',
    scope: image === null ? 'files' : 'image',
    system: image?.system ?? null,
    distro: null,
    resource: null,
  };
  const shared = {
    Severity: severityName(record),
    Description: stringAt(record, 'Description'),
    PrimaryURL: stringAt(recommendation, 'Url'),
  };
  const title = stringAt(record, 'Title') ?? '';
  const [read, row]: [TrivyReader, JsonRecord] =
    stringAt(other, 'PkgName') !== null || stringAt(other, 'CVE ID') !== null
      ? [readTrivyVulnerability, { ...shared, VulnerabilityID: id, ...packageOf(other) }]
      : stringsAt(record, 'Types').some((type) => type.startsWith('Sensitive Data'))
        ? [readSecret, { ...shared, RuleID: id || secretRule(title), Title: afterColon(title) }]
        : [
            readMisconfiguration,
            {
              ...shared,
              ID: id,
              Title: afterColon(title),
              Message: stringAt(other, 'Message'),
              Resolution: stringAt(recommendation, 'Text'),
              CauseMetadata: { StartLine: stringAt(other, 'StartLine'), EndLine: stringAt(other, 'EndLine') },
            },
          ];
  const finding = read(row, pointer, result, context);
  return 'unreadable' in finding || 'skip' in finding ? null : [finding];
}

function resourcesOf(record: JsonRecord): unknown[] {
  return Array.isArray(record.Resources) ? record.Resources : [];
}

function packageOf(other: JsonRecord | null): JsonRecord {
  const title = stringAt(other, 'CVE Title');
  return {
    ...(title === null ? {} : { Title: title }),
    PkgName: stringAt(other, 'PkgName'),
    InstalledVersion: stringAt(other, 'Installed Package'),
    FixedVersion: stringAt(other, 'Patched Package'),
    CVSS: {
      nvd: {
        V3Score: scoreOf(other, 'NvdCvssScoreV3'),
        V3Vector: stringAt(other, 'NvdCvssVectorV3'),
        V2Score: scoreOf(other, 'NvdCvssScoreV2'),
        V2Vector: stringAt(other, 'NvdCvssVectorV2'),
      },
    },
  };
}

/** The template writes 0 for a score that is not known. */
function scoreOf(other: JsonRecord | null, key: string): string | null {
  const score = stringAt(other, key);
  return score === '0' ? null : score;
}

/** "Trivy found a secret in shed/key.py: Garden key" */
function afterColon(title: string): string {
  return /^Trivy found an? [a-z]+ in .*?: (.+)$/s.exec(title.slice(0, 2000))?.[1] ?? title;
}

/** The template names no rule of a secret, so its title is the rule. */
function secretRule(title: string): string {
  return afterColon(title);
}
