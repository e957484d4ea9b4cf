/** The one way to make evidence of a finding: bounded, clean, and without anything that looks like a secret. */
import type { ReportEvidence, ReportFlowStep, ReportSnippet } from '../report.ts';
import type { ParseContext } from './limits.ts';
import type { SecretMask } from './secret-mask.ts';
import { cleanName, safeCode, safeText } from './text.ts';

/**
 * The bounds of one finding's evidence, which a person can still read. Steps and chains beyond them are left out in the
 * middle and at the end.
 */
export const evidenceLimits = {
  snippetLines: 60,
  snippetLength: 8_000,
  steps: 60,
  stepLength: 1_000,
  helpLength: 20_000,
  remediationLength: 4_000,
  dependencyPaths: 10,
  packagesOfPath: 50,
} as const;

type RawEvidence = Omit<ReportEvidence, 'snippet' | 'dataFlow'> & {
  snippet: ReportSnippet | null;
  dataFlow: (Omit<ReportFlowStep, 'text'> & { text: string | null })[];
};

/**
 * Makes evidence from the texts of the report. Gives null if nothing is left. A finding with a secret must pass texts
 * without it, or the mask for its code, because `redact` knows only the shapes of well-known tokens.
 */
export function newEvidence(
  known: Partial<RawEvidence>,
  context: ParseContext,
  maskCode: SecretMask['code'] = (text) => text,
): ReportEvidence | null {
  if (isNothing(known)) return null;
  const { snippet: code = null, dataFlow: steps = [] } = known;
  // A text is masked before it is cut, so that no half of a secret is kept.
  const evidence: ReportEvidence = {
    snippet: snippetOf(code === null ? null : { ...code, text: maskCode(code.text) }, context),
    dataFlow: stepsOf(
      steps.map((step) => ({ ...step, text: maskCode(step.text) })),
      context,
    ),
    help: boundedText(known.help ?? null, evidenceLimits.helpLength, context),
    remediation: boundedText(known.remediation ?? null, evidenceLimits.remediationLength, context),
    dependencyPaths: (known.dependencyPaths ?? [])
      .filter((path) => path.length > 1)
      .slice(0, evidenceLimits.dependencyPaths)
      .map((path) =>
        withoutMiddle(path, evidenceLimits.packagesOfPath).map((name) => cleanName(name, context)),
      ),
  };
  const { snippet, dataFlow, help, remediation, dependencyPaths } = evidence;
  const isEmpty =
    snippet === null &&
    help === null &&
    remediation === null &&
    dataFlow.length === 0 &&
    dependencyPaths.length === 0;
  return isEmpty ? null : evidence;
}

/** Most findings of packages show nothing. */
function isNothing({ snippet, dataFlow, help, remediation, dependencyPaths }: Partial<RawEvidence>): boolean {
  const texts = snippet ?? help ?? remediation ?? null;
  return texts === null && (dataFlow?.length ?? 0) + (dependencyPaths?.length ?? 0) === 0;
}

function snippetOf(snippet: ReportSnippet | null, context: ParseContext): ReportSnippet | null {
  if (snippet === null) return null;
  const { snippetLines, snippetLength } = evidenceLimits;
  const { firstLine, markedFrom, markedTo } = snippet;
  const lines = snippet.text
    .slice(0, 2 * snippetLength)
    .split('\n', snippetLines)
    .join('\n');
  const safe = safeCode(lines, context) ?? '';
  const text = safe.length > snippetLength ? safe.slice(0, snippetLength).toWellFormed() : safe;
  return text.trim() === '' ? null : { text, firstLine, markedFrom, markedTo };
}

function stepsOf(steps: RawEvidence['dataFlow'], context: ParseContext): ReportFlowStep[] {
  // The source and the sink matter most, so a long flow loses its middle.
  const read = withoutMiddle(steps, evidenceLimits.steps).flatMap(({ path, line, text }) => {
    const clean = boundedText(text, evidenceLimits.stepLength, context);
    return clean === null && path === null ? [] : [{ path, line, text: clean ?? '' }];
  });
  // Semgrep names the source a second time as the first variable.
  return read.filter((step, index) => {
    const before = read[index - 1];
    return before?.path !== step.path || before.line !== step.line || before.text !== step.text;
  });
}

// Secrets are removed before the text is cut, because half of one cannot be recognised.
function boundedText(text: string | null, limit: number, context: ParseContext): string | null {
  const clean = safeText(text?.slice(0, 2 * limit) ?? null, context);
  if (clean === null || (text !== null && text.length <= limit) || clean.length <= limit) return clean;
  return `${clean.slice(0, limit - 1).toWellFormed()}…`;
}

/** Keeps the beginning and the end of a list that is too long. */
export function withoutMiddle<T>(items: readonly T[], limit: number): T[] {
  const last = Math.floor(limit / 2);
  return items.length <= limit ? [...items] : [...items.slice(0, limit - last), ...items.slice(-last)];
}
