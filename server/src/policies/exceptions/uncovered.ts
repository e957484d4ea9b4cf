/**
 * An exception and a snooze cover the names of a vulnerability that were joined before they were given, as a decision does
 * (ADR 88). A later name adds findings that nobody has seen, so they end.
 */
import type { Tx } from '../../db/database.ts';
import type { ViolationId, VulnerabilityId } from '../../domain/ids.ts';
import { newestJoinedAt } from '../../vulnerabilities/joined-names.ts';
import { violationsOfVulnerability } from '../violations/joins.ts';

/**
 * Ends the exceptions and snoozes of these vulnerabilities that are older than their newest name. The caller holds the
 * lock of the evaluation, and evaluates the vulnerabilities afterwards.
 */
export async function endUncovered(tx: Tx, vulnerabilityIds: VulnerabilityId[]): Promise<void> {
  if (vulnerabilityIds.length === 0) return;
  const rows = await tx.query<{ id: ViolationId; ends_exception: boolean; ends_snooze: boolean | null }>(
    `select v.id,
            exists (select 1 from policy_exception o where o.tenant_id = $1 and o.violation_id = v.id
                       and o.status = 'approved' and o.reviewed_at < v.joined_at) as ends_exception,
            coalesce((v.snooze_undo->>'at')::timestamptz, 'epoch') < v.joined_at as ends_snooze
       from (select v.id, v.snooze_undo, ${newestJoinedAt('k.id')} as joined_at
               from unnest($2::uuid[]) as k (id) ${violationsOfVulnerability('k.id')}) v`,
    [tx.tenantId, vulnerabilityIds],
  );
  const idsOf = (ends: 'ends_exception' | 'ends_snooze') =>
    rows.filter((row) => row[ends]).map(({ id }) => id);
  await withdrawExceptions(tx, idsOf('ends_exception'));
  await endSnoozes(tx, idsOf('ends_snooze'));
}

/** Withdraws the approved exceptions of these violations. */
export async function withdrawExceptions(tx: Tx, violationIds: ViolationId[]): Promise<void> {
  if (violationIds.length === 0) return;
  await tx.query(
    `update policy_exception set status = 'withdrawn', review_reason = 'Another vulnerability has become part of it.',
            updated_at = now()
      where tenant_id = $1 and violation_id = any($2::uuid[]) and status = 'approved'`,
    [tx.tenantId, violationIds],
  );
}

/** Ends the snoozes of these violations, and takes away what an undo would restore. The next evaluation follows. */
export async function endSnoozes(tx: Tx, violationIds: ViolationId[]): Promise<void> {
  if (violationIds.length === 0) return;
  await tx.query(
    `update policy_violation set snooze_undo = null,
            snoozed_until = case when snoozed_until is null then null else 'epoch'::timestamptz end
      where tenant_id = $1 and id = any($2::uuid[]) and (snoozed_until is not null or snooze_undo is not null)`,
    [tx.tenantId, violationIds],
  );
}
