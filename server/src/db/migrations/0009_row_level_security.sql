-- The tables since 0004: the same policy as theirs.
do $$
declare
  name text;
begin
  foreach name in array array[
    'vulnerability_identity', 'pending_merge', 'vex_statement', 'manifest', 'package', 'package_version',
    'manifest_package', 'intel_change'
  ] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy tenant on %I using (tenant_id = nullif(current_setting(''merlon.tenant_id'', true), '''')::uuid)',
      name);
  end loop;
end
$$;
