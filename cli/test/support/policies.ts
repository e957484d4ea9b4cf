/** Policies for tests of the gate, written like an operator's. */

/** Critical vulnerabilities block after seven days, high ones warn. */
export const blockCritical = `
policies:
  - key: no-critical
    name: No critical vulnerabilities
    target_type: vulnerability
    enforcement_mode: block
    severity: critical
    condition: {all: [{fact: severity, operator: '==', value: critical}]}
    actions: {sla: {window: 7d}}
  - key: no-high
    name: No high vulnerabilities
    target_type: vulnerability
    enforcement_mode: warn
    condition: {all: [{fact: severity, operator: '==', value: high}]}
`;
