-- The tables since 0009: the same policy as theirs.
do $$
declare
  name text;
begin
  foreach name in array array[
    'policy', 'policy_rule', 'policy_override', 'policy_violation', 'violation_reference', 'repository_evaluation',
    'policy_clock', 'asset', 'analysis', 'provider_setting'
  ] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy tenant on %I using (tenant_id = nullif(current_setting(''merlon.tenant_id'', true), '''')::uuid)',
      name);
  end loop;
end
$$;
