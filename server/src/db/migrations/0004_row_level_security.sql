-- Every tenant table shows a transaction the rows of its own tenant and no others. The setting is local to the
-- transaction; without it there is nothing to see. The condition is plain, so that it serves as an index condition.
do $$
declare
  name text;
begin
  foreach name in array array[
    'member', 'organization', 'repository', 'application', 'application_repository', 'reference', 'audit_event',
    'stream', 'scan', 'scan_report', 'scan_stream', 'advisory_alias', 'artifact', 'vulnerability',
    'vulnerability_reference', 'vulnerability_detail', 'vulnerability_reporter', 'vulnerability_location',
    'location_sighting', 'vulnerability_event', 'vulnerability_comment', 'vulnerability_redirect', 'title_word',
    'vulnerability_count'
  ] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy tenant on %I using (tenant_id = nullif(current_setting(''merlon.tenant_id'', true), '''')::uuid)',
      name);
  end loop;
end
$$;

-- Whoever is signed in may read in which workspaces they are, before one is chosen.
create policy own on member for select
  using (user_id = nullif(current_setting('merlon.user_id', true), '')::uuid);
