/** The habits of the SARIF that Veracode makes of its own reports, so that both give the same rules and series. */
import { cweOf } from '../reading/finding.ts';

/** The rules are numbers of CWEs. */
export function veracodeRule(ruleId: string): string {
  return cweOf(ruleId) ?? ruleId;
}

/** "Veracode Static Analysis Pipeline Scan" is another series than the scan for a policy. */
export function veracodeCategory(toolName: string): string {
  return /pipeline/i.test(toolName) ? 'pipeline' : 'static';
}
