/**
 * Kubescape's JSON, format version 2 (`resources`, `results`, `summaryDetails`). A row is a control that a resource
 * failed. A resource of a file has its path, as in Kubescape's SARIF; one of a cluster has namespace, kind and name.
 * Objects of the cluster are not stored, because they hold its secrets.
 */
import type { Severity } from '../domain/packed-state.ts';
import type { Format } from './format.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newEvidence } from './reading/evidence.ts';
import { newFinding, newRun, severityOfLabel, severityOfScore } from './reading/finding.ts';
import {
  arrayAt,
  asRecord,
  field,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
  stringsAt,
} from './reading/json.ts';
import { listAt } from './reading/json-rows.ts';
import type { ParseContext } from './reading/limits.ts';
import { normalisePath, repositoryPath } from './reading/paths.ts';
import { newReport } from './reading/rows.ts';
import { stableCategory } from './reading/stable-category.ts';
import { cleanName, readTimestamp, safeCode, safeText, safeTitle } from './reading/text.ts';
import type { Gap, Report, ReportFinding } from './report.ts';

export const kubescape: Format = {
  name: 'kubescape',
  marks: ['summaryDetails', 'resources', 'results', 'customerGUID'],
  runFields: ['generationTime'],
  recognises,
  parse,
};

const ownFields = ['clusterAPIServerInfo', 'customerGUID', 'reportGUID', 'paginationInfo', 'resources'];

function recognises({ json }: ReportDocument): boolean {
  const record = asRecord(json);
  if (record === null || recordAt(record, 'summaryDetails') === null) return false;
  return ownFields.some((name) => Object.hasOwn(record, name));
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const findings: ReportFinding[] = [];
  const resources = new Map<string, JsonRecord>();
  for (const resource of arrayAt(json, 'resources')) {
    const record = asRecord(resource);
    const id = stringAt(record, 'resourceID');
    if (record !== null && id !== null && !resources.has(id)) resources.set(id, record);
  }
  const controls = recordAt(recordAt(json, 'summaryDetails'), 'controls');
  let checks = 0;
  const skipped = new SkippedControls();
  const takeUnreadable = (pointer: string, reason: string): void => {
    context.addRows(1, pointer);
    context.addUnreadable(pointer, reason);
  };
  for (const [index, row] of listAt(json, 'results', '', context).entries()) {
    const result = asRecord(row);
    if (result === null) {
      takeUnreadable(`/results/${index}`, 'The result is not an object.');
      continue;
    }
    const location = locationOf(result, resources.get(stringAt(result, 'resourceID') ?? '') ?? null, context);
    const checked = listAt(result, 'controls', `/results/${index}`, context);
    for (const [number, element] of checked.entries()) {
      const pointer = `/results/${index}/controls/${number}`;
      const control = asRecord(element);
      const id = control === null ? null : stringAt(control, 'controlID');
      const status = control === null ? null : statusOf(control);
      if (control === null || id === null || status === null) {
        takeUnreadable(pointer, 'The control has no controlID or no status.');
        continue;
      }
      checks++;
      if (status === 'skipped') {
        context.warn('Controls that Kubescape skipped are not counted and are no findings.');
        skipped.add(cleanName(id, context), location.path);
      }
      if (status !== 'failed' && status !== 'excepted') continue;
      // Kubescape counts a control with an exception as passed, except in old versions.
      if (status === 'failed') context.addRows(1, pointer);
      else context.addLocations(1, pointer);
      findings.push(
        readControl({ control, id, summary: recordAt(controls, id), location, pointer }, context),
      );
    }
  }
  for (const [id, control] of Object.entries(controls ?? {})) {
    const record = asRecord(control);
    if (record !== null && summaryStatus(record) === 'skipped') skipped.addControl(cleanName(id, context));
  }
  if (checks === 0 && context.unreadable.length === 0) {
    context.warn('Kubescape checked no resource: this run has no results, so it closes nothing.');
  }
  const scan = recordAt(recordAt(json, 'metadata'), 'scanMetadata');
  return newReport(kubescape.name, context, [
    newRun({
      tool: 'kubescape',
      toolVersion: cleanName(stringAt(scan, 'kubescapeVersion'), context),
      category: categoryOf(json, context),
      outcome: checks === 0 && context.unreadable.length === 0 ? 'scanned_nothing' : 'succeeded',
      showsScan: checks > 0,
      gaps: skipped.gaps(),
      findings,
    }),
  ]);
}

/** Cluster and frameworks tell the runs of one repository apart. */
function categoryOf(json: unknown, context: ParseContext): string {
  const metadata = recordAt(json, 'metadata');
  const target = recordAt(recordAt(metadata, 'targetMetadata'), 'clusterContextMetadata');
  const cluster = stringAt(json, 'clusterName') ?? stringAt(target, 'contextName');
  const names = stringsAt(recordAt(metadata, 'scanMetadata'), 'targetNames').toSorted();
  const parts = [cluster, names.length === 0 ? null : names.join('+')];
  return stableCategory(cleanName(parts.filter((part) => part !== null).join('/'), context));
}

/** A control that was skipped for more resources is a gap as a whole. */
const maxSkippedResources = 100;

class SkippedControls {
  /** Control → the paths of the resources; none if the report names no resource. */
  readonly #paths = new Map<string, Set<string | null>>();

  add(rule: string, path: string | null): void {
    this.#paths.set(rule, (this.#paths.get(rule) ?? new Set()).add(path));
  }

  /** The summary of all resources does not say more about a control than its resources. */
  addControl(rule: string): void {
    if (!this.#paths.has(rule)) this.#paths.set(rule, new Set());
  }

  gaps(): Gap[] {
    return [...this.#paths].flatMap(([rule, paths]): Gap[] => {
      const isWhole = paths.size === 0 || paths.size > maxSkippedResources || paths.has(null);
      return isWhole ? [{ rule }] : [...paths].flatMap((path) => (path === null ? [] : { rule, path }));
    });
  }
}

/** `excepted`: all that failed is covered by exceptions. */
type Status = 'passed' | 'failed' | 'excepted' | 'skipped';

/** `statusInfo` of newer versions says more than `status`. */
function summaryStatus(control: JsonRecord): Status | null {
  const status = recordAt(control, 'statusInfo');
  const word = stringAt(status, 'status') ?? stringAt(control, 'status');
  return word === null ? null : wordOf(word.toLowerCase(), stringAt(status, 'subStatus'));
}

/** Versions of 2022 have a status for each rule only. */
function statusOf(control: JsonRecord): Status | null {
  const status = recordAt(control, 'status');
  const word = (stringAt(status, 'status') ?? stringAt(control, 'status'))?.toLowerCase() ?? null;
  if (word !== null) return wordOf(word, stringAt(status, 'subStatus'));
  const words = arrayAt(control, 'rules').map((rule) => {
    const own = stringAt(rule, 'status')?.toLowerCase() ?? null;
    return own === null ? null : wordOf(own, stringAt(rule, 'subStatus'));
  });
  return statuses.find((each) => words.includes(each)) ?? null;
}

/** The first of these that a rule has is the control's. */
const statuses: readonly Status[] = ['failed', 'excepted', 'skipped', 'passed'];

function wordOf(word: string, subStatus: string | null): Status | null {
  if (word === 'failed') return 'failed';
  if (word === 'excluded' || word === 'ignored') return 'excepted';
  // There was nothing that the control is about.
  if (word === 'irrelevant' || /irrelevant/i.test(subStatus ?? '')) return 'passed';
  if (word === 'passed') return /exception/i.test(subStatus ?? '') ? 'excepted' : 'passed';
  return /^(?:skipped|unknown|error|action ?required)$/.test(word) ? 'skipped' : null;
}

interface ResourceLocation {
  /** The resource without the number of its file: `apps/v1/garden/Deployment/shed`. */
  name: string | null;
  /** Kind and name for people. */
  label: string | null;
  path: string | null;
  pathIsTarget: boolean;
}

function locationOf(
  result: JsonRecord,
  resource: JsonRecord | null,
  context: ParseContext,
): ResourceLocation {
  const object = recordAt(resource, 'object') ?? recordAt(result, 'rawResource');
  const source = recordAt(resource, 'source') ?? recordAt(result, 'source');
  const id = stringAt(result, 'resourceID')?.replace(/^path=[^/]{0,100}\/(?:api=)?/, '') ?? null;
  const kind = stringAt(object, 'kind');
  const metadata = recordAt(object, 'metadata');
  const name = stringAt(metadata, 'name') ?? stringAt(object, 'name');
  // The object names its file with the number of the document in it.
  const file =
    stringAt(source, 'relativePath') ?? stringAt(object, 'sourcePath')?.replace(/:[0-9]{1,9}$/, '') ?? null;
  const path = repositoryPath(file);
  const namespace = stringAt(metadata, 'namespace') ?? stringAt(object, 'namespace');
  const parts = [namespace, kind, name].filter((part) => part !== null);
  const target = parts.length > 0 ? parts.join('/') : id;
  return {
    name: safeCode(id ?? (parts.join('/') || null), context),
    label: kind === null || name === null ? null : `${kind} ${name}`,
    path: path ?? (target === null ? null : normalisePath(cleanName(target, context))),
    pathIsTarget: path === null,
  };
}

interface Row {
  control: JsonRecord;
  id: string;
  /** The result of the control for all resources. */
  summary: JsonRecord | null;
  location: ResourceLocation;
  pointer: string;
}

function readControl(row: Row, context: ParseContext): ReportFinding {
  const { control, id, summary, location, pointer } = row;
  const rule = cleanName(id, context);
  const name = stringAt(control, 'name') ?? stringAt(summary, 'name') ?? rule;
  const texts = [
    stringAt(summary, 'description'),
    location.label === null ? null : `Resource: ${location.label}`,
  ];
  const steps = [...fixesOf(control), stringAt(summary, 'remediation')].filter((text) => text !== null);
  return newFinding({
    pointer,
    type: 'iac',
    severity: severityOf(control, summary),
    title: safeTitle(name, context) || rule,
    description: safeText(texts.filter((text) => text !== null).join('\n\n'), context),
    rule,
    path: location.path,
    pathIsTarget: location.pathIsTarget,
    code: location.name,
    suppression: exceptionOf(control, context),
    evidence: newEvidence({ remediation: steps.join('\n') }, context),
  });
}

/** The score factor goes from 1 to 10, in the bands of CVSS; 0 means that there is none. */
function severityOf(control: JsonRecord, summary: JsonRecord | null): Severity {
  const score = numberAt(summary, 'scoreFactor') ?? numberAt(control, 'scoreFactor');
  if (score !== null && score > 0) return severityOfScore(score) ?? 'unknown';
  return severityOfLabel(stringAt(control, 'severity') ?? stringAt(summary, 'severity'));
}

/** A control is covered if each rule that did not pass has an exception. */
function exceptionOf(control: JsonRecord, context: ParseContext): ReportFinding['suppression'] {
  const rules = arrayAt(control, 'rules').filter((rule) => {
    const word = stringAt(rule, 'status')?.toLowerCase() ?? '';
    return word !== 'passed' || arrayAt(rule, 'exception').length > 0;
  });
  const exceptions = rules.map((rule) => arrayAt(rule, 'exception')[0]);
  const isCovered = rules.length > 0 && exceptions.every((exception) => asRecord(exception) !== null);
  if (!isCovered && statusOf(control) !== 'excepted') return null;
  const [first] = exceptions.filter((exception) => asRecord(exception) !== null);
  const reason = stringAt(first, 'reason') ?? stringAt(first, 'name');
  return {
    by: 'file',
    reason: reason === null ? null : safeText(reason, context),
    expiresAt: readTimestamp(stringAt(first, 'expirationDate')),
  };
}

/** More fields of one object than a person would change. */
const maxFixes = 50;

/** Returns the fields to set, remove or review in the object, one line each. */
function fixesOf(control: JsonRecord): string[] {
  const lines = new Set<string>();
  for (const rule of arrayAt(control, 'rules')) {
    for (const path of arrayAt(rule, 'paths')) {
      if (lines.size >= maxFixes) return [...lines];
      const line = fixOf(path);
      if (line !== null) lines.add(line);
    }
  }
  return [...lines];
}

function fixOf(path: unknown): string | null {
  const fix = recordAt(path, 'fixPath');
  const set = stringAt(fix, 'path');
  if (set !== null) return `Set ${set} to ${stringAt(fix, 'value') ?? 'a value'}.`;
  const remove = stringAt(path, 'deletePath');
  if (remove !== null) return `Remove ${remove}.`;
  const review = stringAt(path, 'reviewPath') ?? stringAt(path, 'failedPath');
  if (review !== null) return `Review ${review}.`;
  const command = field(path, 'fixCommand');
  return typeof command === 'string' && command.trim() !== '' ? `Run ${command.trim()}` : null;
}
