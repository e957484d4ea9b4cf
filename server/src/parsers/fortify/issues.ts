/**
 * The finding of one issue of Static Code Analyzer, whatever file it comes from, so that the report and the results of
 * one scan give the same findings. Fortify knows an issue again by the id of its instance.
 */
import type { Severity } from '../../domain/packed-state.ts';
import { newEvidence } from '../reading/evidence.ts';
import { newFinding } from '../reading/finding.ts';
import type { ParseContext } from '../reading/limits.ts';
import { repositoryPath } from '../reading/paths.ts';
import { secretLine } from '../reading/secrets.ts';
import { cleanName, safeLinks, safeText, safeTitle, sourceCode } from '../reading/text.ts';
import { isFingerprint } from '../reading/tools.ts';
import type { ReportFinding, ReportSnippet } from '../report.ts';
import type { AuditDecision } from './audit.ts';

export interface Issue {
  pointer: string;
  instance: string | null;
  rule: string | null;
  /** `Password Management: Hardcoded Password` */
  category: string | null;
  severity: Severity;
  abstract: string | null;
  location: IssueLocation | null;
  /** From the source to the sink. */
  dataFlow: IssueStep[];
  cwes: string[];
  links: string[];
  help: string | null;
  remediation: string | null;
  decision: AuditDecision;
}

export interface IssueLocation {
  path: string | null;
  line: number | null;
  /** The lines around the location, and the number of the first. */
  lines: readonly string[];
  firstLine: number | null;
}

export interface IssueStep {
  path: string | null;
  line: number | null;
  text: string | null;
}

/** Returns null if the issue has neither a rule nor a category. */
function findingOf(issue: Issue, context: ParseContext): ReportFinding | null {
  const { instance, category, location, decision } = issue;
  const rule = cleanName(issue.rule ?? category ?? '', context);
  if (rule === '') return null;
  const isSecret = aboutSecrets.test(category ?? '');
  const path = location?.path ?? null;
  const line = lineOf(location);
  const shown = isSecret ? secretLine(line, [], context) : line;
  return newFinding({
    pointer: issue.pointer,
    type: 'sast',
    severity: issue.severity,
    title: safeTitle(category ?? '', context) || rule,
    description: safeText(issue.abstract, context),
    rule,
    cwes: issue.cwes,
    path: repositoryPath(path),
    line: location?.line ?? null,
    ...sourceCode(line, context, shown),
    fingerprint:
      instance !== null && isFingerprint(instance)
        ? { scheme: 'fortify-instance', value: cleanName(instance, context), pathFree: false }
        : null,
    links: safeLinks(issue.links),
    suppression: decision.suppression,
    exploitable: decision.exploitable,
    evidence: newEvidence(
      {
        snippet: isSecret ? secretSnippet(shown, location) : snippetOf(location),
        dataFlow: issue.dataFlow.map((step) => ({
          ...step,
          path: repositoryPath(step.path),
        })),
        help: issue.help,
        remediation: issue.remediation,
      },
      context,
    ),
  });
}

/** Rules that show a password or a key. Only the masked line is kept, because a secret may be anywhere around it. */
const aboutSecrets = /^(?:Password|Key|Credential) Management\b/i;

/** The code of an issue is its first line, because the report does not say where it ends. */
function lineOf(location: IssueLocation | null): string | null {
  if (location === null || location.line === null || location.firstLine === null) return null;
  return location.lines[location.line - location.firstLine] ?? null;
}

function snippetOf(location: IssueLocation | null): ReportSnippet | null {
  if (location === null || location.lines.length === 0) return null;
  const { lines, firstLine, line } = location;
  return { text: lines.join('\n'), firstLine, markedFrom: line, markedTo: line };
}

function secretSnippet(code: string | null, location: IssueLocation | null): ReportSnippet | null {
  const line = location?.line ?? null;
  return code === null ? null : { text: code, firstLine: line, markedFrom: line, markedTo: line };
}

/** Collects findings. Reports list an issue under several headings, and it stays one finding. */
export class IssueList {
  readonly findings: ReportFinding[] = [];
  readonly #known = new Set<string>();

  /** Returns false if the issue cannot be understood. */
  add(issue: Issue, context: ParseContext): boolean {
    const finding = findingOf(issue, context);
    if (finding === null) return false;
    if (issue.instance !== null) {
      const key = JSON.stringify([issue.instance, finding.rule, finding.path, finding.line]);
      if (this.#known.has(key)) {
        context.warn('Issues that the report lists several times are one finding.');
        return true;
      }
      this.#known.add(key);
    }
    this.findings.push(finding);
    return true;
  }
}
