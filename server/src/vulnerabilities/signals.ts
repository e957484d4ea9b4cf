/**
 * Signals: facts that a list leaves out of a row but a person wants to see, read for a page of vulnerabilities at once.
 */
import { type Static, Type } from 'typebox';
import type { Tx } from '../db/database.ts';
import { distinctIds, formatId } from '../domain/ids.ts';
import { shortRef } from '../domain/reference-name.ts';
import {
  NullableNumber,
  NullableTimestamp,
  namedObject,
  nullableString,
  nullableTimestamp,
  timestampOrNull,
} from '../http/schema.ts';
import { listSignals, type SignalRow } from './signal-store.ts';

export const SignalItem = namedObject('VulnerabilitySignals', {
  id: Type.String(),
  kev: Type.Boolean({
    description: 'True: it is in the catalogue of known exploited vulnerabilities (KEV).',
  }),
  kev_due: nullableString('The earliest due date of its CVEs in KEV; null if none of them is in it.', {
    format: 'date',
  }),
  epss: NullableNumber,
  cvss: NullableNumber,
  exploitable: Type.Boolean(),
  status_version: Type.String(),
  accepted_until: NullableTimestamp,
  due_at: nullableTimestamp(
    'Due date of the policy violation that is due first among those open or in review.',
  ),
  overdue: Type.Boolean(),
  blocking: Type.Boolean(),
  tools: Type.Array(Type.String(), {
    description: 'Tools that report it; if none does any more, those that did.',
  }),
  references: Type.Integer({ description: 'Number of active references on which it is present.' }),
  live_on: Type.Union([Type.Object({ ref: Type.String(), is_default: Type.Boolean() }), Type.Null()], {
    description:
      'One of these references: the default branch, else a tracked one, else the one scanned last.',
  }),
});

/** Returns the signals in the order of the ids, without those that the workspace does not have. */
export async function readSignals(tx: Tx, texts: string[], now: Date): Promise<Static<typeof SignalItem>[]> {
  const ids = distinctIds('vulnerability', texts);
  const rows = await listSignals(tx, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [signalItem(row, now)] : [];
  });
}

function signalItem(row: SignalRow, now: Date): Static<typeof SignalItem> {
  return {
    id: formatId('vulnerability', row.id),
    kev: row.kev !== null,
    kev_due: row.kev?.due_on ?? null,
    epss: row.epss?.score ?? null,
    cvss: row.cvss_score,
    exploitable: row.exploitable,
    status_version: String(row.status_version),
    accepted_until: timestampOrNull(row.accepted_until),
    due_at: timestampOrNull(row.due_at),
    overdue: row.due_at !== null && row.due_at < now,
    blocking: row.blocking,
    tools: row.tools.length > 0 ? row.tools : row.past_tools,
    references: row.references,
    live_on: row.live_on && { ref: shortRef(row.live_on.full_ref), is_default: row.live_on.is_default },
  };
}
