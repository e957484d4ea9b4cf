/** SQL of merging: it moves everything that belongs to a vulnerability to another one, in sets. */

import { replacing } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import type { LocationId, ReferenceId, VulnerabilityId } from '../../domain/ids.ts';
import { sqlHighestSeverity } from '../../domain/packed-state.ts';
import {
  sqlClaimTitle,
  sqlFixedVersions,
  sqlStoredTitle,
  sqlStoredVersions,
} from '../../vulnerabilities/claim-columns.ts';
import { deleteCves, updateCves } from '../../vulnerabilities/cves.ts';
import {
  detailsWithKey,
  maxStoredLinks,
  readDetails,
  union,
  updateDetails,
} from '../../vulnerabilities/descriptions.ts';
import { allIds, furtherIds, sqlNewAdvisory } from '../../vulnerabilities/identifiers.ts';
import { alignSuppressed } from '../../vulnerabilities/suppressed-locations.ts';

export interface Merge {
  /** This vulnerability is deleted; its id leads to the other one from now on. */
  from: VulnerabilityId;
  into: VulnerabilityId;
}

/** The new identity of a survivor whose advisory has got another name. */
export interface NewName {
  id: VulnerabilityId;
  identity: string;
  advisory: string;
}

/** SQL of the pairs as rows `m`. The parameters of the statement begin with `mergeValues`. */
const sqlMerges = 'unnest($2::uuid[], $3::uuid[]) as m (from_id, into_id)';

function mergeValues(tx: Tx, merges: Merge[]): unknown[] {
  return [tx.tenantId, merges.map((merge) => merge.from), merges.map((merge) => merge.into)];
}

export interface MovedReference {
  reference_id: ReferenceId;
  full_ref: string;
  packed_state: number;
}

/**
 * Moves the rows per reference. If both have a row for a reference, the row of the merged one is deleted and returned.
 */
export async function moveReferences(tx: Tx, merges: Merge[]): Promise<MovedReference[]> {
  const all = mergeValues(tx, merges);
  await tx.query(
    `update vulnerability v set introduced_at = least(v.introduced_at, s.introduced_at),
            vulnerable_at = least(v.vulnerable_at, s.vulnerable_at)
       from (select m.into_id, min(f.introduced_at) as introduced_at, min(f.vulnerable_at) as vulnerable_at
               from ${sqlMerges} join vulnerability f on f.tenant_id = $1 and f.id = m.from_id group by m.into_id) s
      where v.tenant_id = $1 and v.id = s.into_id`,
    all,
  );
  await tx.query(
    `update vulnerability_reference r set first_seen_at = least(r.first_seen_at, s.first_seen_at)
       from (select m.into_id, f.reference_id, min(f.first_seen_at) as first_seen_at
               from ${sqlMerges} join vulnerability_reference f on f.tenant_id = $1 and f.vulnerability_id = m.from_id
              group by m.into_id, f.reference_id) s
      where r.tenant_id = $1 and r.vulnerability_id = s.into_id and r.reference_id = s.reference_id`,
    all,
  );
  // If several merged ones have the same reference, any of their rows may move, because it is reconciled afterwards.
  await tx.query(
    `update vulnerability_reference r set vulnerability_id = s.into_id
       from (select distinct on (m.into_id, f.reference_id) m.into_id, f.reference_id, f.vulnerability_id
               from ${sqlMerges} join vulnerability_reference f on f.tenant_id = $1 and f.vulnerability_id = m.from_id
              where not exists (select 1 from vulnerability_reference i where i.tenant_id = $1
                                   and i.vulnerability_id = m.into_id and i.reference_id = f.reference_id)
              order by m.into_id, f.reference_id, f.first_seen_at) s
      where r.tenant_id = $1 and r.vulnerability_id = s.vulnerability_id and r.reference_id = s.reference_id`,
    all,
  );
  const merged = await tx.query<MovedReference>(
    `delete from vulnerability_reference r using ${sqlMerges}
      where r.tenant_id = $1 and r.vulnerability_id = m.from_id
     returning r.reference_id, r.full_ref, r.packed_state`,
    all,
  );
  // Lists by reference sort by the vulnerability's own time.
  await tx.query(
    `update vulnerability_reference r set introduced_at = v.introduced_at
       from vulnerability v
      where v.tenant_id = $1 and v.id = any($2::uuid[]) and r.tenant_id = $1 and r.vulnerability_id = v.id
        and r.introduced_at <> v.introduced_at`,
    [tx.tenantId, [...new Set(merges.map((merge) => merge.into))]],
  );
  return merged;
}

export async function moveAllLocations(tx: Tx, merges: Merge[]): Promise<void> {
  for (const table of ['vulnerability_location', 'location_observation']) {
    await tx.query(
      `update ${table} t set vulnerability_id = m.into_id from ${sqlMerges}
        where t.tenant_id = $1 and t.vulnerability_id = m.from_id`,
      mergeValues(tx, merges),
    );
  }
}

/**
 * Joins two rows of one location on one reference. The older row stays, with the observations of both, and is open if
 * one of them is.
 */
export async function dropDoubleLocations(tx: Tx, ids: VulnerabilityId[]): Promise<void> {
  const doubles = await tx.query<{ id: LocationId; kept: LocationId }>(
    `select id, kept from (
       select id, first_value(id) over (partition by vulnerability_id, reference_id, location_key order by id) as kept
         from vulnerability_location where tenant_id = $1 and vulnerability_id = any($2::uuid[])) d
      where id <> kept`,
    [tx.tenantId, ids],
  );
  if (doubles.length === 0) return;
  const all = [tx.tenantId, doubles.map((row) => row.id), doubles.map((row) => row.kept)];
  const locations = 'unnest($2::uuid[], $3::uuid[]) as d (id, kept)';
  await tx.query(
    `update vulnerability_location k set
            fixed_at = case when k.fixed_at is null or s.open then null else greatest(k.fixed_at, s.fixed_at) end,
            vulnerable_at = least(k.vulnerable_at, s.vulnerable_at)
       from (select d.kept, bool_or(l.fixed_at is null) as open, max(l.fixed_at) as fixed_at,
                    min(l.vulnerable_at) as vulnerable_at
               from ${locations} join vulnerability_location l on l.tenant_id = $1 and l.id = d.id group by d.kept) s
      where k.tenant_id = $1 and k.id = s.kept`,
    all,
  );
  await tx.query(
    `update location_observation g set location_id = d.kept from ${locations}
      where g.tenant_id = $1 and g.location_id = d.id`,
    all,
  );
  await tx.query(
    'delete from vulnerability_location where tenant_id = $1 and id = any($2::uuid[])',
    all.slice(0, 2),
  );
  await alignSuppressed(
    tx,
    doubles.map((row) => row.kept),
  );
}

/**
 * Joins the claims of a series on both vulnerabilities, as if the series had shown all locations as one from the
 * beginning.
 */
export async function moveReporters(tx: Tx, merges: Merge[]): Promise<void> {
  const joined = [
    ...['live', 'severity', 'title', 'fixed_versions', 'cvss_score', 'exploitable', 'verified', 'malware'],
    ...['history', 'suppressed', 'suppression_reason', 'suppressed_until'],
    ...['suppression_may_decide', 'suppression_overrides_policy'],
  ];
  await tx.query(
    `insert into vulnerability_reporter (tenant_id, vulnerability_id, series_id, tool, live, severity, title,
            fixed_versions, cvss_score, exploitable, verified, malware, history, suppressed, suppression_reason, suppressed_until, suppression_may_decide, suppression_overrides_policy,
            updated_at)
     select w.tenant_id, m.into_id, w.series_id, min(w.tool), bool_or(w.live), ${sqlHighestSeverity('w.severity')},
            ${sqlStoredTitle(`min(${sqlClaimTitle('w', 'v')} collate "C")`, 'i.title')},
            ${sqlStoredVersions('x.version')}, max(w.cvss_score),
            bool_or(w.exploitable), bool_or(w.verified), bool_or(w.malware), bool_and(w.history), bool_and(w.suppressed), min(w.suppression_reason),
            min(w.suppressed_until), bool_and(w.suppression_may_decide), bool_and(w.suppression_overrides_policy), max(w.updated_at)
       from ${sqlMerges} cross join unnest(array[m.from_id, m.into_id]) as b (id)
       join vulnerability v on v.tenant_id = $1 and v.id = b.id
       join vulnerability i on i.tenant_id = $1 and i.id = m.into_id
       join vulnerability_reporter w on w.tenant_id = $1 and w.vulnerability_id = b.id
       left join lateral unnest(${sqlFixedVersions('w')}) as x (version) on true
      group by w.tenant_id, m.into_id, i.title, w.series_id
     having bool_or(w.vulnerability_id = m.from_id)
     on conflict ${replacing(['vulnerability_id', 'series_id'], joined)}`,
    mergeValues(tx, merges),
  );
  await tx.query(
    `delete from vulnerability_reporter w using ${sqlMerges} where w.tenant_id = $1 and w.vulnerability_id = m.from_id`,
    mergeValues(tx, merges),
  );
}

/** Joins identifiers, weaknesses and links. The survivor keeps its own text if it has one. */
export async function moveDetails(tx: Tx, merges: Merge[]): Promise<void> {
  const merged = Map.groupBy(merges, ({ into }) => into);
  const details = await readDetails(tx, [...new Set(merges.flatMap(({ from, into }) => [from, into]))]);
  const byId = new Map(details.map((row) => [row.vulnerability_id, row]));
  await updateDetails(
    tx,
    [...merged].flatMap(([into, pairs]) => {
      const own = byId.get(into);
      if (own === undefined) return [];
      const all = [
        own,
        ...pairs
          .map(({ from }) => from)
          .sort()
          .flatMap((from) => byId.get(from) ?? []),
      ];
      return detailsWithKey({
        ...own,
        identifiers: furtherIds(own.advisory, ...all.map((row) => allIds(row))),
        cwes: union(...all.map((row) => row.cwes)),
        links: union(...all.map((row) => row.links)).slice(0, maxStoredLinks),
        description: all.find((row) => row.description !== null)?.description ?? null,
      });
    }),
  );
  await deleteCves(
    tx,
    merges.map((merge) => merge.from),
  );
  await updateCves(tx, [...merged.keys()]);
}

/** Moves evidence of tools of which the survivor has none. */
export async function moveEvidence(tx: Tx, merges: Merge[]): Promise<void> {
  const all = mergeValues(tx, merges);
  await tx.query(
    `insert into vulnerability_evidence (tenant_id, vulnerability_id, tool, on_default, help_key, content)
     select distinct on (m.into_id, e.tool) e.tenant_id, m.into_id, e.tool, e.on_default, e.help_key, e.content
       from ${sqlMerges} join vulnerability_evidence e on e.tenant_id = $1 and e.vulnerability_id = m.from_id
      order by m.into_id, e.tool, e.on_default desc, m.from_id
     on conflict (tenant_id, vulnerability_id, tool) do nothing`,
    all,
  );
  await tx.query(
    `delete from vulnerability_evidence e using ${sqlMerges} where e.tenant_id = $1 and e.vulnerability_id = m.from_id`,
    all,
  );
}

/**
 * Moves comments, further identities and former ids; the merged identity becomes a further one. Events never change,
 * and are read by the former ids.
 */
export async function moveHistory(tx: Tx, merges: Merge[]): Promise<void> {
  const all = mergeValues(tx, merges);
  for (const table of ['vulnerability_comment', 'vulnerability_identity', 'vulnerability_redirect']) {
    await tx.query(
      `update ${table} t set vulnerability_id = m.into_id from ${sqlMerges}
        where t.tenant_id = $1 and t.vulnerability_id = m.from_id`,
      all,
    );
  }
  await tx.query(
    `insert into vulnerability_joined_name as k (tenant_id, vulnerability_id, name, joined_at)
     select j.tenant_id, m.into_id, j.name, max(j.joined_at)
       from ${sqlMerges} join vulnerability_joined_name j on j.tenant_id = $1 and j.vulnerability_id = m.from_id
      group by j.tenant_id, m.into_id, j.name
     on conflict (tenant_id, vulnerability_id, name)
     do update set joined_at = greatest(k.joined_at, excluded.joined_at)`,
    all,
  );
  await tx.query(
    `delete from vulnerability_joined_name j using ${sqlMerges}
      where j.tenant_id = $1 and j.vulnerability_id = m.from_id`,
    all,
  );
  await tx.query(
    `insert into vulnerability_identity (tenant_id, repository_id, identity, vulnerability_id)
     select f.tenant_id, f.repository_id, f.identity, m.into_id
       from ${sqlMerges} join vulnerability f on f.tenant_id = $1 and f.id = m.from_id and f.identity is not null
     on conflict (tenant_id, repository_id, identity) do update set vulnerability_id = excluded.vulnerability_id`,
    all,
  );
  await tx.query(
    `insert into vulnerability_redirect (tenant_id, id, vulnerability_id, opened_at, opened_scan_id, created_at)
     select v.tenant_id, v.id, m.into_id, v.opened_at, v.opened_scan_id, date_trunc('milliseconds', now())
       from ${sqlMerges} join vulnerability v on v.tenant_id = $1 and v.id = m.from_id`,
    all,
  );
}

export async function deleteMerged(tx: Tx, merges: Merge[]): Promise<void> {
  await tx.query('delete from vulnerability where tenant_id = $1 and id = any($2::uuid[])', [
    tx.tenantId,
    merges.map((merge) => merge.from),
  ]);
}

/**
 * Renames vulnerabilities. Their former identity still leads to them, and their former advisory stays an id of them.
 */
export async function relabel(tx: Tx, names: NewName[]): Promise<void> {
  const all = [
    tx.tenantId,
    names.map((name) => name.id),
    names.map((name) => name.identity),
    names.map((name) => name.advisory),
  ];
  await tx.query(
    `insert into vulnerability_identity (tenant_id, repository_id, identity, vulnerability_id)
     select v.tenant_id, v.repository_id, v.identity, v.id
       from unnest($2::uuid[], $3::uuid[]) as n (id, identity)
       join vulnerability v on v.tenant_id = $1 and v.id = n.id and v.identity <> n.identity
     on conflict (tenant_id, repository_id, identity) do update set vulnerability_id = excluded.vulnerability_id`,
    all.slice(0, 3),
  );
  await tx.query(
    `update vulnerability v set identity = n.identity, ${sqlNewAdvisory('n.advisory')}, updated_at = date_trunc('milliseconds', now())
       from unnest($2::uuid[], $3::uuid[], $4::text[]) as n (id, identity, advisory)
      where v.tenant_id = $1 and v.id = n.id`,
    all,
  );
  await updateCves(
    tx,
    names.map((name) => name.id),
  );
  await tx.query(
    `delete from vulnerability_identity i using unnest($2::uuid[], $3::uuid[]) as n (id, identity)
      where i.tenant_id = $1 and i.vulnerability_id = n.id and i.identity = n.identity and not i.pinned`,
    all.slice(0, 3),
  );
}
