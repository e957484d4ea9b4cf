/**
 * Invariants that hold after any sequence of imports, decisions and clock steps. They are checked by SQL that shares
 * nothing with that of the service.
 */
import assert from 'node:assert/strict';
import pg from 'pg';
import { nilId } from '../../src/domain/ids.ts';
import { statuses } from '../../src/domain/packed-state.ts';
import { sqlReferenceNameKey } from '../../src/vulnerabilities/counter-key.ts';
import { assertMirrorEqualsTables } from './event-mirror.ts';

// The layout of a packed state, repeated on purpose, so that a mistake in the packing is found.
const statusAndReach = (packed_state: string): string => `((${packed_state}) >> 4 & 15)`;
const status = (packed_state: string): string =>
  `(case ${statusAndReach(packed_state)} when 10 then 1 else ${statusAndReach(packed_state)} % 5 end)`;
const isOnBranchesAlone = (packed_state: string): string =>
  `(${statusAndReach(packed_state)} between 5 and 9)`;
const number = (name: (typeof statuses)[number]): number => statuses.indexOf(name);
const severity = `('{unknown,info,low,medium,high,critical}'::text[])[(packed_state >> 12 & 7) + 1]`;
const decided = (packed_state: string): string =>
  `${status(packed_state)} in (${number('accepted')}, ${number('ignored')}, ${number('rejected')})`;

const daysMatchHistory =
  'if all references are tracked and no location is suppressed, the new ones of a day are those of the history, and the fixed ones at least those of reports';

const checks: Record<string, string> = {
  'counters equal a recount': `
    with recount as (
      select tenant_id, 'workspace' as scope, '${nilId}'::uuid as key, packed_state, count(*) as n from vulnerability group by 1, 2, 3, 4
      union all select tenant_id, 'repository', repository_id, packed_state, count(*) from vulnerability group by 1, 2, 3, 4
      union all select tenant_id, 'reference', reference_id, packed_state, count(*) from vulnerability_reference group by 1, 2, 3, 4
      union all select tenant_id, 'reference_name', ${sqlReferenceNameKey('full_ref')}, packed_state, count(*) from vulnerability_reference group by 1, 2, 3, 4
      union all select tenant_id, 'default_branches', '${nilId}'::uuid, default_branch_state, count(*) from vulnerability where default_branch_state is not null group by 1, 2, 3, 4)
    select * from recount full join (select * from vulnerability_count where count <> 0) c
      using (tenant_id, scope, key, packed_state) where recount.n is distinct from c.count`,
  'open groups equal a recount': `
    with state as (
      select tenant_id, 'workspace' as scope, packed_state, repository_id, package, rule from vulnerability
      union all select tenant_id, 'default_branches', default_branch_state, repository_id, package, rule from vulnerability),
    open as (select * from state where ${statusAndReach('packed_state')} = 0),
    member as (
      select o.*, g.kind, g.key from open o cross join lateral (
        select 'repository' as kind, o.repository_id::text as key
        union all select 'package', hashtextextended(o.package, 0)::text where o.package is not null
        union all select 'rule', hashtextextended(o.rule, 0)::text where o.package is null and o.rule <> '') g),
    recount as (
      select tenant_id, scope, kind, key, jsonb_object_agg(severity, n) as counts from (
        select tenant_id, scope, kind, key, ${severity} as severity, count(*) as n from member group by 1, 2, 3, 4, 5) s
       group by 1, 2, 3, 4),
    stored as (
      select g.tenant_id, g.scope::text, g.kind::text, g.key, jsonb_object_agg(s.severity, s.n) as counts from open_group g
       cross join lateral (values ('critical', critical), ('high', high), ('medium', medium), ('low', low), ('info', info),
                                  ('unknown', unknown)) s (severity, n)
       where s.n <> 0 group by 1, 2, 3, 4)
    select * from recount full join stored using (tenant_id, scope, kind, key) where recount.counts is distinct from stored.counts`,
  'the opened minus the closed ones of all days are open on tracked references': `
    with open as (
      select tenant_id, 'workspace' as scope, '${nilId}'::uuid as key, ${severity} as severity, count(*) as n from vulnerability
       where ${statusAndReach('packed_state')} = 0 group by 1, 2, 3, 4
      union all select tenant_id, 'repository', repository_id, ${severity}, count(*) from vulnerability
       where ${statusAndReach('packed_state')} = 0 group by 1, 2, 3, 4),
    days as (
      select tenant_id, scope, key, severity, sum(opened - closed) as n from vulnerability_day group by 1, 2, 3, 4)
    select * from open full join (select * from days where n <> 0) d
      using (tenant_id, scope, key, severity) where open.n is distinct from d.n`,
  'the numbers of a workspace for a day are the sums of its repositories': `
    select tenant_id, day, severity from vulnerability_day group by tenant_id, day, severity
    having sum(introduced) <> 2 * sum(introduced) filter (where scope = 'workspace')
        or sum(opened) <> 2 * sum(opened) filter (where scope = 'workspace')
        or sum(closed) <> 2 * sum(closed) filter (where scope = 'workspace')
        or sum(fixed) <> 2 * sum(fixed) filter (where scope = 'workspace')
        or sum(fix_seconds) <> 2 * sum(fix_seconds) filter (where scope = 'workspace')
        or sum(resolved) <> 2 * sum(resolved) filter (where scope = 'workspace')
        or sum(resolved_in_time) <> 2 * sum(resolved_in_time) filter (where scope = 'workspace')
        or min(least(introduced, opened, closed, fixed, fix_seconds, resolved, resolved_in_time)) < 0
        or sum(fixed) > sum(closed) or sum(resolved_in_time) > sum(resolved)`,
  'every vulnerability that was ever on a tracked reference counts as new on a day': `
    with seen as (
      select v.tenant_id, count(*) as n from vulnerability v
       where not ${isOnBranchesAlone('v.packed_state')}
         and v.opened_at is not null
       group by 1),
    days as (
      select tenant_id, sum(introduced) as n from vulnerability_day where scope = 'workspace' group by 1)
    select * from seen left join days using (tenant_id) where seen.n > coalesce(days.n, 0)`,
  [daysMatchHistory]: `
    with expected as (
      select tenant_id, (at at time zone 'UTC')::date as day,
             count(*) filter (where kind = 'opened') as introduced,
             count(*) filter (where kind = 'fixed') as fixed
        from (select e.tenant_id, e.at, e.kind from vulnerability_event e
                join scan s on s.tenant_id = e.tenant_id and s.id = e.scan_id and s.format is distinct from 'merlon-osv'
              union all
              select tenant_id, opened_at, 'opened' from vulnerability where opened_at is not null
              union all
              select tenant_id, opened_at, 'opened' from vulnerability_redirect where opened_at is not null) e
       group by 1, 2),
    days as (
      select tenant_id, day, sum(introduced) as introduced, sum(fixed) as fixed from vulnerability_day
       where scope = 'workspace' group by 1, 2)
    select * from expected full join days using (tenant_id, day)
     where (coalesce(expected.introduced, 0) <> coalesce(days.introduced, 0) or coalesce(expected.fixed, 0) > coalesce(days.fixed, 0))
       and not exists (select 1 from reference f where f.tenant_id = coalesce(expected.tenant_id, days.tenant_id) and not f.tracked)
       and not exists (select 1 from vulnerability_location l where l.tenant_id = coalesce(expected.tenant_id, days.tenant_id) and l.suppressed)`,
  'a decision of a person that overrides policies covers every joined name': `
    select v.id from vulnerability v join vulnerability_joined_name j
        on j.tenant_id = v.tenant_id and j.vulnerability_id = v.id
     where ${decided('v.packed_state')} and v.decision_overrides_policy and v.decided_by = 'person'
       and (v.decided_at is null or j.joined_at > v.decided_at)`,
  'a name is joined to a vulnerability that exists': `
    select * from vulnerability_joined_name j where not exists (
      select 1 from vulnerability v where v.tenant_id = j.tenant_id and v.id = j.vulnerability_id)`,
  'a vulnerability is live on a reference if a location there is neither fixed nor suppressed': `
    select r.* from vulnerability_reference r
     where r.live <> exists (select 1 from vulnerability_location l where l.tenant_id = r.tenant_id
       and l.vulnerability_id = r.vulnerability_id and l.reference_id = r.reference_id
       and l.fixed_at is null and not l.suppressed)`,
  'a location is open exactly while a series sees it': `
    select l.* from vulnerability_location l
     where (l.fixed_at is null) <> exists (select 1 from location_observation g where g.tenant_id = l.tenant_id
       and g.location_id = l.id and g.until_seq is null and not g.detached)`,
  'an open location is suppressed if all series that see it suppress it': `
    select l.* from vulnerability_location l
     where l.fixed_at is null and l.suppressed <> (
       select bool_and(g.suppressed) from location_observation g where g.tenant_id = l.tenant_id
          and g.location_id = l.id and g.until_seq is null)`,
  'the EPSS band is the tenth of the highest score of all its CVEs, unless a change of a feed waits': `
    select v.id, v.epss_band, s.score from vulnerability v cross join lateral (
      select max(e.score) as score from epss e
       where e.cve = v.advisory or e.cve in (select c.cve from vulnerability_cve c where c.tenant_id = v.tenant_id and c.vulnerability_id = v.id)) s
     where v.epss_band is distinct from case when s.score::text::numeric >= 0.1 then floor(s.score::text::numeric * 10) end
       and not exists (select 1 from intel_change c where c.tenant_id = v.tenant_id)`,
  'every location has its vulnerability on its reference': `
    select l.* from vulnerability_location l left join vulnerability_reference r
      on r.tenant_id = l.tenant_id and r.vulnerability_id = l.vulnerability_id and r.reference_id = l.reference_id
     where r.vulnerability_id is null`,
  'a decision is the status on every reference': `
    select r.* from vulnerability_reference r join vulnerability v on v.tenant_id = r.tenant_id and v.id = r.vulnerability_id
     where ${decided('v.packed_state')} and ${status('r.packed_state')} <> ${status('v.packed_state')}`,
  'an undecided vulnerability is open on a reference if it is live there, otherwise fixed': `
    select r.* from vulnerability_reference r join vulnerability v on v.tenant_id = r.tenant_id and v.id = r.vulnerability_id
     where not ${decided('v.packed_state')}
       and ${status('r.packed_state')} <> case when r.live then ${number('open')} else ${number('fixed')} end`,
  'own status and reach follow tracked references, else active ones': `
    select v.* from vulnerability v join lateral (
        select bool_or(r.live and f.active) filter (where f.tracked) as tracked,
               coalesce(bool_or(r.live and f.active), false) as active
          from vulnerability_reference r join reference f on f.tenant_id = r.tenant_id and f.id = r.reference_id
         where r.tenant_id = v.tenant_id and r.vulnerability_id = v.id) s on true
     where case when ${decided('v.packed_state')} then ${isOnBranchesAlone('v.packed_state')} <> (s.tracked is null)
                else ${statusAndReach('v.packed_state')} <> case when s.tracked then 0 when s.tracked is null then case when s.active then 5 else 6 end
                                                       when s.active then 10 else 1 end end`,
  'the packed states on the references differ only in status': `
    select r.* from vulnerability_reference r join vulnerability v on v.tenant_id = r.tenant_id and v.id = r.vulnerability_id
     where (r.packed_state & ~240) <> (v.packed_state & ~240) or ${statusAndReach('r.packed_state')} > 4`,
  'the primary location is a location of the vulnerability': `
    select v.* from vulnerability v left join vulnerability_location l
      on l.tenant_id = v.tenant_id and l.id = v.primary_location_id and l.vulnerability_id = v.id
     where l.id is null`,
  'a reporter is live exactly while its series sees the vulnerability': `
    select w.* from vulnerability_reporter w
     where w.live <> exists (select 1 from location_observation g where g.tenant_id = w.tenant_id
       and g.series_id = w.series_id and g.vulnerability_id = w.vulnerability_id and g.until_seq is null and not g.detached)`,
  'title, severity, CVSS score, source and proof follow the claims of active references, if there are any': `
    select v.* from vulnerability v join (
        select w.tenant_id, w.vulnerability_id, max(array_position('{unknown,info,low,medium,high,critical}'::text[], w.severity::text)) - 1 as severity,
               max(w.cvss_score) as cvss_score, bool_and(w.history) as history, bool_or(w.verified) as verified,
               bool_or(w.exploitable or w.verified) as exploitable,
               (array_agg(coalesce(w.title, own.title) order by f.tracked desc,
                          array_position('{trivy,grype,osv-scanner,npm-audit,snyk,codeql,semgrep,gitleaks}'::text[], w.tool),
                          w.tool collate "C", coalesce(w.title, own.title) collate "C"))[1] as title
          from vulnerability_reporter w join scan_series s on s.tenant_id = w.tenant_id and s.id = w.series_id
          join reference f on f.tenant_id = s.tenant_id and f.id = s.reference_id and f.active
          join vulnerability own on own.tenant_id = w.tenant_id and own.id = w.vulnerability_id
         where w.live group by 1, 2) c on c.tenant_id = v.tenant_id and c.vulnerability_id = v.id
     where (v.title, v.packed_state >> 12 & 7, v.cvss_score, v.packed_state & 8 = 8) is distinct from (c.title, c.severity, c.cvss_score, c.history)
        or c.exploitable and v.exploitable_at is null
        or c.verified and v.packed_state & 4 = 0 and ${status('v.packed_state')} <> ${number('rejected')}`,
  'no claim stores the title of its vulnerability': `
    select w.* from vulnerability_reporter w join vulnerability v
      on v.tenant_id = w.tenant_id and v.id = w.vulnerability_id and v.title = w.title`,
  'the state on the default branch is that of the reference, if it is active': `
    select v.* from vulnerability v where v.default_branch_state is distinct from (
      select r.packed_state from vulnerability_reference r join reference f on f.tenant_id = r.tenant_id and f.id = r.reference_id
       where r.tenant_id = v.tenant_id and r.vulnerability_id = v.id and f.is_default and f.active)`,
  'the bit of assigned agrees with the assignee': `
    select v.* from vulnerability v where ((v.packed_state & 1) = 1) <> (v.assignee_id is not null)`,
  'the bit of a known fix agrees with the fix version': `
    select v.* from vulnerability v where (v.packed_state < 0) <> (v.fix_version is not null)`,
  'every decision has an origin': `
    select v.* from vulnerability v where ${decided('v.packed_state')} and v.decided_by is null`,
  'a merged vulnerability does not exist, and its id leads to an existing one': `
    select d.* from vulnerability_redirect d
     where exists (select 1 from vulnerability v where v.tenant_id = d.tenant_id and v.id = d.id)
        or not exists (select 1 from vulnerability v where v.tenant_id = d.tenant_id and v.id = d.vulnerability_id)`,
  'a further identity belongs to an existing vulnerability': `
    select i.* from vulnerability_identity i left join vulnerability v
      on v.tenant_id = i.tenant_id and v.id = i.vulnerability_id and v.repository_id = i.repository_id where v.id is null`,
  'evidence belongs to an existing vulnerability, and its explanation exists': `
    select e.vulnerability_id from vulnerability_evidence e
      left join vulnerability v on v.tenant_id = e.tenant_id and v.id = e.vulnerability_id
      left join rule_help h on h.tenant_id = e.tenant_id and h.repository_id = v.repository_id and h.key = e.help_key
     where v.id is null or e.help_key is not null and h.key is null`,
  'a violation is resolved exactly if it matches on no reference': `
    select v.* from policy_violation v
     where ((v.packed_state >> 5 & 7) = 3) = exists (select 1 from violation_reference m where m.tenant_id = v.tenant_id
       and m.violation_id = v.id and m.cleared_at is null)
        or ((v.packed_state >> 5 & 7) = 3) <> (v.resolved_at is not null)`,
  'a violation matches only where its vulnerability is live and undecided, on an active reference': `
    select m.* from violation_reference m
      join policy_violation v on v.tenant_id = m.tenant_id and v.id = m.violation_id and v.target_type = 'vulnerability'
      left join vulnerability_reference r on r.tenant_id = m.tenant_id and r.vulnerability_id = v.target_id
       and r.reference_id = m.reference_id
      left join reference f on f.tenant_id = m.tenant_id and f.id = m.reference_id
     where m.cleared_at is null
       and not coalesce(r.live and f.active and (${status('r.packed_state')} = ${number('open')}
         or exists (select 1 from vulnerability w where w.tenant_id = v.tenant_id and w.id = v.target_id
                       and not w.decision_overrides_policy)), false)`,
  'an unresolved violation shows its match on the default branch, or else the latest one': `
    select v.* from policy_violation v
     where v.resolved_at is null and v.reference_id <> (
       select m.reference_id from violation_reference m
         left join reference f on f.tenant_id = m.tenant_id and f.id = m.reference_id
        where m.tenant_id = v.tenant_id and m.violation_id = v.id and m.cleared_at is null
        order by coalesce(f.is_default, false) desc, m.matched_at desc, m.reference_id limit 1)`,
  'a violation has its own state on references where it matches, and is resolved on others': `
    select m.* from violation_reference m join policy_violation v on v.tenant_id = m.tenant_id and v.id = m.violation_id
     where case when m.cleared_at is null then m.packed_state <> v.packed_state or m.due_at <> v.due_at
                else (m.packed_state >> 5 & 7) <> 3 end`,
  'the unresolved violation of a vulnerability that is due first has its states and its time, and no other has any': `
    with first as (
      select distinct on (v.tenant_id, v.target_id) v.id, w.packed_state, w.default_branch_state, w.introduced_at
        from policy_violation v join vulnerability w on w.tenant_id = v.tenant_id and w.id = v.target_id
       where v.target_type = 'vulnerability' and (v.packed_state >> 5 & 7) in (0, 1)
       order by v.tenant_id, v.target_id, v.due_at, v.id)
    select v.* from policy_violation v left join first f on f.id = v.id
     where (v.vulnerability_state, v.default_branch_state, v.introduced_at)
       is distinct from (f.packed_state, f.default_branch_state, f.introduced_at)`,
  'the policies of histories are violated exactly where their conditions hold': `
    with expected as (
      select p.id as policy_id, w.id as target_id, r.reference_id from policy p
        join vulnerability w on w.tenant_id = p.tenant_id
        join vulnerability_reference r on r.tenant_id = w.tenant_id and r.vulnerability_id = w.id and r.live
         and (${status('r.packed_state')} = ${number('open')} or (p.enforcement_mode = 'block' and not w.decision_overrides_policy))
        join reference f on f.tenant_id = r.tenant_id and f.id = r.reference_id and f.active
       where p.status = 'active' and case p.key
         when 'history-severe' then (w.packed_state >> 12 & 7) >= 4
         when 'history-path' then f.is_default and exists (
           select 1 from vulnerability_location l
            where l.tenant_id = r.tenant_id and l.vulnerability_id = w.id and l.reference_id = r.reference_id
              and l.fixed_at is null and not l.suppressed and l.path like 'src/%')
         when 'history-seen' then w.fix_version is not null and exists (
           select 1 from vulnerability_reporter t
             join scan_series s on s.tenant_id = t.tenant_id and s.id = t.series_id
             join reference a on a.tenant_id = s.tenant_id and a.id = s.reference_id and a.active
            where t.tenant_id = w.tenant_id and t.vulnerability_id = w.id and t.live and t.tool = 'grype')
         when 'history-secret' then (w.packed_state >> 8 & 15) = 3 and w.packed_state & 2 = 0 end),
    actual as (
      select v.policy_id, v.target_id, m.reference_id from policy_violation v
        join violation_reference m on m.tenant_id = v.tenant_id and m.violation_id = v.id and m.cleared_at is null
        join policy p on p.tenant_id = v.tenant_id and p.id = v.policy_id and p.key like 'history-%')
    (select 'missing', * from expected except select 'missing', * from actual)
    union all (select 'too much', * from actual except select 'too much', * from expected)`,
  'the newest scans of a reference without a base have its verdict': `
    select s.id, s.verdict from scan s join scan_series t on t.tenant_id = s.tenant_id and t.last_scan_id = s.id
      join reference f on f.tenant_id = s.tenant_id and f.id = t.reference_id and f.base_ref is null and f.base_sha is null
       and f.active
     where s.status = 'completed' and exists (select 1 from policy p where p.tenant_id = s.tenant_id and p.key = 'history-severe')
       and s.verdict <> (select case when bool_or(m.packed_state >> 8 = 3 and m.packed_state & 1 = 0) then 'block' when count(*) > 0 then 'warn' else 'pass' end
         from violation_reference m where m.tenant_id = s.tenant_id and m.reference_id = f.id
          and m.packed_state >> 8 >= 2 and (m.packed_state >> 5 & 7) in (0, 1))`,
  'a violation is about an existing vulnerability': `
    select v.* from policy_violation v left join vulnerability w on w.tenant_id = v.tenant_id and w.id = v.target_id
     where v.target_type = 'vulnerability' and w.id is null`,
  'an open exception of a violation has its violation': `
    select o.* from policy_exception o left join policy_violation v on v.tenant_id = o.tenant_id and v.id = o.violation_id
     where o.violation_id is not null and o.status in ('requested', 'approved') and v.id is null`,
  'every CVE of a vulnerability other than its advisory is in vulnerability_cve': `
    with expected as (
      select v.tenant_id, v.id as vulnerability_id, i.cve from vulnerability v, unnest(v.identifiers) i (cve)
       where i.cve like 'CVE-%')
    (select 'missing', * from expected except select 'missing', tenant_id, vulnerability_id, cve from vulnerability_cve)
    union all (select 'too much', c.tenant_id, c.vulnerability_id, c.cve from vulnerability_cve c left join vulnerability v
      on v.tenant_id = c.tenant_id and v.id = c.vulnerability_id and c.cve = any(array_append(v.identifiers, v.advisory))
     where v.id is null)`,
  'no column of a vulnerability repeats its advisory, and it has a rule': `
    select id, rule, advisory, identifiers from vulnerability
     where advisory = any(identifiers) or identifiers = '{}' or rule = advisory or coalesce(rule, advisory) is null`,
  'the description of a vulnerability exists': `
    select v.id from vulnerability v left join vulnerability_description d
      on d.tenant_id = v.tenant_id and d.key = v.description_key
     where v.description_key is not null and d.key is null`,
  'no final scan has a waiting report': `
    select s.id from scan s join scan_report r on r.tenant_id = s.tenant_id and r.scan_id = s.id where s.status not in ('queued', 'running')`,
};

/**
 * Throws with the name of the rule and the first rows that break it. With `isHistoryWhole: false`, the day counters may
 * include vulnerabilities that were deleted. With `isFeedWhole: false`, the feed of events may lack some, as in a
 * workspace that came from another install.
 */
export async function assertInvariants(
  owner: pg.Pool,
  { isHistoryWhole = true, isFeedWhole = true }: { isHistoryWhole?: boolean; isFeedWhole?: boolean } = {},
): Promise<void> {
  if (isFeedWhole) await assertMirrorEqualsTables(owner);
  const broken = Object.entries(checks)
    .filter(([rule]) => isHistoryWhole || rule !== daysMatchHistory)
    .map(
      ([rule, sql]) =>
        `(select ${pg.escapeLiteral(rule)} as rule, to_jsonb(b) as broken from (${sql}) b limit 3)`,
    );
  // One statement is fastest, because most time is spent per statement. On Citus it would read copies without indexes.
  const statements = process.env.TEST_CITUS_NODES === undefined ? [broken.join(' union all ')] : broken;
  for (const statement of statements) {
    const { rows } = await owner.query(`select * from (${statement}) c`);
    assert.deepEqual(rows, []);
  }
}

/** Everything that an import may change, as one digest per table. Equal digests mean that nothing was written. */
export async function fingerprintTables(owner: pg.Pool): Promise<Record<string, string>> {
  const tables = [
    'vulnerability',
    'vulnerability_reference',
    'vulnerability_description',
    'vulnerability_cve',
    'vulnerability_evidence',
    'rule_help',
    'vulnerability_reporter',
    'vulnerability_location',
    'location_observation',
    'vulnerability_event',
    'vulnerability_count',
    'vulnerability_day',
    'search_term',
    'search_text',
    'artifact',
    'policy_violation',
    'violation_reference',
  ];
  const result: Record<string, string> = {};
  for (const table of tables) {
    // xmin is the transaction that wrote the row, so a row that was written again with the same values is detected too.
    const { rows } = await owner.query(
      `select md5(coalesce(string_agg(t.xmin::text || t::text, '|' order by t::text), '')) as digest from ${table} t`,
    );
    result[table] = rows[0]?.digest;
  }
  return result;
}
