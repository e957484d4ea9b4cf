/**
 * The finding of one issue of Static Code Analyzer, whatever file it comes from, so that the report and the results of
 * one scan give the same findings. Fortify knows an issue again by the id of its instance.
 */
import type { Severity } from '../../domain/packed-state.ts';
import { evidenceLimits, newEvidence } from '../reading/evidence.ts';
import { newFinding } from '../reading/finding.ts';
import type { ParseContext } from '../reading/limits.ts';
import { secretLine } from '../reading/secrets.ts';
import { cleanName, safeText, safeTitle, sourceCode, unixLines } from '../reading/text.ts';
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
  /** The result of `safeLinks`. */
  links: string[];
  help: string | null;
  remediation: string | null;
  decision: AuditDecision;
}

export interface IssueLocation {
  /** Relative to the repository's root. */
  path: string | null;
  line: number | null;
  snippet: IssueSnippet | null;
}

/** The lines around locations, and the number of the first. Thousands of issues may share them. */
export interface IssueSnippet {
  firstLine: number | null;
  lines: readonly string[];
  /** The beginning of the lines, as much as evidence shows. */
  text: string;
}

export interface IssueStep {
  /** Relative to the repository's root. */
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
    path: location?.path ?? null,
    line: location?.line ?? null,
    ...sourceCode(line, context, shown),
    fingerprint:
      instance !== null && isFingerprint(instance)
        ? { scheme: 'fortify-instance', value: cleanName(instance, context), pathFree: false }
        : null,
    links: issue.links,
    suppression: decision.suppression,
    exploitable: decision.exploitable,
    evidence: newEvidence(
      {
        snippet: isSecret ? secretSnippet(shown, location) : snippetOf(location),
        dataFlow: issue.dataFlow,
        help: issue.help,
        remediation: issue.remediation,
      },
      context,
    ),
  });
}

/** Rules that show a password or a key. Only the masked line is kept, because a secret may be anywhere around it. */
const aboutSecrets = /^(?:Password|Key|Credential) Management\b/i;

/** A longer line is minified code, which all its issues share. */
const maxLine = 2_000;

/** The code of an issue is its first line, because the report does not say where it ends. */
function lineOf(location: IssueLocation | null): string | null {
  const { line = null, snippet = null } = location ?? {};
  if (line === null || snippet === null || snippet.firstLine === null) return null;
  return snippet.lines[line - snippet.firstLine]?.slice(0, maxLine) ?? null;
}

export function issueSnippet(text: string, firstLine: number | null): IssueSnippet {
  const lines = unixLines(text).split('\n');
  const { snippetLines, snippetLength } = evidenceLimits;
  const shown = lines
    .slice(0, snippetLines)
    .join('\n')
    .slice(0, 2 * snippetLength);
  return { firstLine, lines, text: shown };
}

function snippetOf(location: IssueLocation | null): ReportSnippet | null {
  const { line = null, snippet = null } = location ?? {};
  if (snippet === null) return null;
  return { text: snippet.text, firstLine: snippet.firstLine, markedFrom: line, markedTo: line };
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
