/**
 * Fills a workspace with the rows that imports would have written, by set-based SQL as the owner, whom row-level
 * security does not restrict. All values come from a hash of the row's number, so the same size gives the same data,
 * except for the last day of its history. The benchmarks and the tests of query plans use it.
 *
 * It bypasses the rules of the service, so use it only for a new workspace of a benchmark or test.
 */

import { hash } from 'node:crypto';
import type pg from 'pg';
import { isTenantId, isUuid, nilId, uuidOfDigest } from '../server/src/domain/ids.ts';
import {
  packState,
  type Status,
  severities,
  sqlIsOpen,
  sqlIsOpenIn,
  sqlSeverity,
  type Traits,
} from '../server/src/domain/packed-state.ts';
import { dayMs } from '../server/src/domain/time.ts';
import { sqlReferenceNameKey } from '../server/src/vulnerabilities/counter-key.ts';
import { sqlEpssBand } from '../server/src/vulnerabilities/epss-band-store.ts';
import { type CountedScope, counterKeys } from '../server/src/vulnerabilities/scope.ts';
import { searchKey, searchRowsOf } from '../server/src/vulnerabilities/search-terms.ts';
import { type PoolTitle, poolTitles, tools } from './titles.ts';

export interface SeedOptions {
  tenantId: string;
  /** Members of the workspace; a twentieth of the vulnerabilities is assigned among them. */
  userIds: string[];
  vulnerabilities: number;
  /** The default is 500, as in the published figures. */
  repositories?: number;
  /**
   * Drops the indexes that no constraint needs and creates them again at the end, which is faster from about 200
   * thousand rows on.
   */
  rebuildIndexes: boolean;
  /** False leaves VACUUM ANALYZE to the caller. */
  vacuum?: boolean;
  log?: (message: string) => void;
}

/** The tables that grow with the vulnerabilities. */
const bigTables = [
  'vulnerability',
  'vulnerability_reference',
  'vulnerability_location',
  'location_observation',
  'vulnerability_reporter',
] as const;

// The key of counters in the scopes that have only this one, as SQL.
const nilKey = `'${nilId}'::uuid`;
const organizationCount = 20;
const defaultRepositories = 500;
const maxTitles = 20_000;
// The scans of each series over the three years.
const scansPerSeries = 13;
const spanMs = 3 * 365 * dayMs;
// One scan adds this many findings to a repository. Their rows are adjacent in the tables, as after an import.
const findingsPerScan = 20;

const baseTraits: Traits = {
  severity: 'unknown',
  type: 'other',
  status: 'open',
  reach: 'tracked',
  source: 'current',
  confirmed: false,
  triaged: false,
  assigned: false,
  fixKnown: false,
};

// Returns the bits of one trait in the packed state. They can be added, because each trait has its own bits.
const bitsOf = (trait: Partial<Traits>): number =>
  packState({ ...baseTraits, ...trait }) - packState(baseTraits);
const statusBits = (status: Status): number => bitsOf({ status });
const titleBits = ({ severity, type, fixVersion }: PoolTitle): number =>
  bitsOf({ severity }) + bitsOf({ type }) + bitsOf({ fixKnown: fixVersion !== null });

/**
 * Fills the workspace in one transaction, then runs VACUUM ANALYZE. The workspace and its members must be committed.
 */
export async function seedWorkspace(client: pg.ClientBase, options: SeedOptions): Promise<void> {
  const { tenantId, vulnerabilities, log = () => {} } = options;
  if (!isTenantId(tenantId) || !options.userIds.every(isUuid)) throw new TypeError('not an id');
  if (!Number.isSafeInteger(vulnerabilities) || vulnerabilities < 1) throw new RangeError('vulnerabilities');
  await client.query('begin');
  try {
    await client.query("set local work_mem = '256MB'; set local synchronous_commit = off");
    const indexes = options.rebuildIndexes ? await dropIndexes(client) : [];
    await insertTitlePool(client, tenantId, Math.min(maxTitles, Math.ceil(vulnerabilities / 5)));
    const steps = [
      ...inventory(options),
      ...findings(options),
      ...counters(tenantId),
      ...openGroups(tenantId),
      // One of many small workspaces changes little of the statistics, and to renew them would take longer than its
      // rows.
      ...(options.vacuum === false ? [] : [statistics]),
      ...days(tenantId),
    ];
    for (const { name, sql } of steps) {
      const started = performance.now();
      const result = await client.query(sql);
      log(`${name}: ${result.rowCount} rows, ${seconds(started)}`);
    }
    for (const definition of indexes) {
      const started = performance.now();
      await client.query(definition);
      log(`${/^create (?:unique )?index (\S+)/i.exec(definition)?.[1]}: ${seconds(started)}`);
    }
    await client.query('drop table bench_title, bench_repository, bench_reference, bench_series');
    await client.query('drop table bench_finding, bench_location');
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
  if (options.vacuum === false) return;
  const started = performance.now();
  await client.query('vacuum (analyze)');
  log(`vacuum: ${seconds(started)}`);
}

function seconds(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}

async function dropIndexes(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
       from pg_index i where i.indrelid::regclass::text = any($1)
        and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)`,
    [bigTables],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map((row) => row.definition);
}

async function insertTitlePool(client: pg.ClientBase, tenantId: string, count: number): Promise<void> {
  await client.query(`create temp table bench_title (
    number integer primary key, title text, description_key uuid, search_key bigint, bits integer, severity text, tool integer,
    is_secret boolean, rule text, advisory text, package text, fix_version text)`);
  const pool = poolTitles(count);
  const rows = pool.map((entry: PoolTitle, number) => ({
    number,
    title: entry.title,
    description_key: uuidOfDigest(hash('sha256', `description ${number}`, 'hex')),
    search_key: searchKey(entry),
    bits: titleBits(entry),
    severity: entry.severity,
    tool: entry.tool,
    is_secret: entry.type === 'secret',
    rule: entry.rule,
    advisory: entry.advisory,
    package: entry.package,
    fix_version: entry.fixVersion,
  }));
  await client.query(
    'insert into bench_title select * from json_populate_recordset(null::bench_title, $1::json)',
    [JSON.stringify(rows)],
  );
  const { texts, terms } = searchRowsOf(pool);
  await client.query(
    `insert into search_text (tenant_id, text_key, search_key)
     select $1, w.text_key, w.search_key from json_populate_recordset(null::search_text, $2::json) w
      order by w.text_key, w.search_key on conflict do nothing`,
    [tenantId, JSON.stringify(texts)],
  );
  await client.query(
    `insert into search_term (tenant_id, term, text_key)
     select $1, w.term, w.text_key from json_populate_recordset(null::search_term, $2::json) w
      order by w.term collate "C", w.text_key on conflict do nothing`,
    [tenantId, JSON.stringify(terms)],
  );
  await client.query(
    `insert into vulnerability_description (tenant_id, key, description, links)
     select $1, description_key, 'What the tool says of it: ' || title || '. Update, or change the code.',
            array['https://advisories.example/' || rule] from bench_title order by description_key`,
    [tenantId],
  );
  await client.query('analyze bench_title');
  // About 8 % of the scores are above 0.1, as in the real feed.
  await client.query(
    `insert into epss (cve, score, percentile)
     select cve, power(0.3 + 0.7 * mod(abs(hashtext(cve)::bigint), 10007) / 10007.0, 40), 0.5
       from (select advisory as cve from bench_title where advisory is not null
             union select 'CVE-2014-' || n from generate_series(10000, 209999) n
                    where not exists (select from epss where epss.cve = 'CVE-2014-10000')) known
     on conflict do nothing`,
  );
}

interface Step {
  name: string;
  sql: string;
}

// SQL for a pseudo-random number in [0, 1) from a bigint expression. Different salts give independent numbers.
function random(expression: string, salt: number): string {
  return `((hashint8extended((${expression})::bigint, ${salt}) & 1048575) / 1048576.0::float8)`;
}

// SQL for the UUIDv7 of a row, from its time (a timestamptz) and its number.
function id(tenantId: string, kind: string, at: string, number: string): string {
  const digest = `md5('${tenantId} ${kind} ' || (${number}))`;
  const ms = `lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')`;
  return `overlay(overlay(${digest} placing '8' from 17 for 1) placing ${ms} || '7' from 1 for 13)::uuid`;
}

const end = "date_trunc('day', now())";
const start = `(${end} - ${spanMs} * interval '1 millisecond')`;
const scanAt = (seq: string): string =>
  `(${start} + ((${seq}) - 1) * ${spanMs / (scansPerSeries - 1)} * interval '1 millisecond')`;

/** Inserts organizations, repositories with two to five references, a series for each tool, and their scans. */
function inventory({ tenantId, repositories = defaultRepositories }: SeedOptions): Step[] {
  const uuid = (kind: string, number: string): string => id(tenantId, kind, start, number);
  return [
    {
      name: 'organization',
      sql: `insert into organization (tenant_id, id, name, full_path, path_key, type, external_id)
        select '${tenantId}', ${uuid('organization', 'n')}, 'team-' || n, 'team-' || n, 'team-' || n, 'local', 'org-' || n
          from generate_series(1, ${organizationCount}) n`,
    },
    {
      name: 'repositories by number',
      sql: `create temp table bench_repository as
        select n as number, ${uuid('repository', 'n')} as id, ${uuid('organization', 'o')} as organization_id,
               'service-' || n as name, 'team-' || o || '/service-' || n as full_name,
               1 + (${random('n', 1)} * 3)::int as others
          from (select n, 1 + n % ${organizationCount} as o from generate_series(0, ${repositories - 1}) n) s`,
    },
    {
      name: 'references by number',
      sql: `create temp table bench_reference as
        select r.number as repository, r.id as repository_id, f as number, ${uuid('reference', "r.number || '/' || f")} as id,
               case f when 0 then case when ${random('r.number', 2)} < 0.9 then 'refs/heads/main' else 'refs/heads/master' end
                      when 1 then 'refs/heads/develop'
                      when 2 then 'refs/heads/release/' || (1 + r.number % 5)
                      when 3 then 'refs/tags/v1.' || r.number % 4
                      else 'refs/pull/' || r.number || '/head' end as full_ref,
               case f when 3 then 'tag' when 4 then 'pull_request' else 'branch' end as type
          from bench_repository r cross join lateral generate_series(0, r.others) f`,
    },
    {
      name: 'repository',
      sql: `insert into repository (tenant_id, id, organization_id, name, full_name, name_key, source, external_id,
               default_reference_id, last_scanned_at)
        select '${tenantId}', r.id, r.organization_id, r.name, r.full_name, r.full_name, 'local', 'repo-' || r.number,
               f.id, ${end}
          from bench_repository r join bench_reference f on f.repository = r.number and f.number = 0`,
    },
    {
      name: 'name_term',
      sql: `insert into name_term (tenant_id, kind, term, target_id)
        select distinct '${tenantId}'::bigint, 'repository', t.term, r.id
          from bench_repository r
         cross join lateral (select regexp_replace(r.full_name, '^([^-/]*[-/]){' || n || '}', '') as term
                               from generate_series(0, 3) n) t`,
    },
    {
      name: 'application',
      sql: `with made as (
          insert into application (tenant_id, id, name, name_key)
          values ('${tenantId}', ${uuid('application', '0')}, 'Twenty', 'twenty') returning id)
        insert into application_repository (tenant_id, application_id, repository_id)
        select '${tenantId}', made.id, r.id from made, bench_repository r where r.number % 25 = 0`,
    },
    {
      name: 'reference',
      sql: `insert into reference (tenant_id, id, repository_id, full_ref, type, head_sha, is_default, tracked, once_tracked, last_scanned_at)
        select '${tenantId}', f.id, f.repository_id, f.full_ref, f.type, ${sha(String(scansPerSeries))},
               f.number = 0, f.number = 0, f.number = 0, ${end}
          from bench_reference f`,
    },
    {
      name: 'series by number',
      sql: `create temp table bench_series as
        select f.id as reference_id, t as tool, ${uuid('series', "f.repository || '/' || f.number || '/' || t")} as id
          from bench_reference f cross join generate_series(0, ${tools.length - 1}) t`,
    },
    {
      name: 'series',
      sql: `insert into scan_series (tenant_id, id, repository_id, reference_id, tool, category, source, last_seq,
               last_scanned_at, succeeded_at, last_scan_id)
        select '${tenantId}', s.id, f.repository_id, f.id, (array[${tools.map((tool) => `'${tool}'`).join(', ')}])[s.tool + 1],
               'default', 'current', ${scansPerSeries}, ${end}, ${end},
               ${id(tenantId, 'scan', scanAt(String(scansPerSeries)), `s.id || '/${scansPerSeries}'`)}
          from bench_series s join bench_reference f on f.id = s.reference_id`,
    },
    {
      name: 'scan',
      sql: `insert into scan (tenant_id, id, repository_id, reference_id, sha, format, tools, status, scanned_at,
               created_at, started_at, finished_at, digest, content_digest)
        select '${tenantId}', ${id(tenantId, 'scan', scanAt('q'), "s.id || '/' || q")}, f.repository_id, f.id,
               ${sha('q')}, 'sarif', '{}', 'completed', ${scanAt('q')}, ${scanAt('q')}, ${scanAt('q')}, ${scanAt('q')},
               sha256(s.id::text::bytea), sha256(s.id::text::bytea)
          from bench_series s join bench_reference f on f.id = s.reference_id
         cross join generate_series(1, ${scansPerSeries}) q`,
    },
    {
      name: 'series_scan',
      sql: `insert into series_scan (tenant_id, scan_id, series_id, seq, detached)
        select '${tenantId}', ${id(tenantId, 'scan', scanAt('q'), "s.id || '/' || q")}, s.id, q, false
          from bench_series s cross join generate_series(1, ${scansPerSeries}) q`,
    },
    { name: 'statistics of references', sql: 'analyze bench_reference' },
    { name: 'statistics of series', sql: 'analyze bench_series' },
  ];
}

// SQL for the commit of a scan. It depends on the reference and the number of the scan, and is the same for all tools.
function sha(seq: string): string {
  return `substr(encode(sha256((f.id || '/' || ${seq})::bytea), 'hex'), 1, 40)`;
}

/** Inserts vulnerabilities, their references and all rows that depend on them. */
function findings({
  tenantId,
  userIds,
  vulnerabilities,
  repositories = defaultRepositories,
}: SeedOptions): Step[] {
  const titleCount = Math.min(maxTitles, Math.ceil(vulnerabilities / 5));
  const users = `(array[${userIds.map((user) => `'${user}'::uuid`).join(', ')}])`;
  const decided = ['accepted', 'ignored', 'rejected'] as const;
  const resolution = {
    accepted: 'risk_accepted',
    ignored: 'wont_fix',
    rejected: 'false_positive',
  };
  return [
    {
      name: 'findings by number',
      // A few repositories have most findings (the largest an eighth), and a few titles are those of most findings.
      sql: `create temp table bench_finding as
        select f.n, ${id(tenantId, 'vulnerability', 'f.at', 'f.n')} as id, f.at, f.repository, f.title, f.status,
               f.status in ('accepted', 'ignored', 'rejected') as decided,
               f.on_default, f.on_other, f.assigned,
               1 + (f.other_random * r.others - 0.5)::int as other,
               t.bits
                 + case when t.is_secret and ${random('f.n', 21)} < 0.3 then ${bitsOf({ source: 'git_history' })} else 0 end
                 + case when (t.is_secret and ${random('f.n', 22)} < 0.3) or (f.status = 'open' and f.triage_random < 0.02)
                        then ${bitsOf({ confirmed: true })} else 0 end
                 + case when f.status in ('accepted', 'ignored', 'rejected') or f.triage_random < 0.1
                        then ${bitsOf({ triaged: true })} else 0 end
                 + case when f.assigned then ${bitsOf({ assigned: true })} else 0 end as bits
          from (select s.*, case when s.status_random < 0.45 then 'open' when s.status_random < 0.85 then 'fixed'
                                 when s.status_random < 0.90 then 'accepted' when s.status_random < 0.95 then 'ignored'
                                 else 'rejected' end as status,
                       s.status_random < 0.45 and s.assignee_random < 0.11 as assigned
                  from (select n,
                               ${start} + floor((n / ${findingsPerScan} * ${findingsPerScan}) * ${spanMs / vulnerabilities}::float8) * interval '1 millisecond' as at,
                               floor(${repositories} * power(${random(`n / ${findingsPerScan}`, 11)}, 3))::int as repository,
                               floor(${titleCount} * power(${random('n', 12)}, 2))::int as title,
                               ${random('n', 13)} as status_random, ${random('n', 14)} as assignee_random,
                               ${random('n', 15)} as triage_random,
                               ${random('n', 16)} < 0.95 as on_default, ${random('n', 17)} < 0.35 as on_other,
                               ${random('n', 18)} as other_random
                          from generate_series(0::bigint, ${vulnerabilities - 1}) n) s) f
          join bench_title t on t.number = f.title
          join bench_repository r on r.number = f.repository`,
    },
    {
      name: 'locations by number',
      // A vulnerability is open if it is present on the default branch (status.ts). Other references may have it or
      // not.
      sql: `create temp table bench_location as
        select p.n, p.id, p.title, ${id(tenantId, 'location', 'p.at', "p.n || '/' || p.number")} as location_id, p.repository_id,
               p.reference_id, p.full_ref, p.number, p.at, p.live, s.id as series_id, t.tool, p.seq,
               case when p.live then null else p.seq + 1 + (p.until_random * (${scansPerSeries} - p.seq - 1))::int end as until_seq,
               p.bits + case when not p.decided then case when p.live then ${statusBits('open')} else ${statusBits('fixed')} end
                             ${decided.map((status) => `when p.status = '${status}' then ${statusBits(status)}`).join(' ')} end as packed_state
          from (select f.n, f.id, f.title, f.at, f.bits, f.status, f.decided, r.repository_id, r.id as reference_id,
                       r.full_ref, r.number, ${random('f.n', 32)} as until_random,
                       least(${scansPerSeries - 1}, 1 + floor(f.n * ${(scansPerSeries - 1) / vulnerabilities}::float8)::int) as seq,
                       case when f.decided then ${random('f.n * 2 + r.number', 31)} < 0.7
                            when r.number = 0 or not f.on_default then f.status = 'open'
                            else ${random('f.n', 33)} < 0.6 end as live
                  from bench_finding f
                  join bench_reference r on r.repository = f.repository
                   and ((r.number = 0 and f.on_default)
                     or (r.number = f.other and (f.on_other or not f.on_default)))) p
          join bench_title t on t.number = p.title
          join bench_series s on s.reference_id = p.reference_id and s.tool = t.tool`,
    },
    { name: 'statistics of findings', sql: 'analyze bench_finding' },
    { name: 'statistics of locations', sql: 'analyze bench_location' },
    {
      name: 'vulnerability',
      sql: `insert into vulnerability (tenant_id, id, repository_id, identity, packed_state, default_branch_state, epss_band, resolution, cvss_score,
               assignee_id, introduced_at, vulnerable_at, exploitable_at, primary_reference_id, primary_location_id,
               search_key, opened_at, opened_scan_id, updated_at, title, rule, advisory, package, fix_version,
               identifiers, cwes, description_key)
        select '${tenantId}', f.id, p.repository_id, case when p.tool <> 1 then md5('finding ' || f.n)::uuid end,
               f.bits + case f.status when 'open' then ${statusBits('open')} when 'fixed' then ${statusBits('fixed')}
                        ${decided.map((status) => `when '${status}' then ${statusBits(status)}`).join(' ')} end,
               case when p.number = 0 then p.packed_state end, b.band,
               case f.status ${decided.map((status) => `when '${status}' then '${resolution[status]}'`).join(' ')} end,
               case when t.advisory is not null then (${random('f.n', 41)} * 100)::int / 10.0 end,
               case when f.assigned then ${users}[1 + (${random('f.n', 42)} * ${userIds.length} - 0.5)::int] end,
               f.at, f.at, case when ${random('f.n', 43)} < 0.03 then f.at end, p.reference_id, p.location_id,
               t.search_key, f.at, ${id(tenantId, 'scan', scanAt('1'), "p.series_id || '/1'")}, f.at, t.title, nullif(t.rule, t.advisory), t.advisory, t.package, t.fix_version,
               v.identifiers,
               'CWE-' || 20 + f.title % 900, t.description_key
          from bench_finding f
          join bench_location p on p.n = f.n and (p.number = 0) = f.on_default
          join bench_title t on t.number = f.title
         cross join lateral (
               select case when t.advisory is not null and f.n % 20 = 0 then array['CVE-2014-' || 10000 + f.n % 50000] end
                        as identifiers, t.advisory offset 0) v
         cross join lateral (select ${sqlEpssBand} as band) b
         order by f.n`,
    },
    {
      name: 'vulnerability_reference',
      sql: `insert into vulnerability_reference (tenant_id, vulnerability_id, reference_id, location_id,
               packed_state, live, introduced_at, first_seen_at, fixed_at, full_ref)
        select '${tenantId}', id, reference_id, location_id, packed_state, live, at, at,
               case when until_seq is not null then ${scanAt('until_seq')} end, full_ref
          from bench_location order by n`,
    },
    {
      name: 'vulnerability_location',
      sql: `insert into vulnerability_location (tenant_id, id, repository_id, vulnerability_id, reference_id, location_key,
               line, vulnerable_at, fixed_at, path, rule_key, file_key, code_key, fingerprint_key, fingerprint_scheme)
        select '${tenantId}', location_id, repository_id, id, reference_id, md5('place ' || n)::uuid,
               case when tool > 0 then 1 + n % 900 end, at,
               case when until_seq is not null then ${scanAt('until_seq')} end,
               case when tool > 0 then 'src/module-' || n % 97 || '/file-' || n % 13 || '.ts'
                    else 'packages/part-' || n % 29 || '/package-lock.json' end,
               case when tool = 1 then md5('rule ' || title)::uuid end,
               case when tool = 1 then md5('file ' || title || '/' || n % 1261)::uuid end,
               case when tool = 1 then md5('code ' || n)::uuid end,
               case when tool = 1 then md5('print ' || n)::uuid end,
               case when tool = 1 then 'primaryLocationLineHash/v1' end
          from bench_location order by n`,
    },
    {
      name: 'location_observation',
      sql: `insert into location_observation (tenant_id, location_id, vulnerability_id, series_id, key, digest, since_seq,
               until_seq, match_method)
        select '${tenantId}', location_id, id, series_id, md5('key ' || n)::uuid, hashint8extended(n, 51), seq,
               until_seq, 'new'
          from bench_location order by n`,
    },
    {
      name: 'vulnerability_reporter',
      sql: `insert into vulnerability_reporter (tenant_id, vulnerability_id, series_id, tool, live, severity,
               fixed_versions, updated_at)
        select '${tenantId}', p.id, p.series_id, (array[${tools.map((tool) => `'${tool}'`).join(', ')}])[p.tool + 1],
               p.live, t.severity,
               t.fix_version, p.at
          from bench_location p join bench_title t on t.number = p.title order by p.n`,
    },
    {
      name: 'vulnerability_cve',
      sql: `insert into vulnerability_cve (tenant_id, cve, vulnerability_id)
        select '${tenantId}', 'CVE-2014-' || 10000 + f.n % 50000, f.id
          from bench_finding f join bench_title t on t.number = f.title where t.advisory is not null and f.n % 20 = 0`,
    },
  ];
}

/**
 * Counts the vulnerabilities into `vulnerability_count`, for each of its scopes. The rows of a key come together, and
 * the keys in no order, as the first imports of repositories write them.
 */
function counters(tenantId: string): Step[] {
  const scopes: { scope: CountedScope; key: string; table: string; state?: string }[] = [
    {
      scope: { kind: 'default-branches' },
      key: nilKey,
      table: 'vulnerability',
      state: 'default_branch_state',
    },
    {
      scope: { kind: 'reference', referenceId: nilId },
      key: 'reference_id',
      table: 'vulnerability_reference',
    },
    {
      scope: { kind: 'ref-name', fullRef: '' },
      key: sqlReferenceNameKey('full_ref'),
      table: 'vulnerability_reference',
    },
    { scope: { kind: 'repository', repositoryId: nilId }, key: 'repository_id', table: 'vulnerability' },
    { scope: { kind: 'tenant' }, key: nilKey, table: 'vulnerability' },
  ];
  return scopes.map(({ scope, key, table, state = 'packed_state' }) => ({
    name: `vulnerability_count, ${scope.kind}`,
    sql: `insert into vulnerability_count (tenant_id, scope, key, packed_state, count)
      select '${tenantId}', '${counterKeys(scope).scope}', ${key}, ${state}, count(*) from ${table}
       where tenant_id = '${tenantId}' and ${state} is not null group by 3, 4 order by hashtext(${key}::text), 3, 4`,
  }));
}

/** Counts the open vulnerabilities into `open_group`. */
function openGroups(tenantId: string): Step[] {
  const groupsOf = (scope: string, state: string) =>
    Object.entries({ package: 'package_key', rule: 'rule_key', repository: 'repository_id' }).map(
      ([kind, column]): Step => ({
        name: `open_group, ${scope} by ${kind}`,
        sql: `insert into open_group (tenant_id, scope, kind, key, ${severities.join(', ')})
        select '${tenantId}', '${scope}', '${kind}', ${column}::text, ${severities
          .map((severity) => `count(*) filter (where ${sqlSeverity(state)} = '${severity}')`)
          .join(', ')}
          from vulnerability where tenant_id = '${tenantId}' and ${sqlIsOpenIn(state, 'tracked')} and ${column} is not null
         group by 4 order by 4`,
      }),
    );
  return [...groupsOf('workspace', 'packed_state'), ...groupsOf('default_branches', 'default_branch_state')];
}

const statistics: Step = {
  name: 'statistics of vulnerabilities',
  sql: 'analyze vulnerability, vulnerability_reference',
};

/**
 * Writes `vulnerability_day` for this history, day by day. A vulnerability is opened when it is introduced, fixed at
 * the first scan that no longer finds it, and decided two days after its introduction.
 */
function days(tenantId: string): Step[] {
  const changes = `
    select v.repository_id, ${sqlSeverity('v.packed_state')} as severity, c.*
      from vulnerability v
      join vulnerability_reference p on p.tenant_id = v.tenant_id and p.vulnerability_id = v.id
       and p.reference_id = v.primary_reference_id
     cross join lateral (
       select v.introduced_at as at, 1 as introduced, 1 as opened, 0 as closed, 0 as fixed, 0 as fix_seconds
       union all
       select p.fixed_at, 0, 0, 1, 1, extract(epoch from p.fixed_at - v.introduced_at)
        where not ${sqlIsOpen('v.packed_state')} and v.resolution is null
       union all
       select v.introduced_at + interval '2 days', 0, 0, 1, 0, 0 where v.resolution is not null) c
     where v.tenant_id = '${tenantId}'`;
  const ofScope = (scope: string): Step => ({
    name: `vulnerability_day, ${scope}`,
    sql: `insert into vulnerability_day (tenant_id, scope, key, day, severity, introduced, opened, closed, fixed, fix_seconds)
      select '${tenantId}', ${scope}, (at at time zone 'UTC')::date, severity, sum(introduced), sum(opened), sum(closed),
             sum(fixed), sum(fix_seconds)
        from (${changes}) c group by 3, 4, 5 order by 4, 3, 5`,
  });
  return [ofScope(`'repository', repository_id`), ofScope(`'workspace', ${nilKey}`)];
}
