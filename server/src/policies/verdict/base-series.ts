/** SQL of what the series of a base had seen at the moment of a comparison. */
import { sqlHasPrefix } from '../../domain/commit.ts';

/**
 * SQL that follows a select list: the locations `l` of the vulnerability that series `b` of the base saw. The statement
 * must begin with `baseSeries`.
 */
export function seenOnBase(vulnerability: string, reference: string): string {
  return `from vulnerability_location l
              join location_observation g on g.tenant_id = $1 and g.location_id = l.id
              join base_series b on b.series_id = g.series_id
             where l.tenant_id = $1 and l.vulnerability_id = ${vulnerability} and l.reference_id = ${reference}
               and not l.suppressed and g.since_seq <= b.seq and (g.until_seq is null or g.until_seq > b.seq)`;
}

/**
 * SQL: the scan number that each series of the base had reached. It is that of the newest complete scan of the base's
 * commit (`sha` '' means no commit), or else that of the last scan up to the moment. A series that was
 * retired between that scan and the moment had seen nothing then, because a retirement ends what the series has seen.
 */
export function baseSeries(reference: string, at: string, sha: string): string {
  const newest = (condition: string): string => `(
             select c.seq from series_scan c
               join scan s on s.tenant_id = $1 and s.id = c.scan_id
              where c.tenant_id = $1 and c.series_id = t.id and not c.detached and s.status = 'completed' and ${condition}
                and not exists (select 1 from series_scan r
                                 where r.tenant_id = $1 and r.series_id = t.id and r.seq >= c.seq and r.series_retired_at <= ${at})
              order by c.seq desc limit 1)`;
  return `with base_series as materialized (
      select t.id as series_id, t.source,
             coalesce(${newest(`${sha}::text <> '' and ${sqlHasPrefix('s.sha', sha)}`)},
                      ${newest(`s.scanned_at <= ${at}`)}) as seq
        from scan_series t where t.tenant_id = $1 and t.reference_id = ${reference})`;
}

/**
 * SQL: whether violation `v` was live on the base at its moment. The statement must begin with `baseSeries`; the
 * arguments are the parameters of the base's reference, of `listedAt` and of `unmet`.
 */
export function liveOnBase(reference: string, listedAt: string, unmet: string): string {
  return `(v.id <> all(${unmet}::uuid[]) and case when v.target_type = 'vulnerability'
          then exists (select 1 ${seenOnBase('v.target_id', reference)})
          else exists (
            select 1 from violation_reference o
             where o.tenant_id = $1 and o.violation_id = v.id and o.reference_id = ${reference}
               and (o.cleared_at is null or (o.matched_at <= ${listedAt} and o.cleared_at > ${listedAt}))) end)`;
}
