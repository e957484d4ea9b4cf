-- Tables of a workspace that people edit: members, inventory, references, the audit log.

create table member (
  tenant_id uuid not null references tenant (id),
  user_id uuid not null references user_account (id),
  role smallint not null check (role between 0 and 2), -- 0 viewer, 1 member, 2 admin
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, user_id)
);
create index member_user on member (user_id);

create table organization (
  tenant_id uuid not null references tenant (id),
  id uuid not null,
  name text not null,
  full_path text not null,
  path_key text collate "C" not null, -- full_path in lower case
  type smallint not null,
  external_id text collate "C" not null,
  orphaned boolean not null default false,
  description text,
  parent_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, path_key),
  foreign key (tenant_id, parent_id) references organization (tenant_id, id)
);

create table repository (
  tenant_id uuid not null references tenant (id),
  id uuid not null,
  organization_id uuid not null,
  name text not null,
  full_name text not null,
  name_key text collate "C" not null, -- full_name in lower case
  source smallint not null,
  external_id text collate "C" not null,
  is_private boolean not null default true,
  is_archived boolean not null default false,
  is_enabled boolean not null default true,
  is_monorepo boolean not null default false,
  default_reference_id uuid,
  default_guessed boolean not null default true,
  last_scanned_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, name_key),
  unique (tenant_id, source, external_id),
  foreign key (tenant_id, organization_id) references organization (tenant_id, id)
);
create index repository_organization on repository (tenant_id, organization_id, id);
create index repository_source on repository (tenant_id, source, id);

create table application (
  tenant_id uuid not null references tenant (id),
  id uuid not null,
  name text not null,
  name_key text collate "C" not null,
  description text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, name_key)
);

create table application_repository (
  tenant_id uuid not null,
  application_id uuid not null,
  repository_id uuid not null,
  primary key (tenant_id, application_id, repository_id),
  foreign key (tenant_id, application_id) references application (tenant_id, id) on delete cascade,
  foreign key (tenant_id, repository_id) references repository (tenant_id, id) on delete cascade
);
create index application_repository_repository on application_repository (tenant_id, repository_id);

create table reference (
  tenant_id uuid not null references tenant (id),
  id uuid not null,
  repository_id uuid not null,
  full_ref text collate "C" not null, -- refs/heads/main, refs/tags/v1, refs/pull/7/head
  type smallint not null, -- 0 branch, 1 tag, 2 pull request
  head_sha text collate "C",
  base_ref text,
  base_sha text,
  is_default boolean not null default false,
  tracked boolean not null default false, -- the default branch always is
  active boolean not null default true, -- tracked, or scanned within 30 days
  environment_key text,
  last_scanned_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, repository_id, full_ref),
  foreign key (tenant_id, repository_id) references repository (tenant_id, id)
);
create unique index reference_default on reference (tenant_id, repository_id) where is_default;
-- What may go quiet: read by the sweep.
create index reference_quiet on reference (tenant_id, last_scanned_at) where active and not tracked;

create table audit_event (
  tenant_id uuid not null references tenant (id),
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
