/**
 * The API's contract as data: resources and their fields, enumerations, scopes, errors, limits. If the contract does
 * not decide something, `docs/` does. Nothing here comes from the server's code, because the tests compare the code
 * with it.
 */
import { fields, id, list, map, nullable, oneOf, type Shape } from './shapes.ts';

export const severity = oneOf('critical', 'high', 'medium', 'low', 'info', 'unknown');
export const severityOrder = ['critical', 'high', 'medium', 'low', 'info', 'unknown'];
export const vulnerabilityTypes = [
  'dependency',
  'sast',
  'secret',
  'iac',
  'container',
  'dast',
  'license',
  'malware',
  'other',
];
export const vulnerabilityType = oneOf(...vulnerabilityTypes);
export const statuses = ['open', 'fixed', 'accepted', 'ignored', 'rejected'];
export const status = oneOf(...statuses);
const source = oneOf('current', 'git_history');
const resolution = oneOf('fixed', 'risk_accepted', 'wont_fix', 'false_positive', 'not_affected', 'test_code');
export const cursor = nullable('string');

export const scopeNames = [
  'vulnerabilities:read',
  'policy-violations:read',
  'scans:read',
  'organizations:read',
  'repositories:read',
  'applications:read',
  'tenants:read',
];

export function page(item: Shape): Shape {
  return fields({ items: list(item), next_cursor: cursor });
}

const tenantItem = fields({ id: id('t'), slug: 'string', workspace: 'string' });
export const tenants = page(tenantItem);

export const whoami = fields({
  actor: fields({ id: id('usr'), name: 'string', email: 'string', type: oneOf('user', 'service') }),
  tenant: tenantItem,
  token: fields({ id: id('key'), name: 'string', scopes: list('string'), expires_at: nullable('timestamp') }),
});

const organizationFields: Record<string, Shape> = {
  id: id('org'),
  name: 'string',
  full_path: 'string',
  type: oneOf('github_org', 'gitlab_group', 'bitbucket_workspace', 'azure_project', 'local'),
  external_id: 'string',
  orphaned: 'boolean',
  repositories_count: 'integer',
  created_at: 'timestamp',
  updated_at: 'timestamp',
};
const organizationBrief = fields({ id: id('org'), name: 'string', full_path: 'string' });
export const organizations = page(fields(organizationFields));
export const organization = fields({
  ...organizationFields,
  description: nullable('string'),
  parent: nullable(organizationBrief),
});

export const repositorySource = oneOf('ghc', 'ghe', 'gitlab', 'bitbucket', 'azure_devops', 'local');
const repositoryFields: Record<string, Shape> = {
  id: id('repo'),
  name: 'string',
  full_name: 'string',
  source: repositorySource,
  is_private: 'boolean',
  is_archived: 'boolean',
  is_enabled: 'boolean',
  scan_state: oneOf('never', 'active', 'stale', 'disabled'),
  external_id: 'string',
  org: organizationBrief,
  created_at: 'timestamp',
  updated_at: 'timestamp',
};
export const repositories = page(fields(repositoryFields));
export const repository = fields({
  ...repositoryFields,
  is_monorepo: 'boolean',
  default_branch: fields({ ref: nullable('string'), sha: nullable('string') }),
});

export const applications = page(
  fields({
    id: id('app'),
    name: 'string',
    description: nullable('string'),
    created_at: 'timestamp',
    updated_at: 'timestamp',
  }),
);

export const reference = fields({
  id: id('ref'),
  ref: 'string',
  sha: nullable('string'),
  type: oneOf('branch', 'tag', 'pull_request'),
});

const locationFields: Record<string, Shape> = {
  id: id('loc'),
  path: 'string',
  line: nullable('integer'),
  fixed_at: nullable('timestamp'),
  vulnerable_at: 'timestamp',
  exploitable_at: nullable('timestamp'),
  is_vulnerable: 'boolean',
  is_exploitable: 'boolean',
  reference,
};

const vulnerabilityFields: Record<string, Shape> = {
  id: id('vc'),
  title: 'string',
  repository: fields({ id: id('repo'), name: 'string', full_name: 'string' }),
  severity,
  type: vulnerabilityType,
  source,
  status,
  resolution: nullable(resolution),
  confirmed: 'boolean',
  triaged: 'boolean',
  introduced_at: 'timestamp',
  vulnerable_at: 'timestamp',
  exploitable_at: nullable('timestamp'),
  location: fields(locationFields),
};

const echoed = ['repo', 'ref', 'sha', 'confirmed', 'triaged', 'state', 'source', 'assignee', 'sort'];

export const vulnerabilities = fields({
  filters: fields({
    ...Object.fromEntries(echoed.map((name) => [name, nullable('string')])),
    severity: list(severity),
    type: list(vulnerabilityType),
  }),
  summary: fields({ total: 'integer', by_severity: map('integer'), by_type: map('integer') }),
  items: list(fields(vulnerabilityFields)),
  next_cursor: cursor,
});

export const locations = fields({
  vulnerability: fields({ id: id('vc'), title: 'string' }),
  filters: fields({ scope: oneOf('live', 'all') }),
  summary: fields({ total: 'integer', active: 'integer', fixed: 'integer' }),
  items: list(
    fields({
      ...locationFields,
      artifact: nullable(
        fields({
          id: id('art'),
          type: oneOf('package_version', 'image', 'file'),
          name: 'string',
          purl: nullable('string'),
          digest: nullable('string'),
        }),
      ),
    }),
  ),
  next_cursor: cursor,
});

export const assignment = fields({
  vulnerability: fields({
    id: id('vc'),
    assignee: nullable(fields({ id: id('usr'), display_name: 'string', email: 'string' })),
    status_version: 'string',
    updated_at: 'timestamp',
  }),
});

export interface ErrorRow {
  status: number;
  /** Null means that the message describes the mistake. */
  message: string | null;
  /** Null means that there are no details. */
  details: Shape | null;
}

/** The table of errors. The last part goes beyond the contract's own rows. */
export const errors: Record<string, ErrorRow> = {
  AUTHENTICATION_REQUIRED: { status: 401, message: 'Unauthenticated.', details: null },
  TOKEN_INVALID_FOR_TENANT: { status: 403, message: 'Token not valid for this tenant.', details: null },
  TOKEN_ABILITY_DENIED: { status: 403, message: 'Forbidden.', details: null },
  TENANT_NOT_FOUND: { status: 404, message: 'Workspace not found', details: null },
  RESOURCE_NOT_FOUND: { status: 404, message: 'Not found.', details: null },
  VALIDATION_FAILED: {
    status: 422,
    message: 'The given data was invalid.',
    details: fields({ errors: map(list('string')) }),
  },
  INVALID_FILTER_VALUE: { status: 422, message: null, details: fields({ invalid_values: list('string') }) },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    message: null,
    details: fields({ retry_after_seconds: 'integer' }),
  },
  INTERNAL_ERROR: { status: 500, message: null, details: fields({ request_id: 'string' }) },
  SERVICE_UNAVAILABLE: { status: 503, message: null, details: null },

  MALFORMED_REQUEST: { status: 400, message: null, details: null },
  METHOD_NOT_ALLOWED: { status: 405, message: null, details: null },
  STATUS_VERSION_CONFLICT: { status: 409, message: null, details: fields({ current: 'anything' }) },
  INVALID_TRANSITION: { status: 409, message: null, details: null },
  PAYLOAD_TOO_LARGE: { status: 413, message: null, details: fields({ max_bytes: 'integer' }) },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: null, details: null },
  HEADERS_TOO_LARGE: { status: 431, message: null, details: null },
};

/** The limits, with our decisions where the contract gives none. */
export const limits = {
  requestsPerMinute: 60,
  perPage: { least: 1, most: 200, usual: 50 },
  shortFilter: 255,
  longFilter: 500,
  sha: { least: 7, most: 40 },
};
