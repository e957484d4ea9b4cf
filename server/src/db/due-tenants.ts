/** Finds the workspaces in which the clock has made work due, in one round trip for all of them. */
import type { TenantId } from '../domain/ids.ts';
import { type Database, type InstallTx, installTx, switchTenant } from './database.ts';
import { setPlanner } from './planner-hints.ts';

/**
 * A condition in SQL over the variables `asked_tenant` and `asked_at`. It is true if a sweep of the workspace has work,
 * and indexes must answer it. Its text is a constant of the program, never data.
 */
export type DueCondition = string;

/** A condition in SQL over the columns of `tenant`. Only workspaces for which it is true are asked. */
type TenantCondition = 'true' | 'has_webhooks';

/**
 * Returns the workspaces for which one of the conditions is true at `at`. Each condition runs as its own tenant, so
 * row-level security holds. Throws the error of a condition.
 */
export async function listDueTenants(
  db: Database,
  conditions: readonly DueCondition[],
  at: Date,
  which: TenantCondition = 'true',
): Promise<TenantId[]> {
  return installTx(db, async (tx) => {
    if (tx.isDistributed) return askEach(tx, conditions, at, which);
    // Planning for each workspace would take longer than the query.
    await setPlanner(tx, { plan_cache_mode: 'force_generic_plan' });
    await tx.query(`do $due$
declare
  asked_at constant timestamptz := '${at.toISOString()}';
  asked_tenant uuid;
  due uuid[] := '{}';
begin
  for asked_tenant in select id from tenant where deleted_at is null and ${which} order by id loop
    perform set_config('merlon.tenant_id', asked_tenant::text, true);
    if ${conditions.map((condition) => `(${condition})`).join('\n       or ')} then
      due := due || asked_tenant;
    end if;
  end loop;
  perform set_config('merlon.tenant_id', '', true);
  perform set_config('merlon.due_tenants', array_to_string(due, ','), true);
end $due$`);
    const [row] = await tx.query<{ ids: string }>(`select current_setting('merlon.due_tenants') as ids`);
    return (row?.ids ?? '').split(',').filter((id) => id !== '') as TenantId[];
  });
}

/** Asks each workspace by a statement of its own, which its node answers. */
async function askEach(
  tx: InstallTx,
  conditions: readonly DueCondition[],
  at: Date,
  which: TenantCondition,
): Promise<TenantId[]> {
  const tenants = await tx.query<{ id: TenantId }>(
    `select id from tenant where deleted_at is null and ${which} order by id`,
  );
  const asked = `'${at.toISOString()}'::timestamptz`;
  const condition = conditions
    .map((one) => `(${one})`)
    .join(' or ')
    .replaceAll(/\basked_at\b/g, asked);
  const due: TenantId[] = [];
  for (const { id } of tenants) {
    const inWorkspace = switchTenant(tx, id);
    const [row] = await inWorkspace.query<{ is_due: boolean }>(
      `select ${condition.replaceAll(/\basked_tenant\b/g, `'${id}'::uuid`)} as is_due`,
    );
    if (row?.is_due) due.push(id);
  }
  return due;
}
