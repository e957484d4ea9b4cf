import type { Format } from '../format.ts';
import { type CloudResource, locatedResources, resourceLocation } from '../reading/cloud-packages.ts';
import {
  addUnchecked,
  type CloudRuns,
  cloudRows,
  cloudRun,
  cloudTool,
  firstCloudRow,
  runsOrEmptyRun,
} from '../reading/cloud-rows.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { newEvidence } from '../reading/evidence.ts';
import { newFinding } from '../reading/finding.ts';
import {
  arrayAt,
  asRecord,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
  stringsAt,
} from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newReport, takeRow } from '../reading/rows.ts';
import { safeText, safeTitle } from '../reading/text.ts';
import { typeOfFamily } from '../reading/tools.ts';
import type { Report, ReportFinding } from '../report.ts';
import { eventLinksOf, eventRemediationOf, eventRuleOf, eventSeverityOf, type OcsfRow } from './fields.ts';
import { vulnerabilityFindings } from './vulnerabilities.ts';

export const ocsf: Format = {
  name: 'ocsf',
  writesLists: true,
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
  const { values, outcome } = cloudRows(document, context);
  const runs: CloudRuns = new Map();
  for (const { value, pointer } of values) {
    const record = asRecord(value);
    const info = recordAt(record, 'finding_info') ?? recordAt(record, 'finding');
    if (record === null || info === null) {
      context.addUnreadable(pointer, 'The row has no finding_info.');
      continue;
    }
    const product = recordAt(recordAt(record, 'metadata'), 'product');
    const tool = cloudTool(stringAt(product, 'name') ?? stringAt(product, 'vendor_name') ?? 'ocsf');
    const toolVersion = stringAt(product, 'version');
    const run = cloudRun(runs, { tool, category: accountOf(record), toolVersion }, context);
    const row = readRow({ record, info, pointer, tool }, context);
    if (Array.isArray(row) && stateOf(record) === 'unchecked') {
      addUnchecked(run, row, context);
    } else {
      const unreadable = 'The finding has no title, rule or text.';
      takeRow(row ?? { unreadable }, pointer, run.findings, context);
    }
  }
  return newReport(ocsf.name, context, runsOrEmptyRun(runs, 'ocsf', outcome));
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

function readRow(row: OcsfRow, context: ParseContext): ReportFinding[] | { skip: string } | null {
  const { record, info, pointer, tool } = row;
  const state = stateOf(record);
  if (state === 'passed') return { skip: 'Checks that passed are counted and are no findings.' };
  if (state === 'resolved') return { skip: 'Findings that are resolved are counted and are no findings.' };
  const resources = [
    ...arrayAt(record, 'resources'),
    ...[recordAt(record, 'resource')].filter((one) => one !== null),
  ].map(
    (resource): CloudResource => ({
      id: stringAt(resource, 'uid') ?? stringAt(resource, 'name'),
      region: stringAt(resource, 'region') ?? stringAt(recordAt(record, 'cloud'), 'region'),
    }),
  );
  const suppression =
    state === 'suppressed'
      ? { by: 'file' as const, reason: reasonOf(record, context), expiresAt: null }
      : null;
  const found = vulnerabilityFindings(row, resources, context);
  if (found !== null) return found.map((finding) => ({ ...finding, suppression }));
  const detail = stringAt(record, 'status_detail') ?? stringAt(record, 'message');
  const title = stringAt(info, 'title') ?? detail;
  const rule = eventRuleOf(record, info, context);
  if (title === null && rule === '') return null;
  const located = locatedResources(resources);
  context.addLocations(located.length, pointer);
  const texts = [...new Set([detail, stringAt(info, 'desc')])].filter((text) => text !== null);
  const shared = newFinding({
    pointer,
    type: isConfiguration(record, info) ? 'iac' : typeOfFamily(tool) === 'iac' ? 'iac' : 'other',
    severity: eventSeverityOf(record),
    title: safeTitle(title ?? '', context) || rule || 'Finding without a title',
    description: safeText(texts.join('\n\n'), context),
    rule,
    links: eventLinksOf(record, info),
    suppression,
    sharedRow: located.length > 1 ? pointer : null,
    evidence: newEvidence(
      { help: stringAt(record, 'risk_details'), remediation: eventRemediationOf(record) },
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

/** The word is used before the number, because Prowler before 4.5 wrote another number beside the word. */
function stateOf(record: JsonRecord): 'open' | 'passed' | 'unchecked' | 'resolved' | 'suppressed' {
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
  if (word === 'resolved' || word === 'archived' || word === 'deleted') return 'resolved';
  // Prowler writes MANUAL also for a check that it had no rights for.
  if (code === 'MANUAL' || code === 'NOT_AVAILABLE') return 'unchecked';
  return word === 'suppressed' || code === 'MUTED' ? 'suppressed' : 'open';
}

function reasonOf(record: JsonRecord, context: ParseContext): string | null {
  const comment = stringAt(record, 'comment');
  return comment === null ? 'Suppressed or muted by the tool.' : safeText(comment, context);
}
