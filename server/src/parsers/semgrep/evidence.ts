/** Reads what Semgrep shows beside a finding in code: its lines, the trace of tainted data, the proposed fix. */
import { newEvidence } from '../reading/evidence.ts';
import { arrayAt, asArray, field, integerAt, type JsonRecord, recordAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { repositoryPath } from '../reading/paths.ts';
import type { SecretMask } from '../reading/secret-mask.ts';
import type { ReportEvidence } from '../report.ts';

/** `lines` is the code of the finding, null if the report withholds it. */
export function evidenceOf(
  record: JsonRecord,
  extra: JsonRecord | null,
  lines: string | null,
  maskCode: SecretMask['code'],
  context: ParseContext,
): ReportEvidence | null {
  const from = integerAt(recordAt(record, 'start'), 'line', 1);
  const to = integerAt(recordAt(record, 'end'), 'line', 1);
  const trace = recordAt(extra, 'dataflow_trace');
  const fix = stringAt(extra, 'fix');
  return newEvidence(
    {
      snippet: lines === null ? null : { text: lines, firstLine: from, markedFrom: from, markedTo: to },
      dataFlow: [
        ...callOf(field(trace, 'taint_source')),
        ...arrayAt(trace, 'intermediate_vars').map(stepOf),
        ...callOf(field(trace, 'taint_sink')),
      ],
      remediation: fix === null ? null : `\`\`\`\n${maskCode(fix)}\n\`\`\``,
    },
    context,
    maskCode,
  );
}

interface Step {
  path: string | null;
  line: number | null;
  text: string | null;
}

function stepOf(value: unknown): Step {
  const location = recordAt(value, 'location');
  const path = stringAt(location, 'path');
  return {
    path: repositoryPath(path),
    line: integerAt(recordAt(location, 'start'), 'line', 1),
    text: stringAt(value, 'content'),
  };
}

/**
 * A source or sink is `["CliLoc", [location, content]]`, or `["CliCall", [[location, content], variables, call]]` where
 * it is inside of a called function. Calls are followed a few steps deep.
 */
function callOf(value: unknown, depth = 0): Step[] {
  const [kind, details] = asArray(value);
  const [first, variables, inner] = asArray(details);
  const here = ([location, content]: readonly unknown[]): Step => stepOf({ location, content });
  if (kind === 'CliLoc') return [here(asArray(details))];
  if (kind !== 'CliCall' || depth > 20) return [];
  return [here(asArray(first)), ...asArray(variables).map(stepOf), ...callOf(inner, depth + 1)];
}
