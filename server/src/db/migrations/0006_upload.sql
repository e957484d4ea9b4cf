-- Uploads: what is told with a report, how far it is, and what a guard holds.
alter table scan
  add column asked_format text not null default 'auto', -- format is the recognised one, once it is
  add column base_ref text,
  add column environment text,
  add column default_branch text, -- given with the report: the repository's from then on
  add column decides boolean not null default false, -- whoever sent it may decide about vulnerabilities
  add column progress jsonb, -- while it runs: {step, done, total}
  add column idempotency_digest bytea, -- of the parameters that came with the key
  alter column source drop not null; -- null: as the report itself says
alter table scan alter column source drop default;
create unique index scan_idempotency on scan (tenant_id, idempotency_key) where idempotency_key is not null;

-- A sighting that the guard holds: its scan did not show it, and nobody has said yet that it is gone.
alter table location_sighting add column held boolean not null default false;
create index location_sighting_held on location_sighting (tenant_id, stream_id) where held;
alter table stream add column held_scan_id uuid;
create index stream_repository on stream (tenant_id, repository_id, id);

-- Pieces are written while they arrive, before their scan: those that no scan ever claimed are swept by this time.
alter table scan_report add column created_at timestamptz not null default now();
create index scan_report_created on scan_report (tenant_id, created_at);
