/**
 * Reads CISA's assessment (SSVC) in a CVE record of version 5, as the project Vulnrichment publishes it. Only the
 * container of CISA counts, because other publishers may write assessments of their own into a record.
 */
import { isCveId } from '../../domain/cve.ts';
import { arrayAt, asRecord, field, recordAt, stringAt } from '../../parsers/reading/json.ts';
import { pastTime } from './record-time.ts';

export interface SsvcAssessment {
  cve: string;
  exploitation: 'none' | 'poc' | 'active';
  automatable: boolean;
  technicalImpact: 'partial' | 'total';
  assessedAt: Date;
}

const publisher = 'CISA-ADP';

/** Returns null for bytes that are no CVE record, and `unassessed` for one without an assessment of CISA. */
export function readAssessment(bytes: Uint8Array, now: Date): SsvcAssessment | 'unassessed' | null {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return null;
  }
  const cve = stringAt(recordAt(json, 'cveMetadata'), 'cveId');
  if (cve === null || !isCveId(cve)) return null;
  for (const container of arrayAt(recordAt(json, 'containers'), 'adp')) {
    if (stringAt(recordAt(container, 'providerMetadata'), 'shortName') !== publisher) continue;
    for (const metric of arrayAt(container, 'metrics')) {
      const other = recordAt(metric, 'other');
      const found =
        stringAt(other, 'type') === 'ssvc' ? assessmentOf(cve, recordAt(other, 'content'), now) : null;
      if (found !== null) return found;
    }
  }
  return 'unassessed';
}

function assessmentOf(cve: string, content: unknown, now: Date): SsvcAssessment | null {
  const options = arrayAt(content, 'options').map(asRecord);
  const option = (name: string): string | null => {
    const row = options.find((each) => field(each, name) !== undefined);
    return stringAt(row, name)?.toLowerCase() ?? null;
  };
  const exploitation = (['none', 'poc', 'active'] as const).find((known) => known === option('Exploitation'));
  const automatable = option('Automatable');
  const technicalImpact = (['partial', 'total'] as const).find(
    (known) => known === option('Technical Impact'),
  );
  const assessedAt = pastTime(stringAt(content, 'timestamp'), now);
  if (exploitation === undefined || technicalImpact === undefined || assessedAt === null) return null;
  if (automatable !== 'yes' && automatable !== 'no') return null;
  return { cve, exploitation, automatable: automatable === 'yes', technicalImpact, assessedAt };
}
