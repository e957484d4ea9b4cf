-- Signing in at the console: sessions, ways to sign in, one-time values. The columns are what the sign-in library
-- keeps. Tables of the install, without row-level security: a request reads them before it knows its tenant.

alter table user_account
  add column email_verified boolean not null default false,
  add column image text,
  add column operator boolean not null default false; -- may make workspaces

create table user_session (
  id uuid primary key,
  user_id uuid not null references user_account (id) on delete cascade,
  token text collate "C" not null unique, -- the cookie is this and a signature
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(), -- the sign-in
  updated_at timestamptz not null default now()
);
create index user_session_user on user_session (user_id);

-- A password (provider "credential") or an identity at an OpenID Connect provider.
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
insert into user_credential (id, user_id, provider_id, account_id, password, updated_at)
  select gen_random_uuid(), user_id, 'credential', user_id, hash, updated_at from user_password;
drop table user_password;

create table user_verification (
  id uuid primary key,
  identifier text collate "C" not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index user_verification_identifier on user_verification (identifier);

-- Who was asked into a workspace, by a link that is shown once.
create table invitation (
  tenant_id uuid not null references tenant (id),
  id uuid not null,
  email text collate "C" not null, -- lower case
  role smallint not null check (role between 0 and 2),
  secret_sha256 bytea not null check (length(secret_sha256) = 32),
  invited_by uuid references user_account (id),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index invitation_open on invitation (tenant_id, email)
  where accepted_at is null and withdrawn_at is null;
