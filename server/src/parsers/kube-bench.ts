/**
 * Kube-bench's JSON: the object with `Controls`, and the bare list or single object of older versions. A row is a
 * result with FAIL. Results with WARN ask a person to look, so they are no findings. Each kind of node is a run,
 * because kube-bench is often started on each node for its own part. The format has no severity: medium is used, so
 * that neither all nor none of the findings stop a build.
 */
import type { Format } from './format.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newEvidence } from './reading/evidence.ts';
import { newFinding, newRun } from './reading/finding.ts';
import { arrayAt, asRecord, field, type JsonRecord, recordAt, stringAt } from './reading/json.ts';
import { listAt } from './reading/json-rows.ts';
import type { ParseContext } from './reading/limits.ts';
import { normalisePath } from './reading/paths.ts';
import { newReport } from './reading/rows.ts';
import { cleanName, safeCode, safeText, safeTitle } from './reading/text.ts';
import type { Gap, Report, ReportFinding } from './report.ts';

export const kubeBench: Format = {
  name: 'kube-bench',
  writesLists: true,
  marks: ['Controls', 'Totals', 'node_type', 'tests'],
  recognises,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  if (Array.isArray(json)) return isControl(json.find((row) => asRecord(row) !== null));
  if (isControl(json)) return true;
  const controls = field(json, 'Controls');
  if (!Array.isArray(controls)) return stringAt(recordAt(json, 'Totals'), 'total_pass') !== null;
  const first = controls.find((row) => asRecord(row) !== null);
  return first === undefined || isControl(first);
}

function isControl(value: unknown): boolean {
  const record = asRecord(value);
  if (record === null || !Object.hasOwn(record, 'tests')) return false;
  return Object.hasOwn(record, 'node_type') || Object.hasOwn(record, 'total_pass');
}

/** The results of reading one kind of node. */
interface Part {
  pointer: string;
  findings: ReportFinding[];
  gaps: Gap[];
  hasResults: boolean;
  hasUnreadable: boolean;
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const parts = new Map<string, Part>();
  for (const { control, pointer } of controlsOf(json)) {
    const record = asRecord(control);
    if (record === null) {
      context.addRows(1, pointer);
      context.addUnreadable(pointer, 'The control is not an object.');
      continue;
    }
    const node = cleanName(stringAt(record, 'node_type') ?? '', context);
    const known = parts.get(node);
    if (known === undefined) context.addRun(pointer);
    const part = known ?? { pointer, findings: [], gaps: [], hasResults: false, hasUnreadable: false };
    // The pointer of the whole report covers several parts.
    if (known !== undefined) known.pointer = '';
    parts.set(node, part);
    readControl(record, node, pointer, part, context);
  }
  const shown = [...parts].filter(([, { hasResults, hasUnreadable }]) => hasResults || hasUnreadable);
  const runs = shown.map(([category, { pointer, findings, gaps, hasResults }]) =>
    newRun({ tool: 'kube-bench', category, pointer, gaps, showsScan: hasResults, findings }),
  );
  if (shown.length < parts.size) {
    context.warn(
      'kube-bench checked nothing on some kinds of nodes, so their vulnerabilities do not change.',
    );
  }
  if (runs.length === 0) runs.push(newRun({ tool: 'kube-bench', outcome: 'scanned_nothing' }));
  return newReport(kubeBench.name, context, runs);
}

function controlsOf(json: unknown): { control: unknown; pointer: string }[] {
  if (Array.isArray(json)) return json.map((control, index) => ({ control, pointer: `/${index}` }));
  if (isControl(json)) return [{ control: json, pointer: '' }];
  return arrayAt(json, 'Controls').map((control, index) => ({ control, pointer: `/Controls/${index}` }));
}

function readControl(
  control: JsonRecord,
  node: string,
  pointer: string,
  part: Part,
  context: ParseContext,
): void {
  const known = context.unreadable.length;
  for (const [number, test] of listAt(control, 'tests', pointer, context).entries()) {
    const here = `${pointer}/tests/${number}`;
    const section = stringAt(test, 'desc')?.slice(0, maxSection) ?? null;
    for (const [index, result] of listAt(test, 'results', here, context).entries()) {
      const at = `${here}/results/${index}`;
      const record = asRecord(result);
      const status = stringAt(record, 'status')?.toUpperCase() ?? null;
      if (status === 'PASS' || status === 'INFO' || status === 'WARN') {
        part.hasResults ||= status !== 'INFO';
        if (status === 'WARN') {
          context.warn(
            'Checks with WARN need a check by a person: they are not counted and are no findings.',
          );
          const rule = stringAt(record, 'test_number');
          if (rule !== null) part.gaps.push({ rule: cleanName(rule, context) });
        }
        continue;
      }
      context.addRows(1, at);
      const id = stringAt(record, 'test_number');
      if (record === null || id === null || status !== 'FAIL') {
        context.addUnreadable(at, reasonOf(record, id));
        continue;
      }
      part.hasResults = true;
      part.findings.push(readResult(record, id, node, section, at, context));
    }
  }
  part.hasUnreadable ||= context.unreadable.length > known;
}

function reasonOf(record: JsonRecord | null, id: string | null): string {
  if (record === null) return 'The result is not an object.';
  return id === null ? 'The result has no test_number.' : 'The result has a status that is not known.';
}

function readResult(
  record: JsonRecord,
  id: string,
  node: string,
  section: string | null,
  pointer: string,
  context: ParseContext,
): ReportFinding {
  const rule = cleanName(id, context);
  // Benchmarks write `(Automated)` or `(Scored)` behind the name, and change it between their versions.
  const name = (stringAt(record, 'test_desc') ?? '')
    .trim()
    .replace(/\((?:Automated|Manual|(?:Not )?Scored)\)$/i, '')
    .trimEnd();
  const expected = stringAt(record, 'expected_result');
  const reason = stringAt(record, 'reason');
  const texts = [section, reason, expected === null ? null : `Expected: ${expected}`];
  return newFinding({
    pointer,
    type: 'iac',
    severity: 'medium',
    title: safeTitle(`${rule} ${name}`, context) || rule,
    description: safeText(texts.filter((text) => text !== null).join('\n\n'), context),
    rule,
    path: normalisePath(node),
    pathIsTarget: true,
    // Another version of a benchmark may give the number to another check.
    code: safeCode([node, name].filter((part) => part !== '').join('\n'), context),
    evidence: newEvidence(
      {
        snippet: {
          text: withoutTokens(auditOf(record)),
          firstLine: null,
          markedFrom: null,
          markedTo: null,
        },
        remediation: stringAt(record, 'remediation'),
      },
      context,
    ),
  });
}

/** The name of a section is a line. Each of its results repeats it. */
const maxSection = 1000;

/** More than the snippet of a finding shows. */
const maxAudit = 16_000;

/** The command of the check and its answer. */
function auditOf(record: JsonRecord): string {
  const actual = stringAt(record, 'actual_value');
  const parts = [stringAt(record, 'audit'), actual === null ? null : `Actual: ${actual.trim()}`];
  return parts
    .filter((part) => part !== null)
    .join('\n')
    .slice(0, maxAudit);
}

// An option is tried only from its start. Its value is left to the next pattern, because it may be an option itself.
const option = /(?<![\w-])[\w-]+[= ](?=[^\s"'])/g;
const mark = '\0';

/** The answer is often the command line of a process. */
function withoutTokens(text: string): string {
  return text
    .replaceAll(mark, '')
    .replace(option, (name) => (isAboutSecret(name) ? name + mark : name))
    .replace(/\0[^\s"']+/g, '[redacted]');
}

function isAboutSecret(option: string): boolean {
  const start = option.indexOf('--');
  return start !== -1 && /token|password|secret/i.test(option.slice(start));
}
