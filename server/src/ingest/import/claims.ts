/**
 * A claim is the statement of a series about a vulnerability that it sees: severity, title, fix, and whether the series
 * suppresses it.
 */
import type { Tx } from '../../db/database.ts';
import { batches } from '../../domain/batches.ts';
import type { SeriesId, VulnerabilityId } from '../../domain/ids.ts';
import type { FindingReader } from '../prepare/finding-reader.ts';
import { endReporters } from './closing-store.ts';
import { type ImportContext, suppressionRights } from './import-context.ts';
import { listOpenKeys } from './observation-store.ts';
import { slices } from './slices.ts';
import { replaceEvidence } from './write-evidence.ts';
import { updateObservations, updateSuppressions, upsertReporters } from './write-findings.ts';
import { groupByVulnerability, reporterOf, type SeriesNow } from './written-rows.ts';

/**
 * Updates suppressions that have not changed themselves, if the sender has gained or lost the right to decide or the
 * reference is tracked now. `unseen` are known vulnerabilities of which the report does not show every
 * location, because the closure is held, they are in a gap, or the report only adds. Returns the vulnerabilities to
 * reconcile.
 */
export async function alignSuppressions(
  tx: Tx,
  context: ImportContext,
  series: Pick<SeriesNow, 'id' | 'seq' | 'late' | 'detached'>,
  unseen: VulnerabilityId[],
): Promise<VulnerabilityId[]> {
  // A partial report does not show all suppressions, so its sender does not confirm those that it lacks. The first scan
  // of a series has no earlier ones.
  if (series.late || series.detached || series.seq === 1) return [];
  return updateSuppressions(tx, series.id, suppressionRights(context), unseen);
}

/**
 * Writes the claims of the series on known vulnerabilities, with their evidence. A claim is built from all findings of
 * the vulnerability in the report, not only from the changed ones. It ends if the report shows none.
 */
export async function writeClaims(
  tx: Tx,
  context: ImportContext,
  series: SeriesNow,
  findings: FindingReader,
  vulnerabilityIds: VulnerabilityId[],
): Promise<void> {
  if (series.late) return;
  for (const ids of batches(vulnerabilityIds, slices.size)) {
    const open = await listOpenKeys(tx, series.id, ids);
    const byKey = new Map(
      findings.getByKey(open.map((row) => row.key)).map((finding) => [finding.key, finding]),
    );
    const shown = open.flatMap(({ vulnerability_id: vulnerabilityId, key, title }) => {
      const finding = byKey.get(key);
      return finding ? [{ vulnerabilityId, finding, title }] : [];
    });
    shown.sort((a, b) => a.finding.ordinal - b.finding.ordinal);
    const seen = Map.groupBy(open, (row) => row.vulnerability_id);
    const groups = groupByVulnerability(shown).map((group) => {
      const observations = seen.get(group.vulnerabilityId) ?? [];
      // Another report has shown what the series saw before this scan.
      const isOfOthers = series.addsOnly && observations.some((row) => row.since_seq < series.seq);
      return { ...group, showsAll: !isOfOthers && observations.length === group.rows.length };
    });
    await upsertReporters(
      tx,
      groups.map(({ vulnerabilityId, rows, showsAll }) =>
        reporterOf(context, series, vulnerabilityId, rows, { title: rows[0].title, showsAll }),
      ),
    );
    if (!series.detached) {
      // The next complete report must build the claim again, though it shows nothing that has changed.
      const partlyShown = groups.filter(({ showsAll }) => !showsAll).flatMap(({ rows }) => rows);
      await updateObservations(
        tx,
        { ...series, detached: true },
        partlyShown.map((row) => row.finding),
      );
    }
    await replaceEvidence(tx, context, series.tool, findings, groups);
    await endUnseenClaims(tx, series.id, ids, open);
  }
}

/**
 * Ends the claims of the series on the vulnerabilities that it no longer sees anywhere. `open` is the result of
 * `listOpenKeys` for them.
 */
export async function endUnseenClaims(
  tx: Tx,
  seriesId: SeriesId,
  vulnerabilityIds: VulnerabilityId[],
  open: { vulnerability_id: VulnerabilityId }[],
): Promise<void> {
  const seen = new Set(open.map((row) => row.vulnerability_id));
  const unseen = vulnerabilityIds.filter((id) => !seen.has(id));
  await endReporters(tx, seriesId, unseen);
}
