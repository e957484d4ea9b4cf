/** SQL of aliases: the names of advisories that a workspace has learned, and what its repositories have under them. */

import { insertRows } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import { nilId, type RepositoryId, type VulnerabilityId } from '../../domain/ids.ts';
import { updateCves } from '../../vulnerabilities/cves.ts';
import { sqlNewAdvisory } from '../../vulnerabilities/identifiers.ts';

interface AliasRow {
  alias: string;
  repository_id: RepositoryId;
  advisory: string;
  state: string;
}

/** Lists those of the aliases that count in the whole workspace or in the repository, in whatever state. */
export async function listAliases(
  tx: Tx,
  repositoryId: RepositoryId,
  aliases: string[],
): Promise<AliasRow[]> {
  return tx.query<AliasRow>(
    `select alias, repository_id, advisory, state from advisory_alias
      where tenant_id = $1 and alias = any($2::text[]) and repository_id in ($3, $4)`,
    [tx.tenantId, aliases, nilId, repositoryId],
  );
}

interface NewAlias extends AliasRow {
  id: string;
  learned_at: Date;
  taught_by: string | null;
  scan_id: string | null;
}

/** Inserts the aliases; one that joins another advisory becomes ambiguous. Returns those that have changed. */
export async function upsertAliases(
  tx: Tx,
  aliases: NewAlias[],
): Promise<Pick<AliasRow, 'alias' | 'state'>[]> {
  return insertRows(tx, 'advisory_alias', aliases, {
    order: 's.alias collate "C"',
    conflict: `(tenant_id, alias, repository_id) do update set state = 'ambiguous'
        where t.advisory <> excluded.advisory and t.state = 'joins'`,
    returning: 't.alias, t.state',
  });
}

/** A learned name is the first id of a finding, with the advisory that it means. */
export interface LearnedName {
  name: string;
  advisory: string;
  learnedAt: Date;
  /** An admin's key with `vulnerabilities:write` taught it, so it counts in the whole workspace. */
  trusted: boolean;
}

/** The learned names among these ids, for the repository; the name of the workspace comes first. */
export async function findNames(
  tx: Tx,
  repositoryId: RepositoryId,
  ids: string[],
): Promise<Map<string, LearnedName>> {
  const rows = await tx.query<{
    alias: string;
    advisory: string;
    state: string;
    learned_at: Date;
    trusted: boolean;
  }>(
    `select distinct on (alias) alias, advisory, state, learned_at, repository_id = $3 as trusted from advisory_alias
      where tenant_id = $1 and alias = any($2::text[]) and repository_id in ($3, $4)
      order by alias, repository_id`,
    [tx.tenantId, ids, nilId, repositoryId],
  );
  return new Map(
    rows
      .filter((row) => row.state === 'joins')
      .map(({ alias, advisory, learned_at: learnedAt, trusted }) => [
        alias,
        { name: alias, advisory, learnedAt, trusted },
      ]),
  );
}

/** SQL that joins the learned name of an advisory in the repository as `a`; the name of the workspace comes first. */
function learnedName(advisory: string, repository: string): string {
  return `cross join lateral (
         select k.advisory, k.state, k.learned_at, k.repository_id = '${nilId}' as trusted from advisory_alias k
          where k.tenant_id = $1 and k.alias = ${advisory} and k.repository_id in ('${nilId}', ${repository})
          order by k.repository_id limit 1) a`;
}

// SQL: the vulnerabilities `v` of the repository $2 that have an alias `a`.
const vulnerabilitiesWithAlias = `vulnerability v ${learnedName('v.advisory', '$2')}
      where v.tenant_id = $1 and v.repository_id = $2 and v.package is not null and v.advisory is not null
        and a.state = 'joins'`;

// SQL: `v` was split off by a person.
const isPinned = `exists (select 1 from vulnerability_identity i
                         where i.tenant_id = $1 and i.vulnerability_id = v.id and i.pinned)`;

interface LateAlias {
  id: VulnerabilityId;
  package: string;
  /** The name that the vulnerability has. */
  name: string;
  /** The canonical name. */
  advisory: string;
  learned_at: Date;
  trusted: boolean;
}

/** Lists the vulnerabilities that have an alias instead of the canonical name, without those that are split off. */
export async function listLateAliases(tx: Tx, repositoryId: RepositoryId): Promise<LateAlias[]> {
  return tx.query<LateAlias>(
    `select v.id, v.package, v.advisory as name, a.advisory, a.learned_at, a.trusted
       from ${vulnerabilitiesWithAlias} and not ${isPinned}`,
    [tx.tenantId, repositoryId],
  );
}

interface PinnedAlias extends Pick<LateAlias, 'id' | 'package' | 'advisory'> {
  paths: string[];
}

/** Lists the split-off vulnerabilities that have an alias, with the paths of their locations, the oldest first. */
export async function listPinnedAliases(tx: Tx, repositoryId: RepositoryId): Promise<PinnedAlias[]> {
  return tx.query<PinnedAlias>(
    `select v.id, v.package, a.advisory,
            array(select distinct l.path from vulnerability_location l
                   where l.tenant_id = $1 and l.vulnerability_id = v.id) as paths
       from ${vulnerabilitiesWithAlias} and ${isPinned}
      order by v.id`,
    [tx.tenantId, repositoryId],
  );
}

/** Sets the advisories of vulnerabilities. Their identities stay. */
export async function updateAdvisories(
  tx: Tx,
  rows: { id: VulnerabilityId; advisory: string }[],
): Promise<void> {
  await tx.query(
    `update vulnerability v set ${sqlNewAdvisory('n.advisory')}, updated_at = date_trunc('milliseconds', now())
       from unnest($2::uuid[], $3::text[]) as n (id, advisory) where v.tenant_id = $1 and v.id = n.id`,
    [tx.tenantId, rows.map((row) => row.id), rows.map((row) => row.advisory)],
  );
  await updateCves(
    tx,
    rows.map((row) => row.id),
  );
}

/**
 * Moves VEX statements to the canonical name, unless that name has a statement already: the newest of each package, and
 * of equally new ones the first status, as claims are compared (`status.ts`). Their document does not name the
 * canonical name, so they no longer override policies that block. Returns the vulnerabilities of the canonical name.
 */
export async function renameStatements(tx: Tx, repositoryId: RepositoryId): Promise<VulnerabilityId[]> {
  const rows = await tx.query<{ id: VulnerabilityId }>(
    `with renamed as (
     update vex_statement s set advisory = n.canonical, overrides_policy = false
       from (select distinct on (a.advisory, o.package, o.version) a.advisory as canonical, o.advisory, o.package, o.version
               from vex_statement o ${learnedName('o.advisory', '$2')}
              where o.tenant_id = $1 and o.repository_id = $2 and a.state = 'joins'
                and not exists (select 1 from vex_statement k where k.tenant_id = $1 and k.repository_id = $2
                                   and k.advisory = a.advisory and k.package = o.package and k.version = o.version)
              order by a.advisory, o.package, o.version, o.stated_at desc,
                       o.status, o.advisory) n
      where s.tenant_id = $1 and s.repository_id = $2 and s.advisory = n.advisory and s.package = n.package
        and s.version = n.version
     returning s.advisory)
     select id from vulnerability
      where tenant_id = $1 and repository_id = $2 and advisory in (select advisory from renamed)`,
    [tx.tenantId, repositoryId],
  );
  return rows.map((row) => row.id);
}
