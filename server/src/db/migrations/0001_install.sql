-- Tables of the install: workspaces, people, keys. They carry no row-level security: a request reads them
-- before it knows its tenant.

create table tenant (
  id uuid primary key,
  slug text collate "C" not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$' and slug <> 'tenants'),
  name text not null check (length(name) between 1 and 255),
  settings jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table user_account (
  id uuid primary key,
  -- Lower case, written by the application: comparing without case needs no function in the condition.
  email text collate "C" not null unique,
  name text not null,
  kind smallint not null check (kind between 0 and 1), -- 0 user, 1 service (the actor of a workspace key)
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table user_password (
  user_id uuid primary key references user_account (id) on delete cascade,
  hash text not null,
  updated_at timestamptz not null default now()
);

create table api_key (
  id uuid primary key,
  kind smallint not null check (kind between 0 and 1), -- 0 personal, 1 workspace
  user_id uuid not null references user_account (id),
  tenant_id uuid references tenant (id), -- workspace keys only
  role smallint check (role between 0 and 2), -- workspace keys only
  name text not null check (length(name) between 1 and 255),
  secret_sha256 bytea not null unique check (length(secret_sha256) = 32),
  last_four text not null,
  scopes text[] not null,
  restricted boolean not null default false, -- to the workspaces in api_key_tenant, even when none is left
  expires_at timestamptz,
  disabled_at timestamptz,
  last_used_at timestamptz,
  last_used_address text,
  made_by uuid references user_account (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((kind = 1) = (tenant_id is not null)),
  check ((kind = 1) = (role is not null)),
  check (kind = 0 or not restricted)
);
create index api_key_user on api_key (user_id);
create index api_key_workspace on api_key (tenant_id) where tenant_id is not null;

create table api_key_tenant (
  api_key_id uuid not null references api_key (id) on delete cascade,
  tenant_id uuid not null references tenant (id) on delete cascade,
  primary key (api_key_id, tenant_id)
);

-- Requests per key and failed authentications per address, where several nodes share the database. The columns
-- are the limiter library's.
create unlogged table rate_limit (
  key text collate "C" primary key,
  points integer not null default 0,
  expire bigint
);
