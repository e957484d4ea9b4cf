/** SQL by which people see and change the names of advisories that reports have taught. */
import type { Tx } from '../../db/database.ts';
import {
  type AdvisoryNameId,
  nilId,
  type RepositoryId,
  type ScanId,
  type UserId,
  type VulnerabilityId,
} from '../../domain/ids.ts';

export const nameStates = ['joins', 'ambiguous', 'forgotten'] as const;
export type NameState = (typeof nameStates)[number];

export interface NameRow {
  id: AdvisoryNameId;
  name: string;
  advisory: string;
  state: NameState;
  learned_at: Date;
  scan_id: ScanId | null;
  /** Null means that the name counts in the whole workspace. */
  repository: { id: RepositoryId; full_name: string } | null;
  taught_by: { id: UserId; name: string; email: string } | null;
}

/** Lists the names in order, after the row `afterId`. `name` limits the list to one name, and `id` to one row. */
export async function listAdvisoryNames(
  tx: Tx,
  filter: { name?: string; id?: AdvisoryNameId },
  afterId: AdvisoryNameId | null,
  limit: number,
): Promise<NameRow[]> {
  return tx.query<NameRow>(
    `select k.id, k.alias as name, k.advisory, k.state, k.learned_at, k.scan_id,
            case when r.id is null then null else json_build_object('id', r.id, 'full_name', r.full_name) end as repository,
            case when u.id is null then null
                 else json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as taught_by
       from (select * from advisory_alias
              where tenant_id = $1 and ($2::text is null or alias = $2) and ($3::uuid is null or id = $3)
                and ($4::uuid is null
                  or (alias, id) > (select a.alias, a.id from advisory_alias a where a.tenant_id = $1 and a.id = $4))
              order by alias, id limit $5) k
       left join repository r on r.tenant_id = $1 and r.id = k.repository_id
       left join user_account u on u.id = k.taught_by
      order by k.alias, k.id`,
    [tx.tenantId, filter.name ?? null, filter.id ?? null, afterId, limit],
  );
}

/**
 * Changes the state of a name. Only a name that joins can be forgotten, and only a forgotten name can join again; an
 * ambiguous name stays ambiguous. Returns the name and its repository (the nil id means the workspace), or undefined if
 * nothing changes.
 */
export async function updateNameState(
  tx: Tx,
  id: AdvisoryNameId,
  to: { state: NameState; learnedAt: Date },
): Promise<{ name: string; repositoryId: RepositoryId } | undefined> {
  const [row] = await tx.query<{ name: string; repositoryId: RepositoryId }>(
    `update advisory_alias set state = $3, learned_at = $4
      where tenant_id = $1 and id = $2
        and state = case when $3 = 'forgotten' then 'joins' else 'forgotten' end
     returning alias as name, repository_id as "repositoryId"`,
    [tx.tenantId, id, to.state, to.learnedAt],
  );
  return row;
}

/** Sets the time when the name joined findings to vulnerabilities. Returns the ids of these vulnerabilities. */
export async function updateJoinedAt(
  tx: Tx,
  name: string,
  repositoryId: RepositoryId,
  at: Date,
): Promise<VulnerabilityId[]> {
  const rows = await tx.query<{ id: VulnerabilityId }>(
    `update vulnerability_joined_name j set joined_at = $5
       from vulnerability v
      where j.tenant_id = $1 and j.name = $2 and v.tenant_id = $1 and v.id = j.vulnerability_id
        and ($3 = $4::uuid or v.repository_id = $3)
     returning v.id`,
    [tx.tenantId, name, repositoryId, nilId, at],
  );
  return rows.map((row) => row.id);
}
