-- The whole schema of Merlon's database, by module. An empty database gets this file; a database of an earlier release
-- gets the files of migrations/, which lead to the same schema. A test holds both equal.
--
-- Every table of a workspace has tenant_id as the first column of each key and index, but for member_user, by which a
-- person's workspaces are found, and the row-level security at the end of this file. States are domains over text with
-- the values of the lists in the code (a test holds both equal). They are no enum types, because PostgreSQL does not
-- search an index by an enum under row-level security: its operators are not leakproof, as those of text are. The only
-- numbers that are states are the packed states, in packed_state, default_branch_state and vulnerability_state: they are in
-- every list's index and in the key of the counters, and only domain/packed-state.ts and domain/violation-state.ts know their bits.

-- States -----------------------------------------------------------------------------------------------------------

-- The values are listed by rising rank. Text sorts in another order, so the code compares ranks.
create domain role as text collate "C" check (value in ('viewer', 'member', 'admin'));
create domain severity as text collate "C" check (value in ('unknown', 'info', 'low', 'medium', 'high', 'critical'));
create domain enforcement_mode as text collate "C" check (value in ('none', 'monitor', 'warn', 'block'));
create domain verdict as text collate "C" check (value in ('pass', 'warn', 'block'));

create domain account_kind as text collate "C" check (value in ('user', 'service')); -- service: the actor of a workspace key
create domain api_key_kind as text collate "C" check (value in ('personal', 'workspace'));
create domain saved_view_page as text collate "C" check (value in ('vulnerabilities'));
create domain ci_provider as text collate "C" check (value in ('github', 'gitlab'));
create domain webhook_format as text collate "C" check (value in ('standard', 'slack', 'teams'));
create domain digest_rhythm as text collate "C" check (value in ('none', 'daily', 'weekly'));
create domain delivery_status as text collate "C" check (value in ('pending', 'delivered', 'failed'));
create domain tracker_kind as text collate "C" check (value in ('github', 'gitlab', 'jira'));
create domain linked_issue_state as text collate "C" check (value in ('waiting', 'linked', 'deleted'));
create domain organization_type as text collate "C" check (value in (
  'local', 'github_org', 'gitlab_group', 'bitbucket_workspace', 'azure_project'
));
create domain repository_source as text collate "C" check (value in ('local', 'ghc', 'ghe', 'gitlab', 'bitbucket', 'azure_devops'));
create domain reference_type as text collate "C" check (value in ('branch', 'tag', 'pull_request'));

create domain scan_status as text collate "C" check (value in ('queued', 'running', 'completed', 'failed', 'canceled'));
create domain scan_source as text collate "C" check (value in ('current', 'git_history')); -- the current tree, or the commits before it
create domain run_outcome as text collate "C" check (value in ('succeeded', 'failed', 'scanned_nothing'));
create domain match_method as text collate "C" check (value in (
  'new', 'advisory-and-package', 'secret', 'secret-masked', 'fingerprint', 'code', 'nearest-line', 'renamed-file',
  'moved-folder', 'secret-location', 'same-result', 'pinned'
));
create domain alias_state as text collate "C" check (value in ('joins', 'ambiguous', 'forgotten'));

create domain vulnerability_type as text collate "C" check (value in (
  'other', 'dependency', 'sast', 'secret', 'iac', 'container', 'dast', 'license', 'malware'
));
create domain resolution as text collate "C" check (value in (
  'fixed', 'risk_accepted', 'wont_fix', 'false_positive', 'not_affected', 'test_code'
));
create domain decision_origin as text collate "C" check (value in ('person', 'vex', 'suppression'));
create domain vex_status as text collate "C" check (value in (
  'not_affected', 'false_positive', 'affected', 'exploitable', 'fixed', 'under_investigation'
));
create domain event_kind as text collate "C" check (value in (
  'opened', 'seen_on_reference', 'moved', 'fixed', 'reopened', 'accepted', 'ignored', 'rejected', 'confirmed',
  'decision_removed', 'acceptance_ended', 'assigned', 'unassigned', 'severity_changed', 'merged', 'split', 'undone'
));
create domain artifact_type as text collate "C" check (value in ('package_version', 'image', 'file'));
create domain group_kind as text collate "C" check (value in ('package', 'rule', 'repository'));
create domain counter_scope as text collate "C" check (value in (
  'workspace', 'repository', 'reference', 'reference_name', 'default_branches'
));

create domain policy_type as text collate "C" check (value in ('custom', 'builtin'));
create domain policy_status as text collate "C" check (value in ('active', 'draft', 'disabled'));
create domain target_type as text collate "C" check (value in (
  'vulnerability', 'package', 'package_version', 'manifest', 'analysis', 'provider', 'asset', 'repository'
));
create domain rule_type as text collate "C" check (value in ('workspace', 'org', 'application', 'repo')); -- by falling distance
create domain exception_mode as text collate "C" check (value in ('exempt', 'downgrade'));
create domain exception_status as text collate "C" check (value in ('requested', 'approved', 'refused', 'withdrawn', 'ended'));
create domain asset_type as text collate "C" check (value in ('container_image'));

-- Access: workspaces, people, keys ---------------------------------------------------------------------------------

create table tenant (
  id bigint primary key check (id between 1 and 9007199254740991), -- exact as a number of JavaScript
  slug text collate "C" not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$' and slug <> 'tenants'),
  name text not null check (length(name) between 1 and 255),
  settings jsonb not null default '{}',
  -- Patterns of branch names, with `*` for any characters. Vulnerabilities that are open there count as open, as on the
  -- default branch.
  tracked_branches text[] not null default '{release/*,releases/*,hotfix/*,support/*}',
  -- True if `merlond doctor isolation` has created the workspace and may delete it. No route sets it.
  canary boolean not null default false,
  -- True while the workspace may have webhooks, so that a search for due deliveries passes all others by.
  has_webhooks boolean not null default false,
  has_issue_trackers boolean not null default false, -- as has_webhooks
  deleted_at timestamptz, -- nobody has access any more, and the rows are being deleted
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- One row of each workspace, from its creation to its end. On Citus, a set of rows is inserted as a join with it, which
-- leads the statement to the node of the workspace (db/bulk.ts). Organizations refer to it, so that no workspace has any
-- data without it.
create table tenant_anchor (
  tenant_id bigint primary key references tenant (id)
);

create table user_account (
  id uuid primary key,
  -- The application writes it in lower case, so that a comparison without case needs no function in the condition.
  email text collate "C" not null unique,
  email_verified boolean not null default false,
  name text not null,
  image text,
  kind account_kind not null,
  operator boolean not null default false, -- may make workspaces
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- The sign-in library defines the columns of the next three tables.
create table user_session (
  id uuid primary key,
  user_id uuid not null references user_account (id) on delete cascade,
  token text collate "C" not null unique, -- the cookie is this and a signature
  by_password boolean not null default false, -- ends where the operator turns passwords off
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(), -- the sign-in
  updated_at timestamptz not null default now()
);
create index user_session_user on user_session (user_id);

-- A password (provider "credential") or an identity at an OpenID Connect provider. The account_id of an identity is
-- the issuer, a "#", which no issuer has, and the subject there.
create table user_credential (
  id uuid primary key,
  user_id uuid not null references user_account (id) on delete cascade,
  provider_id text collate "C" not null,
  account_id text collate "C" not null,
  password text, -- salt and scrypt's output
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index user_credential_user on user_credential (user_id);

create table user_verification (
  id uuid primary key,
  identifier text collate "C" not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index user_verification_identifier on user_verification (identifier);

create table api_key (
  id uuid primary key,
  kind api_key_kind not null,
  user_id uuid not null references user_account (id),
  tenant_id bigint references tenant (id), -- workspace keys only
  role role, -- workspace keys only
  name text not null check (length(name) between 1 and 255),
  secret_sha256 bytea not null unique check (length(secret_sha256) = 32),
  last_four text not null,
  scopes text[] not null,
  restricted boolean not null default false, -- limited to the workspaces in api_key_tenant, even if none is left
  expires_at timestamptz,
  disabled_at timestamptz,
  last_used_at timestamptz,
  last_used_address text,
  created_by uuid references user_account (id),
  -- A key that a trust rule gives to a run of CI: it is bound to one repository, and to one reference there or, as
  -- 'pull_requests', to all pull requests.
  trust_rule_id uuid,
  repository_id uuid,
  bound_reference text collate "C",
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((kind = 'workspace') = (tenant_id is not null)),
  check ((kind = 'workspace') = (role is not null)),
  check (kind = 'workspace' or trust_rule_id is null),
  check (num_nulls(trust_rule_id, repository_id, bound_reference) in (0, 3)),
  check (trust_rule_id is null or expires_at is not null),
  check (kind = 'personal' or not restricted)
);
create index api_key_user on api_key (user_id);
create index api_key_workspace on api_key (tenant_id) where tenant_id is not null and trust_rule_id is null;
create index api_key_trust_rule on api_key (trust_rule_id, expires_at) where trust_rule_id is not null;
-- The search for due work reads a range of it for each workspace. The many keys of CI runs are not in it.
create index api_key_ending on api_key (expires_at) where trust_rule_id is null and disabled_at is null;

create table api_key_tenant (
  api_key_id uuid not null references api_key (id) on delete cascade,
  tenant_id bigint not null references tenant (id) on delete cascade,
  primary key (api_key_id, tenant_id)
);

-- Requests per key and failed authentications per address, if several nodes share the database. The limiter library
-- defines the columns.
create unlogged table rate_limit (
  key text collate "C" primary key,
  points integer not null default 0,
  expire bigint
);

-- The secret file that belongs to this database, by its fingerprint. A process with another one does not start.
create table install_secret (
  id boolean primary key default true check (id),
  fingerprint text not null
);

-- The process that sweeps, the time until which no other process does, and its last sweep of all workspaces.
create table sweep_lead (
  id boolean primary key default true check (id),
  holder uuid not null,
  held_until timestamptz not null,
  swept_at timestamptz,
  swept_ms integer,
  workspaces_due integer,
  workspaces_failed integer -- in which a part of the work has failed
);

create table member (
  tenant_id bigint not null references tenant (id),
  user_id uuid not null references user_account (id),
  role role not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, user_id)
);
create index member_user on member (user_id);

-- A rule by which runs of a CI provider get keys of fifteen minutes, instead of a key that is stored there.
create table trust_rule (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 255),
  provider ci_provider not null,
  issuer text collate "C" not null,
  audience text collate "C" not null,
  claims jsonb not null, -- the name of a claim to the value that it must have
  user_id uuid not null references user_account (id), -- the service user as which its keys act
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  last_refused_at timestamptz,
  last_refusal text check (length(last_refusal) <= 1000),
  primary key (tenant_id, id)
);

-- The tokens that were exchanged for a key, so that none is exchanged twice.
create table exchanged_token (
  tenant_id bigint not null references tenant (id),
  token_sha256 bytea not null check (length(token_sha256) = 32), -- digest of issuer and token id
  expires_at timestamptz not null,
  primary key (tenant_id, token_sha256)
);
create index exchanged_token_expiry on exchanged_token (tenant_id, expires_at);

-- An invitation into a workspace. One link of it is shown once to the inviter; another one is in the mail, and nowhere else.
create table invitation (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  email text collate "C" not null, -- lower case
  role role not null,
  secret_sha256 bytea not null check (length(secret_sha256) = 32),
  invited_by uuid references user_account (id),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  created_at timestamptz not null default now(),
  mail_status delivery_status, -- null: the server had no mail server
  mail_secret_sha256 bytea check (length(mail_secret_sha256) = 32), -- of the link in the newest mail
  mail_attempts integer not null default 0,
  mail_due_at timestamptz,
  mailed_at timestamptz, -- when the mail server has taken the mail
  mail_error text check (length(mail_error) <= 500),
  primary key (tenant_id, id)
);
create unique index invitation_open on invitation (tenant_id, email)
  where accepted_at is null and withdrawn_at is null;
create index invitation_mail_pending on invitation (tenant_id, mail_due_at)
  where mail_status = 'pending' and accepted_at is null and withdrawn_at is null;

-- A page of the console with its query, under a name. Its owner alone sees it unless it is shared.
create table saved_view (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  owner_id uuid not null references user_account (id),
  page saved_view_page not null,
  name text not null,
  name_key text collate "C" not null, -- name in lower case
  query text not null,
  shared boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, owner_id, page, name_key)
);
create index saved_view_shared on saved_view (tenant_id) where shared;

-- The running role can neither change nor delete a row of the audit log.
create table audit_event (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  at timestamptz not null,
  actor_id uuid, -- null: the operator at the command line
  api_key_id uuid,
  action text not null,
  target_type text not null,
  target_id uuid,
  data jsonb not null default '{}',
  request_id text,
  primary key (tenant_id, id)
);
create index audit_event_target on audit_event (tenant_id, target_id, id) where target_id is not null;
create index audit_event_actor on audit_event (tenant_id, actor_id, id);
create index audit_event_action on audit_event (tenant_id, action, id);

-- Inventory --------------------------------------------------------------------------------------------------------

create table organization (
  tenant_id bigint not null references tenant_anchor (tenant_id),
  id uuid not null,
  name text not null,
  full_path text not null,
  path_key text collate "C" not null, -- full_path in lower case
  type organization_type not null,
  external_id text collate "C" not null,
  orphaned boolean not null default false,
  description text,
  parent_id uuid,
  has_given_parent boolean not null default false, -- an inventory file says the parent, or that there is none
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, path_key),
  foreign key (tenant_id, parent_id) references organization (tenant_id, id)
);

create table repository (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  organization_id uuid not null,
  name text not null,
  full_name text not null,
  name_key text collate "C" not null, -- full_name in lower case
  source repository_source not null,
  external_id text collate "C" not null,
  is_private boolean not null default true,
  is_archived boolean not null default false,
  is_enabled boolean not null default true,
  is_monorepo boolean not null default false,
  is_exposed boolean not null default false, -- people outside can reach what is built from it
  default_reference_id uuid,
  default_guessed boolean not null default true,
  tracked_branches text[], -- instead of those of the workspace
  -- True if the names of tracked branches have changed since the sweep updated the references of this repository.
  tracking_changed boolean not null default false,
  last_scanned_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, name_key),
  unique (tenant_id, source, external_id),
  foreign key (tenant_id, organization_id) references organization (tenant_id, id)
);
create index repository_tracking_changed on repository (tenant_id, id) where tracking_changed;
create index repository_organization on repository (tenant_id, organization_id, id);
create index repository_source on repository (tenant_id, source, id);
-- Without the tenant, because lists would be planned with this index in place of the primary key.
create index repository_created on repository (created_at);

create table application (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  name text not null,
  name_key text collate "C" not null, -- name in lower case
  description text,
  -- Only a member owns an application. If the membership ends, the application has no owner.
  owner_id uuid,
  -- True if it is a product that the company makes available in the European Union (Regulation (EU) 2024/2847).
  is_product boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, name_key),
  foreign key (tenant_id, owner_id) references member (tenant_id, user_id)
);
create index application_owner on application (tenant_id, owner_id) where owner_id is not null;

create table application_repository (
  tenant_id bigint not null,
  application_id uuid not null,
  repository_id uuid not null,
  primary key (tenant_id, application_id, repository_id),
  foreign key (tenant_id, application_id) references application (tenant_id, id) on delete cascade,
  foreign key (tenant_id, repository_id) references repository (tenant_id, id) on delete cascade
);
create index application_repository_repository on application_repository (tenant_id, repository_id);

-- Members who own code together. Only a member is in a team.
create table team (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 255),
  name_key text collate "C" not null, -- name in lower case
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, name_key)
);

-- The groups of the identity provider whose people are members of a team.
create table team_group (
  tenant_id bigint not null,
  team_id uuid not null,
  name text collate "C" not null check (length(name) between 1 and 255), -- as the provider writes it
  primary key (tenant_id, team_id, name),
  foreign key (tenant_id, team_id) references team (tenant_id, id) on delete cascade
);
create index team_group_name on team_group (tenant_id, name);

create table team_member (
  tenant_id bigint not null,
  team_id uuid not null,
  user_id uuid not null,
  group_name text collate "C", -- the group that makes the person a member; null: an admin has chosen the person
  primary key (tenant_id, team_id, user_id),
  foreign key (tenant_id, team_id, group_name) references team_group (tenant_id, team_id, name) on delete cascade,
  foreign key (tenant_id, team_id) references team (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references member (tenant_id, user_id) on delete cascade
);
create index team_member_user on team_member (tenant_id, user_id);

-- The names that mean a team in CODEOWNERS files, such as @acme/payments.
create table team_owner_name (
  tenant_id bigint not null,
  name text collate "C" not null, -- in lower case
  team_id uuid not null,
  primary key (tenant_id, name),
  foreign key (tenant_id, team_id) references team (tenant_id, id) on delete cascade
);
create index team_owner_name_team on team_owner_name (tenant_id, team_id);

-- The steps that a person has recorded of reporting an actively exploited vulnerability of a product, as Article 14 of
-- Regulation (EU) 2024/2847 demands. A vulnerability without a row has no recorded step.
create table cra_notification (
  tenant_id bigint not null,
  application_id uuid not null,
  cve text collate "C" not null,
  aware_at timestamptz not null, -- the start of the 24 and the 72 hours
  early_warning_at timestamptz,
  notification_at timestamptz,
  measure_at timestamptz, -- when a corrective or mitigating measure was available: the start of the 14 days
  final_report_at timestamptz,
  not_reportable_reason text,
  version integer not null default 1, -- increases by one with each change
  changed_by uuid not null,
  changed_at timestamptz not null,
  primary key (tenant_id, application_id, cve),
  foreign key (tenant_id, application_id) references application (tenant_id, id) on delete cascade
);

-- The search terms of the names of repositories, organizations and applications: the whole name, and its rest after
-- each separator.
create table name_term (
  tenant_id bigint not null references tenant (id),
  kind text collate "C" not null check (kind in ('repository', 'organization', 'application')),
  term text collate "C" not null,
  target_id uuid not null,
  primary key (tenant_id, kind, term, target_id)
);
create index name_term_target on name_term (tenant_id, target_id, term);

create table reference (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  repository_id uuid not null,
  full_ref text collate "C" not null, -- refs/heads/main, refs/tags/v1, refs/pull/7/head
  type reference_type not null,
  head_sha text collate "C",
  -- The base of a pull request decides which violations count. A reference therefore stores who named its base, and
  -- whether it was ever tracked.
  base_ref text,
  base_sha text,
  -- True if a key that may override policies named the base, so that the base need not be the default branch.
  base_approved boolean not null default false,
  is_default boolean not null default false,
  tracked boolean not null default false, -- the default branch, and those that the names of tracked branches match
  once_tracked boolean not null default false,
  active boolean not null default true, -- tracked, or scanned within 30 days
  environment_key text,
  last_scanned_at timestamptz,
  emptied_at timestamptz, -- what its scans had shown was deleted, and it has had no scan since
  -- The last change of a vulnerability in a package that was here and is deleted. It keeps the time of VEX documents.
  forgotten_change_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, repository_id, full_ref),
  foreign key (tenant_id, repository_id) references repository (tenant_id, id)
);
create unique index reference_default on reference (tenant_id, repository_id) where is_default;
create index reference_tracked on reference (tenant_id, repository_id, id) where tracked;
-- The sweep reads the references that may become inactive.
create index reference_quiet on reference
  (tenant_id, (case when last_scanned_at is null then created_at else last_scanned_at end)) where active and not tracked;

-- The CODEOWNERS file of a repository. Without content nobody owns anything.
create table code_owners (
  tenant_id bigint not null references tenant (id),
  repository_id uuid not null,
  path text not null, -- of the file in the repository
  content text not null check (octet_length(content) <= 262144),
  owners text[] not null, -- all that it names, in lower case
  set_by_admin boolean not null, -- an upload does not replace it
  updated_at timestamptz not null,
  primary key (tenant_id, repository_id),
  foreign key (tenant_id, repository_id) references repository (tenant_id, id) on delete cascade
);

-- The vulnerabilities of the repository in the paths after this one do not have their teams yet; with an empty text those
-- in all paths. A change of the file, of the meaning of its names, or of paths only inserts a row, so it waits for no other
-- transaction. The sweep deletes the rows before it reads the file and the names.
create table teams_due (
  tenant_id bigint not null references tenant (id),
  repository_id uuid not null,
  id uuid not null, -- in the order of insertion
  after_path text not null,
  primary key (tenant_id, repository_id, id),
  foreign key (tenant_id, repository_id) references code_owners (tenant_id, repository_id) on delete cascade
);

-- Settings of the repository at its VCS, from an inventory file.
create table provider_setting (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  repository_id uuid not null,
  name text collate "C" not null,
  value text not null,
  manual_override boolean not null default false, -- a person has set it, whatever the provider says
  changed_at timestamptz not null, -- time of the present value
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, repository_id, name)
);

-- Packages of repositories, per reference: from SBOMs and from the package lists in reports.
create table manifest (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  repository_id uuid not null,
  path text not null,
  path_key uuid not null, -- digest of type and path
  type text not null,
  kind text, -- the name in the package manager, yarn if type is npm; null if the report does not say
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, repository_id, path_key)
);

create table package (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  purl text collate "C" not null, -- without version
  package_type text collate "C" not null,
  namespace text,
  name text not null,
  -- The same part of the package URL as in vulnerability, so that a name and its vulnerabilities have one order.
  package_name text collate "C" not null generated always as (left(split_part(purl, '/', -1), 255)) stored,
  package_key bigint not null generated always as (hashtextextended(purl, 0)) stored,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, purl)
);
create index package_by_name on package (tenant_id, package_name, id);
create index package_by_type on package (tenant_id, package_type, package_name, id);

-- The search terms of the list of packages: the whole name, and its rest after each separator.
create table package_term (
  tenant_id bigint not null,
  term text collate "C" not null,
  package_id uuid not null,
  primary key (tenant_id, term, package_id)
);
create index package_term_package on package_term (tenant_id, package_id, term);

create table package_version (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  package_id uuid not null,
  version text collate "C" not null, -- '' where it is not known
  purl text not null,
  licenses text[] not null default '{}', -- all that any report has named
  first_licenses text[], -- those with which it was first written; null if none has come since
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, package_id, version)
);

-- The source package of a version, by which the advisories of a distribution's release know it. The package URL does not
-- name it surely, because two releases may have one version, and a report may leave the source out.
create table distribution_package (
  tenant_id bigint not null references tenant (id),
  package_version_id uuid not null,
  id uuid not null, -- digest of the version with its package, and of the columns below
  purl text collate "C" not null, -- as in osv_package: pkg:deb/debian/openssl?distro=debian-12
  version text collate "C" not null, -- of the source package
  primary key (tenant_id, package_version_id, id)
);
create index distribution_package_purl on distribution_package (tenant_id, purl, version);

create table license (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  name text collate "C" not null, -- an SPDX id, a choice of them, or a name as the tool wrote it
  primary key (tenant_id, id),
  unique (tenant_id, name)
);

-- The licenses that the versions of a package have had in any report.
create table package_license (
  tenant_id bigint not null,
  license_id uuid not null,
  package_name text collate "C" not null, -- copied from the package, for the order of the list
  package_id uuid not null,
  primary key (tenant_id, license_id, package_name, package_id)
);

-- The packages in the newest complete report of a series and in those that only add, by manifest and reference.
create table manifest_package (
  tenant_id bigint not null,
  reference_id uuid not null,
  series_id uuid not null,
  manifest_id uuid not null,
  package_version_id uuid not null,
  repository_id uuid not null,
  direct boolean,
  since_scan_id uuid not null,
  licenses text[], -- null if they are those with which the version was first written
  distribution_package_id uuid, -- null if the package is of no distribution, or the release is not known
  primary key (tenant_id, reference_id, series_id, manifest_id, package_version_id)
);
create index manifest_package_version
  on manifest_package (tenant_id, package_version_id, reference_id, manifest_id) include (repository_id, direct);

-- Container images in reports: the name with its registry, without tag and digest.
create table asset (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  name text collate "C" not null,
  type asset_type not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, type, name)
);

-- Ingest: scans and their series -----------------------------------------------------------------------------------
-- Only an import writes most of these tables, in sets, so the widest of them have no foreign keys. Tests over random
-- histories check the same relations.

-- The scans of one tool and category on one reference, either of the current tree or of the history, or those of one file
-- of them. Absence closes within a series only.
create table scan_series (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  repository_id uuid not null,
  reference_id uuid not null,
  tool text collate "C" not null,
  category text collate "C" not null,
  source scan_source not null,
  -- The file whose reports alone make the series; '' if files share it (ADR 112).
  file_name text collate "C" not null default '',
  analysis_types vulnerability_type[] not null default '{}', -- what the tool looks for
  asset_id uuid, -- the image of its newest scan
  asset_tag text,
  last_seq integer not null default 0, -- number of its newest scan
  last_scan_id uuid,
  last_scanned_at timestamptz,
  -- The report time of the newest successful run. While it is null, the reference has no verdict.
  succeeded_at timestamptz,
  held_closure uuid, -- digest of a held closure, which waits for a second scan or a person
  held_scan_id uuid,
  inventory_digest uuid, -- digest of the packages of its newest scan: the same packages are not written again
  -- Digest of the reader of its newest report: release, limits, key. The same reader gets the same result from the same
  -- bytes. It is null if the next import must read the same bytes again.
  reader uuid,
  retired_at timestamptz,
  -- The newer series of the tool that sees most of the same findings. This series has had no scan since.
  replaced_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint scan_series_key unique (tenant_id, reference_id, tool, category, source, file_name),
  foreign key (tenant_id, reference_id) references reference (tenant_id, id)
);
create index scan_series_repository on scan_series (tenant_id, repository_id, id);
create index scan_series_succeeded on scan_series (tenant_id, succeeded_at);
create index scan_series_replaced on scan_series (tenant_id, id) where replaced_by is not null and retired_at is null;

create table scan (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  repository_id uuid not null,
  reference_id uuid not null,
  sha text collate "C",
  base_ref text,
  base_sha text collate "C",
  environment text,
  default_branch text, -- given with the report; the repository keeps it
  requested_format text not null default 'auto',
  format text not null, -- as requested, then as recognised
  category text,
  source scan_source, -- null: as the report itself says
  partial boolean not null default false,
  dry_run boolean not null default false,
  force boolean not null default false,
  may_decide boolean not null default false, -- the sender may decide about vulnerabilities
  may_override_policy boolean not null default false, -- the sender may decide even where a policy blocks
  tools text[] not null default '{}',
  attempts smallint not null default 0, -- number of times that a worker has begun with it
  status scan_status not null,
  verdict verdict,
  progress jsonb, -- while it runs: {step, done, total}
  scanned_at timestamptz not null, -- time of the report; created_at is the time of the upload
  scanned_at_given boolean not null default false, -- by the sender, or by the operator; otherwise it is the time of arrival
  started_at timestamptz,
  finished_at timestamptz,
  counts jsonb,
  warnings jsonb not null default '[]',
  unreadable jsonb not null default '[]',
  error jsonb,
  file_name text,
  digest bytea not null, -- SHA-256 of the report as sent
  content_digest bytea not null, -- SHA-256 of it without what differs from run to run
  report_bytes bigint not null default 0, -- decompressed, for the limit of waiting bytes of a workspace
  idempotency_key text,
  idempotency_digest bytea, -- of the report and its parameters: the same at a second attempt
  uploaded_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, repository_id) references repository (tenant_id, id),
  foreign key (tenant_id, reference_id) references reference (tenant_id, id)
);
create index scan_repository on scan (tenant_id, repository_id, id);
create index scan_reference on scan (tenant_id, reference_id, id);
create index scan_sha on scan (tenant_id, sha, id) where sha is not null;
create index scan_oldest on scan (tenant_id, id) include (repository_id) where status in ('queued', 'running');
create index scan_waiting on scan (tenant_id, repository_id, id) where status in ('queued', 'running');
create index scan_unfinished on scan (tenant_id, status, report_bytes) where status in ('queued', 'running');
create unique index scan_idempotency on scan (tenant_id, idempotency_key) where idempotency_key is not null;

-- A waiting report, in sealed pieces. They are written while they arrive, before their scan exists. The sweep removes
-- old ones without a scan.
create table scan_report (
  tenant_id bigint not null,
  scan_id uuid not null,
  piece integer not null,
  ciphertext bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, scan_id, piece)
);
create index scan_report_created on scan_report (tenant_id, created_at);

-- The series of a scan, and its number in each. An import inserts this row before those of its findings, which have no
-- foreign key to the workspace: a check for each of them would take a twentieth of its time. The check of this row keeps
-- the workspace from being deleted before the import has ended. A split, which inserts a vulnerability too, inserts an
-- audit event with such a check.
create table series_scan (
  tenant_id bigint not null references tenant (id),
  scan_id uuid not null,
  series_id uuid not null,
  seq integer not null,
  -- True if the scan is partial or late, so that its findings are separate observations
  -- (location_observation.detached).
  detached boolean not null,
  -- True if the series already had a newer report when this one came, so that this one opened, closed and reopened
  -- nothing.
  late boolean not null default false,
  -- A run that failed or scanned nothing does not prove that anything is clean.
  outcome run_outcome not null default 'succeeded',
  -- The series was retired at this time, after this scan and before its next one. That ended what the series had seen.
  series_retired_at timestamptz,
  primary key (tenant_id, scan_id, series_id)
);
create index series_scan_seq on series_scan (tenant_id, series_id, seq);
create index series_scan_retired on series_scan (tenant_id, series_id, seq) where series_retired_at is not null;

-- Another name of an advisory: its source, and the repository where it counts.
create table advisory_alias (
  tenant_id bigint not null references tenant (id),
  alias text collate "C" not null,
  -- A name from a key without the right to decide counts in that key's repository only. The nil id means the whole
  -- workspace.
  repository_id uuid not null default '00000000-0000-0000-0000-000000000000',
  id uuid not null,
  advisory text collate "C" not null,
  -- An ambiguous name was reported for two CVEs, and an admin removed a forgotten one. Neither joins anything.
  state alias_state not null default 'joins',
  taught_by uuid, -- null: the operator
  scan_id uuid,
  learned_at timestamptz not null,
  primary key (tenant_id, alias, repository_id)
);
create unique index advisory_alias_id on advisory_alias (tenant_id, id);

-- Repositories in which an alias that was learned elsewhere joins vulnerabilities.
create table pending_merge (
  tenant_id bigint not null references tenant (id),
  repository_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, repository_id)
);

-- Vulnerabilities --------------------------------------------------------------------------------------------------
-- In the tables with a row for each finding, columns of eight bytes follow the uuids, then smaller numbers, then texts, so
-- that little space is lost between them.

-- The table is narrow: it has the columns that lists read.
create table vulnerability (
  tenant_id bigint not null,
  id uuid not null,
  repository_id uuid not null,
  -- The digest by which packages and secrets are recognised. Only its locations identify a vulnerability without one.
  identity uuid,
  packed_state smallint not null,
  -- The packed state on the repository's default branch, as in vulnerability_reference; null if it has not been there,
  -- or the branch is not active.
  -- An index has it here, so a filter needs no look-up in that table.
  default_branch_state smallint,
  -- The tenth in which the highest EPSS score of its CVEs lies, from 1; null below a tenth. It follows a load of scores
  -- when no row of intel_change is left.
  epss_band smallint,
  resolution resolution,
  status_version integer not null default 1,
  cvss_score real,
  assignee_id uuid,
  team_id uuid, -- the team that owns its file, by the CODEOWNERS file of the repository
  introduced_at timestamptz not null,
  vulnerable_at timestamptz not null,
  exploitable_at timestamptz,
  accepted_until timestamptz,
  decided_by decision_origin, -- a person may have decided "open" too
  decided_at timestamptz, -- time of the last decision by a person; null if the decision is not a person's
  -- The location that the list shows if no reference is given. The row is never deleted.
  primary_reference_id uuid not null,
  primary_location_id uuid not null,
  search_key bigint not null, -- digest of title and package, by which search_text leads to their words
  package_key bigint generated always as (hashtextextended(package, 0)) stored,
  -- Null for a package: the rule of a package is its advisory.
  rule_key bigint generated always as (case when package is null and rule <> '' then hashtextextended(rule, 0) end) stored,
  -- The first entry of its history: the time of the report that found it first, and its scan. Null if it was split off.
  opened_at timestamptz,
  opened_scan_id uuid,
  updated_at timestamptz not null,
  -- True if an admin, the operator, or a file by one of them has decided. Any other decision does not count for
  -- policies that block.
  decision_overrides_policy boolean not null default true,
  -- False if a name was joined after the decision was made: nobody has decided about the findings under that name.
  decision_covers_names boolean not null default true,
  title text not null,
  rule text, -- null if it is the advisory
  advisory text collate "C",
  package text,
  fix_version text,
  identifiers text[], -- the ids that reports give it besides its advisory; null if there are none
  cwes text, -- the ids of its weaknesses, with a space between two
  description_key uuid,
  -- The last part of the package URL, in its encoding. Longer names are cut, so a search compares the package too.
  package_name text collate "C" generated always as (left(split_part(package, '/', -1), 255)) stored,
  primary key (tenant_id, id)
);
create unique index vulnerability_identity_key on vulnerability (tenant_id, repository_id, identity)
  where identity is not null;
create index vulnerability_packed_state on vulnerability (tenant_id, packed_state, introduced_at, id);
create index vulnerability_repository on vulnerability (tenant_id, repository_id, packed_state, introduced_at, id);
create index vulnerability_introduced on vulnerability (tenant_id, introduced_at, id);
create index vulnerability_default_branch on vulnerability (tenant_id, default_branch_state, introduced_at, id)
  where default_branch_state is not null;
create index vulnerability_assignee
  on vulnerability (tenant_id, assignee_id, packed_state, default_branch_state, introduced_at, id)
  where assignee_id is not null;
create index vulnerability_team
  on vulnerability (tenant_id, team_id, packed_state, default_branch_state, introduced_at, id)
  where team_id is not null;
create index vulnerability_search on vulnerability (tenant_id, search_key, packed_state, default_branch_state);
create index vulnerability_accepted on vulnerability (tenant_id, accepted_until) where accepted_until is not null;
-- Without the id, equal entries take a third of the space.
create index vulnerability_advisory on vulnerability (tenant_id, advisory) where advisory is not null;
-- A workspace has few exploitable vulnerabilities, and `exploitable=yes` reads this index only.
create index vulnerability_exploitable on vulnerability (tenant_id, packed_state, introduced_at, id)
  include (repository_id, default_branch_state) where exploitable_at is not null;
-- Few vulnerabilities are likely to be exploited, and `epss_min` from a tenth on reads this index only.
create index vulnerability_likely
  on vulnerability (tenant_id, epss_band, packed_state, default_branch_state, introduced_at, id)
  include (repository_id) where epss_band is not null;
create index vulnerability_package
  on vulnerability (tenant_id, package_name, packed_state, default_branch_state, introduced_at, id)
  where package_name is not null;
-- These indexes count the vulnerabilities of a package or a rule without reading their rows.
create index vulnerability_package_key
  on vulnerability (tenant_id, package_key, repository_id, packed_state, default_branch_state)
  include (fix_version) where package_key is not null;
create index vulnerability_rule_key
  on vulnerability (tenant_id, rule_key, repository_id, packed_state, default_branch_state)
  where rule_key is not null;
-- The order of an export since a cursor.
create index vulnerability_updated on vulnerability (tenant_id, updated_at, id);

-- Descriptions of vulnerabilities by tools. Vulnerabilities of a workspace with the same description share a row, which
-- never changes.
create table vulnerability_description (
  tenant_id bigint not null,
  key uuid not null, -- digest of the other columns
  description text,
  links text[] not null default '{}',
  cvss_vector text,
  primary key (tenant_id, key)
);

-- The CVEs of a vulnerability in addition to its advisory.
create table vulnerability_cve (
  tenant_id bigint not null,
  cve text collate "C" not null,
  vulnerability_id uuid not null,
  primary key (tenant_id, cve, vulnerability_id)
);
create index vulnerability_cve_vulnerability on vulnerability_cve (tenant_id, vulnerability_id, cve);

-- The evidence in a tool's newest report that proves and explains the vulnerability (vulnerabilities/evidence.ts).
-- Reports of the default branch replace those of other references, never the reverse.
create table vulnerability_evidence (
  tenant_id bigint not null,
  vulnerability_id uuid not null,
  tool text collate "C" not null,
  on_default boolean not null,
  help_key uuid, -- its text is in rule_help
  content bytea not null, -- JSON, compressed if it is long
  primary key (tenant_id, vulnerability_id, tool)
);
-- PostgreSQL 15 accepts the storage in no other statement.
alter table vulnerability_evidence alter column content set storage external;
create index vulnerability_evidence_help on vulnerability_evidence (tenant_id, help_key) where help_key is not null;

-- The explanations of rules. Many vulnerabilities of a repository have the same one.
create table rule_help (
  tenant_id bigint not null,
  repository_id uuid not null,
  key uuid not null, -- digest of repository and text
  text bytea not null, -- compressed if it is long
  primary key (tenant_id, repository_id, key)
);
alter table rule_help alter column text set storage external;

-- The state of a vulnerability on one reference.
create table vulnerability_reference (
  tenant_id bigint not null,
  vulnerability_id uuid not null,
  reference_id uuid not null,
  location_id uuid not null, -- the location that is shown for this reference
  introduced_at timestamptz not null, -- copied from the vulnerability, for the order of lists
  first_seen_at timestamptz not null,
  fixed_at timestamptz,
  packed_state smallint not null,
  live boolean not null,
  full_ref text collate "C" not null,
  primary key (tenant_id, vulnerability_id, reference_id)
);
create index vulnerability_reference_list
  on vulnerability_reference (tenant_id, reference_id, packed_state, introduced_at, vulnerability_id);
create index vulnerability_reference_name
  on vulnerability_reference (tenant_id, full_ref, packed_state, introduced_at, vulnerability_id);

-- The claim of each series about a vulnerability; live while the series sees it.
create table vulnerability_reporter (
  tenant_id bigint not null,
  vulnerability_id uuid not null,
  series_id uuid not null,
  updated_at timestamptz not null,
  cvss_score real,
  live boolean not null,
  tool text not null,
  severity severity not null,
  title text, -- null: that of the vulnerability, which no claim repeats
  fixed_versions text, -- one on each line, sorted; null if there are none
  exploitable boolean not null default false,
  verified boolean not null default false,
  malware boolean not null default false,
  history boolean not null default false, -- the series scans the history, not the current tree
  -- True if an ignore file or the tool's own review has suppressed the vulnerability. If the suppression may not
  -- decide, it is shown as a suggestion.
  suppressed boolean not null default false,
  suppression_reason text,
  suppressed_until timestamptz,
  suppression_may_decide boolean not null default false,
  suppression_overrides_policy boolean not null default false,
  primary key (tenant_id, vulnerability_id, series_id)
);
create index vulnerability_reporter_suppressed on vulnerability_reporter (tenant_id, series_id) where suppressed;

create table artifact (
  tenant_id bigint not null,
  id uuid not null, -- digest of the workspace and the other columns
  type artifact_type not null,
  name text not null,
  purl text,
  digest text,
  primary key (tenant_id, id)
);

create table vulnerability_location (
  tenant_id bigint not null,
  id uuid not null,
  repository_id uuid not null,
  vulnerability_id uuid not null,
  reference_id uuid not null,
  artifact_id uuid,
  location_key uuid not null, -- digest of what makes it the same location of its vulnerability on its reference
  vulnerable_at timestamptz not null,
  fixed_at timestamptz,
  line integer,
  suppressed boolean not null default false,
  path text not null,
  -- Keys of code findings (identity.ts): null for packages, and for secrets but for that of the file.
  rule_key uuid,
  file_key uuid, -- rule, type and path
  code_key uuid, -- rule, type and normalised code
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

-- A location as a series observes it, from one of its scans (since_seq) up to another (until_seq), which is not
-- included.
create table location_observation (
  tenant_id bigint not null,
  location_id uuid not null,
  vulnerability_id uuid not null,
  series_id uuid not null,
  key uuid not null, -- digest of the finding as reported, to recognise the same finding
  digest bigint not null, -- digest of the fields that may change without making it another finding
  since_seq integer not null,
  until_seq integer,
  suppressed boolean not null default false, -- the series says that it is suppressed in the source
  match_method match_method not null, -- why the finding was matched to this location
  detached boolean not null default false, -- the observation belongs to one partial or late scan
  -- True if the mass-closure check holds it: its scan did not show it, and no person has confirmed that it is fixed.
  held boolean not null default false,
  -- An observation of a partial or late scan ends with that scan.
  check (not detached or until_seq is not null)
);
-- A series sees a finding at one location at a time. No key identifies an ended observation, because nothing looks one up,
-- and a scan writes to a series only once (series_scan).
create unique index location_observation_open on location_observation (tenant_id, series_id, key)
  where until_seq is null;
create index location_observation_location on location_observation (tenant_id, location_id);
create index location_observation_ended on location_observation (tenant_id, series_id, until_seq)
  where until_seq is not null;
create index location_observation_held on location_observation (tenant_id, series_id) where held;

-- Further identities of a vulnerability: those of merged ones, and that of a masked secret whose value was seen later.
-- `pinned`: a person has split these findings off, and they stay with it.
create table vulnerability_identity (
  tenant_id bigint not null references tenant (id),
  repository_id uuid not null,
  identity uuid not null,
  vulnerability_id uuid not null,
  pinned boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (tenant_id, repository_id, identity)
);
create index vulnerability_identity_vulnerability on vulnerability_identity (tenant_id, vulnerability_id);
create index vulnerability_identity_pinned on vulnerability_identity (tenant_id, repository_id) where pinned;

-- Names, other than its own advisory, by which findings were joined to a vulnerability. A decision covers the names
-- that were joined before it.
create table vulnerability_joined_name (
  tenant_id bigint not null references tenant (id),
  vulnerability_id uuid not null,
  name text collate "C" not null,
  joined_at timestamptz not null,
  primary key (tenant_id, vulnerability_id, name)
);
create index vulnerability_joined_name_name on vulnerability_joined_name (tenant_id, name);

create table vulnerability_redirect (
  tenant_id bigint not null,
  id uuid not null, -- the id that was merged away
  vulnerability_id uuid not null,
  opened_at timestamptz, -- as in vulnerability
  opened_scan_id uuid,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
-- The history of a merged vulnerability is read by its former ids.
create index vulnerability_redirect_vulnerability on vulnerability_redirect (tenant_id, vulnerability_id);
create index vulnerability_redirect_created on vulnerability_redirect (tenant_id, created_at, id);

-- VEX statements of a repository: the newest for each advisory, package and version ('' is any).
create table vex_statement (
  tenant_id bigint not null references tenant (id),
  repository_id uuid not null,
  advisory text collate "C" not null,
  package text collate "C" not null,
  version text collate "C" not null,
  status vex_status not null,
  reason text,
  stated_at timestamptz not null,
  received_at timestamptz not null, -- time of its arrival, whatever its own date says
  reference_id uuid not null,
  scan_id uuid not null,
  may_decide boolean not null, -- it came for a tracked reference, by a sender who may decide
  overrides_policy boolean not null default true,
  primary key (tenant_id, repository_id, advisory, package, version)
);

-- The running role can neither change nor delete a row of the history. Its first entry, 'opened', is in vulnerability.
create table vulnerability_event (
  tenant_id bigint not null,
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

-- Prune deletes these by their age, and nothing else reads them by it.
create index vulnerability_event_seen on vulnerability_event (tenant_id, at) where kind = 'seen_on_reference';

create table vulnerability_comment (
  tenant_id bigint not null,
  vulnerability_id uuid not null,
  id uuid not null,
  author_id uuid not null,
  body text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, vulnerability_id, id)
);

-- The search terms of `q`: the words of a title or of a package's name. A compound word is found by each of its parts.
create table search_term (
  tenant_id bigint not null,
  term text collate "C" not null,
  text_key bigint not null, -- digest of the text
  primary key (tenant_id, term, text_key)
);

-- The vulnerabilities that have a text as their title or package. A title can belong to many packages, and a package
-- can have many titles, so each text has its terms once.
create table search_text (
  tenant_id bigint not null,
  text_key bigint not null,
  search_key bigint not null,
  primary key (tenant_id, text_key, search_key)
);

-- Exact numbers for every list, by scope and packed state. They are written last in each transaction, in the order of
-- the key.
create table vulnerability_count (
  tenant_id bigint not null,
  count integer not null,
  packed_state smallint not null,
  -- The id of the repository or reference, the digest of the full reference name, or the nil id.
  key uuid not null,
  scope counter_scope not null,
  primary key (tenant_id, scope, key, packed_state)
);

-- The changes of vulnerabilities and violations on each day, by their own status. The trend is the present counters minus these, day
-- by day. They are written with the counters, in the same order.
create table vulnerability_day (
  tenant_id bigint not null,
  fix_seconds bigint not null default 0, -- of the fixed ones, since they became vulnerable
  day date not null, -- UTC
  introduced integer not null default 0, -- new
  opened integer not null default 0, -- became open: new, come back, or another severity
  closed integer not null default 0, -- is no longer open, for any reason
  fixed integer not null default 0,
  resolved integer not null default 0, -- violations that were open or in review on a tracked reference
  resolved_in_time integer not null default 0, -- those of them that were resolved by their due date
  key uuid not null, -- the id of the repository, or the nil id
  scope counter_scope not null check (scope in ('workspace', 'repository')),
  severity severity not null,
  primary key (tenant_id, scope, key, day, severity)
);

-- The numbers of open vulnerabilities of each package, rule and repository by severity, in the order of the groups that
-- are shown. They are written with the counters, in the order of the key.
create table open_group (
  tenant_id bigint not null,
  -- `workspace` counts on tracked references, `default_branches` on default branches.
  scope counter_scope not null check (scope in ('workspace', 'default_branches')),
  kind group_kind not null,
  key text collate "C" not null, -- package_key, rule_key, repository id
  critical integer not null,
  high integer not null,
  medium integer not null,
  low integer not null,
  info integer not null,
  unknown integer not null,
  primary key (tenant_id, scope, kind, key)
);
create index open_group_worst on open_group
  (tenant_id, scope, kind, critical desc, high desc, medium desc, low desc, info desc, unknown desc, key)
  where critical + high + medium + low + info + unknown > 0;

-- Data about exploits by CVE, for the whole install: CISA's catalogue of known exploited vulnerabilities and FIRST's
-- predictions.
create table kev (
  cve text collate "C" primary key,
  added_on date not null,
  due_on date,
  vendor text not null,
  product text not null,
  name text not null,
  ransomware boolean not null default false,
  updated_at timestamptz not null default now()
);

create table epss (
  cve text collate "C" primary key,
  score real not null check (score between 0 and 1),
  percentile real not null check (percentile between 0 and 1)
);
create index epss_score on epss (score, cve);
-- The likely ones in the order of their ids, in which indexes of workspaces are searched for them.
create index epss_likely on epss (cve) include (score) where score >= 0.1;

-- The assessments that CISA publishes for CVEs (SSVC).
create table ssvc (
  cve text collate "C" primary key,
  exploitation text collate "C" not null check (exploitation in ('none', 'poc', 'active')),
  automatable boolean not null,
  technical_impact text collate "C" not null check (technical_impact in ('partial', 'total')),
  assessed_at timestamptz not null
);

-- Advisories in the form of OSV, as the operator has loaded them.
create table osv_advisory (
  id text collate "C" primary key,
  modified_at timestamptz, -- null where the record does not say it
  withdrawn_at timestamptz,
  digest bytea not null, -- of the record as read: the same record again changes nothing
  content jsonb not null -- the record without what it says of single packages
);

-- The statement of an advisory about a package: ranges and single versions. A withdrawn advisory has none.
create table osv_package (
  purl text collate "C" not null, -- as in package, or in distribution_package
  advisory_id text collate "C" not null references osv_advisory (id) on delete cascade,
  affected jsonb not null,
  primary key (purl, advisory_id)
);
create index osv_package_advisory on osv_package (advisory_id);
-- The releases of distributions that have advisories.
create index osv_package_release on osv_package (split_part(purl, '?distro=', 2))
  where split_part(purl, '?distro=', 2) <> '';

-- The ecosystems whose advisories change on many days, so that one without a change for weeks is no longer downloaded.
create table osv_ecosystem (
  name text collate "C" primary key, -- the type of its package URLs, with the distribution: npm, deb/debian
  newest_at timestamptz not null -- of the changes of its advisories
);

-- One row for each feed: the loaded release and its time.
create table intel_feed (
  name text primary key check (name in ('kev', 'epss', 'osv', 'ssvc')),
  version text not null,
  published_at timestamptz not null,
  rows integer not null,
  sha256 bytea not null, -- digest of the file as given: the same file again changes nothing
  imported_at timestamptz not null
);

-- CVEs that entered or left the catalogue, until every workspace is reconciled; EPSS means that scores were loaded.
create table intel_change (
  tenant_id bigint not null references tenant (id) on delete cascade,
  cve text collate "C" not null,
  created_at timestamptz not null,
  -- True if it was reconciled once. It is reconciled again when no import runs that may have read the catalogue before.
  reconciled boolean not null default false,
  primary key (tenant_id, cve)
);

-- The advisories that affect a version of a package in use, by the rules of its ecosystem. Versions are compared here
-- once, whatever the number of repositories that use one.
create table package_advisory (
  tenant_id bigint not null references tenant (id) on delete cascade,
  compared_id uuid not null, -- of package_version, or of distribution_package
  advisory_id text collate "C" not null,
  digest bytea not null, -- that of the advisory
  fix_version text, -- the lowest newer version that no advisory affects
  primary key (tenant_id, compared_id, advisory_id)
);

-- Packages of which the loaded advisories have changed, until their versions are compared.
create table package_to_match (
  tenant_id bigint not null references tenant (id) on delete cascade,
  package_id uuid not null,
  created_at timestamptz not null,
  primary key (tenant_id, package_id)
);

-- References of which the packages, or what affects them, have changed, until they are matched.
create table reference_to_match (
  tenant_id bigint not null references tenant (id) on delete cascade,
  reference_id uuid not null,
  repository_id uuid not null,
  created_at timestamptz not null,
  primary key (tenant_id, reference_id)
);

-- Policies ---------------------------------------------------------------------------------------------------------
-- Only evaluation writes violations, in sets: they carry no foreign keys.

create table policy (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  key text collate "C" not null check (key ~ '^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$'),
  name text not null check (length(name) between 1 and 255),
  type policy_type not null,
  status policy_status not null,
  target_type target_type not null,
  enforcement_mode enforcement_mode not null check (enforcement_mode <> 'none'),
  severity severity,
  config jsonb,
  condition jsonb not null,
  actions jsonb not null default '{}',
  -- Grows with every change that affects violations. `evaluated_revision` is the one with which the whole workspace was
  -- evaluated.
  revision integer not null default 1,
  evaluated_revision integer not null default 0,
  progress jsonb, -- of a running evaluation: {done, total}, in repositories
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, key)
);

create table policy_rule (
  tenant_id bigint not null,
  id uuid not null,
  policy_id uuid not null,
  type rule_type not null,
  scope_id uuid not null,
  excludes boolean not null default false,
  enforcement_mode enforcement_mode check (enforcement_mode <> 'none'),
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, policy_id, type, scope_id),
  foreign key (tenant_id, policy_id) references policy (tenant_id, id) on delete cascade
);

-- An exception, requested or approved, for one violation or for a policy in a repository. The API calls it override.
create table policy_exception (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  policy_id uuid not null,
  repository_id uuid not null,
  violation_id uuid, -- null: it covers the policy in the whole repository
  mode exception_mode not null,
  enforcement_mode enforcement_mode check (enforcement_mode in ('monitor', 'warn')), -- of a downgrade
  status exception_status not null,
  reason text not null,
  requested_by uuid not null,
  on_behalf_of uuid, -- the person who made the requesting workspace key
  reviewed_by uuid,
  reviewed_at timestamptz,
  review_reason text,
  ends_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, policy_id) references policy (tenant_id, id),
  foreign key (tenant_id, repository_id) references repository (tenant_id, id),
  check ((mode = 'downgrade') = (enforcement_mode is not null))
);
-- Each target has at most one requested or approved exception.
create unique index policy_exception_violation on policy_exception (tenant_id, violation_id)
  where violation_id is not null and status in ('requested', 'approved');
create unique index policy_exception_policy on policy_exception (tenant_id, repository_id, policy_id)
  where violation_id is null and status in ('requested', 'approved');
create index policy_exception_status on policy_exception (tenant_id, status, id);
create index policy_exception_target on policy_exception (tenant_id, violation_id, id) where violation_id is not null;
create index policy_exception_ends on policy_exception (tenant_id, ends_at)
  where status in ('requested', 'approved') and ends_at is not null;

-- A target of a repository for which the condition of a policy holds, or held.
create table policy_violation (
  tenant_id bigint not null, -- without a foreign key, which would be checked for each of very many rows
  id uuid not null,
  repository_id uuid not null,
  policy_id uuid not null,
  target_id uuid not null,
  reference_id uuid not null, -- the shown reference: the default branch if it matches there, else the latest match
  rule_id uuid,
  exception_id uuid,
  first_seen_at timestamptz not null,
  opened_at timestamptz not null, -- last opening: the first, or the newest return
  started_at timestamptz not null, -- begin of the time to fix
  due_at timestamptz not null,
  resolved_at timestamptz,
  snoozed_until timestamptz,
  -- This and the two states are those of the vulnerability, in its unresolved violation that is due first: of several with
  -- this date, the one with the lowest id. They are null in any other violation. A list finds by them what is due.
  introduced_at timestamptz,
  packed_state smallint not null, -- status, enforcement in force, target type, snoozed
  vulnerability_state smallint,
  default_branch_state smallint,
  snooze_count smallint not null default 0,
  tracked boolean not null, -- it has matched on a tracked reference since `started_at`
  target_type target_type not null,
  severity severity not null, -- the highest severity since the time to fix began
  -- True if an admin snoozed it, so that the snooze counts where the policy blocks too.
  snooze_overrides_policy boolean not null default false,
  -- The last snooze or wake: by whom and when, and for its undo the end that it set and the state before. A snooze
  -- that an undo has restored keeps only the time when it was made.
  snooze_undo jsonb,
  primary key (tenant_id, id)
);
create unique index policy_violation_target on policy_violation (tenant_id, repository_id, target_id, policy_id);
create index policy_violation_list on policy_violation (tenant_id, repository_id, packed_state, due_at, id)
  include (policy_id, tracked);
create index policy_violation_due on policy_violation (tenant_id, packed_state, due_at, id)
  include (policy_id, tracked);
create index policy_violation_first_due on policy_violation (tenant_id, due_at)
  include (vulnerability_state, default_branch_state, introduced_at, target_id) where vulnerability_state is not null;
create index policy_violation_policy on policy_violation (tenant_id, policy_id, repository_id);
create index policy_violation_snoozed on policy_violation (tenant_id, snoozed_until)
  where snoozed_until is not null and resolved_at is null;

-- The references on which a violation matches, or matched.
create table violation_reference (
  tenant_id bigint not null,
  violation_id uuid not null,
  reference_id uuid not null, -- the id of the repository, if it has no reference
  policy_id uuid not null,
  due_at timestamptz not null,
  matched_at timestamptz not null,
  cleared_at timestamptz,
  packed_state smallint not null, -- that of the violation; resolved if it no longer matches here
  primary key (tenant_id, violation_id, reference_id)
);
create index violation_reference_list on violation_reference (tenant_id, reference_id, packed_state, due_at, violation_id)
  include (policy_id);

-- The lock for the evaluation of a repository. A transaction takes it last, so that each sees all rows of the others.
create table repository_evaluation (
  tenant_id bigint not null,
  repository_id uuid not null,
  -- Everything in the repository must be evaluated, for example after a rename, while it has more marks than evaluated ones.
  marks integer not null default 0,
  evaluated_marks integer not null default 0,
  failed_at timestamptz, -- null if the last evaluation of everything has not failed
  primary key (tenant_id, repository_id)
);
create index repository_evaluation_pending on repository_evaluation (tenant_id, failed_at nulls first, repository_id)
  where marks > evaluated_marks;

-- The time up to which everything that the clock makes due is evaluated, and the ages, in days, at which active
-- policies must be evaluated again.
create table policy_clock (
  tenant_id bigint primary key references tenant (id),
  swept_until timestamptz not null,
  vulnerability_ages integer[] not null default '{}',
  analysis_ages integer[] not null default '{}',
  builtins text -- the keys of the builtin policies that the workspace has got
);

-- The newest scan of a repository's default branch for one type of vulnerability.
create table analysis (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  repository_id uuid not null,
  type vulnerability_type not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, repository_id, type)
);

-- Events -----------------------------------------------------------------------------------------------------------

-- The events of a workspace, in batches, numbered in the order of the commits (events/outbox.ts).
create table event_batch (
  tenant_id bigint not null references tenant (id),
  first_number bigint not null,
  last_number bigint not null,
  id uuid not null, -- the ids of its events have another end
  types text[] not null, -- of its events
  repository_id uuid,
  scan_id uuid,
  actor_id uuid,
  at timestamptz not null, -- when it happened
  content bytea not null, -- JSON, compressed: type, object and data of each event
  created_at timestamptz not null,
  primary key (tenant_id, first_number)
);
alter table event_batch alter column content set storage external;
create index event_batch_created on event_batch (tenant_id, created_at);

-- The number of the last event. Each transaction with events locks the row until its commit, so that the numbers have no
-- gaps and the order of the commits.
create table event_sequence (
  tenant_id bigint primary key references tenant (id),
  last_number bigint not null,
  deleted_number bigint not null default 0 -- of the last event that was deleted for its age
);

-- The time up to which the sweep has written events of what the clock alone makes true (events/event-clock.ts).
create table event_clock (
  tenant_id bigint primary key references tenant (id),
  swept_until timestamptz not null,
  -- The last of the violations that were due at that very time, in the order of ids, that has its events.
  swept_id uuid not null default 'ffffffff-ffff-ffff-ffff-ffffffffffff'
);

-- A receiver of events. Its address and its signing secrets are encrypted with a key of the install.
create table webhook (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 255),
  url text not null check (length(url) <= 2048), -- as it is shown
  format webhook_format not null default 'standard', -- slack and teams: a message for people about many events
  sealed bytea not null, -- the address and the secrets (notifications/webhooks/webhook-secrets.ts)
  previous_secret_until timestamptz, -- the secret before the last rotation signs too until then
  types text[] not null default '{}', -- empty: all
  least_severity severity not null default 'unknown',
  repository_ids uuid[] not null default '{}', -- empty, with no application either: all
  application_ids uuid[] not null default '{}',
  enabled boolean not null default true,
  disabled_reason text, -- why the server has disabled it; null if a person did
  position bigint not null, -- the number of the last event that became a delivery, or did not concern it
  missed bigint not null default 0, -- events that were deleted for their age before they were delivered
  failures integer not null default 0, -- attempts that failed since the last success
  due_at timestamptz, -- when the next delivery is due; null if none waits
  retry_at timestamptz, -- nothing is sent before, because the receiver is away
  next_message_at timestamptz, -- nothing is sent before, because people have just got a message
  leased_until timestamptz, -- a process delivers until then, and no other
  last_delivered_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);

-- An event on its way to a webhook, and the log of what became of it.
create table webhook_delivery (
  tenant_id bigint not null,
  webhook_id uuid not null,
  number bigint not null, -- of the event
  event_id uuid not null,
  type text not null,
  object_id uuid not null,
  status delivery_status not null,
  attempts integer not null default 0,
  due_at timestamptz not null,
  scheduled_at timestamptz, -- the end of its own wait, if it is due earlier because the receiver is back or is another one
  last_attempt_at timestamptz,
  response_status integer,
  error text check (length(error) <= 500),
  duration_ms integer,
  created_at timestamptz not null,
  primary key (tenant_id, webhook_id, number),
  foreign key (tenant_id, webhook_id) references webhook (tenant_id, id) on delete cascade
);
-- The oldest waiting delivery of each object.
create index webhook_delivery_pending on webhook_delivery (tenant_id, webhook_id, object_id, number)
  include (attempts, due_at, scheduled_at, last_attempt_at) where status = 'pending';

-- The mails that a member has chosen; without a row those that are addressed to the person.
create table mail_setting (
  tenant_id bigint not null,
  user_id uuid not null,
  approvals boolean not null,
  assigned boolean not null,
  digest digest_rhythm not null,
  least_severity severity not null,
  updated_at timestamptz not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references member (tenant_id, user_id) on delete cascade
);

-- The position in the outbox up to which mails were written.
create table mail_reader (
  tenant_id bigint primary key references tenant (id),
  position bigint not null, -- the number of the last event that was read
  digest_check_at timestamptz not null, -- when digests may be due
  started_at timestamptz not null, -- digests up to then are not made: another install may have sent them
  leased_until timestamptz -- a process makes and sends mails until then, and no other
);

-- A mail to a member that waits, or that was sent. Its text is made when it is sent.
create table mail (
  tenant_id bigint not null,
  id uuid not null,
  user_id uuid not null,
  events bigint[] not null default '{}', -- the numbers of the events that it tells; a digest has none
  digest_until timestamptz, -- null for a mail about events
  -- A digest tells what has opened by the events after the first number up to the second.
  digest_after bigint,
  digest_through bigint,
  status delivery_status not null default 'pending',
  attempts integer not null default 0,
  due_at timestamptz not null,
  error text check (length(error) <= 500),
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, user_id, digest_until), -- one digest of a time for each person
  foreign key (tenant_id, user_id) references member (tenant_id, user_id) on delete cascade
);
create index mail_user on mail (tenant_id, user_id, created_at);
create index mail_pending on mail (tenant_id, due_at, id) where status = 'pending';
create index mail_created on mail (tenant_id, created_at);

-- Issues -----------------------------------------------------------------------------------------------------------

-- A project of GitHub, GitLab or Jira in which Merlon makes issues.
create table issue_tracker (
  tenant_id bigint not null references tenant (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 255),
  kind tracker_kind not null,
  url text not null check (length(url) <= 255), -- of its pages, without a final slash
  project text not null check (length(project) <= 255), -- owner/name, group/name, or the key of a Jira project
  sealed bytea not null, -- the token and its user (notifications/issues/tracker-token.ts)
  user_name text check (length(user_name) <= 255), -- Jira Cloud: the e-mail address of the token's user
  labels text[] not null default '{}',
  issue_type text check (length(issue_type) <= 255), -- Jira
  closed_status text check (length(closed_status) <= 255), -- Jira: null is the first of the category "done"
  open_status text check (length(open_status) <= 255), -- Jira: null is the first of another category
  allows_public boolean not null default false, -- issues may be readable by everybody
  enabled boolean not null default true,
  disabled_reason text, -- why the server has disabled it; null if a person did
  -- The rule that makes issues by itself; null is none. Vulnerabilities count that came up since then.
  rule_since timestamptz,
  least_severity severity not null default 'unknown',
  repository_ids uuid[] not null default '{}', -- empty, with no application either: all
  application_ids uuid[] not null default '{}',
  blocking_only boolean not null default false, -- only what violates a policy that blocks
  position bigint not null, -- the number of the last event that was processed
  checked_at timestamptz, -- when the project was found, and might have issues; null with settings that were not checked
  changes_from timestamptz, -- issues that changed there before are known; null until the first issue
  poll_due_at timestamptz, -- when changes are asked for again; null without issues
  poll_started_at timestamptz, -- when the poll began that is not at its end; null without one
  poll_next text check (length(poll_next) <= 255), -- where it goes on, as its client says
  failures integer not null default 0, -- since the last answer
  error text check (length(error) <= 500), -- of the last failure
  due_at timestamptz, -- when the next issue is due; null if none waits
  retry_at timestamptz, -- nothing is asked before, because the tracker is away or has had too many requests
  leased_until timestamptz, -- a process works on it until then, and no other
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);

-- An issue about one vulnerability, or about all of a package in a repository. The row is there before the issue is made,
-- so that there are never two.
create table linked_issue (
  tenant_id bigint not null,
  id uuid not null, -- stands in the text of the issue, by which it is found again
  tracker_id uuid not null,
  repository_id uuid not null,
  package_key bigint, -- of vulnerability; null if it is about one vulnerability
  state linked_issue_state not null,
  by_rule boolean not null,
  issue_key text check (length(issue_key) <= 255), -- its number, or its key in Jira
  made_at timestamptz, -- the time at which it was found to exist
  -- The state of the issue in the tracker.
  issue_status text check (length(issue_status) <= 255),
  is_closed boolean not null default false,
  issue_assignee text check (length(issue_assignee) <= 255),
  issue_changed_at timestamptz,
  -- The numbers that the issue shows since its last change: all its vulnerabilities, and those that are open.
  synced_total integer not null default 0,
  synced_open integer not null default 0,
  comments integer not null default 0, -- that were written
  sending jsonb, -- what a request is writing, or may have written without an answer: since, total, open
  attempts integer not null default 0,
  error text check (length(error) <= 500), -- of the last attempt
  due_at timestamptz, -- null if there is nothing to write, or if all attempts have failed
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, tracker_id) references issue_tracker (tenant_id, id) on delete cascade
);
create unique index linked_issue_package on linked_issue (tenant_id, tracker_id, repository_id, package_key)
  where package_key is not null;
create unique index linked_issue_key on linked_issue (tenant_id, tracker_id, issue_key) where issue_key is not null;
create index linked_issue_due on linked_issue (tenant_id, tracker_id, due_at) where due_at is not null;

-- The vulnerabilities of an issue. A vulnerability has one issue in each tracker.
create table linked_vulnerability (
  tenant_id bigint not null,
  tracker_id uuid not null,
  vulnerability_id uuid not null,
  issue_id uuid not null,
  primary key (tenant_id, tracker_id, vulnerability_id),
  foreign key (tenant_id, issue_id) references linked_issue (tenant_id, id) on delete cascade
);
create index linked_vulnerability_issue on linked_vulnerability (tenant_id, issue_id);
create index linked_vulnerability_of on linked_vulnerability (tenant_id, vulnerability_id);

-- Statistics -------------------------------------------------------------------------------------------------------
-- An import writes rows of these tables for each finding. PostgreSQL analyses a table after a tenth of it has changed, so
-- a new workspace could hold a tenth of all rows before the planner knows it. Until then the planner expects one row of
-- the workspace, and each batch of an import would read all of them. Nearly all of them also have rows deleted or replaced
-- every day, and PostgreSQL vacuums a table after a fifth of its rows. With many millions of rows that would be months, in
-- which counts by an index read the rows as well.
do $$
declare
  name text;
begin
  foreach name in array array['vulnerability', 'vulnerability_reference', 'vulnerability_location', 'location_observation',
    'vulnerability_reporter', 'vulnerability_evidence', 'vulnerability_description', 'vulnerability_event', 'search_text',
    'search_term', 'artifact', 'open_group', 'policy_violation', 'violation_reference', 'package', 'package_term',
    'package_version', 'manifest_package']
  loop
    execute format('alter table %I set (autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000,
      autovacuum_vacuum_scale_factor = 0.02)', name);
  end loop;
end
$$;

-- Row-level security -----------------------------------------------------------------------------------------------
-- Every table with a tenant shows a transaction only the rows of its own tenant. The setting is local to the
-- transaction; without it no row is visible. A subquery reads the setting, so that it is read once for a statement and
-- not for each row that is written. Only the tables of keys have no row-level security, because a request looks a key
-- up before it knows its tenant.
do $$
declare
  name text;
begin
  for name in
    select c.table_name from information_schema.columns c
     where c.table_schema = 'public' and c.column_name = 'tenant_id'
       and c.table_name not in ('api_key', 'api_key_tenant')
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy tenant on %I using (tenant_id = (select nullif(current_setting(''merlon.tenant_id'', true), '''')::bigint))',
      name);
  end loop;
end
$$;

-- A signed-in person may read their own memberships before they choose a workspace.
create policy own on member for select
  using (user_id = nullif(current_setting('merlon.user_id', true), '')::uuid);
