/**
 * Owns findings in the Open Cybersecurity Schema Framework, as Prowler and AWS Security Hub write them. A vulnerability
 * gives a finding for each package on each resource; any other row gives one for each resource. The id of a row is no
 * fingerprint, because it holds what the rule, the account and the resource already say.
 */
import type { Severity } from '../domain/packed-state.ts';
import type { Format } from './format.ts';
import {
  type CloudPackage,
  type CloudResource,
  packageFindings,
  resourceLocation,
} from './reading/cloud-packages.ts';
import {
  type CloudRuns,
  cloudRows,
  cloudRun,
  cloudTool,
  finishedRuns,
  firstCloudRow,
} from './reading/cloud-rows.ts';
import { cvssOf } from './reading/cvss.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newEvidence } from './reading/evidence.ts';
import { cweOf, newFinding, severityOfLabel } from './reading/finding.ts';
import {
  arrayAt,
  asRecord,
  integerAt,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
  stringsAt,
} from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import { repositoryPath } from './reading/paths.ts';
import { cleanName, safeLinks, safeText, safeTitle } from './reading/text.ts';
import { typeOfFamily } from './reading/tools.ts';
import type { Report, ReportFinding } from './report.ts';

export const ocsf: Format = {
  name: 'ocsf',
  marks: ['class_uid', 'finding_info', 'metadata', 'severity_id'],
  recognises,
  parse,
};

/** All classes of the category `Findings`. */
function recognises(document: ReportDocument): boolean {
  const first = firstCloudRow(document);
  const finding = recordAt(first, 'finding_info') ?? recordAt(first, 'finding');
  const uid = numberAt(first, 'class_uid') ?? 0;
  return finding !== null && ((uid >= 2001 && uid < 2100) || stringAt(first, 'severity_id') !== null);
}

function parse(document: ReportDocument, context: ParseContext): Report {
  const { values, unreadable } = cloudRows(document, context);
  const runs: CloudRuns = new Map();
  for (const { value, pointer } of values) {
    const record = asRecord(value);
    const info = recordAt(record, 'finding_info') ?? recordAt(record, 'finding');
    if (record === null || info === null) {
      unreadable.push({ pointer, reason: 'The row has no finding_info.' });
      continue;
    }
    const product = recordAt(recordAt(record, 'metadata'), 'product');
    const tool = cloudTool(stringAt(product, 'name') ?? stringAt(product, 'vendor_name') ?? 'ocsf');
    const toolVersion = stringAt(product, 'version');
    const findings = cloudRun(runs, { tool, category: accountOf(record), toolVersion }, context);
    const row = readRow({ record, info, pointer, tool }, context);
    if (row === null) unreadable.push({ pointer, reason: 'The finding has no title, rule or text.' });
    else if ('skip' in row) context.warn(row.skip);
    else for (const finding of row) findings.push(finding);
  }
  return {
    format: ocsf.name,
    read: context.rows,
    runs: finishedRuns(runs, 'ocsf'),
    unreadable,
    statements: [],
    warnings: context.warnings,
  };
}

/** The account, project or subscription tells scans of several apart. */
function accountOf(record: JsonRecord): string {
  const cloud = recordAt(record, 'cloud');
  const account = recordAt(cloud, 'account');
  const id = stringAt(account, 'uid') ?? stringAt(cloud, 'account_uid') ?? stringAt(account, 'name');
  const unmapped = recordAt(record, 'unmapped');
  const provider = stringAt(cloud, 'provider') ?? stringAt(unmapped, 'provider');
  const parts = [provider?.toLowerCase() ?? null, id ?? stringAt(unmapped, 'provider_uid')];
  return parts.filter((part) => part !== null).join('/');
}

interface Row {
  record: JsonRecord;
  info: JsonRecord;
  pointer: string;
  tool: string;
}

function readRow(row: Row, context: ParseContext): ReportFinding[] | { skip: string } | null {
  const { record, info, pointer, tool } = row;
  const state = stateOf(record);
  if (state === 'passed') return { skip: 'Checks that passed are counted and are no findings.' };
  if (state === 'resolved') return { skip: 'Findings that are resolved are counted and are no findings.' };
  const resources = [
    ...arrayAt(record, 'resources'),
    ...[recordAt(record, 'resource')].filter((one) => one !== null),
  ];
  const places = resources.map(
    (resource): CloudResource => ({
      id: stringAt(resource, 'uid') ?? stringAt(resource, 'name'),
      region: stringAt(resource, 'region') ?? stringAt(recordAt(record, 'cloud'), 'region'),
    }),
  );
  const suppression =
    state === 'suppressed'
      ? { by: 'file' as const, reason: reasonOf(record, context), expiresAt: null }
      : null;
  const vulnerabilities = arrayAt(record, 'vulnerabilities').filter((one) => asRecord(one) !== null);
  const found = vulnerabilities.map((one) =>
    vulnerabilityFindings(row, asRecord(one) ?? {}, places, context),
  );
  if (found.length > 0 && found.every((one) => one !== null)) {
    return found.flat().map((finding) => ({ ...finding, suppression }));
  }
  const detail = stringAt(record, 'status_detail') ?? stringAt(record, 'message');
  const title = stringAt(info, 'title') ?? detail;
  const rule = ruleOf(record, info, context);
  if (title === null && rule === '') return null;
  const located = places.length === 0 ? [{ id: null, region: null }] : places;
  context.addLocations(located.length, pointer);
  const texts = [...new Set([detail, stringAt(info, 'desc')])].filter((text) => text !== null);
  const shared = newFinding({
    pointer,
    type: isConfiguration(record, info) ? 'iac' : typeOfFamily(tool) === 'iac' ? 'iac' : 'other',
    severity: severityOf(record),
    title: safeTitle(title ?? '', context) || rule || 'Finding without a title',
    description: safeText(texts.join('\n\n'), context),
    rule,
    links: linksOf(record, info),
    suppression,
    sharedRow: located.length > 1 ? pointer : null,
    evidence: newEvidence(
      { help: stringAt(record, 'risk_details'), remediation: remediationOf(record) },
      context,
    ),
  });
  return located.map((resource) => ({ ...shared, ...resourceLocation(resource, context) }));
}

/** Compliance findings, and detections of checks, which say whether they passed. */
function isConfiguration(record: JsonRecord, info: JsonRecord): boolean {
  if (recordAt(record, 'compliance') !== null || stringAt(record, 'status_code') !== null) return true;
  return stringsAt(info, 'types').some((type) => type.startsWith('Software and Configuration Checks'));
}

/** The word comes before the number, because Prowler before 4.5 wrote another number beside the word. */
function stateOf(record: JsonRecord): 'open' | 'passed' | 'resolved' | 'suppressed' {
  const compliance = recordAt(record, 'compliance');
  const code = (stringAt(record, 'status_code') ?? stringAt(compliance, 'status') ?? '').trim().toUpperCase();
  const complianceId = code === '' ? numberAt(compliance, 'status_id') : null;
  if (/^(?:PASS(?:ED)?|SUCCESS)$/.test(code) || complianceId === 1) return 'passed';
  const words: readonly string[] = [
    '',
    'new',
    'in progress',
    'suppressed',
    'resolved',
    'archived',
    'deleted',
  ];
  const word = (stringAt(record, 'status') ?? words[numberAt(record, 'status_id') ?? 0] ?? '')
    .trim()
    .toLowerCase();
  if (word === 'suppressed' || code === 'MUTED') return 'suppressed';
  return word === 'resolved' || word === 'archived' || word === 'deleted' ? 'resolved' : 'open';
}

function reasonOf(record: JsonRecord, context: ParseContext): string | null {
  const comment = stringAt(record, 'comment');
  return comment === null ? 'Suppressed or muted by the tool.' : safeText(comment, context);
}

const severities: readonly Severity[] = ['unknown', 'info', 'low', 'medium', 'high', 'critical', 'critical'];

function severityOf(record: JsonRecord): Severity {
  const label = stringAt(record, 'severity');
  if (label !== null && /^fatal$/i.test(label.trim())) return 'critical';
  const severity = severityOfLabel(label);
  return severity === 'unknown'
    ? (severities[integerAt(record, 'severity_id', 0) ?? 0] ?? 'unknown')
    : severity;
}

/** Prowler's check is the code of the event, and before version 4 the feature. Security Hub names the control. */
function ruleOf(record: JsonRecord, info: JsonRecord, context: ParseContext): string {
  const metadata = recordAt(record, 'metadata');
  const rule =
    stringAt(metadata, 'event_code') ??
    stringAt(recordAt(recordAt(metadata, 'product'), 'feature'), 'uid') ??
    stringAt(recordAt(record, 'compliance'), 'control') ??
    stringAt(recordAt(info, 'analytic'), 'uid') ??
    stringAt(recordAt(info, 'analytic'), 'name') ??
    stringsAt(info, 'types').at(-1)?.split('/').at(-1);
  // An identifier with an account in it names a detector and no rule.
  return rule === undefined || /^arn:.*:[0-9]{12}:/.test(rule) ? '' : cleanName(rule, context);
}

function linksOf(record: JsonRecord, info: JsonRecord): string[] {
  const unmapped = recordAt(record, 'unmapped');
  const remediation = recordAt(record, 'remediation') ?? recordAt(info, 'remediation');
  return safeLinks([
    stringAt(unmapped, 'related_url'),
    ...stringsAt(remediation, 'references'),
    ...stringsAt(remediation, 'kb_articles'),
    ...stringsAt(unmapped, 'additional_urls'),
    stringAt(info, 'src_url'),
  ]);
}

/** Among the references are commands that mend the finding. */
function remediationOf(record: JsonRecord): string | null {
  const remediation = recordAt(record, 'remediation') ?? recordAt(recordAt(record, 'finding'), 'remediation');
  const references = [...stringsAt(remediation, 'references'), ...stringsAt(remediation, 'kb_articles')];
  const commands = references.filter((text) => !/^https?:\/\//i.test(text));
  const parts = [stringAt(remediation, 'desc'), ...commands].filter((text) => text !== null);
  return parts.length === 0 ? null : parts.join('\n\n');
}

function vulnerabilityFindings(
  { record, info, pointer }: Row,
  vulnerability: JsonRecord,
  places: readonly CloudResource[],
  context: ParseContext,
): ReportFinding[] | null {
  const cve = recordAt(vulnerability, 'cve');
  const advisory = recordAt(vulnerability, 'advisory');
  const written = stringAt(cve, 'uid') ?? stringAt(advisory, 'uid') ?? stringAt(vulnerability, 'uid');
  const title = stringAt(vulnerability, 'title') ?? stringAt(info, 'title') ?? written;
  const description = stringAt(vulnerability, 'desc') ?? stringAt(info, 'desc');
  const severity = severityOfLabel(stringAt(vulnerability, 'severity'));
  const remediation = stringAt(recordAt(vulnerability, 'remediation'), 'desc') ?? remediationOf(record);
  const shared = {
    pointer,
    severity: severity === 'unknown' ? severityOf(record) : severity,
    title: safeTitle(title ?? '', context) || 'Vulnerability without a title',
    description: safeText(description, context),
    cvss: cvssOfRow(cve, vulnerability),
    cwes: cwesOf(vulnerability, cve),
    links: safeLinks([...stringsAt(vulnerability, 'references'), ...linksOf(record, info)]),
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
      places,
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
      rule: cleanName(written ?? ruleOf(record, info, context), context),
      path: path === null ? null : repositoryPath(path),
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

function cvssOfRow(cve: JsonRecord | null, vulnerability: JsonRecord): ReportFinding['cvss'] {
  const entries = [...arrayAt(cve, 'cvss'), ...arrayAt(vulnerability, 'cvss')].slice(0, 100);
  return (
    entries
      .sort((a, b) => (numberAt(b, 'version') ?? 0) - (numberAt(a, 'version') ?? 0))
      .map((entry) => cvssOf(numberAt(entry, 'base_score'), stringAt(entry, 'vector_string')))
      .find((cvss) => cvss !== null) ?? null
  );
}

function cwesOf(vulnerability: JsonRecord, cve: JsonRecord | null): string[] {
  const single = [recordAt(vulnerability, 'cwe'), recordAt(cve, 'cwe')];
  const all = [...single, ...arrayAt(cve, 'related_cwes'), ...arrayAt(vulnerability, 'related_cwes')];
  const cwes = all.map((cwe) => cweOf(stringAt(cwe, 'uid') ?? ''));
  return [...new Set(cwes.filter((cwe) => cwe !== null))];
}
