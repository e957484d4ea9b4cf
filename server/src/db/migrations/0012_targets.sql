-- What policies can be about beside vulnerabilities and packages.

-- What a stream looks for (numbers of vulnerability types), and the image that it has scanned last.
alter table stream drop column analysis_type;
alter table stream
  add column analysis_types smallint[] not null default '{}',
  add column asset_id uuid,
  add column asset_tag text;

-- Container images that reports are about: the name with its registry, without tag and digest.
create table asset (
  tenant_id uuid not null references tenant (id),
  id uuid not null,
  name text collate "C" not null,
  type smallint not null, -- 0 container image
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, type, name)
);

-- Whether, and when, a repository's default branch was looked at for one type of problem.
create table analysis (
  tenant_id uuid not null references tenant (id),
  id uuid not null,
  repository_id uuid not null,
  type smallint not null, -- number of the vulnerability type
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, repository_id, type)
);

-- Settings of the repository at its VCS, as an inventory file tells them.
create table provider_setting (
  tenant_id uuid not null references tenant (id),
  id uuid not null,
  repository_id uuid not null,
  name text collate "C" not null,
  value text not null,
  manual_override boolean not null default false, -- a person vouches for it, whatever the provider says
  changed_at timestamptz not null, -- since when it has this value
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, repository_id, name)
);

-- The package manager's own word: yarn, where type is npm. Null of what came before.
alter table manifest add column kind text;

-- Whoever sent the report may decide even what a policy blocks.
alter table scan add column decides_blocking boolean not null default false;

-- Somebody who may decide even what a policy blocks has decided so: an admin, the operator, a file that one of them sent.
-- Policies that block go on asking about the rest.
alter table vulnerability add column decision_binds boolean not null default true;
alter table vex_statement add column binds boolean not null default true;
alter table vulnerability_reporter add column waiver_binds boolean not null default true;
alter table vulnerability_reporter alter column waiver_binds set default false;

-- The number that a stream had reached at a moment.
create index scan_stream_seq on scan_stream (tenant_id, stream_id, seq);
create index stream_last_scanned on stream (tenant_id, last_scanned_at);
