-- One vulnerability under several identities, and who has decided about it.

-- Further identities by which a vulnerability is known: of those merged into it, of a masked secret that was seen
-- bare later. `pinned`: a person has split these findings off, and they stay with it.
create table vulnerability_identity (
  tenant_id uuid not null references tenant (id),
  repository_id uuid not null,
  identity bytea not null check (length(identity) = 32),
  vulnerability_id uuid not null,
  pinned boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (tenant_id, repository_id, identity)
);
create index vulnerability_identity_vulnerability on vulnerability_identity (tenant_id, vulnerability_id);
create index vulnerability_identity_pinned on vulnerability_identity (tenant_id, repository_id) where pinned;

-- The history of a merged one is read by its former ids.
create index vulnerability_redirect_vulnerability on vulnerability_redirect (tenant_id, vulnerability_id);

-- Two CVEs have been called the same by this alias: it joins nothing any more.
alter table advisory_alias add column ambiguous boolean not null default false;
create index vulnerability_advisory on vulnerability (tenant_id, advisory) where advisory is not null;

-- Repositories with vulnerabilities that an alias, learned elsewhere, makes the same.
create table pending_merge (
  tenant_id uuid not null references tenant (id),
  repository_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, repository_id)
);

-- Whose word the status is: 0 a person's (who may have said "open" too), 1 a VEX document's, 2 a suppression's.
alter table vulnerability add column decided_by smallint check (decided_by between 0 and 2);
update vulnerability set decided_by = 0 where (bucket >> 4 & 7) in (2, 3, 4);

-- What VEX documents say in a repository: the newest word for each advisory, package and version ('' is any).
create table vex_statement (
  tenant_id uuid not null references tenant (id),
  repository_id uuid not null,
  advisory text collate "C" not null,
  package text collate "C" not null,
  version text collate "C" not null,
  status smallint not null,
  reason text,
  stated_at timestamptz not null,
  reference_id uuid not null,
  scan_id uuid not null,
  decides boolean not null, -- it came for a tracked reference by somebody who may decide
  primary key (tenant_id, repository_id, advisory, package, version)
);

-- A stream's ignore file, or its tool's own review, has waived the vulnerability. Where it may not decide, it is shown
-- as a suggestion.
alter table vulnerability_reporter
  add column waived boolean not null default false,
  add column waiver_reason text,
  add column waived_until timestamptz,
  add column waiver_decides boolean not null default false;
create index vulnerability_reporter_waived on vulnerability_reporter (tenant_id, stream_id) where waived;
