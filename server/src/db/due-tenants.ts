/** Finds the workspaces in which the clock has made work due, in one round trip for all of them. */
import type { TenantId } from '../domain/ids.ts';
import { isConnectionLost } from './connection-errors.ts';
import { type Database, type InstallTx, installTx, tenantReadTx } from './database.ts';
import { setPlanner } from './planner-hints.ts';

/**
 * A condition in SQL over the variables `asked_tenant` and `asked_at`. It is true if a sweep of the workspace has work,
 * and indexes must answer it. Its text is a constant of the program, never data.
 */
export type DueCondition = string;

/** A condition in SQL over the columns of `tenant`. Only workspaces for which it is true are asked. */
export type TenantCondition = 'true' | 'has_webhooks' | 'has_issue_trackers' | 'not canary';

/**
 * Returns the workspaces for which one of the conditions is true at `at`. Each condition runs as its own tenant, so
 * row-level security holds. Throws the error of a condition. On Citus, workspaces whose node is away are left out.
 */
export async function listDueTenants(
  db: Database,
  conditions: readonly DueCondition[],
  at: Date,
  workspaces: TenantCondition = 'true',
): Promise<TenantId[]> {
  const { due, placed } = await installTx(db, async (tx) =>
    tx.isDistributed
      ? { due: [], placed: await listPlaced(tx, workspaces) }
      : { due: await askAll(tx, conditions, at, workspaces), placed: [] },
  );
  return placed.length === 0 ? due : askEach(db, conditions, at, placed);
}

async function askAll(
  tx: InstallTx,
  conditions: readonly DueCondition[],
  at: Date,
  workspaces: TenantCondition,
): Promise<TenantId[]> {
  // Planning for each workspace would take longer than the query. A plan for any values expects a third of a table
  // before a time, and would scan the table.
  await setPlanner(tx, { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' });
  await tx.query(`do $due$
declare
  asked_at constant timestamptz := '${at.toISOString()}';
  asked_tenant bigint;
  due bigint[] := '{}';
begin
  for asked_tenant in select id from tenant where deleted_at is null and ${workspaces} order by id loop
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
}

interface Placed {
  id: TenantId;
  /** The group of Citus that has its rows: a node with its standbys. */
  group: number;
}

async function listPlaced(tx: InstallTx, workspaces: TenantCondition): Promise<Placed[]> {
  return tx.query<Placed>(
    `select t.id, p.groupid as group
       from tenant t join pg_dist_placement p
         on p.shardid = get_shard_id_for_distribution_column('tenant_anchor', t.id)
      where t.deleted_at is null and ${workspaces} order by t.id`,
  );
}

/**
 * Asks each workspace in a transaction of its own, which its node answers, so that the others do not need this node.
 */
async function askEach(
  db: Database,
  conditions: readonly DueCondition[],
  at: Date,
  placed: Placed[],
): Promise<TenantId[]> {
  const condition = conditions
    .map((one) => `(${one})`)
    .join(' or ')
    .replaceAll(/\basked_at\b/g, `'${at.toISOString()}'::timestamptz`);
  const due: TenantId[] = [];
  const away = new Set<number>();
  for (const { id, group } of placed) {
    if (away.has(group)) continue;
    const asked = condition.replaceAll(/\basked_tenant\b/g, `'${id}'::bigint`);
    try {
      const [row] = await tenantReadTx(db, id, ({ ending }) =>
        ending.query<{ is_due: boolean }>(`select ${asked} as is_due`),
      );
      if (row?.is_due) due.push(id);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      away.add(group);
    }
  }
  return due;
}
