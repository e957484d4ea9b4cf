/**
 * The habits of Checkmarx One in SARIF, so that it gives the same rule, type, severity and location as Checkmarx's own
 * reports: it puts the engine into the id of a rule, and the location of a flow into the flow alone.
 */
import type { Severity, VulnerabilityType } from '../../domain/packed-state.ts';
import { packageOfIdentifier } from '../checkmarx/packages.ts';
import { arrayAt, field, type JsonRecord, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import type { ReportPackage } from '../report.ts';
import type { SarifRule } from './rules.ts';

/** `SQL Injection - 594 (sast)`, in older versions `594 (sast)` with the name beside it; `CVE-2031-1 (sca)`. */
export function checkmarxRule(
  ruleId: string,
  rule: SarifRule | null,
): { rule: string; type: VulnerabilityType | null } {
  const [, id = ruleId, engine = ''] = /^(.{1,400}) \(([a-z-]{1,40})\)$/.exec(ruleId) ?? [];
  const type = typesByEngine.get(engine) ?? null;
  if (type === null || type === 'dependency' || type === 'container') return { rule: id, type };
  const named = /^(.{1,400}) - \S{1,200}(?: \[[^\]]{1,100}\])?$/.exec(id)?.[1];
  return { rule: (named ?? rule?.name ?? id).replaceAll('_', ' ').trim(), type };
}

const typesByEngine: ReadonlyMap<string, VulnerabilityType> = new Map([
  ['sast', 'sast'],
  ['kics', 'iac'],
  ['sca', 'dependency'],
  ['containers', 'container'],
  ['sscs-secret-detection', 'secret'],
  ['sscs-scorecard', 'other'],
]);

/** The score only encodes Checkmarx's word; 1.0 is the lowest. */
export function checkmarxSeverity(score: number | null): Severity | null {
  return score === 1 ? 'info' : null;
}

/** `Npm-lodash-4.17.20 (CVE-2031-1)`, where the rule is `CVE-2031-1 (sca)`. */
export function checkmarxPackage(
  ruleId: string,
  message: string,
  context: ParseContext,
): ReportPackage | null {
  const end = ` (${ruleId})`;
  const text = message.slice(0, 1000);
  const identifier = text.endsWith(end) ? text.slice(0, -end.length) : '';
  return /^[A-Z][A-Za-z]+-\S+$/.test(identifier) ? packageOfIdentifier(identifier, [], context) : null;
}

/**
 * The location of a flow is its first step, as in all other reports. Newer versions write the steps as a flow only,
 * older ones as separate locations.
 */
export function checkmarxResult(result: JsonRecord): JsonRecord {
  const locations = arrayAt(result, 'locations');
  const [flow] = arrayAt(result, 'codeFlows');
  const steps = arrayAt(arrayAt(flow, 'threadFlows')[0], 'locations');
  if (locations.length === 0 && steps.length > 0)
    return { ...result, locations: [field(steps[0], 'location')] };
  if (locations.length < 2 || flow !== undefined || !(stringAt(result, 'ruleId') ?? '').endsWith(' (sast)')) {
    return result;
  }
  const threadFlow = { locations: locations.map((location) => ({ location })) };
  return { ...result, locations: locations.slice(0, 1), codeFlows: [{ threadFlows: [threadFlow] }] };
}
