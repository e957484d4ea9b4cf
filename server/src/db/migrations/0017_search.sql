-- The words of `q` are those of the title and of the package. A compound is found from each of its parts on.
alter table title_word rename to search_word;
alter table search_word rename column title_key to search_key;
alter table search_word rename constraint title_word_pkey to search_word_pkey;
alter table vulnerability rename column title_key to search_key;
alter index vulnerability_title rename to vulnerability_search;

-- Row-level security holds for who migrates too: one workspace after another.
do $$
declare
  workspace uuid;
  before text := current_setting('merlon.tenant_id', true);
begin
  for workspace in select id from tenant loop
    perform set_config('merlon.tenant_id', workspace::text, true);
    delete from search_word where tenant_id = workspace;
    update vulnerability
       set search_key = encode(substr(sha256(convert_to(
             title || E'\n' || replace(package, '%40', '@'), 'UTF8')), 1, 16), 'hex')::uuid
     where tenant_id = workspace and package is not null;
    with recursive found as (
      select distinct search_key, lower(normalize(concat_ws(E'\n', title, replace(package, '%40', '@')), NFKC)) as text
        from vulnerability where tenant_id = workspace),
    piece as (
      select f.search_key, rtrim(m.word[1], '._@/-') as word
        from found f, regexp_matches(f.text, '[^[:space:][:punct:]][^[:space:]!"#$%&''()*+,:;<=>?[\\\]^`{|}~]*', 'g') as m (word)
      union
      select search_key, regexp_replace(word, '^[^._@/-]*[._@/-]+', '') from piece where word ~ '[._@/-]')
    insert into search_word (tenant_id, word, search_key)
    select workspace, left(word, 64), search_key from piece where length(word) >= 3
    on conflict do nothing;
  end loop;
  perform set_config('merlon.tenant_id', coalesce(before, ''), true);
end
$$;
