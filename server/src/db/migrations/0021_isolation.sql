-- The staging table of the import gets the policy of every other tenant table: keys are staged by INSERT, which
-- row-level security allows, unlike COPY.
alter table import_key enable row level security;
alter table import_key force row level security;
create policy tenant on import_key
  using (tenant_id = nullif(current_setting('merlon.tenant_id', true), '')::uuid);

-- A workspace that `merlond doctor isolation` has made and may delete. No route sets it.
alter table tenant add column canary boolean not null default false;
