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

const packageRule = /^((?:CVE|GHSA|PRISMA)-[^_\s]{1,100})_(\S{1,300})@([^@\s]{1,200})$/;

/**
 * Reads the package of a vulnerability, which Checkov names only in the id of the rule: `CVE-2031-1_spade@4.0.0`. Gives
 * null for any other rule. Rules of licenses look alike, but a license may be any text.
 */
export function checkovPackage(ruleId: string): { advisory: string; name: string; version: string } | null {
  const [, advisory, name, version] = packageRule.exec(ruleId) ?? [];
  return advisory === undefined || name === undefined || version === undefined
    ? null
    : { advisory, name, version };
}
