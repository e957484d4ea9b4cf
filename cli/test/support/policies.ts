/** Policies for tests of the gate, as an operator writes them. */

/** Critical vulnerabilities block for seven days, high ones are warned of. */
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
