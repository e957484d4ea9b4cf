/**
 * Checkov's JSON: one object, a list with one object per framework, or the bare summary that it writes if there was
 * nothing to check. Rows are read in `checks.ts` and `packages.ts`. Passed checks are no rows.
 */
import type { VulnerabilityType } from '../../domain/packed-state.ts';
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { areOfCommits, newRun } from '../reading/finding.ts';
import { pathGaps } from '../reading/gaps.ts';
import { asRecord, type JsonRecord, numberAt, recordAt, stringAt, stringsAt } from '../reading/json.ts';
import { listAt } from '../reading/json-rows.ts';
import type { ParseContext } from '../reading/limits.ts';
import { repositoryPath } from '../reading/paths.ts';
import { newReport } from '../reading/rows.ts';
import { cleanName } from '../reading/text.ts';
import type { Report, ReportFinding } from '../report.ts';
import { readCheck, WorkflowSteps } from './checks.ts';

export const checkov: Format = {
  name: 'checkov',
  writesLists: true,
  marks: ['check_type', 'results', 'summary'],
  recognises,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  const record = asRecord(Array.isArray(json) ? json.find((element) => asRecord(element) !== null) : json);
  if (record === null) return false;
  return (
    isSummary(record) || (stringAt(record, 'check_type') !== null && recordAt(record, 'results') !== null)
  );
}

function isSummary(record: JsonRecord): boolean {
  return Object.hasOwn(record, 'checkov_version') && numberAt(record, 'failed') !== null;
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const results = Array.isArray(json)
    ? json.map((result, index) => [result, `/${index}`] as const)
    : [[json, ''] as const];
  const findings: ReportFinding[] = [];
  const scannedTypes = new Set<VulnerabilityType>();
  const unfinished = new Set<string>();
  let version: string | null = null;
  let checks = 0;
  for (const [result, pointer] of results) {
    const record = asRecord(result);
    if (record === null) {
      context.addRows(1, pointer);
      context.addUnreadable(pointer, 'The part of a framework is not an object.');
      continue;
    }
    const summary = isSummary(record) ? record : recordAt(record, 'summary');
    version ??= stringAt(summary, 'checkov_version');
    for (const count of ['passed', 'failed', 'skipped']) checks += numberAt(summary, count) ?? 0;
    const framework = stringAt(record, 'check_type');
    if (framework !== null) for (const type of typesOf(framework)) scannedTypes.add(type);
    readPart(record, pointer, findings, context);
    for (const written of stringsAt(recordAt(record, 'results'), 'parsing_errors')) {
      for (const path of possiblePaths(written)) unfinished.add(path);
    }
  }
  const isEmpty = checks === 0 && findings.length === 0 && context.unreadable.length === 0;
  if (isEmpty) {
    context.warn('Checkov checked nothing: this run has no results, so it closes nothing.');
  }
  if (unfinished.size > 0) {
    context.warn('Checkov could not parse some files: nothing in them was checked.');
  }
  return newReport(checkov.name, context, [
    newRun({
      tool: 'checkov',
      toolVersion: cleanName(version, context),
      history: areOfCommits(findings),
      outcome: isEmpty ? 'scanned_nothing' : 'succeeded',
      gaps: pathGaps(unfinished),
      showsScan: checks > 0,
      findings,
      // The bare summary names no framework.
      analysisTypes: scannedTypes.size === 0 ? ['iac'] : [...scannedTypes],
    }),
  ]);
}

/** Limit: longer paths are cut, because each of their endings becomes a gap. No repository has deeper folders. */
const maxParts = 40;

/**
 * Files that could not be parsed are named by their absolute paths, and only findings show where the repository begins.
 * So every ending of the path may be the file's path in the repository.
 */
function possiblePaths(written: string): string[] {
  const parts = (repositoryPath(written) ?? '').split('/').slice(-maxParts);
  return parts.map((_, index) => parts.slice(index).join('/'));
}

/** Returns the types of findings of a framework. Each framework that is not named here checks configuration. */
function typesOf(framework: string): VulnerabilityType[] {
  if (framework === 'secrets') return ['secret'];
  if (framework === 'sca_package') return ['dependency', 'license'];
  if (framework === 'sca_image') return ['dependency', 'license', 'container'];
  return /^sast(?:_|$)/.test(framework) ? ['sast'] : ['iac'];
}

/** Reads failed checks, and skipped ones, which failed too but are suppressed by a comment beside the code. */
function readPart(
  record: JsonRecord,
  pointer: string,
  findings: ReportFinding[],
  context: ParseContext,
): void {
  const framework = stringAt(record, 'check_type') ?? '';
  const results = recordAt(record, 'results');
  const steps = new WorkflowSteps(results);
  for (const list of ['failed_checks', 'skipped_checks'] as const) {
    const rows = listAt(results, list, `${pointer}/results`, context);
    context.addRows(rows.length, `${pointer}/results/${list}`);
    for (const [index, row] of rows.entries()) {
      const at = `${pointer}/results/${list}/${index}`;
      const check = asRecord(row);
      const id = check === null ? null : stringAt(check, 'check_id');
      if (check === null || id === null) {
        context.addUnreadable(
          at,
          check === null ? 'The check is not an object.' : 'The check has no check_id.',
        );
        continue;
      }
      findings.push(
        readCheck({ check, id, framework, pointer: at, skipped: list === 'skipped_checks', steps }, context),
      );
    }
  }
}
