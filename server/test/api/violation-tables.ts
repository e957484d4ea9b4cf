/**
 * The API's contract of policy violations as data, like `spec-tables.ts`. Nothing here comes from the server's code.
 */
import { fields, id, list, nullable, oneOf, type Shape, some, variants } from './shapes.ts';
import { cursor, repositorySource, severity, status, vulnerabilityType } from './spec-tables.ts';

export const violationStatuses = ['open', 'pending_review', 'waived', 'resolved'];
/** The modes that a policy may have. An exempt violation has none. */
export const enforcementModes = ['block', 'warn', 'monitor'];
export const targetTypes = [
  'vulnerability',
  'package',
  'package_version',
  'manifest',
  'analysis',
  'provider',
  'asset',
  'repository',
];

/** The further fields of each target type. A policy about the repository itself has none. */
const target = variants(
  {
    vulnerability: fields({
      id: id('vc'),
      title: 'string',
      severity,
      status,
      vulnerability_type: vulnerabilityType,
    }),
    analysis: fields({
      id: id('ana'),
      analysis_type: vulnerabilityType,
      vulnerable_at: nullable('timestamp'),
      vulnerable_reason: oneOf('current', 'never_scanned', 'stale'),
    }),
    provider: fields({
      id: id('prv'),
      provider: repositorySource,
      exploitable_at: nullable('timestamp'),
      vulnerable_at: nullable('timestamp'),
      manual_override: 'boolean',
    }),
    asset: fields({ id: id('ast'), name: 'string', asset_type: oneOf('container_image') }),
    manifest: fields({
      id: id('man'),
      display_name: 'string',
      manifest_type: 'string',
      language: nullable('string'),
      manifest_file: nullable('string'),
      lock_file: nullable('string'),
      group_key: nullable('string'),
      uses_grouped_identity: 'boolean',
    }),
    package_version: fields({ id: id('pkgv'), purl: 'string', version: 'string', package_id: id('pkg') }),
    package: fields({
      id: id('pkg'),
      purl: 'string',
      package_type: 'string',
      namespace: nullable('string'),
      name: 'string',
    }),
  },
  true,
);

const policyFields: Record<string, Shape> = {
  id: id('pol'),
  key: 'string',
  name: 'string',
  type: oneOf('custom', 'builtin'),
  status: oneOf('active', 'draft', 'disabled'),
  target_type: oneOf(...targetTypes),
  enforcement_mode: oneOf(...enforcementModes),
  severity: nullable(severity),
};

/** The id of a rule is that of its scope. */
const placeOfRule: Record<string, Shape> = {
  workspace: id('t'),
  org: id('org'),
  application: id('app'),
  repo: id('repo'),
};

function ruleWith(rest: Record<string, Shape>): Shape {
  return nullable(
    variants(
      Object.fromEntries(
        Object.entries(placeOfRule).map(([type, place]) => [type, fields({ id: place, ...rest })]),
      ),
    ),
  );
}

const violationFields: Record<string, Shape> = {
  id: id('pvl'),
  status: oneOf(...violationStatuses),
  enforcement_mode: nullable(oneOf(...enforcementModes)),
  blocking: 'boolean',
  due_at: 'timestamp',
  remaining_seconds: 'integer',
  snoozed: 'boolean',
  snoozed_until: nullable('timestamp'),
  snooze_count: 'integer',
  first_seen_at: 'timestamp',
  last_seen_at: 'timestamp',
  resolved_at: nullable('timestamp'),
  metadata: some({
    severity,
    cvss_score: nullable('number'),
    epss_score: nullable('number'),
    reference_ref: 'string',
    environment_key: nullable('string'),
  }),
  policy: fields(policyFields),
  scope: fields({ type: oneOf('repo'), id: id('repo'), name: 'string' }),
  target,
  rule: ruleWith({}),
};

export const policyViolations = fields({
  repository: fields({ id: id('repo'), full_name: 'string' }),
  reference: fields({ ref: nullable('string'), sha: nullable('string') }),
  filters: fields({
    status: list('string'),
    enforcement: list('string'),
    policy: list('string'),
    target_type: list('string'),
  }),
  summary: fields({
    total: 'integer',
    by_status: fields(Object.fromEntries(violationStatuses.map((name) => [name, 'integer']))),
    by_target_type: fields(Object.fromEntries(targetTypes.map((name) => [name, 'integer']))),
    by_enforcement_mode: fields(
      Object.fromEntries([...enforcementModes, 'none'].map((name) => [name, 'integer'])),
    ),
  }),
  items: list(fields(violationFields)),
  next_cursor: cursor,
});

export const policyViolation = fields({
  violation: fields(violationFields),
  policy: fields({ ...policyFields, config: nullable('object'), condition: 'object', actions: 'object' }),
  override: nullable(
    fields({
      id: id('ovr'),
      mode: oneOf('exempt', 'downgrade'),
      enforcement_mode: nullable(oneOf('warn', 'monitor')),
    }),
  ),
  rule: ruleWith({
    action: oneOf('include', 'exclude'),
    enforcement_mode: nullable(oneOf(...enforcementModes)),
  }),
  scope: fields({ type: oneOf('repo'), id: id('repo'), name: 'string' }),
  target,
  scan: nullable(
    fields({
      id: id('scan'),
      status: oneOf('completed'),
      ref: 'string',
      sha: nullable('string'),
      started_at: 'timestamp',
      finished_at: 'timestamp',
    }),
  ),
});
