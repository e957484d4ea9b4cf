/**
 * Writing what a report shows that was not there just so before: new vulnerabilities whole, and the places,
 * and sightings of those that were known. Their status is left to `settle`; a new one has no past
 * to settle, so that it is written in its final form here.
 */
import type { Tx } from '../../db/database.ts';
import type { CounterChanges } from '../vulnerabilities/counters.ts';
import { type Cause, insertEvents, type VulnerabilityEvent } from '../vulnerabilities/events.ts';
import { insertTitleWords } from '../vulnerabilities/title-index.ts';
import type { PreparedFinding } from './identity.ts';
import type { Changed, ImportContext } from './import-context.ts';
import type { Resolved } from './resolve.ts';
import {
  insertLocations,
  insertSightings,
  insertVulnerabilities,
  updateLocations,
  updateSightingDigests,
  upsertArtifacts,
  upsertDetails,
  upsertReporters,
} from './write-store.ts';
import {
  detailOf,
  distinctPlaces,
  type Group,
  groupByVulnerability,
  newVulnerability,
  placeOf,
  reporterOf,
  type StreamNow,
  sightingsOf,
} from './written-rows.ts';

/** Artifacts and texts of what the groups show; gives the rows of all groups, and artifact key → id. */
async function writeDescriptions<T extends { finding: PreparedFinding }>(
  tx: Tx,
  tenantId: string,
  groups: Group<T>[],
): Promise<{ rows: T[]; artifacts: Map<string, string> }> {
  const rows = groups.flatMap((group) => group.rows);
  const artifacts = await upsertArtifacts(
    tx,
    tenantId,
    rows.map((row) => row.finding),
  );
  await upsertDetails(
    tx,
    tenantId,
    groups.map((group) => detailOf(group.vulnerabilityId, group.rows)),
  );
  return { rows, artifacts };
}

export async function writeResolved(
  tx: Tx,
  context: ImportContext,
  stream: StreamNow,
  cause: Cause,
  counters: CounterChanges,
  resolved: Resolved[],
): Promise<void> {
  if (resolved.length === 0) return;
  const { tenantId } = context;
  const groups = groupByVulnerability(resolved);
  const { rows, artifacts } = await writeDescriptions(tx, tenantId, groups);
  const fresh = groups.filter((group) => group.rows[0].isNew);
  const created = fresh.map((group) => newVulnerability(context, stream, cause, group));
  for (const { repositoryId, bucket, reference } of created) {
    counters.addOwn(repositoryId, bucket, 1);
    counters.addOnReference(reference, 1);
  }
  await insertVulnerabilities(tx, tenantId, created);
  await insertTitleWords(
    tx,
    tenantId,
    created.map((row) => row.title),
  );
  await insertEvents(tx, tenantId, cause, [
    ...created.map((row): VulnerabilityEvent => ({ vulnerabilityId: row.id, kind: 'opened' })),
    ...rows.flatMap((row): VulnerabilityEvent[] =>
      row.rung === 'renamed-file'
        ? [{ vulnerabilityId: row.vulnerabilityId, kind: 'moved', data: { path: row.finding.path } }]
        : [],
    ),
  ]);
  await upsertReporters(
    tx,
    tenantId,
    fresh.map((group) => reporterOf(context, stream, group.vulnerabilityId, group.rows)),
  );
  const places = distinctPlaces(rows).map((row) => placeOf(context, stream, cause, row, artifacts));
  await insertLocations(
    tx,
    tenantId,
    places.filter((place) => place.isNew),
  );
  if (!stream.late) {
    await updateLocations(
      tx,
      tenantId,
      places.filter((place) => !place.isNew),
      context.scannedAt,
    );
  }
  await insertSightings(tx, tenantId, sightingsOf(stream, rows));
}

export async function writeChanged(
  tx: Tx,
  context: ImportContext,
  stream: StreamNow,
  cause: Cause,
  changed: Changed[],
): Promise<void> {
  const { tenantId } = context;
  const groups = groupByVulnerability(changed);
  const { rows, artifacts } = await writeDescriptions(tx, tenantId, groups);
  const places = distinctPlaces(rows).map((row) => placeOf(context, stream, cause, row, artifacts));
  await updateLocations(tx, tenantId, places, context.scannedAt);
  await updateSightingDigests(
    tx,
    tenantId,
    stream.id,
    rows.map((row) => ({ key: row.finding.key, digest: row.finding.digest })),
  );
}
