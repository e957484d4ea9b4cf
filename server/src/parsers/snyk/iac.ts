/** Snyk's rows about infrastructure as code. Ignored ones are listed and marked. */
import { newEvidence } from '../reading/evidence.ts';
import { newFinding, severityOfLabel } from '../reading/finding.ts';
import {
  arrayAt,
  asRecord,
  asString,
  field,
  integerAt,
  recordAt,
  stringAt,
  stringsAt,
} from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { cleanName, safeCode, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import type { ReportFinding } from '../report.ts';

export function readIacIssue(
  row: unknown,
  pointer: string,
  file: string | null,
  context: ParseContext,
): ReportFinding | { unreadable: string } {
  const record = asRecord(row);
  if (record === null) return { unreadable: 'The issue is not an object.' };
  const rule = stringAt(record, 'publicId') ?? stringAt(record, 'id');
  const title = stringAt(record, 'title');
  if (rule === null && title === null) return { unreadable: 'The issue has neither an id nor a title.' };
  const text = recordAt(record, 'iacDescription') ?? record;
  const parts = ['issue', 'impact'].map((key) => stringAt(text, key)).filter((part) => part !== null);
  const id = cleanName(rule ?? '', context);
  const path = arrayAt(record, 'path').map(asString);
  return newFinding({
    pointer,
    type: 'iac',
    severity: severityOfLabel(stringAt(record, 'severityWithCritical') ?? stringAt(record, 'severity')),
    title: safeTitle(title ?? '', context) || id || 'Issue',
    description: safeText(parts.join('\n\n'), context),
    rule: id,
    path: file,
    line: integerAt(record, 'lineNumber', 1),
    // The property in the file, such as `resource > bucket[shed] > acl`.
    code: safeCode(stringAt(record, 'msg') ?? path.filter((part) => part !== null).join('.'), context),
    links: safeLinks([stringAt(record, 'documentation'), ...stringsAt(record, 'references')]),
    suppression:
      field(record, 'isIgnored') === true
        ? { by: 'file', reason: 'Ignored by a policy of Snyk.', expiresAt: null }
        : null,
    evidence: newEvidence({ remediation: stringAt(text, 'resolve') ?? stringAt(record, 'resolve') }, context),
  });
}
