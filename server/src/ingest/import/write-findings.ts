/**
 * Writes the findings that are new or changed: new vulnerabilities as a whole, and the locations and observations of
 * known ones. `reconcile` sets the status of known vulnerabilities. A new vulnerability has no history to reconcile, so
 * it is written here in its final form. The sets go to SQL as JSON, with one statement per table.
 */
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { insertRows, replacing, rowsOf } from '../../db/bulk.ts';
import type { ChangeTx, Tx } from '../../db/database.ts';
import type { ChangeSet } from '../../domain/change-set.ts';
import type { SeriesId, VulnerabilityId } from '../../domain/ids.ts';
import { sqlHigherSeverity } from '../../domain/packed-state.ts';
import { markTeamsChangedIn } from '../../inventory/code-owners/code-owners-store.ts';
import { type IntelOfCves, insertCves, isCve, updateCves } from '../../vulnerabilities/cves.ts';
import {
  type Details,
  detailsWithKey,
  insertDescriptions,
  readDetails,
  union,
  updateDetails,
} from '../../vulnerabilities/descriptions.ts';
import { type Cause, insertEvents, type VulnerabilityEvent } from '../../vulnerabilities/events.ts';
import { allIds, furtherIds } from '../../vulnerabilities/identifiers.ts';
import { insertJoinedNames } from '../../vulnerabilities/joined-names.ts';
import { insertSearchTerms } from '../../vulnerabilities/search-index.ts';
import { sqlIsSuppressed } from '../../vulnerabilities/suppressed-locations.ts';
import { changeEvents, matchedEvent, openedEvent } from '../../vulnerabilities/workspace-events.ts';
import { matchTool } from '../matching/match-store.ts';
import type { FindingReader } from '../prepare/finding-reader.ts';
import type { PreparedFinding } from '../prepare/prepared-report.ts';
import type { ImportContext, LocatedFinding, suppressionRights } from './import-context.ts';
import type { Resolved } from './resolve.ts';
import { insertEvidence } from './write-evidence.ts';
import {
  artifactRows,
  detailsOf,
  distinctLocations,
  type Group,
  groupByVulnerability,
  type LocationInput,
  type NewVulnerability,
  newVulnerability,
  type ObservationInput,
  observationDigestOf,
  observationsOf,
  type ReporterInput,
  reporterOf,
  type SeriesNow,
  writtenLocationOf,
} from './written-rows.ts';

/**
 * Writes slices of findings in their order. The rows of a slice are made while PostgreSQL writes those of the slice
 * before. The rows of two slices are in memory at most, and the details of three.
 */
export class SliceWriter {
  readonly #tx: ChangeTx;
  readonly #context: ImportContext;
  readonly #series: SeriesNow;
  readonly #cause: Cause;
  readonly #findings: FindingReader;
  #answered: Promise<unknown> = Promise.resolve();
  #merged: Promise<unknown> = Promise.resolve();
  #mergedBefore: Promise<unknown> = Promise.resolve();

  constructor(
    tx: ChangeTx,
    context: ImportContext,
    series: SeriesNow,
    cause: Cause,
    findings: FindingReader,
  ) {
    this.#tx = tx;
    this.#context = context;
    this.#series = series;
    this.#cause = cause;
    this.#findings = findings;
  }

  /** Sends the rows of a slice, and waits until those of the slice before are written. */
  async write(resolved: Resolved[], intel: IntelOfCves): Promise<void> {
    if (resolved.length === 0) return;
    const groups = groupByVulnerability(resolved).map((group) => ({
      ...group,
      details: detailsOf(group, group.rows[0].advisory),
    }));
    const known = groups.flatMap(({ rows: [{ isNew }], details }) => (isNew ? [] : [details]));
    const [before, mergedBefore, mergedEarlier] = [this.#answered, this.#merged, this.#mergedBefore];
    const answers = await this.#send(resolved, groups, intel);
    this.#answered = Promise.all(answers);
    // Two slices may have findings of one vulnerability, and a merge begins with what is stored.
    this.#merged = Promise.all([...answers, mergedBefore]).then(() =>
      mergeDetails(this.#tx, this.#context, known),
    );
    // The next turn or `done` handles a failure; until then this catch prevents an unhandled rejection.
    for (const each of [this.#answered, this.#merged]) each.catch(() => {});
    this.#mergedBefore = mergedBefore;
    // A merge takes several statements, so without this wait the details of most slices would be in memory.
    await Promise.all([before, mergedEarlier]);
  }

  /** Waits until all rows are written. */
  async done(): Promise<void> {
    await this.#merged;
    const { owners, repositoryId } = this.#context;
    // The sweep gives new vulnerabilities the teams for which the budget of the file did not suffice.
    if (owners?.file.isExhausted) await markTeamsChangedIn(this.#tx, [repositoryId]);
  }

  /**
   * Each table gets one statement, and no statement needs the answer of another. Each is sent as soon as it is made, so
   * that the database works on it while the next is made.
   */
  async #send(
    resolved: Resolved[],
    groups: (Group<Resolved> & { details: Details })[],
    intel: IntelOfCves,
  ): Promise<Promise<void>[]> {
    const [tx, context, series, cause] = [this.#tx, this.#context, this.#series, this.#cause];
    const added = groups.filter((group) => group.rows[0].isNew);
    const sent = await sendEach([
      () =>
        insertArtifacts(
          tx,
          resolved.map((row) => row.finding),
        ),
      () => insertObservations(tx, observationsOf(series, resolved)),
      () => writeLocations(tx, context, series, cause, resolved),
      () =>
        insertDescriptions(
          tx,
          added.map((group) => group.details),
        ),
      () =>
        upsertReporters(
          tx,
          added.map((group) => reporterOf(context, series, group.vulnerabilityId, group.rows)),
        ),
      () => insertEvidence(tx, context, series.tool, this.#findings, added),
      () => writeMoved(tx, context, cause, resolved.flatMap(movedEvent)),
      () =>
        insertJoinedNames(
          tx,
          resolved.flatMap(({ vulnerabilityId, learned }) =>
            learned === null ? [] : [{ ...learned, vulnerabilityId }],
          ),
        ).then((ids) => tx.changes.markJoined(ids)),
    ]);
    const created = added.map((group) => newVulnerability(context, series, cause, group, intel));
    sent.push(...(await sendNew(tx, cause, created)));
    countNew(tx.changes, context, cause, created);
    if (series.tool === matchTool) {
      for (const { row } of created) tx.changes.addEvent(matchedEvent(row, cause));
    }
    return sent;
  }
}

/**
 * Sends statements in this order and returns their answers. Between them the event loop gets its turn to write, so that
 * each is on its way before the next is made.
 */
async function sendEach(statements: (() => Promise<void>)[]): Promise<Promise<void>[]> {
  const answers: Promise<void>[] = [];
  for (const send of statements) {
    const answer = send();
    // The reader of the answers handles a failure. Until then this catch prevents an unhandled rejection.
    answer.catch(() => {});
    answers.push(answer);
    await setImmediate();
  }
  return answers;
}

const hasFurtherCve = ({ identifiers }: NewVulnerability['row']): boolean =>
  identifiers?.some(isCve) ?? false;

/** Sends new vulnerabilities with their first reference, search terms, CVEs and events. */
function sendNew(tx: Tx, cause: Cause, created: NewVulnerability[]): Promise<Promise<void>[]> {
  const rows = created.map(({ row }) => row);
  return sendEach([
    () => insertVulnerabilities(tx, rows),
    () =>
      insertReferences(
        tx,
        created.map(({ onReference }) => onReference),
      ),
    () => insertSearchTerms(tx, rows),
    () =>
      insertCves(
        tx,
        rows.filter(hasFurtherCve).map(({ id }) => id),
      ),
    () =>
      insertEvents(
        tx,
        cause,
        created.flatMap(({ row, assigned }): VulnerabilityEvent[] =>
          assigned === null ? [] : [{ vulnerabilityId: row.id, ...assigned }],
        ),
      ),
  ]);
}

function countNew(
  changes: ChangeSet,
  { repositoryId, reference }: ImportContext,
  cause: Cause,
  created: NewVulnerability[],
): void {
  const { at } = cause;
  for (const { row, onReference, packedStateThen, fixedAt, assigned } of created) {
    const opened = { ...row, assignee_id: null };
    changes.addEvent(openedEvent(opened, cause));
    if (assigned !== null) {
      for (const event of changeEvents(opened, row, [assigned], cause)) changes.addEvent(event);
    }
    changes.markCreated(row.id, repositoryId);
    changes.addNew(row, packedStateThen, at);
    if (packedStateThen !== row.packed_state && fixedAt !== null) {
      const move = {
        from: packedStateThen,
        to: row.packed_state,
        at: fixedAt,
        vulnerableAt: at,
        isFixed: true,
      };
      changes.moveOwn({ of: row, ...move });
    }
    const { id: referenceId, fullRef } = reference;
    changes.addOnReference({ referenceId, fullRef, packed_state: onReference.packed_state }, 1);
    changes.moveOnDefaultBranch(row, null, row.default_branch_state);
  }
}

/** Another path may have another owner, which the sweep finds. */
async function writeMoved(
  tx: Tx,
  { repositoryId, owners }: ImportContext,
  cause: Cause,
  moved: VulnerabilityEvent[],
): Promise<void> {
  await insertEvents(tx, cause, moved);
  if (owners !== null && moved.length > 0) await markTeamsChangedIn(tx, [repositoryId]);
}

function movedEvent({ matchMethod, vulnerabilityId, finding }: Resolved): VulnerabilityEvent[] {
  const isMoved = matchMethod === 'renamed-file' || matchMethod === 'moved-folder';
  return isMoved ? [{ vulnerabilityId, kind: 'moved', data: { path: finding.path } }] : [];
}

export async function writeChanged(
  tx: ChangeTx,
  context: ImportContext,
  series: SeriesNow,
  cause: Cause,
  changed: LocatedFinding[],
): Promise<void> {
  const findings = changed.map((row) => row.finding);
  const groups = groupByVulnerability(changed);
  const locations = distinctLocations(changed).map((row) => writtenLocationOf(context, series, cause, row));
  const details = groups.map((group) => detailsOf(group));
  await Promise.all([
    mergeDetails(tx, context, details),
    insertArtifacts(tx, findings),
    updateObservations(tx, series, findings),
    // The observations come first, because a location is suppressed only if all its observations are.
    updateLocations(tx, locations, context.scannedAt),
  ]);
}

async function insertArtifacts(tx: Tx, findings: PreparedFinding[]): Promise<void> {
  await insertRows(tx, 'artifact', artifactRows(findings), { order: 's.id', conflict: 'do nothing' });
}

async function insertVulnerabilities(tx: Tx, rows: NewVulnerability['row'][]): Promise<void> {
  await insertRows(tx, 'vulnerability', rows, {
    common: { updated_at: `date_trunc('milliseconds', now())` },
  });
}

async function insertReferences(tx: Tx, rows: NewVulnerability['onReference'][]): Promise<void> {
  await insertRows(tx, 'vulnerability_reference', rows);
}

/** Texts of the newest report replace the old ones; identifiers and weaknesses accumulate. */
async function mergeDetails(
  tx: ChangeTx,
  { repositoryId }: ImportContext,
  details: Details[],
): Promise<void> {
  if (details.length === 0) return;
  const stored = await readDetails(
    tx,
    details.map((row) => row.vulnerability_id),
  );
  const before = new Map(stored.map((row) => [row.vulnerability_id, row]));
  const merged = details.flatMap((row): Details[] => {
    const old = before.get(row.vulnerability_id);
    if (old === undefined) return [];
    const joined = detailsWithKey({
      vulnerability_id: row.vulnerability_id,
      advisory: old.advisory,
      identifiers: furtherIds(old.advisory, old.identifiers, allIds(row)),
      cwes: union(old.cwes, row.cwes),
      description: row.description ?? old.description,
      links: row.links.length > 0 ? row.links : old.links,
      cvss_vector: row.cvss_vector ?? old.cvss_vector,
    });
    if (isDeepStrictEqual(joined, old)) return [];
    const hasNewFacts =
      joined.identifiers.length > old.identifiers.length || joined.cwes.length > old.cwes.length;
    if (hasNewFacts) tx.changes.markChanged(row.vulnerability_id, repositoryId);
    return [joined];
  });
  await updateDetails(tx, merged);
  const withCves = merged.filter(({ identifiers }) => identifiers.some(isCve));
  await updateCves(
    tx,
    withCves.map((row) => row.vulnerability_id),
  );
}

// Each report replaces these columns of a claim. A partial report does not lower the others.
const newest = ['title', 'history'];
const suppression = [
  'suppressed',
  'suppression_reason',
  'suppressed_until',
  'suppression_may_decide',
  'suppression_overrides_policy',
];
const claims = ['cvss_score', 'exploitable', 'verified', 'malware'];

export async function upsertReporters(tx: Tx, rows: ReporterInput[]): Promise<void> {
  for (const [partial, some] of Map.groupBy(rows, (row) => row.partial))
    await upsertClaims(tx, some, partial);
}

/** Partial claims lower nothing: the higher claim of the two stays, and so do the versions with the fix. */
async function upsertClaims(tx: Tx, rows: ReporterInput[], partial: boolean): Promise<void> {
  const higher = (column: string): string =>
    partial ? `greatest(t.${column}, excluded.${column})` : `excluded.${column}`;
  const compared = ['suppressed', 'suppression_may_decide', 'suppression_overrides_policy'];
  const ofRow = (row: string): string => `(${compared.map((column) => `${row}.${column}`).join(', ')})`;
  const stored = rows.map(({ partial: _, ...row }) => row);
  await insertRows(tx, 'vulnerability_reporter', stored, {
    common: { updated_at: 'now()' },
    conflict: `${replacing(['vulnerability_id', 'series_id'], [...newest, ...suppression])},
       live = t.live or excluded.live,
       fixed_versions = ${partial ? 'case when t.live then coalesce(t.fixed_versions, excluded.fixed_versions) else excluded.fixed_versions end' : 'excluded.fixed_versions'},
       severity = ${partial ? sqlHigherSeverity('t.severity', 'excluded.severity') : 'excluded.severity'},
       ${claims.map((column) => `${column} = ${higher(column)}`).join(', ')},
       -- An unchanged suppression does not cover the names that were joined since it came.
       updated_at = case when t.live and t.suppressed and ${ofRow('excluded')} = ${ofRow('t')}
                         then t.updated_at else excluded.updated_at end
      where excluded.live`,
  });
}

/**
 * Returns the vulnerabilities whose suppression has changed. Those that the report does not show, `unseen`, gain no
 * right.
 */
export async function updateSuppressions(
  tx: Tx,
  seriesId: SeriesId,
  { decides, overridesPolicy }: ReturnType<typeof suppressionRights>,
  unseen: VulnerabilityId[],
): Promise<VulnerabilityId[]> {
  const rows = await tx.query<{ vulnerability_id: VulnerabilityId }>(
    `update vulnerability_reporter set suppression_may_decide = $3, suppression_overrides_policy = $4, updated_at = now()
      where tenant_id = $1 and series_id = $2 and suppressed and live and (suppression_may_decide <> $3 or suppression_overrides_policy <> $4)
        and (not (vulnerability_id = any($5::uuid[])) or (suppression_may_decide >= $3 and suppression_overrides_policy >= $4))
     returning vulnerability_id`,
    [tx.tenantId, seriesId, decides, overridesPolicy, unseen],
  );
  return rows.map((row) => row.vulnerability_id);
}

async function writeLocations(
  tx: Tx,
  context: ImportContext,
  series: SeriesNow,
  cause: Cause,
  resolved: Resolved[],
): Promise<void> {
  const locations = distinctLocations(resolved).map((row) => writtenLocationOf(context, series, cause, row));
  const added = locations.filter(({ isNew }) => isNew).map(({ isNew: _, ...row }) => row);
  const known = series.late ? [] : locations.filter(({ isNew }) => !isNew);
  await Promise.all([
    insertRows(tx, 'vulnerability_location', added),
    updateLocations(tx, known, context.scannedAt),
  ]);
}

/**
 * Updates locations that were seen again: their current position, and open again if they were closed. A report without
 * code or fingerprint does not take away a known one, and one with a fingerprint of another scheme not the one that a
 * decision covers.
 */
async function updateLocations(tx: Tx, rows: LocationInput[], at: Date): Promise<void> {
  if (rows.length === 0) return;
  const keeps = `s.fingerprint_key is null or (v.decided_by is not null and l.fingerprint_scheme <> s.fingerprint_scheme)`;
  await tx.query(
    `update vulnerability_location l set location_key = s.location_key, path = s.path, line = s.line, artifact_id = s.artifact_id,
            suppressed = s.suppressed and ${sqlIsSuppressed('l.id')}, rule_key = s.rule_key, file_key = s.file_key,
            code_key = coalesce(s.code_key, l.code_key),
            fingerprint_key = case when ${keeps} then l.fingerprint_key else s.fingerprint_key end,
            fingerprint_scheme = case when ${keeps} then l.fingerprint_scheme else s.fingerprint_scheme end,
            vulnerable_at = case when l.fixed_at is null then l.vulnerable_at else $3 end, fixed_at = null
       from ${rowsOf('vulnerability_location', '$2')} s
       join vulnerability v on v.tenant_id = $1 and v.id = s.vulnerability_id
      where l.tenant_id = $1 and l.id = s.id`,
    [tx.tenantId, JSON.stringify(rows), at],
  );
}

async function insertObservations(tx: Tx, rows: ObservationInput[]): Promise<void> {
  await insertRows(tx, 'location_observation', rows);
}

/**
 * Writes the content of findings into the open observations of their keys. A report that only adds suppresses nothing
 * that another one shows.
 */
export async function updateObservations(
  tx: Tx,
  series: SeriesNow,
  findings: PreparedFinding[],
): Promise<void> {
  if (findings.length === 0) return;
  const rows = findings.map((finding) => ({
    key: finding.key,
    digest: observationDigestOf(series, finding),
    suppressed: finding.suppressed,
  }));
  await tx.query(
    `update location_observation g set digest = s.digest, suppressed = s.suppressed and (g.suppressed or not $4)
       from ${rowsOf('location_observation', '$3')} s
      where g.tenant_id = $1 and g.series_id = $2 and g.key = s.key and g.until_seq is null`,
    [tx.tenantId, series.id, JSON.stringify(rows), series.addsOnly],
  );
}
