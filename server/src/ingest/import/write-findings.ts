/**
 * Writes the findings that are new or changed: new vulnerabilities as a whole, and the locations and observations of
 * known ones. `reconcile` sets the status of known vulnerabilities. A new vulnerability has no history to reconcile, so
 * it is written here in its final form.
 */
import type { Tx } from '../../db/database.ts';
import { type Cause, insertEvents, type VulnerabilityEvent } from '../../vulnerabilities/events.ts';
import { insertJoinedNames } from '../../vulnerabilities/joined-names.ts';
import { insertSearchWords } from '../../vulnerabilities/search-index.ts';
import type { Changed, ImportContext } from './import-context.ts';
import type { Resolved } from './resolve.ts';
import {
  insertLocations,
  insertObservations,
  insertVulnerabilities,
  updateLocations,
  updateObservationDigests,
  upsertArtifacts,
  upsertDetails,
  upsertReporters,
} from './write-store.ts';
import {
  detailOf,
  distinctLocations,
  groupByVulnerability,
  locationOf,
  newVulnerability,
  observationsOf,
  reporterOf,
  type SeriesNow,
} from './written-rows.ts';

/**
 * Each table gets one statement, and no statement needs the answer of another. They are sent without waiting, so that
 * the next is built while the database works on the last.
 */
export async function writeResolved(
  tx: Tx,
  context: ImportContext,
  series: SeriesNow,
  cause: Cause,
  resolved: Resolved[],
): Promise<void> {
  if (resolved.length === 0) return;
  const { changes } = tx;
  const groups = groupByVulnerability(resolved);
  const added = groups.filter((group) => group.rows[0].isNew);
  const created = added.map((group) => newVulnerability(context, series, cause, group));
  for (const { row, onReference, packedStateThen, fixedAt } of created) {
    const { repositoryId } = context;
    changes.markCreated(row.id, repositoryId);
    changes.addNew(repositoryId, packedStateThen, cause.at);
    if (packedStateThen !== row.packed_state && fixedAt !== null) {
      const move = { from: packedStateThen, to: row.packed_state, at: fixedAt, vulnerableAt: cause.at };
      changes.moveOwn({ repositoryId, ...move });
    }
    const { id: referenceId, fullRef, isDefault: onDefault } = context.reference;
    changes.addOnReference({ referenceId, fullRef, onDefault, packed_state: onReference.packed_state }, 1);
  }
  const joined = resolved.flatMap(({ vulnerabilityId, learned }) =>
    learned === null ? [] : [{ ...learned, vulnerabilityId }],
  );
  const moved = resolved.filter((row) => row.matchMethod === 'renamed-file');
  const events = [
    ...created.map(({ row }): VulnerabilityEvent => ({ vulnerabilityId: row.id, kind: 'opened' })),
    ...moved.map(
      (row): VulnerabilityEvent => ({
        vulnerabilityId: row.vulnerabilityId,
        kind: 'moved',
        data: { path: row.finding.path },
      }),
    ),
  ];
  const words = added.map((group) => reporterOf(context, series, group.vulnerabilityId, group.rows));
  const details = groups.map((group) => detailOf(group.vulnerabilityId, group.rows));
  const artifacts = upsertArtifacts(
    tx,
    resolved.map((row) => row.finding),
  );
  await Promise.all([
    insertVulnerabilities(tx, created),
    upsertDetails(tx, details),
    insertSearchWords(
      tx,
      created.map(({ row }) => row),
    ),
    insertEvents(tx, cause, events),
    upsertReporters(tx, words),
    insertObservations(tx, observationsOf(series, resolved)),
    insertJoinedNames(tx, joined),
    artifacts.then(async (ids) => {
      const locations = distinctLocations(resolved).map((row) =>
        locationOf(context, series, cause, row, ids),
      );
      const isNew = locations.filter((location) => location.isNew);
      const known = series.late ? [] : locations.filter((location) => !location.isNew);
      await Promise.all([insertLocations(tx, isNew), updateLocations(tx, known, context.scannedAt)]);
    }),
  ]);
}

export async function writeChanged(
  tx: Tx,
  context: ImportContext,
  series: SeriesNow,
  cause: Cause,
  changed: Changed[],
): Promise<void> {
  const findings = changed.map((row) => row.finding);
  const groups = groupByVulnerability(changed);
  const artifacts = await upsertArtifacts(tx, findings);
  const locations = distinctLocations(changed).map((row) =>
    locationOf(context, series, cause, row, artifacts),
  );
  await Promise.all([
    upsertDetails(
      tx,
      groups.map((group) => detailOf(group.vulnerabilityId, group.rows)),
    ),
    updateLocations(tx, locations, context.scannedAt),
    updateObservationDigests(
      tx,
      series.id,
      findings.map(({ key, digest }) => ({ key, digest })),
    ),
  ]);
}
