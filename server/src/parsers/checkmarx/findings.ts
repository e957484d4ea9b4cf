/**
 * The parts that all reports of Checkmarx share: a query that finds a flow of data through the code, and the state that
 * a person gives its result. The location of a result is the source of its flow, as in Checkmarx's own reports.
 */
import type { VulnerabilityType } from '../../domain/packed-state.ts';
import { evidenceLimits, newEvidence, withoutMiddle } from '../reading/evidence.ts';
import { cwesOf, newFinding, severityOfLabel } from '../reading/finding.ts';
import type { ParseContext } from '../reading/limits.ts';
import { repositoryPath } from '../reading/paths.ts';
import { maskLine } from '../reading/redact.ts';
import { cleanName, safeLinks, safeText, safeTitle, sourceCode } from '../reading/text.ts';
import type { ReportFinding, ReportFlowStep } from '../report.ts';

export interface FlowNode {
  file: string | null;
  line: number | null;
  /** The symbol that the node represents in the code: a variable, a function, a literal. */
  name: string | null;
  /** The line of code, if the report has it. */
  code: string | null;
}

export interface CodeProblem {
  pointer: string;
  type: VulnerabilityType;
  /** The name of the query as Checkmarx writes it: `SQL_Injection`. */
  query: string;
  severity: string | null;
  description: string | null;
  cwe: string | null;
  /** From the source to the sink; a problem in configuration has one node. */
  nodes: readonly FlowNode[];
  fingerprint: ReportFinding['fingerprint'];
  links: readonly (string | null)[];
  suppression: ReportFinding['suppression'];
  help: string | null;
  remediation: string | null;
}

/** The ids of queries differ between CxSAST and Checkmarx One, and the SARIF writes their names with spaces. */
export function ruleOfQuery(query: string, context: ParseContext): string {
  return cleanName(query.replaceAll('_', ' '), context);
}

export function codeFinding(problem: CodeProblem, context: ParseContext): ReportFinding {
  const { pointer, type, query, nodes } = problem;
  const [source] = nodes;
  const rule = ruleOfQuery(query, context);
  // The results of these queries show a secret in code, names of nodes and descriptions.
  const isAboutSecret = /hard.?coded|passw|secret|credential|api.?key|private.?key|token/i.test(rule);
  const shown = (text: string | null): string | null =>
    text === null || !isAboutSecret ? text : maskLine(text.slice(0, 8000));
  const code = shown(source?.code ?? null);
  const line = source?.line ?? null;
  const { description } = problem;
  return newFinding({
    pointer,
    type,
    severity: severityOfLabel(problem.severity),
    title:
      safeTitle(rule, context) || safeTitle(shown(description) ?? '', context) || 'Finding without a query',
    description: safeText(shown(description) ?? (isAboutSecret ? null : description), context),
    rule,
    cwes: cwesOf([problem.cwe]),
    path: pathOf(source),
    line,
    ...sourceCode(source?.code ?? null, context, code),
    fingerprint: problem.fingerprint,
    links: safeLinks(problem.links),
    suppression: problem.suppression,
    evidence: newEvidence(
      {
        snippet: code === null ? null : { text: code, firstLine: line, markedFrom: line, markedTo: line },
        dataFlow: flowOf(nodes, shown),
        help: problem.help,
        remediation: problem.remediation,
      },
      context,
    ),
  });
}

function pathOf(node: FlowNode | undefined): string | null {
  return node?.file ? repositoryPath(node.file) : null;
}

/** A flow of one node only repeats the location. */
function flowOf(
  nodes: readonly FlowNode[],
  shown: (text: string | null) => string | null,
): (Omit<ReportFlowStep, 'text'> & { text: string | null })[] {
  if (nodes.length < 2) return [];
  return withoutMiddle(nodes, evidenceLimits.steps).map((node) => ({
    path: pathOf(node),
    line: node.line,
    text: shown(node.code?.trim() ?? node.name),
  }));
}

/**
 * The similarity id is documented to find a result again: it is made of the query, the file and the code of the first
 * and last node, without their lines. CxSAST and Checkmarx One have different queries, so that their ids differ.
 */
export function similarity(
  product: 'cxsast' | 'checkmarx-one',
  id: string | null,
): ReportFinding['fingerprint'] {
  const value = id?.trim() ?? '';
  const isId = /^-?[1-9][0-9]{2,20}$|^[0-9a-f]{40,128}$/i.test(value);
  return isId ? { scheme: `${product}/similarityId`, value, pathFree: false } : null;
}

const falsePositive = 'Marked as not exploitable in Checkmarx.';

/** States are words (`NOT_EXPLOITABLE`, `Not exploitable`), in CxSAST numbers. A proposal is not a decision. */
export function reviewOf(
  state: string | null,
  isFalsePositive: boolean,
  comment: string | null,
  context: ParseContext,
): ReportFinding['suppression'] {
  const word = (state ?? '')
    .trim()
    .toUpperCase()
    .replace(/[\s_-]+/g, '_');
  if (!isFalsePositive && word !== 'NOT_EXPLOITABLE' && word !== '1') return null;
  return {
    by: 'file',
    reason: safeText(comment === null ? falsePositive : `${falsePositive} ${comment}`, context),
    expiresAt: null,
  };
}

/** A comparison of scans lists results that are gone. */
export function isFixed(status: string | null): boolean {
  return /^(?:fixed|resolved)$/i.test(status?.trim() ?? '');
}

export const fixedResult = 'Results that Checkmarx calls fixed are counted and are no findings.';
