/** The policies that every workspace has from the beginning; they stay disabled until somebody enables them. */
import type { Tx } from '../../db/database.ts';
import { newId } from '../../domain/ids.ts';
import type { Condition } from './condition.ts';
import type { PolicyInput } from './document.ts';
import { insertBuiltins } from './store.ts';

const is = (fact: string, value: string | true) => ({ fact, operator: '==', value }) as const;
const kev = is('in_kev', true);
const exposed = is('exposed', true);
const automatable = is('automatable', true);
const total = is('technical_impact', 'total');

// The table of CISA's BOD 26-04 (Prioritizing Security Updates Based on Risk, June 2026), as CERT/CC publishes it:
// https://certcc.github.io/SSVC/howto/cisa_response/. A CVE that CISA has not assessed is neither automatable nor of
// total impact here. The lowest rows, to fix with the next upgrade, have no deadline and no policy.
const threeDays: Condition = {
  any: [
    { all: [kev, exposed, { any: [automatable, total] }] },
    { all: [kev, automatable, total] },
    { all: [exposed, automatable, total] },
  ],
};
const fourteenDays: Condition = { any: [kev, { all: [exposed, { any: [automatable, total] }] }] };
const assessed: Condition = { fact: 'technical_impact', operator: 'in', value: ['partial', 'total'] };

const lawPolicies: readonly PolicyInput[] = [
  {
    key: 'bod-26-04-3-days',
    name: 'BOD 26-04: fix within 3 days',
    target_type: 'vulnerability',
    enforcement_mode: 'block',
    severity: 'critical',
    condition: { all: [threeDays] },
    actions: { sla: { window: '3d' } },
  },
  {
    key: 'bod-26-04-14-days',
    name: 'BOD 26-04: fix within 14 days',
    target_type: 'vulnerability',
    enforcement_mode: 'warn',
    severity: 'high',
    condition: { all: [fourteenDays, { not: threeDays }] },
    actions: { sla: { window: '14d' } },
  },
  {
    key: 'bod-26-04-60-days',
    name: 'BOD 26-04: fix within 60 days',
    target_type: 'vulnerability',
    enforcement_mode: 'warn',
    severity: 'medium',
    condition: { all: [assessed, { any: [exposed, automatable] }, { not: fourteenDays }] },
    actions: { sla: { window: '60d' } },
  },
  // PCI DSS 4.0.1, requirement 6.3.3: patches for critical vulnerabilities within one month of their release.
  {
    key: 'pci-dss-6-3-3',
    name: 'PCI DSS 6.3.3: critical with a fix, within a month',
    target_type: 'vulnerability',
    enforcement_mode: 'warn',
    severity: 'critical',
    condition: { all: [is('severity', 'critical'), is('fix_available', true)] },
    actions: { sla: { window: '30d' } },
  },
];

export const builtinPolicies: readonly PolicyInput[] = [
  {
    key: 'exploitable-critical',
    name: 'Critical and exploitable',
    target_type: 'vulnerability',
    enforcement_mode: 'block',
    severity: 'critical',
    condition: { all: [is('severity', 'critical'), is('exploitable', true)] },
    actions: { sla: { window: '7d' } },
  },
  {
    key: 'high-severity',
    name: 'High severity',
    target_type: 'vulnerability',
    enforcement_mode: 'warn',
    severity: 'high',
    condition: { all: [{ fact: 'severity', operator: '>=', value: 'high' }] },
    actions: { sla: { window: '30d' } },
  },
  {
    key: 'verified-secret',
    name: 'Secret that works',
    target_type: 'vulnerability',
    enforcement_mode: 'block',
    severity: 'critical',
    condition: { all: [is('type', 'secret'), is('confirmed', true)] },
    actions: { sla: { window: '1d' } },
  },
  {
    key: 'malware-package',
    name: 'Malicious package',
    target_type: 'vulnerability',
    enforcement_mode: 'block',
    severity: 'critical',
    condition: { all: [is('type', 'malware')] },
  },
  {
    key: 'denied-license',
    name: 'License that is not allowed',
    target_type: 'package_version',
    enforcement_mode: 'warn',
    severity: 'medium',
    condition: {
      all: [
        {
          fact: 'license',
          operator: 'in',
          value: ['AGPL-3.0', 'AGPL-3.0-only', 'AGPL-3.0-or-later', 'SSPL-1.0', 'BUSL-1.1', 'Commons-Clause'],
        },
      ],
    },
  },
  {
    key: 'stale-scans',
    name: 'Not scanned for 30 days',
    target_type: 'analysis',
    enforcement_mode: 'warn',
    severity: 'low',
    condition: {
      all: [
        { fact: 'analysis_type', operator: 'in', value: ['dependency', 'sast', 'secret'] },
        { fact: 'days_since_last_scan', operator: '>=', value: 30 },
      ],
    },
  },
  ...lawPolicies,
];

/** Names the builtin policies of this program. */
export const builtinKeys = builtinPolicies.map((policy) => policy.key).join(' ');

/** Inserts missing built-in policies as disabled, and keeps all changes of the workspace to the others. */
export async function ensureBuiltins(tx: Tx): Promise<void> {
  await insertBuiltins(
    tx,
    builtinPolicies.map((policy) => ({
      id: newId(),
      key: policy.key,
      name: policy.name ?? policy.key,
      type: 'builtin',
      status: 'disabled',
      targetType: policy.target_type,
      enforcementMode: policy.enforcement_mode,
      severity: policy.severity ?? null,
      config: null,
      condition: policy.condition,
      actions: policy.actions ?? {},
    })),
  );
}
