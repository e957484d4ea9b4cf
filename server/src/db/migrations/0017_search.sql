-- The words of `q` are those of the title and of the package. A compound is found from each of its parts on.
alter table title_word rename to search_word;
alter table search_word rename column title_key to search_key;
alter table search_word rename constraint title_word_pkey to search_word_pkey;
alter table vulnerability rename column title_key to search_key;
alter index vulnerability_title rename to vulnerability_search;

do $$
declare
  workspace uuid;
  before text := current_setting('merlon.tenant_id', true);
  -- What is a letter, and its small form: in any script, where the server knows.
  unicode name := coalesce(
    (select collname from pg_collation
      where collname in ('pg_unicode_fast', 'pg_c_utf8', 'und-x-icu')
      order by array_position(array['pg_unicode_fast', 'pg_c_utf8', 'und-x-icu']::name[], collname) limit 1),
    'default');
begin
  -- Row-level security holds for who migrates too: one workspace after another.
  for workspace in select id from tenant loop
    perform set_config('merlon.tenant_id', workspace::text, true);
    delete from search_word where tenant_id = workspace;
    update vulnerability
       set search_key = encode(substr(sha256(convert_to(title || E'\n' || package, 'UTF8')), 1, 16), 'hex')::uuid
     where tenant_id = workspace and package is not null;
    execute format($words$
      with recursive found as (
        select distinct search_key,
               replace(replace(lower(normalize(concat_ws(E'\n', package, title), NFKC) collate %1$I), '%%40', '@'), 'pkg:', '') as text
          from vulnerability where tenant_id = $1),
      piece as (
        select f.search_key, rtrim(m.word[1], '._@/-') as word
          from found f, regexp_matches(f.text collate %1$I, '[[:alnum:]][[:alnum:]._@/-]*', 'g') as m (word)
        union all
        select search_key, regexp_replace(word, '^[^._@/-]*[._@/-]+', '') from piece where word ~ '[._@/-]')
      insert into search_word (tenant_id, word, search_key)
      select $1, left(word, 64), search_key from piece where length(word) >= 3
      on conflict do nothing
    $words$, unicode) using workspace;
  end loop;
  perform set_config('merlon.tenant_id', coalesce(before, ''), true);
end
$$;
