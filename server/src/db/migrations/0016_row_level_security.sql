-- The tables since 0013: the same policy as theirs.
do $$
declare
  name text;
begin
  foreach name in array array['invitation', 'vulnerability_day'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy tenant on %I using (tenant_id = nullif(current_setting(''merlon.tenant_id'', true), '''')::uuid)',
      name);
  end loop;
end
$$;
