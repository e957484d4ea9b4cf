/**
 * The envelopes in which cloud services write their findings, and the runs that one report holds: a list, an answer of
 * an API, events of a bus, or one object a line. A report may join several products and accounts. It must never know
 * what a row means.
 */
import type { ReportFinding, Run, RunOutcome } from '../report.ts';
import type { ReportDocument } from './decode.ts';
import { newRun } from './finding.ts';
import { arrayAt, asRecord, field, type JsonRecord, recordAt, stringAt } from './json.ts';
import { firstJsonRecord, type JsonValue, readJsonValues } from './json-lines.ts';
import type { ParseContext } from './limits.ts';
import { outcomeOfPage } from './pages.ts';
import { cleanName } from './text.ts';
import { isKnownFamily, toolFamily } from './tools.ts';

const lists = ['Findings', 'findings'] as const;
const tokens = ['NextToken', 'nextToken'] as const;

/** Returns every row of the report with its pointer. All rows are counted. */
export function cloudRows(
  document: ReportDocument,
  context: ParseContext,
): { values: JsonValue[]; outcome: RunOutcome } {
  const values = readJsonValues(document, context);
  const rows: JsonValue[] = [];
  let hasMore = false;
  for (const value of values) {
    const within = rowsWithin(value);
    context.addRows(within.length, value.pointer);
    for (const row of within) rows.push(row);
    // Each page but the last has the name of the next one.
    hasMore = tokens.some((token) => stringAt(value.value, token) !== null);
  }
  return { values: rows, outcome: outcomeOfPage(hasMore, context) };
}

function rowsWithin({ value, pointer }: JsonValue): JsonValue[] {
  const envelope = envelopeOf(value);
  if (envelope === null) return [{ value, pointer }];
  return envelope.rows.map((row, index) => ({ value: row, pointer: `${pointer}${envelope.at}/${index}` }));
}

/** The list is at the top, or in the `detail` of an event. */
function envelopeOf(value: unknown): { rows: readonly unknown[]; at: string } | null {
  for (const list of lists) {
    if (Array.isArray(field(value, list))) return { rows: arrayAt(value, list), at: `/${list}` };
    const detail = recordAt(value, 'detail');
    if (Array.isArray(field(detail, list))) return { rows: arrayAt(detail, list), at: `/detail/${list}` };
  }
  return null;
}

/** Returns the first object among the rows, to recognise a format; null if there is none. */
export function firstCloudRow(document: ReportDocument): JsonRecord | null {
  const first = firstJsonRecord(document);
  const envelope = envelopeOf(first);
  return envelope === null ? first : asRecord(envelope.rows.find((row) => asRecord(row) !== null));
}

/** True for an answer that is nothing but an empty list, which several services write. */
export function isEmptyList({ json }: ReportDocument, list: (typeof lists)[number]): boolean {
  const rows = field(json, list);
  return Array.isArray(rows) && rows.length === 0;
}

const products: readonly (readonly [RegExp, string])[] = [
  [/^(?:aws |amazon )?security ?hub\b|^(?:personal )?default$/i, 'aws-security-hub'],
  [/^(?:aws |amazon )?inspector\b/i, 'aws-inspector'],
  [/^(?:aws |amazon )?guard ?duty\b/i, 'aws-guardduty'],
  [/^(?:aws |amazon )?macie\b/i, 'aws-macie'],
  [/^(?:aws )?config$/i, 'aws-config'],
];

/** Returns the tool's family of a product as AWS names it. */
export function cloudTool(product: string): string {
  const name = product.trim().slice(0, 200);
  return products.find(([pattern]) => pattern.test(name))?.[1] ?? toolFamily(name);
}

/** The account of AWS tells scans of several apart. */
export function accountCategory(account: string | null): string {
  return account === null ? '' : `aws/${account}`;
}

type CloudRun = Pick<Run, 'tool' | 'category' | 'toolVersion' | 'findings' | 'gaps'>;
export type CloudRuns = Map<string, CloudRun>;

/**
 * Gives the run of a tool in an account, to add to. A row that is no finding shows too that its account was scanned.
 */
export function cloudRun(
  runs: CloudRuns,
  known: { tool: string; category: string; toolVersion?: string | null },
  context: ParseContext,
): CloudRun {
  const category = cleanName(known.category, context);
  const key = JSON.stringify([known.tool, category]);
  let run = runs.get(key);
  if (run === undefined) {
    context.addRun('');
    run = { tool: known.tool, category, toolVersion: null, findings: [], gaps: [] };
    runs.set(key, run);
  }
  run.toolVersion ??= known.toolVersion ? cleanName(known.toolVersion, context) : null;
  return run;
}

/** Leaves out the findings of a check without a result. Earlier findings of the same rule and location stay open. */
export function addUnchecked(
  run: CloudRun,
  findings: readonly Pick<ReportFinding, 'rule' | 'path'>[],
  context: ParseContext,
): void {
  context.warn('Checks without a result are counted and are no findings.');
  for (const { rule, path } of findings) run.gaps.push(path === null ? { rule } : { rule, path });
}

/**
 * Returns the finished runs, and an empty one of the given tool if the report has no row. An unknown product counts as
 * a search for the types of its findings alone, and not as a code scanner.
 */
export function runsOrEmptyRun(runs: CloudRuns, tool: string, outcome: RunOutcome): Run[] {
  if (runs.size === 0) return [newRun({ tool, outcome, analysisTypes: [] })];
  return Array.from(runs.values(), (run) =>
    newRun({ ...run, outcome, ...(isKnownFamily(run.tool) ? {} : { analysisTypes: [] }) }),
  );
}
