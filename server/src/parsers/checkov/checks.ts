/**
 * The reading of one check of Checkov: its type, its location, and its resource, which names the location. A secret
 * leaves only masked. Its hash, which Checkov writes in place of the resource, is never passed on.
 */
import type { Severity } from '../../domain/packed-state.ts';
import { newEvidence } from '../reading/evidence.ts';
import { type KnownFields, newFinding, severityOfLabel } from '../reading/finding.ts';
import { arrayAt, asArray, asInteger, field, type JsonRecord, recordAt, stringAt } from '../reading/json.ts';
import { maxPathLength, type ParseContext } from '../reading/limits.ts';
import { normalisePath, repositoryPath } from '../reading/paths.ts';
import { secretLine } from '../reading/secrets.ts';
import { cleanName, readTimestamp, safeCode, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import type { ReportFinding, ReportSnippet } from '../report.ts';
import { checkovPackageFacts } from './packages.ts';

export interface CheckRow {
  check: JsonRecord;
  id: string;
  /** `terraform`, `secrets`, `sca_package`, … */
  framework: string;
  pointer: string;
  skipped: boolean;
  steps: WorkflowSteps;
}

export function readCheck(row: CheckRow, context: ParseContext): ReportFinding {
  const { check, id, framework, pointer, skipped, steps } = row;
  const rule = cleanName(id, context);
  const name = stringAt(check, 'check_name') ?? stringAt(check, 'short_description');
  const isSecret = framework === 'secrets' || rule.startsWith('CKV_SECRET_');
  const path = pathOf(check);
  const line = asInteger(arrayAt(check, 'file_line_range')[0], 1);
  const shared: KnownFields = {
    pointer,
    type: 'iac',
    severity: severityOf(check, isSecret),
    title: (name === null ? '' : safeTitle(name, context)) || rule,
    description: safeText(stringAt(check, 'description'), context),
    rule,
    path,
    line,
    links: safeLinks([stringAt(check, 'guideline')]),
    suppression: skipped ? { by: 'source', reason: reasonOf(check, context), expiresAt: null } : null,
  };
  if (isSecret) {
    return newFinding({
      ...shared,
      type: 'secret',
      secret: { value: null, maskedLine: secretLine(codeBlock(check), [], context) },
      verified: stringAt(check, 'validation_status') === 'Valid',
      committedAt:
        stringAt(check, 'added_commit_hash') === null ? null : readTimestamp(stringAt(check, 'added_date')),
    });
  }
  const found = checkovPackageFacts(check, { path, line }, context);
  if (found !== null) return newFinding({ ...shared, ...found });
  return newFinding({
    ...shared,
    code: safeCode(steps.resourceOf(check) ?? codeBlock(check), context),
    evidence: newEvidence({ snippet: snippetOf(check) }, context),
  });
}

/** The named steps of workflows in all checks of a framework, also in those that passed. */
export class WorkflowSteps {
  /** The resources of each step without its number. Several steps of a job may have one name. */
  readonly #resources = new Map<string, Set<string>>();

  constructor(results: JsonRecord | null) {
    // With `--quiet` the list is not there, and a step that passed may have the name of one that failed.
    if (!Array.isArray(field(results, 'passed_checks'))) return;
    const lists = ['passed_checks', 'failed_checks', 'skipped_checks'];
    for (const check of lists.flatMap((list) => arrayAt(results, list))) {
      const resource = stringAt(check, 'resource');
      const step = stepWithoutNumber(resource);
      if (resource === null || step === null) continue;
      const key = keyOf(check, step);
      this.#resources.set(key, (this.#resources.get(key) ?? new Set()).add(resource));
    }
  }

  /**
   * A step loses its number, which another step above it changes, if it is known that no other step of its job and file
   * has its name.
   */
  resourceOf(check: JsonRecord): string | null {
    const resource = stringAt(check, 'resource');
    const step = stepWithoutNumber(resource);
    return step !== null && this.#resources.get(keyOf(check, step))?.size === 1 ? step : resource;
  }
}

function keyOf(check: unknown, step: string): string {
  return `${pathOf(check)}\n${step}`;
}

/** Returns null for anything but a step with a name. A text that is longer than a path is none. */
function stepWithoutNumber(resource: string | null): string | null {
  // The expression needs linear time, because the last sign is known to be a bracket.
  if (resource === null || resource.length > maxPathLength || !resource.endsWith(')')) return null;
  const [, steps, name] = /^(jobs\(.*\)\.steps)\[[0-9]+\](\(.+\))$/s.exec(resource) ?? [];
  return name === undefined || name === '(None)' ? null : `${steps}${name}`;
}

function severityOf(check: JsonRecord, isSecret: boolean): Severity {
  const severity = severityOfLabel(stringAt(check, 'severity'));
  return severity === 'unknown' ? severityWithoutAccount(isSecret) : severity;
}

/**
 * Without an account Checkov gives no severity. Medium is used, so that neither all nor none of the findings stop a
 * build.
 */
export function severityWithoutAccount(isSecret: boolean): Severity {
  return isSecret ? 'high' : 'medium';
}

/**
 * The path is relative to the directory in which Checkov was started, which is the repository. `file_path` begins at
 * the directory that it scanned. If Checkov was started outside, or at the root of a container's file system, only
 * `file_path` is known.
 */
function pathOf(check: unknown): string | null {
  const file = stringAt(check, 'file_path');
  const repositoryFile = stringAt(check, 'repo_file_path');
  const absolute = stringAt(check, 'file_abs_path');
  if (repositoryFile === null || /(?:^|[\\/])\.\.[\\/]/.test(repositoryFile)) return fileOf(file);
  const path = normalisePath(repositoryFile);
  if (file !== null && absolute !== null && normalisePath(absolute) === path) {
    const stripped = repositoryPath(absolute);
    return stripped === path ? fileOf(file) : stripped;
  }
  return path;
}

function fileOf(file: string | null): string | null {
  return repositoryPath(file);
}

function snippetOf(check: JsonRecord): ReportSnippet | null {
  const text = codeBlock(check);
  if (text === null) return null;
  const [from, to] = arrayAt(check, 'file_line_range');
  return {
    text,
    firstLine: asInteger(asArray(arrayAt(check, 'code_block')[0])[0], 1),
    markedFrom: asInteger(from, 1),
    markedTo: asInteger(to, 1),
  };
}

/** The report gives lines as pairs of number and text. */
function codeBlock(check: JsonRecord): string | null {
  const lines = arrayAt(check, 'code_block')
    .slice(0, 500)
    .map((line) => asArray(line)[1])
    .filter((text) => typeof text === 'string');
  return lines.length === 0 ? null : lines.join('');
}

function reasonOf(check: JsonRecord, context: ParseContext): string | null {
  const comment = stringAt(recordAt(check, 'check_result'), 'suppress_comment');
  return comment === null || /^no comment provided$/i.test(comment.trim())
    ? null
    : safeText(comment, context);
}
