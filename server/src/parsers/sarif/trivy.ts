/** Reads what Trivy writes into SARIF in its own way, so that a report gives the same findings as Trivy's JSON. */
import type { VulnerabilityType } from '../../domain/packed-state.ts';
import { checkId } from '../trivy/checks.ts';

/** Gives one spelling of a check's id for all versions of Trivy. */
export function trivyRule(type: VulnerabilityType, ruleId: string): string {
  return type === 'iac' ? checkId(ruleId, null) : ruleId;
}

/**
 * Returns the line of a secret as the JSON has it in `Match`; null without one. SARIF has it only at the end of the
 * message, as it was before links in it were replaced.
 */
export function trivyMatch(message: string): string | null {
  return /^Match: ([\s\S]+)$/m.exec(message)?.[1] ?? null;
}
