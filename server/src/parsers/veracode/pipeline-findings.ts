/**
 * One finding of Veracode's pipeline scan (`results.json`, `filtered_results.json`). Its stack has the steps from the
 * flaw back to where the data comes from.
 */
import { asArray, asRecord, field, integerAt, type JsonRecord, recordAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { repositoryPath } from '../reading/paths.ts';
import { type Flaw, type Row, readFlaw } from './flaws.ts';

export function isPipelineFinding(row: unknown): boolean {
  const isNamed = stringAt(row, 'issue_type_id') !== null || stringAt(row, 'issue_type') !== null;
  return isNamed && recordAt(row, 'files') !== null;
}

export function readPipelineFinding(record: JsonRecord, pointer: string, context: ParseContext): Row {
  const source = recordAt(recordAt(record, 'files'), 'source_file');
  const file = stringAt(source, 'file');
  return readFlaw(
    {
      pointer,
      kind: 'static',
      severity: integerAt(record, 'severity', 0),
      cwe: stringAt(record, 'cwe_id'),
      name: stringAt(record, 'issue_type'),
      description: stringAt(record, 'display_text'),
      help: null,
      remediation: null,
      file,
      line: integerAt(source, 'line', 1),
      procedure: stringAt(source, 'qualified_function_name') ?? stringAt(source, 'function_name'),
      member: stringAt(record, 'title'),
      url: null,
      parameter: null,
      dataFlow: flowOf(record, file),
      links: [stringAt(record, 'flaw_details_link')],
      suppression: null,
    },
    context,
  );
}

/** XML that was converted to JSON has an object instead of a list of one. */
function listAt(value: unknown, key: string): readonly unknown[] {
  const found = field(value, key);
  return asRecord(found) === null ? asArray(found) : [found];
}

function flowOf(record: JsonRecord, file: string | null): Flaw['dataFlow'] {
  const [stack] = listAt(recordAt(record, 'stack_dumps'), 'stack_dump');
  return listAt(stack, 'Frame')
    .slice(0, 1000)
    .toReversed()
    .map((frame) => {
      const name = stringAt(frame, 'SourceFile');
      // A frame has the name of its file without the folder.
      const isSame = file !== null && name !== null && (file === name || file.endsWith(`/${name}`));
      const path = isSame ? file : name;
      const code =
        stringAt(frame, 'VarNames')
          ?.slice(0, 4000)
          .replace(/\/\*\*X-VC [^*]{0,200}\*\//g, '') ?? null;
      return {
        path: repositoryPath(path),
        line: integerAt(frame, 'SourceLine', 1),
        text: code ?? stringAt(frame, 'QualifiedFunctionName') ?? stringAt(frame, 'FunctionName'),
      };
    });
}
