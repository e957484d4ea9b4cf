-- Policies, where they apply, what meets them, and who made an exception. Only evaluation writes violations, in sets:
-- they carry no foreign keys.

create table policy (
  tenant_id uuid not null references tenant (id),
  id uuid not null,
  key text collate "C" not null check (key ~ '^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$'),
  name text not null check (length(name) between 1 and 255),
  type smallint not null check (type between 0 and 1), -- 0 custom, 1 builtin
  status smallint not null check (status between 0 and 2), -- 0 active, 1 draft, 2 disabled
  target_type smallint not null check (target_type between 0 and 7),
  enforcement_mode smallint not null check (enforcement_mode between 1 and 3), -- 1 monitor, 2 warn, 3 block
  severity smallint check (severity between 0 and 5),
  config jsonb,
  condition jsonb not null,
  actions jsonb not null default '{}',
  -- Grows with every change of what decides; the whole workspace has been asked by the evaluated one.
  revision integer not null default 1,
  evaluated_revision integer not null default 0,
  progress jsonb, -- of a running evaluation: {done, total}, in repositories
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, key)
);

create table policy_rule (
  tenant_id uuid not null,
  id uuid not null,
  policy_id uuid not null,
  type smallint not null check (type between 0 and 3), -- 0 workspace, 1 org, 2 application, 3 repo: by distance
  scope_id uuid not null,
  excludes boolean not null default false,
  enforcement_mode smallint check (enforcement_mode between 1 and 3),
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, policy_id, type, scope_id),
  foreign key (tenant_id, policy_id) references policy (tenant_id, id) on delete cascade
);

-- An exception, asked for or approved: of one violation, or of a policy in a repository.
create table policy_override (
  tenant_id uuid not null references tenant (id),
  id uuid not null,
  policy_id uuid not null,
  repository_id uuid not null,
  violation_id uuid, -- null: of the policy in the whole repository
  mode smallint not null check (mode between 0 and 1), -- 0 exempt, 1 downgrade
  enforcement_mode smallint check (enforcement_mode between 1 and 2),
  status smallint not null check (status between 0 and 4), -- 0 requested, 1 approved, 2 refused, 3 withdrawn, 4 ended
  reason text not null,
  requested_by uuid not null,
  requested_for uuid, -- who made the workspace key that asked
  reviewed_by uuid,
  reviewed_at timestamptz,
  review_reason text,
  ends_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, policy_id) references policy (tenant_id, id),
  foreign key (tenant_id, repository_id) references repository (tenant_id, id),
  check ((mode = 1) = (enforcement_mode is not null))
);
-- One that stands or waits, for each thing that it can be about.
create unique index policy_override_violation on policy_override (tenant_id, violation_id)
  where violation_id is not null and status < 2;
create unique index policy_override_policy on policy_override (tenant_id, repository_id, policy_id)
  where violation_id is null and status < 2;
create index policy_override_status on policy_override (tenant_id, status, id);
create index policy_override_ends on policy_override (tenant_id, ends_at) where status < 2 and ends_at is not null;

-- One target of one repository that meets one policy's condition, or did.
create table policy_violation (
  tenant_id uuid not null references tenant (id),
  id uuid not null,
  repository_id uuid not null,
  policy_id uuid not null,
  target_type smallint not null,
  target_id uuid not null,
  bucket smallint not null, -- status, enforcement in force, target type, snoozed
  severity smallint not null, -- the highest rank since the clock began to run
  reference_id uuid not null, -- shown: the default branch if it matches there, else the latest match
  rule_id uuid,
  override_id uuid,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  started_at timestamptz not null, -- of the time to fix
  tracked boolean not null, -- it has matched on a tracked reference since then
  due_at timestamptz not null,
  resolved_at timestamptz,
  snoozed_until timestamptz,
  snooze_count smallint not null default 0,
  snooze_binds boolean not null default false, -- an admin's: it holds where the policy blocks too
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index policy_violation_target on policy_violation (tenant_id, repository_id, target_id, policy_id);
create index policy_violation_list on policy_violation (tenant_id, repository_id, bucket, due_at, id)
  include (policy_id);
create index policy_violation_policy on policy_violation (tenant_id, policy_id, repository_id);
create index policy_violation_snoozed on policy_violation (tenant_id, snoozed_until)
  where snoozed_until is not null and resolved_at is null;

-- Where it matches, or did.
create table violation_reference (
  tenant_id uuid not null,
  violation_id uuid not null,
  reference_id uuid not null, -- of a repository without any reference: the repository's id
  repository_id uuid not null,
  policy_id uuid not null,
  bucket smallint not null, -- as the violation's; resolved where it does not match any more
  due_at timestamptz not null,
  matched_at timestamptz not null,
  cleared_at timestamptz,
  primary key (tenant_id, violation_id, reference_id)
);
create index violation_reference_list on violation_reference (tenant_id, reference_id, bucket, due_at, violation_id)
  include (policy_id);

-- The lock of a repository's evaluation: taken last in a transaction, so that each sees what the other has written.
create table repository_evaluation (
  tenant_id uuid not null,
  repository_id uuid not null,
  evaluated_at timestamptz not null,
  pending boolean not null default false, -- it bears another name, say: all of it is to be asked about
  primary key (tenant_id, repository_id)
);
create index repository_evaluation_pending on repository_evaluation (tenant_id, repository_id) where pending;

-- Up to which moment what becomes due by the clock has been asked.
create table policy_clock (
  tenant_id uuid primary key references tenant (id),
  swept_until timestamptz not null
);

create index audit_event_target on audit_event (tenant_id, target_id, id) where target_id is not null;
