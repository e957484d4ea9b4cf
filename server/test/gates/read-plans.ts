/** Plans of statements as PostgreSQL makes and runs them for the running role, under row-level security. */
import type pg from 'pg';
import type { Statement } from '../../../benchmarks/statements.ts';

/** Plans for any values, and for the given values. */
export const modes = ['force_generic_plan', 'force_custom_plan'] as const;
export type Mode = (typeof modes)[number];

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  'Rows Removed by Filter'?: number;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

export type ReadPlans = (statements: Statement[], mode: Mode, withoutIndex?: string) => Promise<PlanNode[]>;

/** PostgreSQL 18 can search an index by a later column too. Older versions have wider limits where that matters. */
export async function skipsInIndexes(owner: pg.Client): Promise<boolean> {
  const { rows } = await owner.query(`select current_setting('server_version_num')::int >= 180000 as skips`);
  return rows[0].skips;
}

/**
 * Returns the plans of the statements that read, with the settings of the others; without an index, if requested.
 * Everything is rolled back.
 */
export function planReader(owner: pg.Client, appUrl: string, tenantId: string): ReadPlans {
  const literal = (value: unknown): string => {
    if (value === null) return 'null';
    if (typeof value === 'number') return String(value);
    if (value instanceof Date) return owner.escapeLiteral(value.toISOString());
    const text = Array.isArray(value)
      ? `{${value.map((entry) => JSON.stringify(String(entry))).join(',')}}`
      : String(value);
    return owner.escapeLiteral(text);
  };
  return async (statements, mode, withoutIndex) => {
    await owner.query('begin');
    try {
      if (withoutIndex !== undefined) await owner.query(`drop index ${owner.escapeIdentifier(withoutIndex)}`);
      await owner.query(`set local role ${owner.escapeIdentifier(new URL(appUrl).username)}`);
      // Switching to a role does not apply its settings.
      await owner.query(
        `select set_config(split_part(setting, '=', 1), split_part(setting, '=', 2), true)
           from pg_db_role_setting, unnest(setconfig) as setting
          where setrole = current_user::regrole
            and setdatabase = (select oid from pg_database where datname = current_database())`,
      );
      await owner.query(`set local merlon.tenant_id = '${tenantId}'`);
      for (const { text } of statements) if (text.startsWith('set ')) await owner.query(text);
      await owner.query(`set local plan_cache_mode = ${mode}`);
      const plans: PlanNode[] = [];
      for (const { text, values } of statements.filter(({ text }) => !/^(begin|set|commit)\b/.test(text))) {
        await owner.query(`prepare statement ${text.startsWith('(') ? text : `as ${text}`}`);
        const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
        const { rows } = await owner.query(
          `explain (analyze, timing off, format json) execute statement ${given}`,
        );
        await owner.query('deallocate statement');
        plans.push(rows[0]?.['QUERY PLAN'][0].Plan as PlanNode);
      }
      return plans;
    } finally {
      await owner.query('rollback');
      await owner.query('deallocate all');
    }
  };
}

export function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
