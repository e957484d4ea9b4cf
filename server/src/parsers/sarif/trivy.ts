/** Reads what Trivy writes into SARIF in its own way, so that a report gives the same findings as Trivy's JSON. */
import type { VulnerabilityType } from '../../domain/packed-state.ts';
import { type JsonRecord, recordAt, stringAt } from '../reading/json.ts';
import { checkId } from '../trivy/checks.ts';

const maxMessage = 8000;

/** Gives one spelling of a check's id for all versions of Trivy. */
export function trivyRule(type: VulnerabilityType, ruleId: string): string {
  return type === 'iac' ? checkId(ruleId, null) : ruleId;
}

/**
 * Returns the line of a secret as its JSON has it in `Match`; null without one. It is only at the end of the message, and it is
 * read before links in the message are replaced.
 */
export function trivyMatch(result: JsonRecord): string | null {
  const message = stringAt(recordAt(result, 'message'), 'text') ?? '';
  return /^Match: ([\s\S]+)$/m.exec(message.slice(0, maxMessage))?.[1] ?? null;
}
