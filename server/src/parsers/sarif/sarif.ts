/** SARIF 2.1.0 as a format: the log, its runs, their categories. Results are read in `results.ts`. */

import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { areOfCommits, newRun } from '../reading/finding.ts';
import { pathGaps, ruleGaps } from '../reading/gaps.ts';
import { imageCategory, nameOfImage, parseImage } from '../reading/images.ts';
import { arrayAt, asRecord, field, type JsonRecord, recordAt, stringAt, stringsAt } from '../reading/json.ts';
import { type RowList, rowsAt } from '../reading/json-rows.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newReport, readRows } from '../reading/rows.ts';
import { stableCategory } from '../reading/stable-category.ts';
import { cleanName } from '../reading/text.ts';
import { isSemgrep, toolFamily } from '../reading/tools.ts';
import {
  type Gap,
  type Report,
  ReportError,
  type ReportFinding,
  type ReportImage,
  type Run,
} from '../report.ts';
import { fatalTypes, gapsInMessage } from '../semgrep/semgrep.ts';
import { Locations } from './locations.ts';
import { resultReader } from './results.ts';
import { Rules } from './rules.ts';
import { veracodeCategory } from './veracode.ts';

export const sarif: Format = {
  name: 'sarif',
  marks: ['version', 'runs', '$schema'],
  runFields: ['startTimeUtc', 'endTimeUtc'],
  recognises,
  readsRowLists: true,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  const schema = stringAt(json, '$schema');
  if (schema !== null && /sarif/i.test(schema)) return true;
  const runs = field(json, 'runs');
  if (!Array.isArray(runs)) return false;
  return (
    /^[12]\./.test(stringAt(json, 'version') ?? '') || recordAt(recordAt(runs[0], 'tool'), 'driver') !== null
  );
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  checkVersion(json);
  const runs: Run[] = [];
  for (const [index, element] of arrayAt(json, 'runs').entries()) {
    const pointer = `/runs/${index}`;
    context.addRun(pointer);
    const run = asRecord(element);
    if (run === null) {
      context.addRows(1, pointer);
      context.addUnreadable(pointer, 'The run is not an object.');
      continue;
    }
    const head = readRunHeader(run, context);
    // A run without a list has not scanned. If it counted as empty, it would close everything.
    const results = rowsAt(run, 'results');
    if (results === null) {
      context.warn(
        `A run of ${head.tool} has no list of results: the tool did not scan, so it closes nothing.`,
      );
      if (head.outcome === 'succeeded') head.outcome = 'scanned_nothing';
    }
    const findings = readResults(run, results ?? [], pointer, head, context);
    runs.push(newRun({ ...head, pointer, history: areOfCommits(findings), findings }));
  }
  return newReport(sarif.name, context, runs);
}

function checkVersion(json: unknown): void {
  const version = stringAt(json, 'version');
  if (version !== null && !version.startsWith('2.1')) {
    throw new ReportError('UNKNOWN_FORMAT', 'This version of SARIF is not supported. Send SARIF 2.1.0.', {
      pointer: '/version',
    });
  }
  const runs = field(json, 'runs');
  if (Array.isArray(runs) && runs.length > 0) return;
  const reason = Array.isArray(runs)
    ? 'The SARIF log has no run: it does not say that a tool has run. Check that the tool has ended without an error.'
    : 'The SARIF log has no list of runs: the tool failed before it ran.';
  throw new ReportError('MALFORMED_REPORT', reason, { pointer: '/runs' });
}

type RunHeader = Pick<Run, 'tool' | 'toolVersion' | 'category' | 'outcome' | 'gaps' | 'showsScan' | 'image'>;

function readRunHeader(run: JsonRecord, context: ParseContext): RunHeader {
  const driver = recordAt(recordAt(run, 'tool'), 'driver');
  const tool = toolFamily(stringAt(driver, 'name'));
  const failed = arrayAt(run, 'invocations').some(
    (invocation) => hasFailed(invocation) || (isSemgrep(tool) && isFatalOfSemgrep(invocation)),
  );
  if (failed) {
    context.warn(`A run of ${tool} did not succeed: vulnerabilities that it does not show stay open.`);
  }
  return {
    tool,
    toolVersion: cleanName(stringAt(driver, 'semanticVersion') ?? stringAt(driver, 'version'), context),
    category: cleanName(categoryOf(run, tool, driver), context),
    outcome: failed ? 'failed' : 'succeeded',
    gaps: gapsOf(run, tool, context),
    showsScan: showsScan(run),
    image: imageOf(run, tool),
  };
}

/** A process that was killed, or that did not start, may not have said whether it has succeeded. */
function hasFailed(invocation: unknown): boolean {
  const isSuccessful = field(invocation, 'executionSuccessful');
  const signs = ['exitSignalName', 'exitSignalNumber', 'processStartFailureMessage'];
  return (
    isSuccessful === false || (isSuccessful !== true && signs.some((key) => Boolean(field(invocation, key))))
  );
}

/**
 * True if an error has ended the run of Semgrep early. In SARIF it says that it succeeded, whatever its errors are.
 * Their types are those of its JSON.
 */
function isFatalOfSemgrep(invocation: unknown): boolean {
  return arrayAt(invocation, 'toolExecutionNotifications').some((notification) =>
    fatalTypes.has(stringAt(recordAt(notification, 'descriptor'), 'id') ?? ''),
  );
}

/** Files that the tool could not analyse, and rules that it could not apply, because of an error. */
function gapsOf(run: JsonRecord, tool: string, context: ParseContext): Gap[] {
  const notificationsOf = (list: string): JsonRecord[] =>
    arrayAt(run, 'invocations')
      .flatMap((invocation) => arrayAt(invocation, list).map(asRecord))
      .filter((notification) => notification !== null);
  const errorsOf = (list: string): JsonRecord[] =>
    notificationsOf(list).filter((notification) => stringAt(notification, 'level') === 'error');
  const locations = new Locations(run);
  const inExecution = errorsOf('toolExecutionNotifications').map((error) => ({
    error,
    path: locations.of(error).path,
  }));
  // The location of an error in the configuration is a file of settings.
  const general = [
    ...inExecution.filter(({ path }) => path === null).map(({ error }) => error),
    ...errorsOf('toolConfigurationNotifications'),
  ];
  // Semgrep names files and rules in messages alone, and a file that it did not finish at the level of a warning.
  const inMessages = isSemgrep(tool)
    ? notificationsOf('toolExecutionNotifications').flatMap((notification) =>
        gapsInMessage(stringAt(recordAt(notification, 'message'), 'text') ?? '', context),
      )
    : [];
  return [
    ...pathGaps(inExecution.map(({ path }) => path)),
    ...ruleGaps(rulesOf(run, general, context)),
    ...inMessages,
  ];
}

/** The rules of these notifications, which name them by id or by index. */
function rulesOf(run: JsonRecord, notifications: readonly JsonRecord[], context: ParseContext): string[] {
  const references = notifications.flatMap((notification) => recordAt(notification, 'associatedRule') ?? []);
  if (references.length === 0) return [];
  const rules = new Rules(run, context);
  return references.flatMap((rule) => {
    const id = stringAt(rule, 'id') ?? rules.find({ rule })?.id;
    return id === undefined || id === null ? [] : cleanName(id, context);
  });
}

/** Most tools list the rules that they applied; some list the files, or say that they succeeded. */
function showsScan(run: JsonRecord): boolean {
  return (
    arrayAt(recordAt(recordAt(run, 'tool'), 'driver'), 'rules').length > 0 ||
    arrayAt(run, 'artifacts').length > 0 ||
    arrayAt(run, 'invocations').some((invocation) => field(invocation, 'executionSuccessful') === true)
  );
}

/**
 * The automation id up to its last slash, because the rest names the single run; else the image or the kind of scan.
 */
function categoryOf(run: JsonRecord, tool: string, driver: JsonRecord | null): string {
  const id = stringAt(recordAt(run, 'automationDetails'), 'id');
  const automation = id === null ? '' : stableCategory(id.slice(0, Math.max(0, id.lastIndexOf('/'))));
  if (automation !== '') return automation;
  if (tool === 'veracode') return veracodeCategory(stringAt(driver, 'name') ?? '');
  return id === null ? imageCategory(imageNameOf(run) ?? '') : '';
}

/** Trivy names the image in the run. */
function imageNameOf(run: JsonRecord): string | null {
  const properties = recordAt(run, 'properties');
  const [tags, digests] = [stringsAt(properties, 'repoTags'), stringsAt(properties, 'repoDigests')];
  return nameOfImage(stringAt(properties, 'imageName'), tags, digests);
}

/** Grype names the image in each result as `name@layer:/path`, so an empty report has no name. */
function imageOf(run: JsonRecord, tool: string): ReportImage | null {
  const named = parseImage(imageNameOf(run));
  if (named !== null || tool !== 'grype') return named;
  const [first] = rowsAt(run, 'results') ?? [];
  const [location] = arrayAt(first, 'locations');
  const [logical] = arrayAt(location, 'logicalLocations');
  const full = stringAt(logical, 'fullyQualifiedName')?.slice(0, 1024) ?? '';
  return parseImage(/^(.+?)@(?:sha256:[0-9a-f]{64})?:\//.exec(full)?.[1] ?? null);
}

function readResults(
  run: JsonRecord,
  results: RowList | readonly unknown[],
  pointer: string,
  head: RunHeader,
  context: ParseContext,
): ReportFinding[] {
  const read = resultReader(run, head.tool, context);
  return dropConstants(readRows(results, `${pointer}/results`, context, read), context);
}

/** A fingerprint that is the same at every location is useless. Three findings are enough to see that. */
function dropConstants(findings: ReportFinding[], context: ParseContext): ReportFinding[] {
  const values = new Set<string>();
  const locations = new Set<string>();
  let count = 0;
  for (const { fingerprint, rule, path, line } of findings) {
    if (fingerprint === null) continue;
    count++;
    values.add(fingerprint.value);
    locations.add(`${rule}\n${path}\n${line}`);
    if (values.size > 1) return findings;
  }
  if (count < 3 || locations.size < 3) return findings;
  for (const finding of findings) finding.fingerprint = null;
  context.warn('The tool gives every finding the same fingerprint: fingerprints were ignored.');
  return findings;
}
