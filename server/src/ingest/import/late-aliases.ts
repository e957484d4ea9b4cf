/**
 * Late aliases are vulnerabilities of one repository that a later report shows to be the same advisory of the same
 * package. The oldest one stays, under the canonical name. Repositories of the workspace are marked first, and merged
 * later under their own lock.
 */

import { type Merge, mergeVulnerabilities, type NewName } from '../../actions/merge/merge.ts';
import type { ChangeTx, Tx } from '../../db/database.ts';
import { nilId, type RepositoryId, type VulnerabilityId } from '../../domain/ids.ts';
import type { Cause } from '../../vulnerabilities/events.ts';
import { insertIdentities, pinnedIdentity } from '../../vulnerabilities/identities.ts';
import { insertJoinedNames } from '../../vulnerabilities/joined-names.ts';
import { reconcile } from '../../vulnerabilities/reconcile.ts';
import { packageIdentity } from '../prepare/identity.ts';
import { takePendingMerge } from './pending-merge-store.ts';
import { findByIdentity } from './resolve-store.ts';

/** SQL that joins the learned name of an advisory in the repository as `a`; the name of the workspace comes first. */
function learnedName(advisory: string, repository: string): string {
  return `cross join lateral (
         select k.advisory, k.state, k.learned_at, k.repository_id = '${nilId}' as trusted from advisory_alias k
          where k.tenant_id = $1 and k.alias = ${advisory} and k.repository_id in ('${nilId}', ${repository})
          order by k.repository_id limit 1) a`;
}

/** Carries out the pending merges of the repository. The caller must hold its lock. */
export async function mergePending(tx: ChangeTx, repositoryId: RepositoryId, cause: Cause): Promise<void> {
  if (await takePendingMerge(tx, repositoryId)) await mergeAliases(tx, repositoryId, cause);
}

async function mergeAliases(tx: ChangeTx, repositoryId: RepositoryId, cause: Cause): Promise<void> {
  const { changes } = tx;
  const withStatements = await renameStatements(tx, repositoryId);
  const ids = [...withStatements, ...(await renamePinned(tx, repositoryId))];
  if (ids.length > 0) await reconcile(tx, { ids, cause, changes });
  const rows = await tx.query<{
    id: VulnerabilityId;
    package: string;
    name: string;
    advisory: string;
    learned_at: Date;
    trusted: boolean;
  }>(
    `select v.id, v.package, v.advisory as name, a.advisory, a.learned_at, a.trusted
       from vulnerability v ${learnedName('v.advisory', '$2')}
      where v.tenant_id = $1 and v.repository_id = $2 and v.package is not null and v.advisory is not null
        and a.state = 'joins'
        and not exists (select 1 from vulnerability_identity i
                         where i.tenant_id = $1 and i.vulnerability_id = v.id and i.pinned)`,
    [tx.tenantId, repositoryId],
  );
  if (rows.length === 0) return;
  await insertJoinedNames(
    tx,
    rows.map((row) => ({
      vulnerabilityId: row.id,
      name: row.name,
      learnedAt: row.learned_at,
      trusted: row.trusted,
    })),
  );
  const groups = new Map<string, { advisory: string; ids: VulnerabilityId[] }>();
  for (const row of rows) {
    const identity = packageIdentity(row.advisory, row.package);
    const group = groups.get(identity) ?? { advisory: row.advisory, ids: [] };
    group.ids.push(row.id);
    groups.set(identity, group);
  }
  for (const [identity, id] of await findByIdentity(tx, repositoryId, [...groups.keys()])) {
    const ids = groups.get(identity)?.ids;
    if (ids && !ids.includes(id)) ids.push(id);
  }
  const merges: Merge[] = [];
  const names: NewName[] = [];
  for (const [identity, { advisory, ids }] of groups) {
    // Ids grow with time, so the smallest is the oldest.
    const [into, ...others] = ids.sort();
    if (into === undefined) continue;
    names.push({ id: into, identity, advisory });
    merges.push(...others.map((from) => ({ from, into })));
  }
  // A merge decides by itself which exceptions end.
  const merged = new Set(merges.map(({ into }) => into));
  changes.markJoined(names.flatMap(({ id }) => (merged.has(id) ? [] : [id])));
  const reason = 'Their advisories are names of one.';
  await mergeVulnerabilities(tx, { merges, names, cause, changes, reason });
}

/**
 * Gives split-off vulnerabilities the canonical name and pins under it, and merges them with nothing. Scans find them
 * by the pins as before. Returns their ids.
 */
async function renamePinned(tx: Tx, repositoryId: RepositoryId): Promise<VulnerabilityId[]> {
  const rows = await tx.query<{ id: VulnerabilityId; package: string; advisory: string; paths: string[] }>(
    `select v.id, v.package, a.advisory,
            array(select distinct l.path from vulnerability_location l
                   where l.tenant_id = $1 and l.vulnerability_id = v.id) as paths
       from vulnerability v ${learnedName('v.advisory', '$2')}
      where v.tenant_id = $1 and v.repository_id = $2 and v.package is not null and v.advisory is not null
        and a.state = 'joins'
        and exists (select 1 from vulnerability_identity i
                     where i.tenant_id = $1 and i.vulnerability_id = v.id and i.pinned)
      order by v.id`,
    [tx.tenantId, repositoryId],
  );
  if (rows.length === 0) return [];
  const pins = new Map<string, { identity: string; vulnerabilityId: VulnerabilityId; pinned: boolean }>();
  for (const row of rows) {
    const named = packageIdentity(row.advisory, row.package);
    for (const path of row.paths) {
      const identity = pinnedIdentity(named, path);
      // Two vulnerabilities may be split off in the same file under two names of one advisory. New findings then go to
      // the older one.
      if (!pins.has(identity)) pins.set(identity, { identity, vulnerabilityId: row.id, pinned: true });
    }
  }
  await insertIdentities(tx, repositoryId, [...pins.values()]);
  await tx.query(
    `update vulnerability v set advisory = n.advisory, updated_at = date_trunc('milliseconds', now())
       from unnest($2::uuid[], $3::text[]) as n (id, advisory) where v.tenant_id = $1 and v.id = n.id`,
    [tx.tenantId, rows.map((row) => row.id), rows.map((row) => row.advisory)],
  );
  return rows.map((row) => row.id);
}

// A VEX statement moves to the canonical name, unless that name has a statement already. Its document does not name the
// canonical name, so the statement no longer overrides policies that block. Returns the vulnerabilities of the
// canonical name.
async function renameStatements(tx: Tx, repositoryId: RepositoryId): Promise<VulnerabilityId[]> {
  const rows = await tx.query<{ id: VulnerabilityId }>(
    `with renamed as (
     update vex_statement s set advisory = n.canonical, overrides_policy = false
       from (select distinct on (a.advisory, o.package, o.version) a.advisory as canonical, o.advisory, o.package, o.version
               from vex_statement o ${learnedName('o.advisory', '$2')}
              where o.tenant_id = $1 and o.repository_id = $2 and a.state = 'joins'
                and not exists (select 1 from vex_statement k where k.tenant_id = $1 and k.repository_id = $2
                                   and k.advisory = a.advisory and k.package = o.package and k.version = o.version)
              order by a.advisory, o.package, o.version, o.stated_at desc) n
      where s.tenant_id = $1 and s.repository_id = $2 and s.advisory = n.advisory and s.package = n.package
        and s.version = n.version
     returning s.advisory)
     select id from vulnerability
      where tenant_id = $1 and repository_id = $2 and advisory in (select advisory from renamed)`,
    [tx.tenantId, repositoryId],
  );
  return rows.map((row) => row.id);
}
