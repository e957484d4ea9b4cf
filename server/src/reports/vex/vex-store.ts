/** SQL of VEX documents, which only reads: the vulnerabilities in packages of a scope, with their decisions. */
import type { Tx } from '../../db/database.ts';
import type { ReferenceId, RepositoryId } from '../../domain/ids.ts';
import { sqlStatusIn } from '../../domain/packed-state.ts';
import { sqlIsPresent } from '../../vulnerabilities/present.ts';
import type { Resolution } from '../../vulnerabilities/schema.ts';

// The largest databases give one vulnerability less than ten names. A hostile report could give it ten thousand.
const names = `array(select n.id from unnest(v.identifiers) n (id)
                   where n.id ~ '^(CVE|GHSA|PYSEC|GO|RUSTSEC|OSV)-' limit 20)`;

const decided = ['accepted', 'ignored', 'rejected'] as const;

/** The repositories whose tracked references a document is about, or one reference of any kind. */
export type VexScope = { repositoryIds: RepositoryId[] } | { referenceId: ReferenceId };

export interface VexRow {
  id: string;
  repository_id: RepositoryId;
  full_name: string;
  source: string;
  packed_state: number;
  resolution: Resolution | null;
  advisory: string;
  /** The ids besides the advisory that are names in databases of advisories: the first 20. */
  identifiers: string[];
  title: string;
  package: string;
  fix_version: string | null;
  accepted_until: Date | null;
  updated_at: Date;
  /** The reason and the time of the decision that holds now; of a confirmation, if it is open. */
  reason: string | null;
  decided_at: Date | null;
  /** False if a name was joined after the decision. */
  decision_covers_names: boolean;
  /** The versions in use, as package URLs. Empty if no version is known. */
  purls: string[];
}

/**
 * The time of the newest change of any vulnerability in packages of the scope, also of a fixed or a deleted one, or of
 * one that is on no tracked reference any more: that it is no longer in the document is a change of the document. Null
 * if there is none.
 */
export async function findNewestChange(tx: Tx, scope: VexScope): Promise<Date | null> {
  const isReference = 'referenceId' in scope;
  const [row] = await tx.query<{ at: Date | null }>(
    `select greatest(
       (select max(v.updated_at) from vulnerability v
         where v.tenant_id = $1 and v.package is not null and v.advisory is not null
           and ${isReference ? `v.id in (select s.vulnerability_id from vulnerability_reference s where s.tenant_id = $1 and s.reference_id = $2)` : 'v.repository_id = any($2::uuid[])'}),
       (select max(greatest(f.forgotten_change_at${isReference ? ', f.emptied_at' : ''})) from reference f
         where f.tenant_id = $1 and ${isReference ? 'f.id = $2' : 'f.repository_id = any($2::uuid[])'})) as at`,
    [tx.tenantId, isReference ? scope.referenceId : scope.repositoryIds],
  );
  return row?.at ?? null;
}

/**
 * Returns the name of a repository that was scanned on other references only, so that a document would leave it out.
 */
export async function findWithoutTracked(tx: Tx, repositoryIds: RepositoryId[]): Promise<string | undefined> {
  const [row] = await tx.query<{ full_name: string }>(
    `select r.full_name from reference f join repository r on r.tenant_id = $1 and r.id = f.repository_id
      where f.tenant_id = $1 and f.repository_id = any($2::uuid[]) and f.last_scanned_at is not null
      group by r.full_name having not bool_or(f.tracked) order by r.full_name limit 1`,
    [tx.tenantId, repositoryIds],
  );
  return row?.full_name;
}

/**
 * Lists the vulnerabilities in packages that are open or decided in the scope, by their ids. One that no reference of
 * the scope shows any more, whether it is fixed or was decided before, has no product any more that it is in. A branch
 * that is not tracked is no product yet. None comes after one with which they have more than `maxPurls` versions
 * together.
 */
export async function listVexRows(
  tx: Tx,
  scope: VexScope,
  { maxRows, maxPurls }: { maxRows: number; maxPurls: number },
): Promise<VexRow[]> {
  const isReference = 'referenceId' in scope;
  const state = isReference ? 's.packed_state' : 'v.packed_state';
  const found = isReference
    ? `vulnerability_reference s
         join vulnerability v on v.tenant_id = $1 and v.id = s.vulnerability_id
        where s.tenant_id = $1 and s.reference_id = $2 and s.live`
    : `vulnerability v
        where v.tenant_id = $1 and v.repository_id = any($2::uuid[])
          and ${sqlIsPresent}`;
  return tx.query<VexRow>(
    `select w.* from (select q.*, sum(cardinality(q.purls)) over (order by q.id) - cardinality(q.purls) as purls_before from (
     select v.id, v.repository_id, r.full_name, r.source, k.packed_state, v.resolution, v.advisory,
            ${names} as identifiers, v.title, v.package, v.fix_version, v.accepted_until,
            v.updated_at, v.decision_covers_names, e.reason, e.at as decided_at,
            array(select distinct a.purl from vulnerability_location l
                    join artifact a on a.tenant_id = $1 and a.id = l.artifact_id and a.type = 'package_version'
                    join reference f on f.tenant_id = $1 and f.id = l.reference_id
                   where l.tenant_id = $1 and l.vulnerability_id = v.id and l.fixed_at is null and a.purl is not null
                     and ${isReference ? 'f.id = $2' : 'f.tracked and f.active'}
                   order by a.purl) as purls
       from (select v.id, ${state} as packed_state from ${found}
                and ${sqlStatusIn(state, 'open', ...decided)} and v.package is not null and v.advisory is not null
              order by v.id limit $3) k
       join vulnerability v on v.tenant_id = $1 and v.id = k.id
       join repository r on r.tenant_id = $1 and r.id = v.repository_id
       left join lateral (
         select e.reason, e.at from vulnerability_event e
          where e.tenant_id = $1 and e.vulnerability_id = v.id
            -- Later decisions, and those of a person if a document or an ignore file decides now, were undone.
            and ((${decided.map((status) => `e.kind = '${status}' and ${sqlStatusIn('k.packed_state', status)}`).join(' or ')})
                 and case when v.decided_by = 'person' then e.at <= v.decided_at else e.data ->> 'by' = v.decided_by end
                 or e.kind = 'confirmed' and ${sqlStatusIn('k.packed_state', 'open')})
          order by e.at desc, e.id desc limit 1) e on true) q) w
      where w.purls_before <= $4
      order by w.id`,
    [tx.tenantId, isReference ? scope.referenceId : scope.repositoryIds, maxRows, maxPurls],
  );
}
