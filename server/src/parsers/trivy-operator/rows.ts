/**
 * The rows of the Trivy Operator's reports: each is turned into the row of Trivy's own report that it was, so that both
 * give the same rule, package and severity. The location is the workload.
 */
import { ecosystemOfSystemVersion } from '../reading/ecosystems.ts';
import { newEvidence } from '../reading/evidence.ts';
import { asRecord, type JsonRecord, numberAt, recordAt, stringAt, stringsAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { normalisePath } from '../reading/paths.ts';
import { readMisconfiguration, readSecret } from '../trivy/checks.ts';
import { readTrivyVulnerability } from '../trivy/packages.ts';
import type { TrivyResult, TrivyRow } from '../trivy/result.ts';
import type { OperatorResource } from './resources.ts';

type RowReader = (
  row: unknown,
  pointer: string,
  resource: OperatorResource,
  context: ParseContext,
) => TrivyRow;

export const readVulnerabilityRow: RowReader = (value, pointer, resource, context) => {
  const row = asRecord(value);
  if (row === null) return { unreadable: 'The vulnerability is not an object.' };
  const family = stringAt(recordAt(recordAt(resource.record, 'report'), 'os'), 'family');
  const isSystem = stringAt(row, 'class') === 'os-pkgs';
  // Older versions name neither the kind of the package nor the system.
  const guessed = ecosystemOfSystemVersion(stringAt(row, 'installedVersion') ?? '')?.namespace ?? null;
  const type = stringAt(row, 'packageType') ?? (isSystem ? family : null) ?? guessed;
  const score = numberAt(row, 'score');
  const result = resultOf(
    resource,
    { Type: type, Class: stringAt(row, 'class') },
    stringAt(row, 'target') ?? '',
  );
  return readTrivyVulnerability(
    {
      VulnerabilityID: stringAt(row, 'vulnerabilityID'),
      PkgName: stringAt(row, 'resource'),
      InstalledVersion: stringAt(row, 'installedVersion'),
      FixedVersion: stringAt(row, 'fixedVersion'),
      PkgIdentifier: { PURL: stringAt(row, 'packagePURL') ?? stringAt(row, 'pkgPURL') },
      PkgPath: stringAt(row, 'pkgPath') ?? stringAt(row, 'packagePath'),
      Severity: stringAt(row, 'severity'),
      Title: stringAt(row, 'title'),
      Description: stringAt(row, 'description'),
      CVSS: recordAt(row, 'cvss') ?? (score === null ? null : { score: { V3Score: score } }),
      CweIDs: stringsAt(row, 'cweIDs'),
      PrimaryURL: stringAt(row, 'primaryLink'),
      References: stringsAt(row, 'links'),
    },
    pointer,
    result,
    context,
  );
};

/** A secret is in a file of the image, so the file is a part of its location. */
export const readSecretRow: RowReader = (value, pointer, resource, context) => {
  const row = asRecord(value);
  if (row === null) return { unreadable: 'The secret is not an object.' };
  const finding = readSecret(
    {
      RuleID: stringAt(row, 'ruleID'),
      Category: stringAt(row, 'category'),
      Severity: stringAt(row, 'severity'),
      Title: stringAt(row, 'title'),
      Match: stringAt(row, 'match'),
    },
    pointer,
    resultOf(resource, {}, ''),
    context,
  );
  if (!('title' in finding)) return finding;
  const path = normalisePath(`${resource.workload}/${stringAt(row, 'target') ?? ''}`);
  return { ...finding, path };
};

export const readConfigCheck: RowReader = (value, pointer, resource, context) => {
  const row = asRecord(value);
  if (row === null) return { unreadable: 'The check is not an object.' };
  const finding = readMisconfiguration(
    {
      ID: stringAt(row, 'checkID') ?? stringAt(row, 'id'),
      Title: stringAt(row, 'title'),
      Message: stringsAt(row, 'messages').slice(0, 100).join('\n') || null,
      Description: stringAt(row, 'description'),
      Severity: stringAt(row, 'severity'),
    },
    pointer,
    resultOf(resource, {}, ''),
    context,
  );
  if (!('title' in finding)) return finding;
  const remediation = stringAt(row, 'remediation');
  return { ...finding, evidence: finding.evidence ?? newEvidence({ remediation }, context) };
};

function resultOf(resource: OperatorResource, record: JsonRecord, target: string): TrivyResult {
  return {
    record,
    pointer: resource.pointer,
    target,
    scope: 'cluster',
    system: null,
    distro: null,
    resource: resource.workload === '' ? null : resource.workload,
  };
}
