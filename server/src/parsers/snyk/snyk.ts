/**
 * The JSON of the Snyk CLI (`snyk test`, `container test`, `iac test`), one project or a list, and the export of Snyk's
 * issues API. `snyk code test` writes SARIF. Rows are read in `packages.ts`, `iac.ts` and `issues.ts`. Each project is
 * a run of its own, and so is an image with all programs in it.
 */
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { newRun } from '../reading/finding.ts';
import { severityGaps } from '../reading/gaps.ts';
import { imageCategory, parseImage } from '../reading/images.ts';
import { arrayAt, asRecord, field, type JsonRecord, numberAt, recordAt, stringAt } from '../reading/json.ts';
import { listAt } from '../reading/json-rows.ts';
import type { ParseContext } from '../reading/limits.ts';
import { normalisePath, repositoryPath } from '../reading/paths.ts';
import { newReport, readRows } from '../reading/rows.ts';
import { cleanName } from '../reading/text.ts';
import type { Gap, Report, ReportFinding, ReportImage, Run } from '../report.ts';
import { readIacIssue } from './iac.ts';
import { isIssueExport, parseIssues } from './issues.ts';
import { readPackages } from './packages.ts';

export const snyk: Format = {
  name: 'snyk',
  writesLists: true,
  marks: ['vulnerabilities', 'ok', 'packageManager', 'dependencyCount'],
  recognises,
  parse,
};

const iacList = 'infrastructureAsCodeIssues';

function recognises({ json }: ReportDocument): boolean {
  if (isIssueExport(json)) return true;
  return isProject(Array.isArray(json) ? json.find((element) => asRecord(element) !== null) : json);
}

function isProject(value: unknown): boolean {
  if (Array.isArray(field(value, iacList))) return true;
  const isTest = typeof field(value, 'ok') === 'boolean';
  if (isTest && isFailure(value)) return stringAt(value, 'path') !== null || stringAt(value, 'code') !== null;
  if (!Array.isArray(field(value, 'vulnerabilities'))) return false;
  const has = (key: string): boolean => Object.hasOwn(asRecord(value) ?? {}, key);
  return (
    (isTest && ['dependencyCount', 'packageManager', 'uniqueCount', 'summary', 'org'].some(has)) ||
    (has('packageManager') && (has('projectName') || has('displayTargetFile')))
  );
}

/** True for the object that stands for a project that could not be tested. */
function isFailure(value: unknown): boolean {
  return field(value, 'ok') === false && stringAt(value, 'error') !== null;
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const runs = isIssueExport(json) ? parseIssues(json, context) : parseProjects(json, context);
  return newReport(snyk.name, context, runs);
}

interface Project {
  record: JsonRecord;
  pointer: string;
}

function parseProjects(json: unknown, context: ParseContext): Run[] {
  const projects: Project[] = [];
  for (const [index, element] of (Array.isArray(json) ? json : [json]).entries()) {
    const pointer = Array.isArray(json) ? `/${index}` : '';
    const record = asRecord(element);
    if (record !== null) {
      projects.push({ record, pointer });
      continue;
    }
    context.addRows(1, pointer);
    context.addUnreadable(pointer, 'The project is not an object.');
  }
  const isOther = ({ record }: Project): boolean => !isInfrastructure(record) && !isFailure(record);
  // A path that could not be tested does not name its kind: it is infrastructure if all others are.
  const isAllInfrastructure =
    !projects.some(isOther) && projects.some(({ record }) => isInfrastructure(record));
  const belongsToFiles = ({ record }: Project): boolean => isAllInfrastructure || isInfrastructure(record);
  const infrastructure = projects.filter(belongsToFiles);
  const runs = new Map<string, ProjectRun>();
  for (const project of projects) {
    if (belongsToFiles(project)) continue;
    const run = readProject(project, projects, context);
    const key = JSON.stringify([run.tool, run.category]);
    const known = runs.get(key);
    if (known === undefined) {
      runs.set(key, run);
      continue;
    }
    for (const finding of run.findings) known.findings.push(finding);
    known.showsScan ||= run.showsScan === true;
    if (run.outcome === 'failed') known.outcome = 'failed';
    known.gaps = [...(known.gaps ?? []), ...(run.gaps ?? [])];
  }
  // Each file of infrastructure is listed as a project. They are one run, so that a file that is gone is closed.
  if (infrastructure.length > 0) {
    const isFailed = infrastructure.some(({ record }) => isFailure(record));
    if (isFailed) context.warn(failedProject);
    runs.set('', {
      tool: 'snyk-iac',
      outcome: isFailed ? 'failed' : 'succeeded',
      showsScan: infrastructure.some(({ record }) => !isFailure(record)),
      gaps: thresholdGaps(
        infrastructure.map(({ record }) => record),
        context,
      ),
      findings: readInfrastructure(infrastructure, context),
    });
  }
  return [...runs.values()].map(newRun);
}

function isInfrastructure(record: JsonRecord): boolean {
  return Array.isArray(field(record, iacList)) || /config$/.test(stringAt(record, 'packageManager') ?? '');
}

function readInfrastructure(files: readonly Project[], context: ParseContext): ReportFinding[] {
  return files.flatMap(({ record, pointer }) =>
    readRows(listAt(record, iacList, pointer, context), `${pointer}/${iacList}`, context, (row, at) =>
      readIacIssue(row, at, fileOf(record), context),
    ),
  );
}

const failedProject = 'Snyk could not test every project: vulnerabilities of such a project stay open.';

type ProjectRun = Parameters<typeof newRun>[0] & Pick<Run, 'findings'>;

/** A test of an image lists its programs as applications, or as projects of their own with the image's name. */
function readProject(
  { record, pointer }: Project,
  all: readonly Project[],
  context: ParseContext,
): ProjectRun {
  context.addRun(pointer);
  const image = imageOf(record);
  const isFailed = isFailure(record);
  if (isFailed) {
    context.warn(failedProject);
  }
  const own = { pointer, record: record as unknown };
  const listed = [...listAt(record, 'applications', pointer, context)];
  const applications = listed.map((application, index) => ({
    pointer: `${pointer}/applications/${index}`,
    record: application,
  }));
  const findings: ReportFinding[] = [];
  for (const part of [own, ...applications]) {
    const location = { file: fileOf(part.record, image !== null), image: image?.name ?? null };
    for (const finding of readPackages(part.record, part.pointer, location, context)) {
      findings.push(finding);
    }
  }
  return {
    tool: image === null ? 'snyk-open-source' : 'snyk-container',
    category: cleanName(image === null ? categoryOf(record, all) : imageCategory(image.name), context),
    outcome: isFailed ? 'failed' : 'succeeded',
    gaps: thresholdGaps([record], context),
    showsScan: !isFailed && [record, ...arrayAt(record, 'applications')].some(hasDependencies),
    findings,
    image,
  };
}

/** A test with `--severity-threshold` lists nothing below it. */
function thresholdGaps(projects: readonly JsonRecord[], context: ParseContext): Gap[] {
  const labels = new Set(projects.map((project) => stringAt(project, 'severityThreshold')?.toLowerCase()));
  const least = (['critical', 'high', 'medium'] as const).find((severity) => labels.has(severity));
  if (least === undefined) return [];
  context.warn(`Snyk left out vulnerabilities whose severity is below ${least}.`);
  return severityGaps(least);
}

/** Reports without the number name the package manager whose project was found. */
function hasDependencies(part: unknown): boolean {
  const count = numberAt(part, 'dependencyCount');
  return count === null ? stringAt(part, 'packageManager') !== null : count > 0;
}

/** An image has no checkout directory. */
function fileOf(record: unknown, isInImage = false): string | null {
  const file = stringAt(record, 'displayTargetFile') ?? stringAt(record, 'targetFile');
  if (file === null) return null;
  return isInImage ? normalisePath(file) : repositoryPath(file);
}

/** These build several projects out of one file. */
const sharedFiles = new Set(['gradle', 'sbt']);

/** Returns the manifest, which every project of a repository has one of, or its name where several share a file. */
function categoryOf(record: JsonRecord, all: readonly Project[]): string {
  const file = fileOf(record);
  const name = stringAt(record, 'projectName') ?? '';
  if (file === null) return name;
  const isShared =
    sharedFiles.has(stringAt(record, 'packageManager') ?? '') ||
    all.slice(0, maxCompared).some((other) => other.record !== record && fileOf(other.record) === file);
  return isShared && name !== '' ? `${file} ${name}` : file;
}

/** Real reports have some dozens of projects. */
const maxCompared = 1000;

const imagePrefix = 'docker-image|';

/**
 * An image with its tag, and a project in it: `shed:1.2/door`. Four digits or more behind the first name are the port
 * of a registry.
 */
const projectInImage = /^(?!(?:docker|oci)-)(.*\/[^/:]*:[\w.-]+|[^/:]*:(?!\d{4,5}\/)[\w.-]+)\/.*$/;
/** The work of the expression above grows with the square of the length. */
const maxPathLength = 512;

/** `docker-image|shed` with the path `shed:1.2/shed`; null if the project is no image. */
function imageOf(record: JsonRecord): ReportImage | null {
  const name = stringAt(record, 'projectName') ?? '';
  const path = (stringAt(record, 'path') ?? '').slice(0, maxPathLength);
  if (!name.startsWith(imagePrefix)) {
    return recordAt(record, 'docker') === null ? null : parseImage(path.replace(projectInImage, '$1'));
  }
  const named = name.slice(imagePrefix.length);
  const rest = path.startsWith(`${named}:`) ? path.slice(named.length + 1) : '';
  return parseImage(named, /^[^/@]+/.exec(rest)?.[0] ?? null);
}
