/**
 * The parts that the reports of Veracode share: severities as numbers, flaws in code and on running sites, and
 * mitigations. Veracode numbers its flaws for each application, sandbox or scan, so the number is no fingerprint.
 */
import type { Severity, VulnerabilityType } from '../../domain/packed-state.ts';
import { newEvidence } from '../reading/evidence.ts';
import { cweOf, newFinding } from '../reading/finding.ts';
import { htmlText } from '../reading/html-text.ts';
import type { ParseContext } from '../reading/limits.ts';
import { repositoryPath } from '../reading/paths.ts';
import { maskLine } from '../reading/redact.ts';
import type { NoFinding } from '../reading/rows.ts';
import { isAboutSecret } from '../reading/secret-mask.ts';
import { cleanName, safeCode, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import { addressesIn, webLocation } from '../reading/web-locations.ts';
import type { ReportFinding, ReportFlowStep } from '../report.ts';

/** A finding for each location, or the reason why the row is none. */
export type Row = ReportFinding[] | NoFinding;

export const fixedFlaw: Row = {
  skip: 'Flaws that Veracode calls fixed or closed are counted and are no findings.',
};

const severities: readonly Severity[] = ['info', 'low', 'low', 'medium', 'high', 'critical'];

/** From 0, informational, to 5, very high. Very low is low, as in the SARIF that Veracode makes. */
export function severityOfNumber(number: number | null): Severity {
  return severities[number ?? -1] ?? 'unknown';
}

export interface Flaw {
  pointer: string;
  /** `static`, `dynamic`, `manual`. */
  kind: string;
  severity: number | null;
  cwe: string | null;
  /** The name of the category or of the weakness, as a title. */
  name: string | null;
  /** Plain text, or HTML whose spans are the description, the advice and the references. */
  description: string | null;
  help: string | null;
  remediation: string | null;
  file: string | null;
  line: number | null;
  /** The qualified name of the function with the flaw. */
  procedure: string | null;
  /** The called member, such as `java.sql.Statement.executeQuery`. */
  member: string | null;
  url: string | null;
  parameter: string | null;
  dataFlow: (Omit<ReportFlowStep, 'text'> & { text: string | null })[];
  links: readonly (string | null)[];
  suppression: ReportFinding['suppression'];
}

export function readFlaw(flaw: Flaw, context: ParseContext): Row {
  const cwe = cweOf(flaw.cwe ?? '');
  const rule = cwe ?? cleanName(flaw.name ?? '', context);
  if (rule === '') return { unreadable: 'The flaw has neither a CWE nor a category.' };
  const { description, advice } = textsOf(flaw.description);
  const isOnSite = flaw.url !== null;
  // Names of literals in the flow of such a flaw are the password itself.
  const mayShowSecret = isAboutSecret(rule, cwe === null ? [] : [cwe]);
  return [
    newFinding({
      pointer: flaw.pointer,
      type: typeOf(flaw),
      severity: severityOfNumber(flaw.severity),
      title: safeTitle(flaw.name ?? '', context) || rule,
      description: safeText(description, context),
      rule,
      cwes: cwe === null ? [] : [cwe],
      path: isOnSite ? webLocation(flaw.url ?? '') : repositoryPath(flaw.file),
      line: flaw.line,
      // The SARIF has the same names, one a line.
      code: safeCode(
        isOnSite
          ? flaw.parameter
          : [flaw.procedure, flaw.member].filter((name) => name !== null).join('\n') || null,
        context,
      ),
      links: safeLinks([...flaw.links, ...addressesIn(flaw.description ?? '')]),
      suppression: flaw.suppression,
      evidence: newEvidence(
        {
          dataFlow: flaw.dataFlow.map((step) => ({
            ...step,
            text: mayShowSecret && step.text !== null ? maskLine(step.text) : step.text,
          })),
          help: flaw.help,
          remediation: flaw.remediation ?? advice,
        },
        context,
      ),
    }),
  ];
}

function typeOf({ kind, url, file }: Flaw): VulnerabilityType {
  if (kind === 'dynamic') return 'dast';
  if (kind === 'static') return 'sast';
  return url !== null ? 'dast' : file !== null ? 'sast' : 'other';
}

/** `<span>text</span> <span>advice</span> <span>References: …</span>`, where the advice may be missing. */
function textsOf(text: string | null): { description: string | null; advice: string | null } {
  if (text === null || !/<span>/i.test(text)) return { description: text, advice: null };
  const spans = text
    .slice(0, 65_536)
    .split(/<span>/i)
    .map(htmlText);
  const parts = spans.filter((part) => part !== '' && !/^(?:References:|CWE$)/.test(part));
  return { description: parts[0] ?? null, advice: parts.slice(1).join('\n\n') || null };
}

/** `note` is the reviewer's text. */
export function mitigated(
  action: string | null,
  note: string | null,
  context: ParseContext,
): ReportFinding['suppression'] {
  const texts = [action, note].filter((text) => text !== null);
  const reason = ['Mitigation accepted in Veracode.', texts.join(': ')]
    .filter((text) => text !== '')
    .join(' ');
  return { by: 'file', reason: safeText(reason, context), expiresAt: null };
}
