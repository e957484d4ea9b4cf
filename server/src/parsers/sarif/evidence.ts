/** Reads what a SARIF result shows beside its location: code, data flow, help of the rule, proposed fix. */
import { evidenceLimits, newEvidence, withoutMiddle } from '../reading/evidence.ts';
import { arrayAt, field, type JsonRecord, recordAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import type { SecretMask } from '../reading/secret-mask.ts';
import type { ReportEvidence, ReportSnippet } from '../report.ts';
import { type Locations, messageText, type SarifLocation } from './locations.ts';
import type { SarifRule } from './rules.ts';

/**
 * Gives the evidence of each location of the result: all of it is the same but the snippet, so it is read once. It must
 * not be asked about a secret, because any of the texts may quote it.
 */
export function evidenceReader(
  result: JsonRecord,
  rule: SarifRule | null,
  locations: Locations,
  mask: SecretMask,
  context: ParseContext,
): (location: SarifLocation) => ReportEvidence | null {
  const shared = newEvidence(
    {
      dataFlow: withoutMiddle(flowOf(result), evidenceLimits.steps).map((step) => {
        const at = locations.at(field(step, 'location'));
        const message = messageText(field(recordAt(step, 'location'), 'message'), []);
        return { path: at.path, line: at.line, text: stepText(message, at) };
      }),
      help: rule?.guidance ?? null,
      remediation: mask.message(messageText(field(arrayAt(result, 'fixes')[0], 'description'), [])),
    },
    context,
    mask.code,
  );
  return (location) => {
    const own = newEvidence({ snippet: snippetOf(location) }, context, mask.code);
    return own === null || shared === null ? (own ?? shared) : { ...shared, snippet: own.snippet };
  };
}

/** CodeQL names only the kind of the node, so the line of code comes first where the report has it. */
function stepText(message: string | null, { line, code }: SarifLocation): string | null {
  const said = message?.replace(/^ControlFlowNode for /, '').trim() ?? '';
  const shown = line === null ? '' : (code?.trim().split('\n', 1)[0] ?? '');
  if (shown === '' || said.includes(shown)) return said || code;
  return said === '' || shown.includes(said) ? shown : `${shown}\n${said}`;
}

function snippetOf({ context, contextLine, code, line, endLine }: SarifLocation): ReportSnippet | null {
  const marked = { markedFrom: line, markedTo: endLine ?? line };
  if (context !== null) return { text: context, firstLine: contextLine, ...marked };
  return code === null ? null : { text: code, firstLine: line, ...marked };
}

/** A result may have several flows to one location, so the first one is taken. */
function flowOf(result: JsonRecord): readonly unknown[] {
  const [flow] = arrayAt(result, 'codeFlows');
  return arrayAt(arrayAt(flow, 'threadFlows')[0], 'locations');
}
