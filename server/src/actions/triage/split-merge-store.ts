/**
 * SQL of merging by hand and of splitting, which moves locations of a vulnerability, with their rows, to another one.
 */
import type { Tx } from '../../db/database.ts';
import { rowsByKey } from '../../db/planner-hints.ts';
import type { LocationId, ReferenceId, RepositoryId, VulnerabilityId } from '../../domain/ids.ts';
import type { MovedReference } from '../merge/merge-store.ts';

/** Lists the repositories of these vulnerabilities, each once. */
export async function listRepositoriesWith(tx: Tx, ids: VulnerabilityId[]): Promise<RepositoryId[]> {
  const rows = await tx.query<{ repository_id: RepositoryId }>(
    'select distinct repository_id from vulnerability where tenant_id = $1 and id = any($2::uuid[])',
    [tx.tenantId, ids],
  );
  return rows.map((row) => row.repository_id);
}

/** Lists the kinds of findings of these vulnerabilities, each kind once. */
export async function listKinds(tx: Tx, ids: VulnerabilityId[]): Promise<('package' | 'secret' | 'code')[]> {
  const rows = await tx.query<{ kind: 'package' | 'secret' | 'code' }>(
    `select distinct case
              when exists (select 1 from vulnerability_location l where l.tenant_id = $1
                              and l.vulnerability_id = v.id and l.rule_key is not null) then 'code'
              when v.package is not null then 'package' else 'secret' end as kind
       from vulnerability v where v.tenant_id = $1 and v.id = any($2::uuid[])`,
    [tx.tenantId, ids],
  );
  return rows.map((row) => row.kind);
}

export interface SameLocation {
  id: LocationId;
  reference_id: ReferenceId;
  path: string;
  /**
   * True if its evidence identifies the location. Otherwise it belongs to a package or a secret, which has an identity.
   */
  is_code: boolean;
  named: boolean;
}

/** Returns the named locations with those like them on all references, and the number of the other locations. */
export async function listSameLocations(
  tx: Tx,
  vulnerabilityId: VulnerabilityId,
  locationIds: LocationId[],
): Promise<{ chosen: SameLocation[]; others: number }> {
  const rows = await tx.query<SameLocation & { alike: boolean }>(
    `with location as (
       select id, reference_id, path, location_key, rule_key is not null as is_code, id = any($3::uuid[]) as named,
              fixed_at is null as live
         from vulnerability_location where tenant_id = $1 and vulnerability_id = $2)
     select p.id, p.reference_id, p.path, p.is_code, p.named,
            exists (select 1 from location n where n.named
                       and case when p.is_code then n.location_key = p.location_key else n.path = p.path end) as alike
       from location p order by p.live desc, p.id`,
    [tx.tenantId, vulnerabilityId, locationIds],
  );
  const chosen = rows.filter((row) => row.alike);
  return { chosen, others: rows.length - chosen.length };
}

/**
 * Inserts a copy under another id, without a decision. Its identity is its id, which no finding has: only its locations
 * and pins lead to it.
 */
export async function insertSplit(
  tx: Tx,
  split: {
    id: VulnerabilityId;
    from: VulnerabilityId;
    packed_state: number;
    referenceId: ReferenceId;
    locationId: LocationId;
  },
): Promise<void> {
  await tx.query(
    `insert into vulnerability (tenant_id, id, repository_id, identity, packed_state, cvss_score, introduced_at,
            vulnerable_at, exploitable_at, primary_reference_id, primary_location_id, search_key, updated_at, title,
            rule, advisory, package, fix_version, identifiers, cwes, description_key, team_id)
     select tenant_id, $3, repository_id, $3, $4, cvss_score, introduced_at, vulnerable_at, exploitable_at, $5, $6,
            search_key, date_trunc('milliseconds', now()), title, rule, advisory, package, fix_version, identifiers,
            cwes, description_key, team_id
       from vulnerability where tenant_id = $1 and id = $2`,
    [tx.tenantId, split.from, split.id, split.packed_state, split.referenceId, split.locationId],
  );
}

/** Lists all identities of the vulnerability, without pinned ones. */
export async function listIdentities(tx: Tx, id: VulnerabilityId): Promise<string[]> {
  const rows = await tx.query<{ identity: string }>(
    `select identity from vulnerability where tenant_id = $1 and id = $2 and identity is not null
     union
     select identity from vulnerability_identity
      where tenant_id = $1 and vulnerability_id = $2 and not pinned`,
    [tx.tenantId, id],
  );
  return rows.map((row) => row.identity);
}

export async function moveLocations(
  tx: Tx,
  vulnerabilityId: VulnerabilityId,
  locationIds: LocationId[],
): Promise<void> {
  const values = [tx.tenantId, vulnerabilityId, locationIds];
  await tx.query(
    'update vulnerability_location set vulnerability_id = $2 where tenant_id = $1 and id = any($3::uuid[])',
    values,
  );
  await tx.query(
    'update location_observation set vulnerability_id = $2 where tenant_id = $1 and location_id = any($3::uuid[])',
    values,
  );
}

/** Copies the evidence of every tool. The next report that changes a finding of either replaces it there. */
export async function copyEvidence(tx: Tx, from: VulnerabilityId, to: VulnerabilityId): Promise<void> {
  await tx.query(
    `insert into vulnerability_evidence (tenant_id, vulnerability_id, tool, on_default, help_key, content)
     select tenant_id, $3, tool, on_default, help_key, content
       from vulnerability_evidence where tenant_id = $1 and vulnerability_id = $2`,
    [tx.tenantId, from, to],
  );
}

/**
 * Copies the claims of every series that ever saw one of the moved locations. Null as a title means the same in a copy,
 * because both vulnerabilities still have one title.
 */
export async function copyReporters(tx: Tx, from: VulnerabilityId, to: VulnerabilityId): Promise<void> {
  await tx.query(
    `insert into vulnerability_reporter (tenant_id, vulnerability_id, series_id, tool, live, severity, title,
            fixed_versions, cvss_score, exploitable, verified, malware, history, suppressed, suppression_reason, suppressed_until,
            suppression_may_decide, suppression_overrides_policy, updated_at)
     select w.tenant_id, $3, w.series_id, w.tool, w.live, w.severity, w.title, w.fixed_versions, w.cvss_score,
            w.exploitable, w.verified, w.malware, w.history, w.suppressed, w.suppression_reason, w.suppressed_until, w.suppression_may_decide, w.suppression_overrides_policy,
            w.updated_at
       from vulnerability_reporter w
      where w.tenant_id = $1 and w.vulnerability_id = $2
        and exists (select 1 from location_observation g join vulnerability_location l
                      on l.tenant_id = $1 and l.id = g.location_id
                     where g.tenant_id = $1 and g.series_id = w.series_id and l.vulnerability_id = $3)`,
    [tx.tenantId, from, to],
  );
}

export async function endEmptyReporters(tx: Tx, ids: VulnerabilityId[]): Promise<void> {
  await tx.query(
    `update vulnerability_reporter w set live = false, updated_at = now()
      where w.tenant_id = $1 and w.vulnerability_id = any($2::uuid[]) and w.live
        and not exists (select 1 from vulnerability_location l
                         cross join lateral ${rowsByKey('location_observation g', 'l.id', {
                           column: 'location_id',
                           where: 'g.until_seq is null',
                         })}
                         where l.tenant_id = $1 and l.vulnerability_id = w.vulnerability_id
                           and g.series_id = w.series_id)`,
    [tx.tenantId, ids],
  );
}

/** Deletes and returns the rows of references on which no location is left. */
export async function dropEmptyReferences(tx: Tx, id: VulnerabilityId): Promise<MovedReference[]> {
  return tx.query<MovedReference>(
    `delete from vulnerability_reference r
      where r.tenant_id = $1 and r.vulnerability_id = $2
        and not exists (select 1 from vulnerability_location l where l.tenant_id = $1
                           and l.vulnerability_id = $2 and l.reference_id = r.reference_id)
     returning r.reference_id, r.full_ref, r.packed_state`,
    [tx.tenantId, id],
  );
}
