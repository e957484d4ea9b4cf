/** One finding of Veracode's findings REST API: static, dynamic and manual flaws, and vulnerable components. */
import {
  arrayAt,
  asRecord,
  integerAt,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
} from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import type { ReportFinding } from '../report.ts';
import { readComponentVulnerability } from './components.ts';
import { fixedFlaw, mitigated, type Row, readFlaw } from './flaws.ts';

export function isApiFinding(row: unknown): boolean {
  return recordAt(row, 'finding_details') !== null && stringAt(row, 'scan_type') !== null;
}

export function kindOfApiFinding(record: JsonRecord): string {
  const kind = (stringAt(record, 'scan_type') ?? '').trim().toLowerCase();
  return ['static', 'dynamic', 'manual', 'sca'].includes(kind) ? kind : '';
}

export function readApiFinding(record: JsonRecord, pointer: string, context: ParseContext): Row {
  const details = recordAt(record, 'finding_details');
  if (details === null) return { unreadable: 'The finding has no details.' };
  const review = reviewOf(record, context);
  if (review === 'fixed') return fixedFlaw;
  return kindOfApiFinding(record) === 'sca'
    ? readComponent(record, details, pointer, review, context)
    : readCode(record, details, pointer, review, context);
}

/** An accepted mitigation closes a flaw that is still there, so it is asked about first. */
function reviewOf(record: JsonRecord, context: ParseContext): 'fixed' | ReportFinding['suppression'] {
  const status = recordAt(record, 'finding_status');
  const word = (key: string): string => (stringAt(status, key) ?? '').trim().toUpperCase();
  if (/^(?:FIXED|REMEDIATED)/.test(word('resolution'))) return 'fixed';
  if (word('resolution_status') === 'APPROVED' || word('mitigation_review_status') === 'APPROVED') {
    const notes = arrayAt(record, 'annotations').filter(
      (note) => !/^(?:APPROVED|ACCEPTED|COMMENT)$/i.test(stringAt(note, 'action') ?? 'COMMENT'),
    );
    return mitigated(stringAt(notes[0], 'action'), stringAt(notes[0], 'comment'), context);
  }
  return word('status') === 'CLOSED' ? 'fixed' : null;
}

function readCode(
  record: JsonRecord,
  details: JsonRecord,
  pointer: string,
  suppression: ReportFinding['suppression'],
  context: ParseContext,
): Row {
  const cwe = recordAt(details, 'cwe');
  return readFlaw(
    {
      pointer,
      kind: kindOfApiFinding(record),
      severity: integerAt(details, 'severity', 0),
      cwe: stringAt(cwe, 'id'),
      name: stringAt(recordAt(details, 'finding_category'), 'name') ?? stringAt(cwe, 'name'),
      description: stringAt(record, 'description'),
      help: null,
      remediation: null,
      file: stringAt(details, 'file_path') ?? stringAt(details, 'file_name'),
      line: integerAt(details, 'file_line_number', 1),
      procedure: stringAt(details, 'procedure'),
      member: stringAt(details, 'attack_vector'),
      url: urlOf(details),
      parameter: stringAt(details, 'vulnerable_parameter'),
      dataFlow: [],
      links: [],
      suppression,
    },
    context,
  );
}

function urlOf(details: JsonRecord): string | null {
  const host = stringAt(details, 'hostname');
  if (host === null) return stringAt(details, 'url');
  const port = stringAt(details, 'port');
  const scheme = port === '80' ? 'http' : 'https';
  const path = (stringAt(details, 'path') ?? '').replace(/^(?!\/|$)/, '/');
  return stringAt(details, 'url') ?? `${scheme}://${host}${port === null ? '' : `:${port}`}${path}`;
}

function readComponent(
  record: JsonRecord,
  details: JsonRecord,
  pointer: string,
  suppression: ReportFinding['suppression'],
  context: ParseContext,
): Row {
  const cve = recordAt(details, 'cve');
  const newer = recordAt(cve, 'cvss3');
  // Veracode leaves out the beginning of the vector.
  const vector = stringAt(newer, 'vector')?.replace(/^(?=AV:)/, 'CVSS:3.1/') ?? null;
  return readComponentVulnerability(
    {
      pointer,
      advisory: stringAt(cve, 'name'),
      severity: integerAt(details, 'severity', 0),
      score: numberAt(newer, 'score') ?? numberAt(cve, 'cvss'),
      vector: newer === null ? stringAt(cve, 'vector') : vector,
      cwe: stringAt(recordAt(details, 'cwe'), 'id'),
      description: stringAt(record, 'description'),
      links: [stringAt(cve, 'href')],
      suppression,
    },
    {
      id: stringAt(details, 'product_id') ?? stringAt(details, 'component_id'),
      fileName: stringAt(details, 'component_filename'),
      version: stringAt(details, 'version'),
      language: stringAt(details, 'language'),
      paths: arrayAt(details, 'component_path')
        .map((path) => (asRecord(path) === null ? null : stringAt(path, 'path')))
        .filter((path) => path !== null),
    },
    context,
  );
}
