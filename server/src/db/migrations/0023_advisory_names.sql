-- Names of advisories: who taught them, where they count, and which vulnerabilities were joined by them.

-- A name that a key may teach which decides nothing counts in its repository alone; the nil id stands for the workspace.
alter table advisory_alias add column id uuid not null default gen_random_uuid();
alter table advisory_alias add column repository_id uuid not null default '00000000-0000-0000-0000-000000000000';
alter table advisory_alias add column state text not null default 'joins'
  -- ambiguous: it was said to be another name of two CVEs; forgotten: an admin took it away. Neither joins anything.
  check (state in ('joins', 'ambiguous', 'forgotten'));
update advisory_alias set state = 'ambiguous' where ambiguous;
alter table advisory_alias drop column ambiguous;
alter table advisory_alias rename column created_at to learned_at;
alter table advisory_alias alter column id drop default, alter column learned_at drop default;
alter table advisory_alias add column taught_by uuid; -- null: the operator
alter table advisory_alias add column scan_id uuid;
alter table advisory_alias drop constraint advisory_alias_pkey;
alter table advisory_alias add primary key (tenant_id, alias, repository_id);
create unique index advisory_alias_id on advisory_alias (tenant_id, id);

-- Names, other than its own advisory, under which findings were joined to a vulnerability. A decision covers those that
-- joined before it was made.
create table vulnerability_joined_name (
  tenant_id uuid not null references tenant (id),
  vulnerability_id uuid not null,
  name text collate "C" not null,
  joined_at timestamptz not null,
  primary key (tenant_id, vulnerability_id, name)
);
create index vulnerability_joined_name_name on vulnerability_joined_name (tenant_id, name);

-- When a person decided last; null unless the decision is a person's.
alter table vulnerability add column decided_at timestamptz;
update vulnerability set decided_at = now() where decided_by = 0;
-- When the statement came, whatever it says of its own age.
alter table vex_statement add column received_at timestamptz not null default now();
alter table vex_statement alter column received_at drop default;

alter table vulnerability_joined_name enable row level security;
alter table vulnerability_joined_name force row level security;
create policy tenant on vulnerability_joined_name
  using (tenant_id = nullif(current_setting('merlon.tenant_id', true), '')::uuid);
