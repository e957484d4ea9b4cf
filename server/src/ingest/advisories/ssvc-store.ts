/** SQL of the assessments of CISA (SSVC). */
import type { InstallTx } from '../../db/database.ts';
import type { SsvcAssessment } from './ssvc-record.ts';

/** Inserts or replaces assessments. Unless by force, an older one replaces none. Returns the CVEs whose assessment has changed. */
export async function upsertAssessments(
  tx: InstallTx,
  rows: SsvcAssessment[],
  force: boolean,
): Promise<string[]> {
  if (rows.length === 0) return [];
  // The text differs instead of a parameter: beside the set, Citus takes none in an upsert of a reference table.
  const isWanted = force ? '' : 'excluded.assessed_at >= s.assessed_at and';
  const given = JSON.stringify(rows);
  const same = await tx.query<{ cve: string }>(
    `select s.cve from json_to_recordset($1::json) as a (cve text, exploitation text, automatable boolean, "technicalImpact" text)
       join ssvc s on s.cve = a.cve
      where (s.exploitation, s.automatable, s.technical_impact) = (a.exploitation, a.automatable, a."technicalImpact")`,
    [given],
  );
  const written = await tx.query<{ cve: string }>(
    `insert into ssvc as s (cve, exploitation, automatable, technical_impact, assessed_at)
     select a.cve, a.exploitation, a.automatable, a."technicalImpact", a."assessedAt"
       from json_to_recordset($1::json) as a (cve text, exploitation text, automatable boolean, "technicalImpact" text,
            "assessedAt" timestamptz)
     on conflict (cve) do update set exploitation = excluded.exploitation, automatable = excluded.automatable,
       technical_impact = excluded.technical_impact, assessed_at = excluded.assessed_at
      where ${isWanted} (s.exploitation, s.automatable, s.technical_impact, s.assessed_at)
            is distinct from (excluded.exploitation, excluded.automatable, excluded.technical_impact, excluded.assessed_at)
     returning s.cve`,
    [given],
    force ? 'write-ssvc-by-force' : 'write-ssvc',
  );
  // The time alone of these has changed.
  const retimed = new Set(same.map((row) => row.cve));
  return written.flatMap(({ cve }) => (retimed.has(cve) ? [] : cve));
}

/** The number of assessments, and the time of the newest; null if there is none. */
export async function countAssessments(tx: InstallTx): Promise<{ count: number; newest: Date | null }> {
  const [row] = await tx.query<{ count: number; newest: Date | null }>(
    'select count(*)::int as count, max(assessed_at) as newest from ssvc',
  );
  return row ?? { count: 0, newest: null };
}
