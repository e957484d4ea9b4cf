/** Policies follow the facts of CVEs that a load of a feed has changed. */
import type { Tx } from '../../db/database.ts';
import { policiesTesting } from '../../policies/definition/ages.ts';
import { reevaluate } from '../../policies/definition/progress-store.ts';
import { listPolicies } from '../../policies/definition/store.ts';
import { insertChangesOfKnown, writeChanges } from './store.ts';

// Each change is a row in each workspace. A day of a feed changes fewer CVEs, and a first load changes all.
const maxWritten = 10_000;

/**
 * Notes in the workspace that these facts of the CVEs have changed. A running import may have evaluated the old facts for
 * CVEs that no committed vulnerability has, so changes are written for unknown CVEs too, or the policies that test the facts
 * are evaluated again, which waits for running imports.
 */
export async function noteChangedCves(tx: Tx, cves: string[], facts: string[]): Promise<void> {
  if (cves.length <= maxWritten) return writeChanges(tx, cves);
  await insertChangesOfKnown(tx, cves);
  const policies = policiesTesting(await listPolicies(tx), facts);
  await reevaluate(
    tx,
    policies.map((policy) => policy.id),
  );
}
