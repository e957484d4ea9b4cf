/** Fills a seeded workspace with policy violations, for the tests of plans. */
import type pg from 'pg';
import { packViolation, unresolvedStates, violationStatuses } from '../../src/domain/violation-state.ts';

/** Every policy gets a violation for each vulnerability, in a state and with a due date by the two. */
export async function seedViolations(owner: pg.Client, tenantId: string, policies: number): Promise<void> {
  const packedStates = violationStatuses.flatMap((status) =>
    (['monitor', 'warn', 'block'] as const).map((enforcement) =>
      packViolation({ status, enforcement, targetType: 'vulnerability', snoozed: false }),
    ),
  );
  const packedState = `(array[${packedStates.join()}])[1 + abs(hashtext(w.id::text || p.key)) % ${packedStates.length}]`;
  // Autovacuum is off, because the first round must have no statistics.
  for (const table of ['policy_violation', 'violation_reference', 'policy']) {
    await owner.query(`alter table ${table} set (autovacuum_enabled = false)`);
  }
  await owner.query(
    `insert into policy (tenant_id, id, key, name, type, status, target_type, enforcement_mode, condition)
     select $1, gen_random_uuid(), 'policy-' || n, 'Policy', 'custom', 'active', 'vulnerability', 'block', '{}'
       from generate_series(1, $2::int) n`,
    [tenantId, policies],
  );
  await owner.query(
    `insert into policy_violation (tenant_id, id, repository_id, policy_id, target_type, target_id, packed_state, severity,
            reference_id, first_seen_at, opened_at, started_at, tracked, due_at)
     select $1, gen_random_uuid(), w.repository_id, p.id, 'vulnerability', w.id, ${packedState}, 'high', w.primary_reference_id,
            w.introduced_at, w.introduced_at, w.introduced_at, true,
            date_trunc('milliseconds', w.introduced_at + make_interval(days => abs(hashtext(p.key)) % 90))
       from vulnerability w join policy p on p.tenant_id = w.tenant_id and p.key like 'policy-%'
      where w.tenant_id = $1`,
    [tenantId],
  );
  await owner.query(
    `update policy_violation v set vulnerability_state = w.packed_state, default_branch_state = w.default_branch_state,
            introduced_at = w.introduced_at
       from (select distinct on (target_id) id, target_id from policy_violation
              where tenant_id = $1 and packed_state in (${unresolvedStates.join()}) order by target_id, due_at, id) f
       join vulnerability w on w.tenant_id = $1 and w.id = f.target_id
      where v.tenant_id = $1 and v.id = f.id`,
    [tenantId],
  );
  await owner.query(
    `insert into violation_reference (tenant_id, violation_id, reference_id, policy_id, packed_state, due_at, matched_at)
     select $1, v.id, m.reference_id, v.policy_id, v.packed_state, v.due_at, v.first_seen_at
       from policy_violation v
       join vulnerability_reference m on m.tenant_id = v.tenant_id and m.vulnerability_id = v.target_id
      where v.tenant_id = $1`,
    [tenantId],
  );
}
