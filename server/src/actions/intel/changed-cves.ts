/** Marks CVEs whose facts a load of a feed has changed, so that policies are evaluated again. */
import type { Tx } from '../../db/database.ts';
import { policiesTesting } from '../../policies/definition/ages.ts';
import { reevaluate } from '../../policies/definition/progress-store.ts';
import { listPolicies } from '../../policies/definition/store.ts';
import { insertChangesOfKnown, writeChanges } from './store.ts';

// A day of a feed changes fewer CVEs, and a first load changes all.
const maxWritten = 10_000;

/**
 * Notes in the workspace that these facts of the CVEs have changed. If policies test the facts, it writes changes for
 * unknown CVEs too, because a running import may have read the old facts. For more than `maxWritten` CVEs it has the
 * policies evaluated again instead, which waits for running imports.
 */
export async function noteChangedCves(tx: Tx, cves: string[], facts: string[]): Promise<void> {
  const policies = policiesTesting(await listPolicies(tx), facts);
  if (policies.length > 0 && cves.length <= maxWritten) return writeChanges(tx, cves);
  await insertChangesOfKnown(tx, cves);
  await reevaluate(
    tx,
    policies.map((policy) => policy.id),
  );
}

// A load of the scores takes less, in all workspaces together.
const longestLoadMs = 3_600_000;

/**
 * Has policies about scores evaluated again that were changed while the scores were loaded: the load did not know them,
 * and their own evaluation may have read the scores before it.
 */
export async function reevaluateChangedMeanwhile(tx: Tx, loadedAt: Date): Promise<void> {
  const since = loadedAt.getTime() - longestLoadMs;
  const policies = policiesTesting(await listPolicies(tx), ['epss_score']);
  await reevaluate(
    tx,
    policies.filter(({ updatedAt }) => updatedAt.getTime() >= since).map(({ id }) => id),
  );
}
