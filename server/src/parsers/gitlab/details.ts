/**
 * The data that newer analyzers add to a row about code: the enclosing function, the code, the steps of the data flow.
 */
import { arrayAt, asArray, integerAt, type JsonRecord, recordAt, stringAt } from '../reading/json.ts';
import { repositoryPath } from '../reading/paths.ts';
import type { ReportFlowStep, ReportSnippet } from '../report.ts';

/**
 * Gives the names of the class and function around the location: `Shed[0]|open[0]` of `app/shed.rb|Shed[0]|open[0]:4`.
 * The number at the end counts lines of the function and changes with it, so it is left out.
 */
export function codeScopeOf(row: JsonRecord): string | null {
  for (const item of arrayAt(recordAt(row, 'tracking'), 'items').slice(0, 20)) {
    for (const signature of arrayAt(item, 'signatures').slice(0, 20)) {
      const value = stringAt(signature, 'value');
      if (!(stringAt(signature, 'algorithm') ?? '').startsWith('scope_offset') || value === null) continue;
      const names = value
        .slice(0, 2000)
        .split('|')
        .slice(1)
        .join('|')
        .replace(/:[^|:]*$/, '');
      if (names !== '') return names;
    }
  }
  return null;
}

/** The row does not have the line at which the code begins. */
export function detailSnippetOf(row: JsonRecord): ReportSnippet | null {
  const text = Object.values(recordAt(row, 'details') ?? {})
    .filter((detail) => stringAt(detail, 'type') === 'code')
    .map((detail) => stringAt(detail, 'value'))
    .find((value) => value !== null);
  return text === undefined ? null : { text, firstLine: null, markedFrom: null, markedTo: null };
}

export function flowOf(row: JsonRecord): ReportFlowStep[] {
  const flows =
    recordAt(recordAt(row, 'details'), 'code_flows') ?? recordAt(recordAt(row, 'details'), 'code_flow');
  const [first] = arrayAt(flows, 'items');
  return asArray(first).map((step) => {
    const location = recordAt(step, 'file_location');
    const path = stringAt(location, 'file_name');
    return {
      path: repositoryPath(path),
      line: integerAt(location, 'line_start', 1),
      text: stringAt(step, 'description') ?? stringAt(step, 'node_type') ?? '',
    };
  });
}
