/**
 * Tfsec's JSON of all versions. Its rule is the long id (`aws-s3-enable-bucket-logging`), as in tfsec's SARIF, even in
 * versions that write the number of the check as `rule_id`. The resource tells several results in one line apart: a
 * module that is used twice gives two.
 */
import type { Format } from './format.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newEvidence } from './reading/evidence.ts';
import { newFinding, newRun, severityOfLabel } from './reading/finding.ts';
import {
  asRecord,
  field,
  integerAt,
  type JsonRecord,
  recordAt,
  stringAt,
  stringsAt,
} from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import { repositoryPath } from './reading/paths.ts';
import { newReport } from './reading/rows.ts';
import { cleanName, safeCode, safeLinks, safeText, safeTitle } from './reading/text.ts';
import type { Report, ReportFinding } from './report.ts';

export const tfsec: Format = {
  name: 'tfsec',
  marks: ['results', 'rule_id', 'rule_description', 'location'],
  recognises,
  parse,
};

/** Without a result tfsec writes `null` instead of the list, and nothing else. */
function recognises({ json }: ReportDocument): boolean {
  const results = field(json, 'results');
  if (results === null) return Object.keys(asRecord(json) ?? {}).length === 1;
  if (!Array.isArray(results)) return false;
  const first = asRecord(results.find((row) => asRecord(row) !== null));
  const location = recordAt(first, 'location');
  return (
    (stringAt(first, 'rule_id') !== null || stringAt(first, 'long_id') !== null) &&
    (stringAt(location, 'filename') !== null || Object.hasOwn(location ?? {}, 'start_line'))
  );
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const results = field(json, 'results');
  const rows = Array.isArray(results) ? results : [];
  context.addRows(rows.length, '/results');
  const findings: ReportFinding[] = [];
  let hasPassed = false;
  for (const [index, row] of rows.entries()) {
    const pointer = `/results/${index}`;
    const record = asRecord(row);
    const rule = record === null ? null : (stringAt(record, 'long_id') ?? stringAt(record, 'rule_id'));
    if (record === null || rule === null) {
      context.addUnreadable(
        pointer,
        record === null ? 'The result is not an object.' : 'The result names no rule.',
      );
    } else if (statusOf(record) === 'passed') {
      hasPassed = true;
    } else {
      findings.push(readResult(record, rule, pointer, context));
    }
  }
  if (hasPassed) context.warn('Checks that passed are counted and are no findings.');
  return newReport(tfsec.name, context, [newRun({ tool: 'tfsec', showsScan: hasPassed, findings })]);
}

type Status = 'failed' | 'passed' | 'ignored';

/** Version 1 writes a number, the versions before it a word, the oldest ones whether the check passed. */
function statusOf(record: JsonRecord): Status {
  const status = stringAt(record, 'status')?.toLowerCase() ?? '';
  if (status === 'passed' || status === '1' || field(record, 'passed') === true) return 'passed';
  return status === 'ignored' || status === '2' ? 'ignored' : 'failed';
}

function readResult(
  record: JsonRecord,
  written: string,
  pointer: string,
  context: ParseContext,
): ReportFinding {
  const rule = cleanName(written, context);
  const location = recordAt(record, 'location');
  const message = stringAt(record, 'description');
  const texts = [message, stringAt(record, 'impact')].filter((text) => text !== null);
  const title = stringAt(record, 'rule_description') ?? message ?? rule;
  return newFinding({
    pointer,
    type: 'iac',
    severity: severityOfLabel(stringAt(record, 'severity')),
    title: safeTitle(title, context) || rule,
    description: safeText(texts.join('\n\n'), context),
    rule,
    path: repositoryPath(stringAt(location, 'filename')),
    line: integerAt(location, 'start_line', 1),
    code: safeCode(resourceOf(record, message), context),
    links: safeLinks([...stringsAt(record, 'links'), stringAt(record, 'link')]),
    suppression: statusOf(record) === 'ignored' ? { by: 'source', reason: null, expiresAt: null } : null,
    evidence: newEvidence({ remediation: stringAt(record, 'resolution') }, context),
  });
}

/** Versions before 1 name the resource only in the message: `Resource 'aws_s3_bucket.shed' …`. */
function resourceOf(record: JsonRecord, message: string | null): string | null {
  const named = /^[A-Z][a-z]{2,20} '([^']{1,500})'/.exec(message ?? '')?.[1];
  return stringAt(record, 'resource') ?? named ?? null;
}
