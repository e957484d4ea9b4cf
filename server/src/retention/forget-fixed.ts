/**
 * Forgets vulnerabilities that have long been fixed and that have no decision, confirmation, comment or assignment,
 * with all their rows. `prune.ts` deletes their events, because the running role may not.
 */
import { type ChangeTx, type Database, importTx, type Tx, tenantReadTx } from '../db/database.ts';
import type { ReferenceState } from '../domain/change-set.ts';
import type { RepositoryId, TenantId, VulnerabilityId } from '../domain/ids.ts';
import { sqlIsConfirmed, sqlStatusIn } from '../domain/packed-state.ts';
import { lockRepository, tryLockRepository } from '../inventory/repositories/lock.ts';
import { lockVulnerabilities } from '../vulnerabilities/reconcile-store.ts';

const atOnce = 2000;

/**
 * Forgets vulnerabilities that have not changed since `before`, in transactions of some thousand. Returns their number.
 * A repository whose lock an import holds comes last and alone, so that no transaction waits with the locks of others.
 */
export async function forgetFixed(db: Database, tenantId: TenantId, before: Date): Promise<number> {
  const locked = new Set<RepositoryId>();
  let forgotten = 0;
  for (let isDone = false; !isDone; ) {
    const due = await tenantReadTx(db, tenantId, (tx) =>
      listForgettable(tx, before, { except: [...locked] }),
    );
    const lockedBefore = locked.size;
    const batch = await importTx(db, tenantId, async (tx) => {
      for (const repositoryId of [...new Set(due.map((row) => row.repository_id))].sort()) {
        if (!(await tryLockRepository(tx, repositoryId))) locked.add(repositoryId);
      }
      return forget(tx, before, idsOf(due.filter((row) => !locked.has(row.repository_id))));
    });
    forgotten += batch;
    isDone = due.length < atOnce || (batch === 0 && locked.size === lockedBefore);
  }
  for (const repositoryId of locked) forgotten += await forgetIn(db, tenantId, before, repositoryId);
  return forgotten;
}

/** Waits for the lock of the repository. */
async function forgetIn(
  db: Database,
  tenantId: TenantId,
  before: Date,
  repositoryId: RepositoryId,
): Promise<number> {
  for (let forgotten = 0; ; ) {
    const { due, batch } = await importTx(db, tenantId, async (tx) => {
      await lockRepository(tx, repositoryId);
      const due = await listForgettable(tx, before, { only: repositoryId });
      return { due: due.length, batch: await forget(tx, before, idsOf(due)) };
    });
    forgotten += batch;
    if (batch === 0 || due < atOnce) return forgotten;
  }
}

/**
 * Forgets those of the vulnerabilities that still may be forgotten. The caller holds the locks of their repositories.
 */
async function forget(tx: ChangeTx, before: Date, dueIds: VulnerabilityId[]): Promise<number> {
  const locked = await lockVulnerabilities(tx, dueIds);
  // Before the locks, a scan may have reopened one, and a person may have decided, commented or assigned it.
  const still = new Set(idsOf(await listForgettable(tx, before, { among: dueIds })));
  const forgettable = locked.filter(({ id }) => still.has(id));
  const ids = idsOf(forgettable);
  for (const row of forgettable) {
    tx.changes.moveOwn({
      of: row,
      from: row.packed_state,
      to: null,
      at: new Date(),
      vulnerableAt: row.vulnerable_at,
    });
    tx.changes.moveOnDefaultBranch(row, row.default_branch_state, null);
  }
  await keepTimeOfChanges(tx, ids);
  for (const row of await deleteReferences(tx, ids)) tx.changes.addOnReference(row, -1);
  await deleteVulnerabilities(tx, ids);
  return ids.length;
}

const idsOf = (rows: { id: VulnerabilityId }[]): VulnerabilityId[] => rows.map(({ id }) => id);

interface Forgettable {
  id: VulnerabilityId;
  repository_id: RepositoryId;
}

/** Limits the list to these vulnerabilities, to one repository, or to all but some repositories. */
interface ForgettableScope {
  among?: VulnerabilityId[];
  only?: RepositoryId;
  except?: RepositoryId[];
}

/**
 * Lists a batch of vulnerabilities that no report shows any more on any reference, not even as suppressed: what
 * is shown would be new in the next report. Inactive references count too, because CI may ask for their gate, until
 * they are emptied. A vulnerability that a person or a document has decided stays, so that it is not asked about again.
 * A confirmed one stays, because a policy may block it when it comes back. One that a person has split off (without
 * `opened_at`) stays, so that its findings do not come back under a decision about the rest. An exploitable one of a
 * product stays, because the duty to report it does (docs/cra.md).
 */
async function listForgettable(
  tx: Tx,
  before: Date,
  { among, only, except = [] }: ForgettableScope,
): Promise<Forgettable[]> {
  return tx.query<Forgettable>(
    `select v.id, v.repository_id from vulnerability v
      where v.tenant_id = $1 and ${sqlStatusIn('v.packed_state', 'fixed')} and v.updated_at < $2
        and ($3::uuid[] is null or v.id = any($3)) and ($4::uuid is null or v.repository_id = $4)
        and v.repository_id <> all ($5::uuid[]) and v.decided_by is null and v.assignee_id is null
        and v.opened_at is not null and not ${sqlIsConfirmed('v.packed_state')}
        and not exists (select 1 from vulnerability_location l
                          join reference f on f.tenant_id = $1 and f.id = l.reference_id and f.emptied_at is null
                         where l.tenant_id = $1 and l.vulnerability_id = v.id and l.fixed_at is null)
        and not exists (select 1 from vulnerability_comment c where c.tenant_id = $1 and c.vulnerability_id = v.id)
        and not (v.exploitable_at is not null
                 and exists (select 1 from application_repository x
                              join application a on a.tenant_id = $1 and a.id = x.application_id and a.is_product
                             where x.tenant_id = $1 and x.repository_id = v.repository_id))
        and not exists (select 1 from policy_violation p
                          join policy_exception e on e.tenant_id = $1 and e.violation_id = p.id
                         where p.tenant_id = $1 and p.repository_id = v.repository_id and p.target_id = v.id)
      order by v.updated_at, v.id limit ${atOnce}`,
    [tx.tenantId, before, among ?? null, only ?? null, except],
  );
}

/** A VEX document would otherwise become older when the vulnerability that has changed last is deleted. */
async function keepTimeOfChanges(tx: Tx, ids: VulnerabilityId[]): Promise<void> {
  await tx.query(
    `update reference f set forgotten_change_at = greatest(f.forgotten_change_at, s.at)
       from (select s.reference_id, max(v.updated_at) as at from vulnerability_reference s
               join vulnerability v on v.tenant_id = $1 and v.id = s.vulnerability_id
              where s.tenant_id = $1 and s.vulnerability_id = any($2::uuid[])
                and v.package is not null and v.advisory is not null
              group by s.reference_id) s
      where f.tenant_id = $1 and f.id = s.reference_id`,
    [tx.tenantId, ids],
  );
}

async function deleteReferences(tx: Tx, ids: VulnerabilityId[]): Promise<ReferenceState[]> {
  return tx.query<ReferenceState>(
    `delete from vulnerability_reference where tenant_id = $1 and vulnerability_id = any($2::uuid[])
     returning reference_id as "referenceId", full_ref as "fullRef", packed_state`,
    [tx.tenantId, ids],
  );
}

async function deleteVulnerabilities(tx: Tx, ids: VulnerabilityId[]): Promise<void> {
  const violations = `select p.id from policy_violation p
     join vulnerability v on v.tenant_id = $1 and v.repository_id = p.repository_id and v.id = p.target_id
    where p.tenant_id = $1 and v.id = any($2::uuid[])`;
  const locations =
    'select id from vulnerability_location where tenant_id = $1 and vulnerability_id = any($2::uuid[])';
  for (const statement of [
    `delete from violation_reference where tenant_id = $1 and violation_id in (${violations})`,
    `delete from policy_violation where tenant_id = $1 and id in (${violations})`,
    `delete from location_observation where tenant_id = $1 and location_id in (${locations})`,
    ...[
      'vulnerability_location',
      'vulnerability_cve',
      'vulnerability_evidence',
      'vulnerability_reporter',
      'vulnerability_identity',
      'vulnerability_joined_name',
      'vulnerability_redirect',
    ].map((table) => `delete from ${table} where tenant_id = $1 and vulnerability_id = any($2::uuid[])`),
    // The lock of the repository keeps imports away, which may rely on a row that is there.
    `delete from rule_help h where h.tenant_id = $1
        and h.repository_id in (select repository_id from vulnerability where tenant_id = $1 and id = any($2::uuid[]))
        and not exists (select 1 from vulnerability_evidence e where e.tenant_id = $1 and e.help_key = h.key)`,
    'delete from vulnerability where tenant_id = $1 and id = any($2::uuid[])',
  ]) {
    await tx.query(statement, [tx.tenantId, ids]);
  }
}
