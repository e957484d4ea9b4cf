/**
 * The end of every transaction that changes vulnerabilities or what policies ask of repositories: policies are asked
 * about what was touched, verdicts follow, and the counters are written last. So no change is ever seen without its
 * verdict.
 */
import type { Tx } from '../../../db/database.ts';
import type { Changes } from '../../vulnerabilities/changes.ts';
import { refreshVerdicts } from '../verdict/verdict.ts';
import { evaluate, evaluationOf } from './evaluate.ts';

/** The last call before the commit. `at`: when what was changed was so. */
export async function finish(tx: Tx, tenantId: string, changes: Changes, at: Date): Promise<void> {
  const references = await evaluate(tx, tenantId, evaluationOf(changes, at));
  if (references) await refreshVerdicts(tx, tenantId, references);
  await changes.writeCounters(tx, tenantId);
}
