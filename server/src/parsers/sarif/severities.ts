/**
 * The words that single tools write for the severity of a result, beside the fields that SARIF has for it: so a report
 * gives the same severity as the tool's own JSON.
 */
import type { Severity } from '../../domain/packed-state.ts';
import { severityOfLabel } from '../reading/finding.ts';
import { type JsonRecord, recordAt, stringAt } from '../reading/json.ts';
import type { SarifRule } from './rules.ts';

/** Returns null if the tool writes no such word, or one without a meaning beside a score. */
export function toolSeverity(
  tool: string,
  result: JsonRecord,
  message: string,
  rule: SarifRule | null,
  score: number | null,
): Severity | null {
  const word = wordOf(tool, recordAt(result, 'properties'), message, rule);
  if (word === null) return null;
  const severity = severityOfLabel(word);
  // Trivy and Grype write the score 0 for an unknown severity.
  const isUnscored = score === 0 && /^unknown$/i.test(word);
  return severity === 'unknown' && !isUnscored ? null : severity;
}

function wordOf(
  tool: string,
  properties: JsonRecord | null,
  message: string,
  rule: SarifRule | null,
): string | null {
  // A rule of Trivy is an advisory: the packages that it affects have severities of their own.
  if (tool === 'trivy') return labelled(message);
  if (tool === 'grype') return labelled(rule?.help ?? '');
  if (tool === 'devskim') return stringAt(properties, 'DevSkimSeverity');
  // A policy of Snyk sets another severity than the rule's.
  return stringAt(recordAt(properties, 'snykPolicy/v1'), 'severity');
}

function labelled(text: string): string | null {
  return /^Severity: ([A-Za-z]{1,20})[ \t]*$/m.exec(text.slice(0, 4000))?.[1] ?? null;
}
