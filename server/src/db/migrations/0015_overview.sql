-- What overviews and lists over the whole workspace read.

-- What became of vulnerabilities on each day, by their own status: the trend is the counters of today, walked back.
-- Written with the counters, in the same order.
create table vulnerability_day (
  tenant_id uuid not null,
  scope smallint not null, -- 0 workspace, 1 repository
  key text collate "C" not null, -- '', repository id
  day date not null, -- UTC
  severity smallint not null,
  introduced integer not null default 0, -- new
  opened integer not null default 0, -- became open: new, come back, or another severity
  closed integer not null default 0, -- is open no more, for whatever reason
  fixed integer not null default 0,
  fix_seconds bigint not null default 0, -- of the fixed ones, from when they were vulnerable
  primary key (tenant_id, scope, key, day, severity)
);

create index policy_violation_due on policy_violation (tenant_id, bucket, due_at, id) include (policy_id);

create index audit_event_actor on audit_event (tenant_id, actor_id, id);
create index audit_event_action on audit_event (tenant_id, action, id);
