/** The policies of Kestrel Freight: YAML for `merlond policy apply`. Nothing here is computed. */
export const policies = `policies:
  - key: critical-with-fix
    name: Critical, and a version fixes it
    target_type: vulnerability
    enforcement_mode: block
    severity: critical
    condition:
      all:
        - {fact: severity, operator: '==', value: critical}
        - {fact: fix_available, operator: '==', value: true}
    actions: {sla: {window: 7d}}
    rules:
      - {type: workspace}
      - {type: repo, id: kestrel-platform/base-images, enforcement_mode: warn}
  - key: high-severity
    name: High severity
    target_type: vulnerability
    enforcement_mode: warn
    severity: high
    condition: {all: [{fact: severity, operator: '>=', value: high}]}
    actions: {sla: {window: 30d}}
  - key: secrets
    name: No secrets in the code
    target_type: vulnerability
    enforcement_mode: block
    severity: critical
    condition:
      all:
        - {fact: type, operator: '==', value: secret}
        - not: {fact: path, operator: matches, value: '*test*'}
    actions: {sla: {window: 1d}}
  - key: branch-protection
    name: Main branches are protected
    target_type: provider
    enforcement_mode: warn
    severity: medium
    condition:
      all:
        - {fact: setting, operator: '==', value: branch_protection}
        - {fact: value, operator: '!=', value: 'true'}
        - {fact: manual_override, operator: '==', value: false}
  - key: scanned-for-secrets
    name: Scanned for secrets every week
    target_type: analysis
    enforcement_mode: monitor
    severity: low
    condition:
      all:
        - {fact: analysis_type, operator: '==', value: secret}
        - {fact: days_since_last_scan, operator: '>', value: 7}
  - key: image-with-a-tag
    name: Images have a tag of their own
    target_type: asset
    enforcement_mode: monitor
    condition: {all: [{fact: tag, operator: contains, value: latest}]}
`;
