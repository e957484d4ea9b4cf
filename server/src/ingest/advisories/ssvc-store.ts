/** SQL of the assessments of CISA (SSVC). */
import type { InstallTx } from '../../db/database.ts';
import { isLaterThanTomorrow } from '../../domain/time.ts';
import type { SsvcAssessment } from './ssvc-record.ts';

/**
 * Inserts or replaces assessments. Unless by force, an older one replaces none, except one that is dated later than
 * tomorrow. Returns the CVEs whose assessment has changed.
 */
export async function upsertAssessments(
  tx: InstallTx,
  rows: SsvcAssessment[],
  { force, now }: { force: boolean; now: Date },
): Promise<string[]> {
  if (rows.length === 0) return [];
  const loaded = await tx.query<{ cve: string; assessed_at: Date; is_same: boolean }>(
    `select s.cve, s.assessed_at,
            (s.exploitation, s.automatable, s.technical_impact) = (a.exploitation, a.automatable, a."technicalImpact") as is_same
       from json_to_recordset($1::json) as a (cve text, exploitation text, automatable boolean, "technicalImpact" text)
       join ssvc s on s.cve = a.cve`,
    [JSON.stringify(rows)],
  );
  const byCve = new Map(loaded.map((row) => [row.cve, row]));
  const wanted = rows.filter(({ cve, assessedAt }) => {
    const before = byCve.get(cve)?.assessed_at;
    return force || before === undefined || before <= assessedAt || isLaterThanTomorrow(before, now);
  });
  const written = await tx.query<{ cve: string }>(
    `insert into ssvc as s (cve, exploitation, automatable, technical_impact, assessed_at)
     select a.cve, a.exploitation, a.automatable, a."technicalImpact", a."assessedAt"
       from json_to_recordset($1::json) as a (cve text, exploitation text, automatable boolean, "technicalImpact" text,
            "assessedAt" timestamptz)
     on conflict (cve) do update set exploitation = excluded.exploitation, automatable = excluded.automatable,
       technical_impact = excluded.technical_impact, assessed_at = excluded.assessed_at
      where (s.exploitation, s.automatable, s.technical_impact, s.assessed_at)
            is distinct from (excluded.exploitation, excluded.automatable, excluded.technical_impact, excluded.assessed_at)
     returning s.cve`,
    [JSON.stringify(wanted)],
    'write-ssvc',
  );
  // The time alone of the same ones has changed.
  return written.flatMap(({ cve }) => (byCve.get(cve)?.is_same ? [] : cve));
}

/** The number of assessments, and the time of the newest; null if there is none. */
export async function countAssessments(tx: InstallTx): Promise<{ count: number; newest: Date | null }> {
  const [row] = await tx.query<{ count: number; newest: Date | null }>(
    'select count(*)::int as count, max(assessed_at) as newest from ssvc',
  );
  return row ?? { count: 0, newest: null };
}
