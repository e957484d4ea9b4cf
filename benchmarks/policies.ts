/**
 * Fifty policies like those of a company: a fifth block, the others warn; some match many vulnerabilities, some none.
 */
import type { Problems } from '../server/src/policies/definition/condition.ts';
import { checkPolicy, type PolicyInput } from '../server/src/policies/definition/document.ts';

const types = ['dependency', 'sast', 'secret', 'iac', 'container', 'dast'] as const;
const severities = ['low', 'medium', 'high', 'critical'] as const;

export function benchPolicies(): PolicyInput[] {
  const documents = Array.from({ length: 50 }, (_, i) => ({
    key: `bench-${String(i).padStart(2, '0')}`,
    target_type: 'vulnerability',
    enforcement_mode: i % 5 === 0 ? 'block' : 'warn',
    condition: conditionOf(i),
    actions: { sla: { window: `${1 + (i % 30)}d` } },
  }));
  return documents.map((document) => {
    const problems: Problems = new Map();
    const policy = checkPolicy(document, '', problems);
    if (!policy) throw new Error(JSON.stringify([...problems]));
    return policy;
  });
}

function conditionOf(i: number): object {
  const type = { fact: 'type', operator: '==', value: types[i % types.length] };
  const severity = { fact: 'severity', operator: '>=', value: severities[2 + (i % 2)] };
  switch (i % 10) {
    case 0:
      return { all: [type, { fact: 'severity', operator: '==', value: 'critical' }] };
    case 1:
      return { all: [severity, { fact: 'in_kev', operator: '==', value: true }] };
    case 2:
      return { all: [type, severity, { fact: 'fix_available', operator: '==', value: true }] };
    case 3:
      return { all: [{ fact: 'epss_score', operator: '>', value: 0.5 }, severity] };
    case 4:
      return { all: [type, { fact: 'path', operator: 'matches', value: `*/service-${i}/*` }] };
    case 5:
      return { all: [{ fact: 'exploitable', operator: '==', value: true }, severity] };
    case 6:
      return { all: [type, { fact: 'age_days', operator: '>=', value: 30 * (i % 7) }, severity] };
    case 7:
      return {
        any: [
          { fact: 'cwe', operator: 'contains', value: `CWE-${70 + i}` },
          { all: [type, { fact: 'cvss_score', operator: '>=', value: 9.5 }] },
        ],
      };
    case 8:
      return { all: [{ fact: 'package.name', operator: 'in', value: [`lib-${i}`, `lib-${i + 100}`] }] };
    default:
      return {
        all: [
          { fact: 'is_default_branch', operator: '==', value: true },
          severity,
          { not: { fact: 'reported_by', operator: 'contains', value: 'trivy' } },
        ],
      };
  }
}
