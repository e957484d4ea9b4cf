/**
 * Admins forget a name of an advisory that a report has taught, and restore it. A forgotten name joins no findings any
 * more, and no report teaches it again.
 */

import { actorOf, recordAudit } from '../../access/audit/record.ts';
import { readClock } from '../../db/commit-watermark.ts';
import type { ChangeTx } from '../../db/database.ts';
import { orNotFound } from '../../domain/errors.ts';
import { getId, nilId } from '../../domain/ids.ts';
import type { Principal } from '../../http/principal.ts';
import { reconcile } from '../../vulnerabilities/reconcile.ts';
import { markPendingMerges } from '../import/pending-merge-store.ts';
import { listAdvisoryNames, type NameRow, updateJoinedAt, updateNameState } from './name-store.ts';

/**
 * Forgets or restores a name. After forgetting, decisions about findings that the name has joined no longer override
 * policies, until an admin decides again, and their exceptions and snoozes end. The findings stay together, and a
 * person can split them. A restored name counts as learned now. Throws 404.
 */
export async function setForgotten(
  tx: ChangeTx,
  principal: Principal,
  text: string,
  forgotten: boolean,
): Promise<NameRow> {
  const id = getId('advisoryName', text);
  const at = await readClock(tx);
  const changed = await updateNameState(tx, id, {
    state: forgotten ? 'forgotten' : 'joins',
    learnedAt: at,
  });
  const [found] = await listAdvisoryNames(tx, { id }, null, 1);
  const row = orNotFound(found);
  if (!changed) return row;
  const { name, repositoryId } = changed;
  if (forgotten) {
    const ids = await updateJoinedAt(tx, name, repositoryId, at);
    tx.changes.markJoined(ids);
    await reconcile(tx, { ids, cause: { scanId: null, actorId: principal.user.id, at } });
  } else {
    await markPendingMerges(tx, [name], repositoryId === nilId ? null : repositoryId);
  }
  await recordAudit(
    tx,
    actorOf(principal),
    forgotten ? 'advisory_name.forget' : 'advisory_name.restore',
    id,
    { name, advisory: row.advisory },
  );
  return row;
}
