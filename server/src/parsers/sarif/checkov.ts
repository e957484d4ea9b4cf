/** Reads what Checkov writes into SARIF in its own way, so that a report gives the same findings as Checkov's JSON. */
import type { Severity } from '../../domain/packed-state.ts';
import { severityWithoutAccount } from '../checkov/checks.ts';

/**
 * Gives the severity of a result without a score. Without an account its level is `error`, or `warning` if the check is
 * skipped. Older versions with an account wrote the other levels without a score.
 */
export function checkovSeverity(level: string | null, isSecret: boolean): Severity | null {
  return level === 'error' || level === 'warning' ? severityWithoutAccount(isSecret) : null;
}
