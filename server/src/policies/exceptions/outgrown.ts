/**
 * An exception and a snooze cover the names of a vulnerability that were joined before they were given, as a decision does
 * (docs/adr/0088). A later name adds findings that nobody has seen, so they end.
 */
import type { Tx } from '../../db/database.ts';
import { newestJoinedAt } from '../../vulnerabilities/joined-names.ts';
import { violationsOfVulnerability } from '../violations/joins.ts';

/**
 * Ends the exceptions and snoozes of these vulnerabilities that are older than their newest name, and takes away what an
 * undo would restore. The caller holds the lock of the evaluation, and evaluates the vulnerabilities afterwards.
 */
export async function endOutgrown(tx: Tx, vulnerabilityIds: string[]): Promise<void> {
  if (vulnerabilityIds.length === 0) return;
  const outgrown = `select v.id, ${newestJoinedAt('k.id')} as joined_at from unnest($2::uuid[]) as k (id)
      ${violationsOfVulnerability('k.id')}`;
  await tx.query(
    `update policy_exception o set status = 'withdrawn', review_reason = 'Another vulnerability has become part of it.',
            updated_at = now()
       from (${outgrown}) n
      where o.tenant_id = $1 and o.violation_id = n.id and o.status = 'approved' and o.reviewed_at < n.joined_at`,
    [tx.tenantId, vulnerabilityIds],
  );
  await tx.query(
    `update policy_violation v set snooze_undo = null,
            snoozed_until = case when v.snoozed_until is null then null else 'epoch'::timestamptz end
       from (${outgrown}) n
      where v.tenant_id = $1 and v.id = n.id and v.snooze_undo is not null
        and coalesce((v.snooze_undo->>'at')::timestamptz, 'epoch') < n.joined_at`,
    [tx.tenantId, vulnerabilityIds],
  );
}
