/**
 * The verdict says whether the violations on a reference stop the merge. It is computed from the matches of violations,
 * so that it is as new as the last commit. It is also stored with the newest scans of the reference, for readers of
 * scans.
 */

import type { ChangeTx, Tx } from '../../db/database.ts';
import type { ReferenceId } from '../../domain/ids.ts';
import type { Verdict } from '../../domain/policy-enums.ts';
import { blockingStates, warningStates } from '../../domain/violation-state.ts';
import { type Base, findBase } from './base.ts';
import { findComparedReference } from './compared-reference-store.ts';
import { hasViolation, listActiveReferences, updateVerdicts } from './verdict-store.ts';

/** The current verdict of the reference against its base; `pass` if the reference does not exist. */
export async function readVerdict(tx: Tx, referenceId: ReferenceId): Promise<Verdict> {
  const reference = await findComparedReference(tx, referenceId);
  if (!reference) return 'pass';
  return verdictAgainst(tx, referenceId, await findBase(tx, reference));
}

/** The verdict of violations of which some block or warn. */
export function verdictOf(blocks: boolean, warns: boolean): Verdict {
  if (blocks) return 'block';
  return warns ? 'warn' : 'pass';
}

const byStrictness = [null, 'block', 'warn', 'pass'] as const;

/** The first one with the strictest verdict; no verdict yet is the strictest. Undefined if there is none. */
export function strictest<T extends { verdict: Verdict | null }>(items: T[]): T | undefined {
  const strictness = byStrictness.find((verdict) => items.some((item) => item.verdict === verdict));
  return items.find((item) => item.verdict === strictness);
}

export async function verdictAgainst(tx: Tx, referenceId: ReferenceId, base: Base): Promise<Verdict> {
  const blocks = await hasViolation(tx, referenceId, base, blockingStates);
  return verdictOf(blocks, !blocks && (await hasViolation(tx, referenceId, base, warningStates)));
}

/**
 * Commit step: computes the verdicts that are due and writes them to the newest scans of their references. The scan
 * that the transaction has imported gets the verdict of its reference, unless it has one already.
 */
export async function refreshVerdicts(tx: ChangeTx): Promise<void> {
  const { scan, referenceIds } = tx.changes.takeVerdicts();
  const isDue = scan !== null && scan.verdict === undefined;
  if (isDue) referenceIds.add(scan.referenceId);
  // The verdicts of a reference come from its newest reports, so a late one does not change them.
  else if (scan) referenceIds.delete(scan.referenceId);
  if (referenceIds.size === 0) return;
  const verdicts = await computeVerdicts(tx, [...referenceIds]);
  if (isDue) scan.verdict = verdicts.get(scan.referenceId) ?? null;
  await updateVerdicts(tx, verdicts, isDue ? scan : null);
}

/**
 * Returns the verdicts by reference id. An inactive reference has no entry, so that its stored verdict stays. The
 * verdict is null if a series has never succeeded. One statement handles all references without a base; each of the
 * others is compared with its own base.
 */
async function computeVerdicts(
  tx: Tx,
  referenceIds: ReferenceId[],
): Promise<Map<ReferenceId, Verdict | null>> {
  const verdicts = new Map<ReferenceId, Verdict | null>();
  const rows = await listActiveReferences(tx, referenceIds);
  for (const row of rows) {
    if (row.unproven) {
      verdicts.set(row.id, null);
      continue;
    }
    const verdict = row.compared ? await readVerdict(tx, row.id) : verdictOf(row.blocks, row.warns);
    verdicts.set(row.id, verdict);
  }
  return verdicts;
}
