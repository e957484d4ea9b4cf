-- Waiting reports: how large they are, for the bound of a workspace, and whether one is being worked on, for its turn.
alter table scan add column report_bytes bigint not null default 0; -- decompressed; 0 of those that came before
create index scan_unfinished on scan (tenant_id, status, report_bytes) where status < 2;
