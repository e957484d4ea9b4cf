/**
 * What becomes due by the clock alone: acceptances that end, references that go quiet. One transaction a
 * workspace, touching only what is due.
 */
import type { Tx } from '../../db/database.ts';
import { type Database, tenantTx } from '../../db/database.ts';
import { CounterChanges } from './counters.ts';
import type { Cause } from './events.ts';
import { settle } from './settle.ts';

// A branch that nobody has scanned for so long is no longer worked on (design: setting, 30 days).
const quietAfterDays = 30;
// What one transaction settles; the rest is due again a minute later.
const maxAtOnce = 10_000;

export interface SweepResult {
  acceptancesEnded: number;
  referencesQuiet: number;
}

export async function sweepTenant(db: Database, tenantId: string, now: Date): Promise<SweepResult> {
  return tenantTx(db, tenantId, async (tx) => {
    const counters = new CounterChanges();
    const cause: Cause = { scanId: null, actorId: null, at: now };
    const acceptancesEnded = await endAcceptances(tx, tenantId, cause, counters);
    const referencesQuiet = await quietReferences(tx, tenantId, cause, counters);
    await counters.write(tx, tenantId);
    return { acceptancesEnded, referencesQuiet };
  });
}

async function endAcceptances(
  tx: Tx,
  tenantId: string,
  cause: Cause,
  counters: CounterChanges,
): Promise<number> {
  const due = await tx.query<{ id: string }>(
    `select id from vulnerability where tenant_id = $1 and accepted_until <= $2 order by accepted_until limit $3`,
    [tenantId, cause.at, maxAtOnce],
  );
  await settle(tx, tenantId, {
    ids: due.map((row) => row.id),
    cause,
    counters,
    // Somebody may have decided again between the look and the lock.
    change: (current) =>
      current.accepted_until !== null && current.accepted_until <= cause.at
        ? { decision: null, resolution: null, acceptedUntil: null, events: [{ kind: 'acceptance_ended' }] }
        : {},
  });
  return due.length;
}

async function quietReferences(
  tx: Tx,
  tenantId: string,
  cause: Cause,
  counters: CounterChanges,
): Promise<number> {
  const before = new Date(cause.at.getTime() - quietAfterDays * 24 * 3600 * 1000);
  const quiet = await tx.query<{ id: string }>(
    `update reference set active = false, updated_at = now()
      where tenant_id = $1 and active and not tracked and last_scanned_at < $2 returning id`,
    [tenantId, before],
  );
  for (const { id } of quiet) await settleOnReference(tx, tenantId, id, cause, counters);
  return quiet.length;
}

/** Settles what is live on a reference whose own state changed: it went quiet, or was scanned again after that. */
export async function settleOnReference(
  tx: Tx,
  tenantId: string,
  referenceId: string,
  cause: Cause,
  counters: CounterChanges,
): Promise<void> {
  const rows = await tx.query<{ vulnerability_id: string }>(
    `select vulnerability_id from vulnerability_reference where tenant_id = $1 and reference_id = $2 and live`,
    [tenantId, referenceId],
  );
  await settle(tx, tenantId, { ids: rows.map((row) => row.vulnerability_id), cause, counters });
}

/** Settles all of a repository: its default branch is another one now. */
export async function settleRepository(
  tx: Tx,
  tenantId: string,
  repositoryId: string,
  cause: Cause,
  counters: CounterChanges,
): Promise<void> {
  const rows = await tx.query<{ id: string }>(
    'select id from vulnerability where tenant_id = $1 and repository_id = $2',
    [tenantId, repositoryId],
  );
  await settle(tx, tenantId, { ids: rows.map((row) => row.id), cause, counters });
}
