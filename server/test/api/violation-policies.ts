/** Policies of every type of target, for `violation-workspace.ts`. The key of each says its subject. */

/** These policies exist when the reports arrive, so their violations have the times of the reports. */
export const policiesBefore = `
policies:
  - key: critical
    name: Critical
    target_type: vulnerability
    enforcement_mode: block
    severity: critical
    config: {snooze: {max_days: 30}}
    condition: {all: [{fact: severity, operator: '==', value: critical}]}
    actions: {sla: {window: 7d}}
  - key: high
    target_type: vulnerability
    enforcement_mode: warn
    condition: {all: [{fact: severity, operator: '==', value: high}]}
    rules: [{type: org, id: acme}]
  - key: code
    target_type: vulnerability
    enforcement_mode: monitor
    condition: {all: [{fact: type, operator: '==', value: sast}]}
    rules:
      - {type: workspace}
      - {type: repo, id: acme/shop, enforcement_mode: block}
`;

/** These policies come later, for the other targets. */
export const policiesAfter = `
policies:
  - key: spade
    target_type: package
    enforcement_mode: block
    severity: medium
    condition: {any: [{fact: name, operator: '==', value: spade}, {fact: name, operator: contains, value: pot}]}
    rules: [{type: workspace}]
  - key: fence
    target_type: package
    enforcement_mode: monitor
    condition: {all: [{fact: name, operator: in, value: [rope, libgarden]}]}
    rules: [{type: repo, id: acme/team/api}, {type: org, id: acme/team, enforcement_mode: warn}]
  - key: copyleft
    target_type: package_version
    enforcement_mode: warn
    condition: {all: [{fact: license, operator: in, value: [GPL-3.0-only, GPL-2.0, 'Shed License']}]}
    rules: [{type: application, id: Shop}, {type: workspace, enforcement_mode: monitor}]
  - key: manifests
    target_type: manifest
    enforcement_mode: monitor
    condition: {all: [{fact: path, operator: matches, value: '*'}]}
  - key: protection
    target_type: provider
    enforcement_mode: block
    condition: {all: [{fact: value, operator: in, value: ['false', '0']}]}
  - key: images
    target_type: asset
    enforcement_mode: monitor
    condition: {all: [{fact: asset_type, operator: '==', value: container_image}]}
  - key: closed
    target_type: repository
    enforcement_mode: warn
    severity: low
    condition: {all: [{fact: repository.is_private, operator: '==', value: true}]}
  - key: fallow
    target_type: repository
    enforcement_mode: monitor
    condition: {all: [{fact: repository.source, operator: '==', value: ghc}]}
    rules: [{type: repo, id: acme/shop}]
  - key: stale-scans
    target_type: analysis
    enforcement_mode: warn
    severity: low
    status: active
    condition: {all: [{fact: vulnerable_reason, operator: '!=', value: current}]}
`;

/** Some of these policies are changed or no longer active. */
export const policiesChanged = `
policies:
  - key: fallow
    target_type: repository
    enforcement_mode: monitor
    status: disabled
    condition: {all: [{fact: repository.source, operator: '==', value: ghc}]}
    rules: [{type: repo, id: acme/shop}]
  - key: fence
    target_type: package
    enforcement_mode: monitor
    condition: {all: [{fact: name, operator: in, value: [rope, libgarden]}]}
    rules:
      - {type: repo, id: acme/team/api, action: exclude}
      - {type: org, id: acme/team, enforcement_mode: warn}
`;
