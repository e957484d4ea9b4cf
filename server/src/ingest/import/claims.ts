/** What a series says of each vulnerability that it sees: its severity, its title, its fix, whether it suppresses it. */
import type { Tx } from '../../db/database.ts';
import { batches } from '../../domain/batches.ts';
import type { FindingReader } from '../prepare/packed-findings.ts';
import { endUnseenClaims } from './closing.ts';
import type { ImportContext } from './import-context.ts';
import { listOpenKeys } from './import-store.ts';
import { updateSuppressions, upsertReporters } from './write-store.ts';
import { groupByVulnerability, reporterOf, type SeriesNow } from './written-rows.ts';

// Words are short: a statement of five thousand is a megabyte or two.
const batchSize = 5_000;

/**
 * Suppressions that stand as they stood, while who sent the report may decide now or may not any more, or the reference is
 * tracked now: gives the vulnerabilities to be reconciled.
 */
export async function alignSuppressions(
  tx: Tx,
  context: ImportContext,
  series: SeriesNow,
): Promise<string[]> {
  // What a partial report does not show, whoever sent it has not seen.
  if (series.late || series.detached) return [];
  const mayDecide = context.mayDecide && context.reference.tracked;
  return updateSuppressions(tx, context.tenantId, series.id, mayDecide, mayDecide && context.overridesPolicy);
}

/**
 * On vulnerabilities that were known: made of all that the report shows of each, not of what changed alone. Where it
 * shows nothing of one any more, its word counts no longer.
 */
export async function writeClaims(
  tx: Tx,
  context: ImportContext,
  series: SeriesNow,
  findings: FindingReader,
  vulnerabilityIds: string[],
): Promise<void> {
  if (series.late) return;
  for (const ids of batches(vulnerabilityIds, batchSize)) {
    const open = await listOpenKeys(tx, context.tenantId, series.id, ids);
    const byKey = new Map(
      findings.getByKey(open.map((row) => row.key)).map((finding) => [finding.key, finding]),
    );
    const shown = open.flatMap(({ vulnerability_id: vulnerabilityId, key }) => {
      const finding = byKey.get(key);
      return finding ? [{ vulnerabilityId, finding }] : [];
    });
    shown.sort((a, b) => a.finding.ordinal - b.finding.ordinal);
    const rows = groupByVulnerability(shown).map((group) =>
      reporterOf(context, series, group.vulnerabilityId, group.rows),
    );
    await upsertReporters(tx, context.tenantId, rows);
    await endUnseenClaims(tx, context.tenantId, series.id, ids, open);
  }
}
