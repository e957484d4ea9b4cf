/**
 * The vulnerabilities of a row of OCSF: a finding for each affected package on each resource, or for each file of
 * affected code.
 */
import { type CloudPackage, type CloudResource, packageFindings } from '../reading/cloud-packages.ts';
import { newestCvss } from '../reading/cvss.ts';
import { newEvidence } from '../reading/evidence.ts';
import { cwesOf, newFinding, severityOfLabel } from '../reading/finding.ts';
import {
  arrayAt,
  asRecord,
  integerAt,
  type JsonRecord,
  recordAt,
  stringAt,
  stringsAt,
} from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { repositoryPath } from '../reading/paths.ts';
import { cleanName, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import type { ReportFinding } from '../report.ts';
import { eventLinksOf, eventRemediationOf, eventRuleOf, eventSeverityOf, type OcsfRow } from './fields.ts';

/** The facts of a row that its vulnerabilities share. */
interface Shared {
  links: string[];
  remediation: string | null;
  rule: string;
}

/**
 * Returns the findings of all vulnerabilities of a row; null if there are none, or one names neither a package nor a
 * file.
 */
export function vulnerabilityFindings(
  row: OcsfRow,
  resources: readonly CloudResource[],
  context: ParseContext,
): ReportFinding[] | null {
  const { record, info } = row;
  const shared: Shared = {
    links: eventLinksOf(record, info),
    remediation: eventRemediationOf(record),
    rule: eventRuleOf(record, info, context),
  };
  const all: ReportFinding[] = [];
  for (const one of arrayAt(record, 'vulnerabilities')) {
    const vulnerability = asRecord(one);
    if (vulnerability === null) continue;
    const found = findingsOfVulnerability(row, vulnerability, shared, resources, context);
    if (found === null) return null;
    for (const finding of found) all.push(finding);
  }
  return all.length === 0 ? null : all;
}

function findingsOfVulnerability(
  { record, info, pointer }: OcsfRow,
  vulnerability: JsonRecord,
  ofRow: Shared,
  resources: readonly CloudResource[],
  context: ParseContext,
): ReportFinding[] | null {
  const cve = recordAt(vulnerability, 'cve');
  const advisory = recordAt(vulnerability, 'advisory');
  const written = stringAt(cve, 'uid') ?? stringAt(advisory, 'uid') ?? stringAt(vulnerability, 'uid');
  const title = stringAt(vulnerability, 'title') ?? stringAt(info, 'title') ?? written;
  const description = stringAt(vulnerability, 'desc') ?? stringAt(info, 'desc');
  const severity = severityOfLabel(stringAt(vulnerability, 'severity'));
  const remediation = stringAt(recordAt(vulnerability, 'remediation'), 'desc') ?? ofRow.remediation;
  const scores = [...arrayAt(cve, 'cvss'), ...arrayAt(vulnerability, 'cvss')];
  const shared = {
    pointer,
    severity: severity === 'unknown' ? eventSeverityOf(record) : severity,
    title: safeTitle(title ?? '', context) || 'Vulnerability without a title',
    description: safeText(description, context),
    cvss: newestCvss(scores, { version: 'version', score: 'base_score', vector: 'vector_string' }),
    cwes: weaknessesOf(vulnerability, cve),
    links: safeLinks([...stringsAt(vulnerability, 'references'), ...ofRow.links]),
    evidence: newEvidence({ remediation }, context),
  };
  const packages = [...arrayAt(vulnerability, 'affected_packages'), ...arrayAt(vulnerability, 'packages')];
  if (written !== null && packages.length > 0) {
    const others = [
      stringAt(cve, 'uid'),
      stringAt(advisory, 'uid'),
      ...stringsAt(vulnerability, 'related_vulnerabilities'),
    ];
    return packageFindings(
      { ...shared, id: cleanName(written, context), others: namesOf(others, context) },
      packages.map((row) => packageOf(row, record)),
      resources,
      context,
    );
  }
  const files = arrayAt(vulnerability, 'affected_code');
  if (files.length === 0) return null;
  context.addLocations(files.length, pointer);
  return files.map((code) => {
    const file = recordAt(code, 'file');
    const path = stringAt(file, 'path') ?? stringAt(file, 'name');
    return newFinding({
      ...shared,
      type: 'sast',
      rule: cleanName(written ?? ofRow.rule, context),
      path: repositoryPath(path),
      line: integerAt(code, 'start_line', 1),
      sharedRow: files.length > 1 ? pointer : null,
    });
  });
}

function namesOf(ids: readonly (string | null)[], context: ParseContext): string[] {
  return ids.filter((id) => id !== null).map((id) => cleanName(id, context));
}

function packageOf(row: unknown, record: JsonRecord): CloudPackage {
  const resource = arrayAt(record, 'resources')[0];
  const system = recordAt(recordAt(record, 'device'), 'os') ?? recordAt(recordAt(resource, 'data'), 'os');
  return {
    purl: stringAt(row, 'purl'),
    name: stringAt(row, 'name'),
    version: stringAt(row, 'version'),
    release: stringAt(row, 'release'),
    epoch: stringAt(row, 'epoch'),
    manager: stringAt(row, 'package_manager') ?? stringAt(row, 'type'),
    platform: stringAt(system, 'name'),
    file: stringAt(row, 'path'),
    fixedIn: [...stringsAt(row, 'fixed_in_version'), ...stringsAt(row, 'fixed_in')],
  };
}

function weaknessesOf(vulnerability: JsonRecord, cve: JsonRecord | null): string[] {
  const single = [recordAt(vulnerability, 'cwe'), recordAt(cve, 'cwe')];
  const all = [...single, ...arrayAt(cve, 'related_cwes'), ...arrayAt(vulnerability, 'related_cwes')];
  return cwesOf(all.map((cwe) => stringAt(cwe, 'uid')));
}
