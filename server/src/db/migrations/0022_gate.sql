-- A verdict needs a run of a scanner that succeeded and looked at something.

-- How the run ended: a run that failed, or looked at nothing, is no evidence that anything is clean.
alter table scan_stream add column outcome text not null default 'succeeded'
  check (outcome in ('succeeded', 'failed', 'looked_at_nothing'));
-- The series had a newer report already when this one came: it opened, closed and reopened nothing.
alter table scan_stream add column late boolean not null default false;

-- The report time of the newest run that succeeded; null until there is one, and until then the reference has no verdict.
alter table stream add column succeeded_at timestamptz;
update stream set succeeded_at = last_scanned_at;
drop index stream_last_scanned;
create index stream_succeeded on stream (tenant_id, succeeded_at);

-- The base of a pull request decides which violations count, so a reference keeps who named its base, and whether it was ever
-- tracked.
alter table reference add column once_tracked boolean not null default false;
update reference set once_tracked = tracked;
-- A key that may decide where a policy blocks named the base: then it need not be a tracked reference.
alter table reference add column base_approved boolean not null default false;
