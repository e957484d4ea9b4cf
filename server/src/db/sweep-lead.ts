/** The lead of the sweep: one of all processes on a database holds it. */
import { type Database, installTx } from './database.ts';

// The leading process renews its lead once a minute, and every ten seconds while it sweeps. Another process takes over
// after this time.
const leadSeconds = 90;

/**
 * Makes `holder` the process that sweeps, or keeps it, and returns the time. Returns null while another process sweeps.
 */
export async function takeLead(db: Database, holder: string): Promise<Date | null> {
  const [row] = await installTx(db, (tx) =>
    tx.query<{ now: Date }>(
      `insert into sweep_lead as l (holder, held_until) values ($1, now() + interval '${leadSeconds} seconds')
       on conflict (id) do update set holder = excluded.holder, held_until = excluded.held_until
         where l.holder = excluded.holder or l.held_until <= now()
       returning date_trunc('milliseconds', now()) as now`,
      [holder],
    ),
  );
  return row?.now ?? null;
}

export async function releaseLead(db: Database, holder: string): Promise<void> {
  await installTx(db, (tx) =>
    tx.query('update sweep_lead set held_until = now() where holder = $1', [holder]),
  );
}

/** Records the last sweep, for metrics and the checks of an install. */
export async function recordSweep(
  db: Database,
  holder: string,
  { ms, workspaces, failed }: { ms: number; workspaces: number; failed: number },
): Promise<void> {
  await installTx(db, (tx) =>
    tx.query(
      `update sweep_lead set swept_at = now(), swept_ms = $2, workspaces_due = $3, workspaces_failed = $4
        where holder = $1`,
      [holder, Math.round(ms), workspaces, failed],
    ),
  );
}
