/**
 * Gosec's habits in SARIF. Its levels say `error` for what gosec calls medium, and its snippets have the number of each
 * line. Both are read as in gosec's own JSON.
 */
import type { Severity } from '../../domain/packed-state.ts';
import { severityOfLabel } from '../reading/finding.ts';
import { codeBetween, numberedCode } from '../reading/numbered-code.ts';
import type { SarifLocation } from './locations.ts';
import type { SarifRule } from './rules.ts';

/** gosec's own word is a tag of the rule. Gives null if no tag or more than one is such a word. */
export function gosecSeverity(rule: SarifRule | null): Severity | null {
  const words = (rule?.tags ?? []).filter((tag) => /^(?:LOW|MEDIUM|HIGH)$/.test(tag));
  return words.length === 1 ? severityOfLabel(words[0] ?? null) : null;
}

export function gosecCode({ code, line, endLine }: SarifLocation): string | null {
  return code === null ? null : codeBetween(numberedCode(code), line, endLine);
}
