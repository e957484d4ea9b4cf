/**
 * Policies are evaluated before each commit for all that the transaction has changed. Verdicts follow in the same
 * transaction, so that no reader sees a change without its verdict.
 */
import type { Tx } from '../../db/database.ts';
import type { ChangeSet } from '../../domain/change-set.ts';
import { refreshVerdicts } from '../verdict/verdict.ts';
import { evaluate } from './evaluate.ts';

/** Commit step: evaluates policies for the change set and writes the verdicts that follow. */
export async function evaluateAndRefreshVerdicts(tx: Tx): Promise<void> {
  const references = await evaluateChanges(tx, tx.changes);
  if (references) await refreshVerdicts(tx, references);
}

/**
 * Evaluates policies for all that is marked in the change set. Returns the ids of the references on which violations
 * have changed, or null if the workspace has never had a policy.
 */
export async function evaluateChanges(tx: Tx, changes: ChangeSet): Promise<Set<string> | null> {
  await markVulnerabilitiesOn(tx, changes);
  const at = changes.at ?? new Date();
  const { vulnerabilities, created, targets } = changes;
  const now = new Date(Math.max(at.getTime(), Date.now()));
  const references = await evaluate(tx, {
    policyIds: null,
    vulnerabilities,
    created,
    targets,
    at,
    now,
  });
  changes.clearMarks();
  return references;
}

async function markVulnerabilitiesOn(tx: Tx, changes: ChangeSet): Promise<void> {
  const references = changes.takeReferences();
  if (references.size === 0 || !(await hasActivePolicy(tx))) return;
  const rows = await tx.query<{ id: string; reference_id: string }>(
    `select vulnerability_id as id, reference_id from vulnerability_reference
      where tenant_id = $1 and reference_id = any($2::uuid[]) and live`,
    [tx.tenantId, [...references.keys()]],
  );
  for (const row of rows) changes.markChanged(row.id, references.get(row.reference_id) ?? '');
}

/** Commit step: the worker evaluates policies for these repositories within a minute. */
export async function markRepositoriesForLater(tx: Tx, changes: ChangeSet = tx.changes): Promise<void> {
  const repositoryIds = changes.takeForLater();
  if (repositoryIds.length === 0 || !(await hasActivePolicy(tx))) return;
  await tx.query(
    `insert into repository_evaluation (tenant_id, repository_id, evaluated_at, pending)
     select $1, id, $3, true from unnest($2::uuid[]) id order by id
     on conflict (tenant_id, repository_id) do update set pending = true`,
    [tx.tenantId, repositoryIds, new Date()],
  );
}

async function hasActivePolicy(tx: Tx): Promise<boolean> {
  const [row] = await tx.query(`select 1 from policy where tenant_id = $1 and status = 'active' limit 1`, [
    tx.tenantId,
  ]);
  return row !== undefined;
}
