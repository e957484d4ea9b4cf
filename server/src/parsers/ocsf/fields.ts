/**
 * The fields that findings of all classes of OCSF have: severity, rule, links and what to do. It must never read the
 * fields of one class.
 */
import type { Severity } from '../../domain/packed-state.ts';
import { severityOfLabel } from '../reading/finding.ts';
import { integerAt, type JsonRecord, recordAt, stringAt, stringsAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { cleanName, safeLinks } from '../reading/text.ts';

/** One row of a report. `info` is its `finding_info`, which was `finding` in version 1.0. */
export interface OcsfRow {
  record: JsonRecord;
  info: JsonRecord;
  pointer: string;
  tool: string;
}

const severities: readonly Severity[] = ['unknown', 'info', 'low', 'medium', 'high', 'critical', 'critical'];

export function eventSeverityOf(record: JsonRecord): Severity {
  const label = stringAt(record, 'severity');
  if (label !== null && /^fatal$/i.test(label.trim())) return 'critical';
  const severity = severityOfLabel(label);
  return severity === 'unknown'
    ? (severities[integerAt(record, 'severity_id', 0) ?? 0] ?? 'unknown')
    : severity;
}

/** Prowler's check is the code of the event, and before version 4 the feature. Security Hub names the control. */
export function eventRuleOf(record: JsonRecord, info: JsonRecord, context: ParseContext): string {
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

export function eventLinksOf(record: JsonRecord, info: JsonRecord): string[] {
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
export function eventRemediationOf(record: JsonRecord): string | null {
  const remediation = recordAt(record, 'remediation') ?? recordAt(recordAt(record, 'finding'), 'remediation');
  const references = [...stringsAt(remediation, 'references'), ...stringsAt(remediation, 'kb_articles')];
  const commands = references.filter((text) => !/^https?:\/\//i.test(text));
  const parts = [stringAt(remediation, 'desc'), ...commands].filter((text) => text !== null);
  return parts.length === 0 ? null : parts.join('\n\n');
}
