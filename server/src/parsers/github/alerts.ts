/**
 * The parts that GitHub's lists of alerts share: the pages of a list, the state of an alert, and texts that a script
 * has written. A dismissed alert is suppressed, and a fixed one is no finding.
 */
import { asRecord, field, integerAt, type JsonRecord, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { safeText } from '../reading/text.ts';
import type { ReportFinding, RunOutcome } from '../report.ts';

export interface AlertRow {
  value: unknown;
  pointer: string;
}

/**
 * Returns the alerts of a list, of a single alert, and of a list of pages, which `gh api --paginate --slurp` writes.
 */
export function alertRows(json: unknown): AlertRow[] {
  if (!Array.isArray(json)) return [{ value: json, pointer: '' }];
  return json.flatMap((value: unknown, index): AlertRow[] =>
    Array.isArray(value)
      ? value.map((alert: unknown, at) => ({ value: alert, pointer: `/${index}/${at}` }))
      : [{ value, pointer: `/${index}` }],
  );
}

/** Returns the first alert, to recognise a list by. */
export function firstAlert(json: unknown): JsonRecord | null {
  if (!Array.isArray(json)) return asRecord(json);
  const first: unknown = json.find((value) => typeof value === 'object' && value !== null);
  return Array.isArray(first) ? asRecord(first.find((value) => asRecord(value) !== null)) : asRecord(first);
}

/** Scripts in Python write `None` for a missing value. */
export function textAt(value: unknown, key: string): string | null {
  const text = stringAt(value, key);
  return text === 'None' ? null : text;
}

export type AlertState = { isClosed: true } | { isClosed: false; suppression: ReportFinding['suppression'] };

const open: AlertState = { isClosed: false, suppression: null };

/** Reads the fields of the REST API and those of GraphQL. An alert without a state is judged by its times. */
export function alertStateOf(alert: JsonRecord, context: ParseContext): AlertState {
  const anyOf = (...keys: string[]): string | null =>
    keys.map((key) => textAt(alert, key)).find((text) => text !== null) ?? null;
  const state = textAt(alert, 'state')?.toLowerCase() ?? null;
  const isDismissed =
    state === null
      ? anyOf('dismissed_at', 'dismissedAt', 'auto_dismissed_at', 'autoDismissedAt') !== null
      : state.includes('dismissed');
  const isFixed =
    state === null ? anyOf('fixed_at', 'fixedAt') !== null : state === 'fixed' || state === 'closed';
  if (isFixed) {
    context.warn('Alerts that GitHub has closed are counted and are no findings.');
    return { isClosed: true };
  }
  if (!isDismissed) return open;
  const reason = anyOf('dismissed_reason', 'dismissReason');
  const comment = anyOf('dismissed_comment', 'dismissComment');
  return suppressed(reason, comment, context);
}

export function suppressed(reason: string | null, comment: string | null, context: ParseContext): AlertState {
  const texts = [reason, comment].filter((text) => text !== null);
  const text = safeText(texts.join(': ').slice(0, 4000), context) ?? 'Dismissed in GitHub.';
  return { isClosed: false, suppression: { by: 'file', reason: text, expiresAt: null } };
}

/** The default and the largest number of alerts that the REST API gives at once. */
const pageSizes: ReadonlySet<number> = new Set([30, 100]);

/**
 * Says that a list may be one page of several: nothing else in it shows that there are more alerts. It is complete if
 * pages were joined, or if it goes down to the first alert of its repository.
 */
export function outcomeOfList(json: unknown, rows: readonly AlertRow[], context: ParseContext): RunOutcome {
  const isJoined = !Array.isArray(json) || json.some((page) => Array.isArray(page));
  if (isJoined || !pageSizes.has(rows.length) || endsWithFirst(rows)) return 'succeeded';
  context.warn(
    `The list has ${rows.length} alerts, as many as a full page of GitHub: vulnerabilities that it does not show stay open. Send all pages, as gh api --paginate --slurp writes them.`,
  );
  return 'failed';
}

/**
 * True if the alerts of one repository go down to its first. GitHub gives the newest alert first unless a request asks
 * for another order, in which the first alert can be on any page.
 */
function endsWithFirst(rows: readonly AlertRow[]): boolean {
  if (rows.some(({ value }) => field(value, 'repository') !== undefined)) return false;
  const numbers = rows.map(({ value }) => integerAt(value, 'number', 1) ?? 0);
  return numbers.at(-1) === 1 && numbers.every((number, at) => at === 0 || number < (numbers[at - 1] ?? 0));
}

/** The lists of an organisation hold alerts of several repositories. */
export function warnOfRepositories(rows: readonly AlertRow[], context: ParseContext): void {
  const names = new Set<string>();
  for (const { value } of rows) {
    const name = textAt(field(value, 'repository'), 'full_name');
    if (name !== null) names.add(name);
  }
  if (names.size < 2) return;
  context.warn('The list holds alerts of several repositories. All of them are read into this one.');
}
