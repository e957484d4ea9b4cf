/**
 * An exception and a snooze cover the names of a vulnerability that were joined before they were given, as a decision
 * does (ADR 88). A later name adds findings that nobody has seen, so they end, and requests for an exception too.
 */
import type { Tx } from '../../db/database.ts';
import type { VulnerabilityId } from '../../domain/ids.ts';
import { endSnoozes } from '../snooze/snooze-store.ts';
import { listCoverage, withdrawExceptions } from './exception-store.ts';

/**
 * Ends the exceptions and snoozes of these vulnerabilities that are older than their newest name. The caller holds the
 * lock of the evaluation, and evaluates the vulnerabilities afterwards.
 */
export async function endUncovered(tx: Tx, vulnerabilityIds: VulnerabilityId[]): Promise<void> {
  if (vulnerabilityIds.length === 0) return;
  const rows = await listCoverage(tx, vulnerabilityIds);
  const idsOf = (ends: 'ends_exception' | 'ends_snooze') =>
    rows.filter((row) => row[ends]).map(({ id }) => id);
  await withdrawExceptions(tx, idsOf('ends_exception'));
  await endSnoozes(tx, idsOf('ends_snooze'));
}
