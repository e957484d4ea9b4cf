-- The yardstick of imports: the tables in which the schema of November 2026 had a row for each finding, with their
-- columns, checks, keys and indexes, without foreign keys and row-level security (nine tables for each kind of report).
-- They stay as they are when the service's schema changes, so that figures of different versions can be compared.
create schema yardstick;
set local search_path = yardstick, pg_catalog;

create domain resolution as text collate "C" check (value in (
  'fixed', 'risk_accepted', 'wont_fix', 'false_positive', 'not_affected', 'test_code'
));
create domain decision_origin as text collate "C" check (value in ('person', 'vex', 'suppression'));
create domain severity as text collate "C" check (value in ('unknown', 'info', 'low', 'medium', 'high', 'critical'));
create domain match_method as text collate "C" check (value in (
  'new', 'advisory-and-package', 'secret', 'secret-masked', 'fingerprint', 'code', 'nearest-line', 'renamed-file',
  'moved-folder', 'secret-location', 'same-result', 'pinned'
));
create domain event_kind as text collate "C" check (value in (
  'opened', 'seen_on_reference', 'moved', 'fixed', 'reopened', 'accepted', 'ignored', 'rejected', 'confirmed',
  'decision_removed', 'acceptance_ended', 'assigned', 'unassigned', 'severity_changed', 'merged', 'split', 'undone'
));
create domain artifact_type as text collate "C" check (value in ('package_version', 'image', 'file'));

create table vulnerability (
  tenant_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  identity bytea not null check (length(identity) = 32),
  packed_state smallint not null,
  resolution resolution,
  status_version integer not null default 1,
  cvss_score real,
  assignee_id uuid,
  introduced_at timestamptz not null,
  vulnerable_at timestamptz not null,
  exploitable_at timestamptz,
  accepted_until timestamptz,
  decided_by decision_origin,
  decided_at timestamptz,
  decision_overrides_policy boolean not null default true,
  primary_reference_id uuid not null,
  primary_location_id uuid not null,
  search_key uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  title text not null,
  rule text not null,
  advisory text collate "C",
  package text,
  fix_version text,
  package_name text collate "C" generated always as (left(split_part(package, '/', -1), 255)) stored,
  package_key bigint generated always as (hashtextextended(package, 0)) stored,
  rule_key bigint generated always as (case when package is null and rule <> '' then hashtextextended(rule, 0) end) stored,
  primary key (tenant_id, id),
  unique (tenant_id, repository_id, identity)
);
create index vulnerability_packed_state on vulnerability (tenant_id, packed_state, introduced_at, id);
create index vulnerability_repository on vulnerability (tenant_id, repository_id, packed_state, introduced_at, id);
create index vulnerability_introduced on vulnerability (tenant_id, introduced_at, id);
create index vulnerability_assignee on vulnerability (tenant_id, assignee_id, packed_state, introduced_at, id)
  where assignee_id is not null;
create index vulnerability_search on vulnerability (tenant_id, search_key, packed_state);
create index vulnerability_accepted on vulnerability (tenant_id, accepted_until) where accepted_until is not null;
create index vulnerability_advisory on vulnerability (tenant_id, advisory, id) where advisory is not null;
create index vulnerability_exploitable on vulnerability (tenant_id, packed_state, introduced_at, id)
  include (repository_id) where exploitable_at is not null;
create index vulnerability_package on vulnerability (tenant_id, package_name, packed_state, introduced_at, id)
  where package_name is not null;
create index vulnerability_package_key on vulnerability (tenant_id, package_key, repository_id, packed_state)
  include (fix_version) where package_key is not null;
create index vulnerability_rule_key on vulnerability (tenant_id, rule_key, repository_id, packed_state)
  where rule_key is not null;
create index vulnerability_updated on vulnerability (tenant_id, updated_at, id);

create table vulnerability_detail (
  tenant_id uuid not null,
  vulnerability_id uuid not null,
  description text,
  identifiers text[] not null default '{}',
  cwes text[] not null default '{}',
  links text[] not null default '{}',
  cvss_vector text,
  primary key (tenant_id, vulnerability_id)
);

create table vulnerability_evidence (
  tenant_id uuid not null,
  vulnerability_id uuid not null,
  tool text collate "C" not null,
  on_default boolean not null,
  help_key uuid,
  content bytea storage external not null,
  primary key (tenant_id, vulnerability_id, tool)
);
create index vulnerability_evidence_help on vulnerability_evidence (tenant_id, help_key) where help_key is not null;

create table vulnerability_reference (
  tenant_id uuid not null,
  vulnerability_id uuid not null,
  reference_id uuid not null,
  repository_id uuid not null,
  location_id uuid not null,
  packed_state smallint not null,
  live boolean not null,
  on_default boolean not null,
  introduced_at timestamptz not null,
  first_seen_at timestamptz not null,
  fixed_at timestamptz,
  full_ref text collate "C" not null,
  primary key (tenant_id, vulnerability_id, reference_id)
);
create index vulnerability_reference_list
  on vulnerability_reference (tenant_id, reference_id, packed_state, introduced_at, vulnerability_id);
create index vulnerability_reference_name
  on vulnerability_reference (tenant_id, full_ref, packed_state, introduced_at, vulnerability_id);
create index vulnerability_reference_default
  on vulnerability_reference (tenant_id, packed_state, introduced_at, vulnerability_id) where on_default;

create table vulnerability_reporter (
  tenant_id uuid not null,
  vulnerability_id uuid not null,
  series_id uuid not null,
  tool text not null,
  live boolean not null,
  severity severity not null,
  title text not null,
  fixed_versions text[] not null default '{}',
  cvss_score real,
  exploitable boolean not null default false,
  verified boolean not null default false,
  history boolean not null default false,
  suppressed boolean not null default false,
  suppression_reason text,
  suppressed_until timestamptz,
  suppression_may_decide boolean not null default false,
  suppression_overrides_policy boolean not null default false,
  updated_at timestamptz not null,
  primary key (tenant_id, vulnerability_id, series_id)
);
create index vulnerability_reporter_suppressed on vulnerability_reporter (tenant_id, series_id) where suppressed;

create table vulnerability_location (
  tenant_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  vulnerability_id uuid not null,
  reference_id uuid not null,
  artifact_id uuid,
  location_key uuid not null,
  line integer,
  suppressed boolean not null default false,
  vulnerable_at timestamptz not null,
  fixed_at timestamptz,
  path text not null,
  rule_key uuid,
  file_key uuid,
  code_key uuid,
  fingerprint_key uuid,
  fingerprint_scheme text,
  primary key (tenant_id, id)
);
create index vulnerability_location_vulnerability on vulnerability_location (tenant_id, vulnerability_id, reference_id);
create index vulnerability_location_file on vulnerability_location (tenant_id, repository_id, file_key)
  where file_key is not null;
create index vulnerability_location_code on vulnerability_location (tenant_id, repository_id, code_key)
  where code_key is not null;
create index vulnerability_location_fingerprint on vulnerability_location (tenant_id, repository_id, fingerprint_key)
  where fingerprint_key is not null;

create table location_observation (
  tenant_id uuid not null,
  location_id uuid not null,
  vulnerability_id uuid not null,
  series_id uuid not null,
  key uuid not null,
  digest bigint not null,
  since_seq integer not null,
  until_seq integer,
  match_method match_method not null,
  detached boolean not null default false,
  held boolean not null default false,
  primary key (tenant_id, location_id, series_id, key, since_seq, detached)
);
create index location_observation_open on location_observation (tenant_id, series_id, key)
  include (digest, location_id, vulnerability_id) where until_seq is null;
create index location_observation_ended on location_observation (tenant_id, series_id, until_seq)
  where until_seq is not null;
create index location_observation_held on location_observation (tenant_id, series_id) where held;

create table vulnerability_event (
  tenant_id uuid not null,
  vulnerability_id uuid not null,
  id uuid not null,
  kind event_kind not null,
  at timestamptz not null,
  actor_id uuid,
  scan_id uuid,
  reason text,
  data jsonb,
  primary key (tenant_id, vulnerability_id, id)
);

create table artifact (
  tenant_id uuid not null,
  id uuid not null,
  key uuid not null,
  type artifact_type not null,
  name text not null,
  purl text,
  digest text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, key)
);

create table search_term (
  tenant_id uuid not null,
  term text collate "C" not null,
  search_key uuid not null,
  primary key (tenant_id, term, search_key)
);
