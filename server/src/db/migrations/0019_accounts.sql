-- A key of an account whose address nobody has proved opens the workspaces in which its owner was a member when it was
-- made, and no others. What the owner has joined since stays closed to it.
alter table member no force row level security;
insert into api_key_tenant (api_key_id, tenant_id)
  select k.id, m.tenant_id
    from api_key k
    join user_account u on u.id = k.user_id
    join member m on m.user_id = u.id and m.created_at <= k.created_at
   where k.kind = 0 and not k.restricted and not u.email_verified;
update api_key k set restricted = true
  from user_account u
 where u.id = k.user_id and k.kind = 0 and not k.restricted and not u.email_verified;
alter table member force row level security;

-- An identity at an OpenID Connect provider is its issuer, a "#", which no issuer has, and its subject there. Those that
-- are stored have no issuer yet, and open nothing until the operator names it: merlond user issuer.
update user_credential set account_id = '#' || account_id where provider_id <> 'credential';
