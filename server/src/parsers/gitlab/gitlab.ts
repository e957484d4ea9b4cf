/**
 * GitLab's security reports, one schema for all its kinds of scanning: code, packages, images, secrets and running
 * sites, versions 2 to 15. Rows are read in `rows.ts`. Many other tools write this schema too, so each row belongs to
 * the scanner that it names, and a report of several scanners has a run for each.
 */
import type { VulnerabilityType } from '../../domain/packed-state.ts';
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { newRun } from '../reading/finding.ts';
import { gapOfEverything } from '../reading/gaps.ts';
import { imageCategory, unnamedImageCategory } from '../reading/images.ts';
import { arrayAt, asArray, asRecord, field, type JsonRecord, recordAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newReport } from '../reading/rows.ts';
import { cleanName } from '../reading/text.ts';
import { toolFamily } from '../reading/tools.ts';
import type { Gap, Report, ReportFinding, ReportImage, Run, RunOutcome } from '../report.ts';
import { DependencyFiles } from './dependency-files.ts';
import type { GitlabScan } from './facts.ts';
import { type GitlabFinding, readGitlabVulnerability, typeOfKind } from './rows.ts';

export const gitlab: Format = {
  name: 'gitlab',
  marks: ['version', 'vulnerabilities', 'scan', 'remediations'],
  runFields: ['start_time', 'end_time'],
  recognises,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  const rows = field(json, 'vulnerabilities');
  if (!Array.isArray(rows)) return false;
  if (/gitlab/i.test(stringAt(json, 'schema') ?? '')) return true;
  const scan = recordAt(json, 'scan');
  if (scan !== null && (recordAt(scan, 'scanner') ?? recordAt(scan, 'analyzer')) !== null) return true;
  const first: unknown = rows.find((row) => asRecord(row) !== null);
  if (first !== undefined) return Array.isArray(field(first, 'identifiers')) && hasLocationOrCategory(first);
  // Versions before 3 say nothing about the scan.
  return /^[0-9]+\.[0-9]/.test(stringAt(json, 'version') ?? '') && Array.isArray(field(json, 'remediations'));
}

function hasLocationOrCategory(row: unknown): boolean {
  return recordAt(row, 'location') !== null || stringAt(row, 'category') !== null;
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const rows = arrayAt(json, 'vulnerabilities');
  context.addRows(rows.length, '/vulnerabilities');
  const files = new DependencyFiles(json, context);
  const scan = readScan(json, files);
  const read: GitlabFinding[] = [];
  for (const [index, row] of rows.entries()) {
    const pointer = `/vulnerabilities/${index}`;
    const found = readGitlabVulnerability(row, pointer, scan, context);
    if ('unreadable' in found) context.addUnreadable(pointer, found.unreadable);
    else read.push(found);
  }
  return newReport(gitlab.name, context, runsOf(json, scan, seriesOf(read, context), context));
}

function readScan(json: unknown, files: DependencyFiles): GitlabScan {
  const scanner = recordAt(recordAt(json, 'scan'), 'scanner');
  const named = stringAt(scanner, 'id') ?? stringAt(scanner, 'name');
  const remedies = new Map<string, string>();
  for (const remediation of arrayAt(json, 'remediations')) {
    const summary = stringAt(remediation, 'summary');
    for (const fix of arrayAt(remediation, 'fixes')) {
      const id = stringAt(fix, 'id') ?? stringAt(fix, 'cve');
      if (id !== null && summary !== null) remedies.set(id, summary);
    }
  }
  return {
    kind: stringAt(recordAt(json, 'scan'), 'type'),
    tool: named === null ? null : toolFamily(named),
    remedies,
    files,
  };
}

/** The findings of one scanner, and of one image if it scanned some. */
interface Series {
  tool: string;
  image: ReportImage | null;
  findings: ReportFinding[];
  /** True if some of its secrets are in a commit. */
  history: boolean;
}

/** Groups rows by scanner and image. Rows about a file of an image do not name it: they go to the first one by name. */
function seriesOf(rows: readonly GitlabFinding[], context: ParseContext): Series[] {
  const all = new Map<string, Series>();
  const imagesByTool = new Map<string, string[]>();
  for (const { tool, image } of rows) {
    if (image === null) continue;
    const images = imagesByTool.get(tool) ?? [];
    imagesByTool.set(tool, images);
    images.push(imageCategory(image.name));
  }
  const firstImages = new Map([...imagesByTool].map(([tool, names]) => [tool, names.sort()[0] ?? '']));
  for (const row of rows) {
    const category = row.image === null ? (firstImages.get(row.tool) ?? '') : imageCategory(row.image.name);
    const key = JSON.stringify([row.tool, category]);
    const series = all.get(key) ?? { tool: row.tool, image: null, findings: [], history: false };
    if (!all.has(key)) context.addRun('/vulnerabilities');
    all.set(key, series);
    series.findings.push(row.finding);
    series.image ??= row.image;
    series.history ||= row.inCommit;
  }
  return [...all.values()];
}

function runsOf(
  json: unknown,
  { kind, tool, files }: GitlabScan,
  series: readonly Series[],
  context: ParseContext,
): Run[] {
  const scan = recordAt(json, 'scan');
  const version = stringAt(recordAt(scan, 'scanner'), 'version');
  const outcome = outcomeOf(scan, kind, series.length === 0, context);
  const empty: Series = { tool: tool ?? 'unknown', image: null, findings: [], history: false };
  return (series.length > 0 ? series : [empty]).map((one, index) => {
    // A report that names neither scanner nor kind does not define the analysis.
    const looked = kind === null ? (tool === null ? [] : null) : [typeOfKind(kind, one.tool)];
    return newRun({
      ...one,
      toolVersion: version === null || one.tool !== tool ? null : cleanName(version, context),
      category: cleanName(categoryOf(one, looked, context), context),
      outcome,
      gaps: partialGaps(scan, context),
      showsScan: showsScan(scan, outcome),
      ...(looked === null ? {} : { analysisTypes: looked }),
      manifests: index === 0 ? files.manifests : [],
    });
  });
}

const cleanImageCategory = 'clean-image';

/**
 * The scan of an image that is not named must not share a series with those of the source. A clean image is never
 * named, so it does not share one with images that are not clean either.
 */
function categoryOf(
  { image, findings }: Series,
  looked: readonly VulnerabilityType[] | null,
  context: ParseContext,
): string {
  if (image !== null) return imageCategory(image.name);
  if (looked?.includes('container') !== true) return '';
  if (findings.length > 0) return unnamedImageCategory;
  context.warn(
    'GitLab’s report of a clean image does not name the image, so what the image had stays open. Send the scanner’s own report.',
  );
  return cleanImageCategory;
}

/**
 * A scan of the difference between two commits is no evidence about the rest. The name of its mark differs by version.
 */
function partialGaps(scan: JsonRecord | null, context: ParseContext): Gap[] {
  const marks = ['partial_scan', 'partial_scan_mode', 'sast_partial_scan'];
  const isPartial = marks.some((key) => (field(scan, key) ?? false) !== false);
  if (isPartial) context.warn('The scan looked at what has changed alone, so it closes nothing.');
  return isPartial ? gapOfEverything : [];
}

function outcomeOf(
  scan: JsonRecord | null,
  kind: string | null,
  isEmpty: boolean,
  context: ParseContext,
): RunOutcome {
  const hasFatal = arrayAt(scan, 'messages').some((message) => stringAt(message, 'level') === 'fatal');
  if (stringAt(scan, 'status') === 'failure' || hasFatal) {
    context.warn(
      'The report says that the scan did not succeed: vulnerabilities that it does not show stay open.',
    );
    return 'failed';
  }
  const scanned = field(scan, 'scanned_resources');
  if (isEmpty && kind === 'dast' && Array.isArray(scanned) && asArray(scanned).length === 0) {
    context.warn('The scanner reached no address: this run has no results, so it closes nothing.');
    return 'scanned_nothing';
  }
  return 'succeeded';
}

/** Versions before 3 say nothing about the scan. */
function showsScan(scan: JsonRecord | null, outcome: RunOutcome): boolean {
  const isSuccess = stringAt(scan, 'status') === 'success' || arrayAt(scan, 'scanned_resources').length > 0;
  return isSuccess && outcome === 'succeeded';
}
