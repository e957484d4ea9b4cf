/**
 * Resolves and writes the findings that the series did not show in the same form before. It works slice by slice, so
 * that the findings of a large report are never all in memory. The match rules choose among all findings in code, so
 * their keys are in memory together.
 */
import type { ChangeTx } from '../../db/database.ts';
import { batches, batchesByWeight } from '../../domain/batches.ts';
import type { VulnerabilityId } from '../../domain/ids.ts';
import { findIntel, type IntelOfCves } from '../../vulnerabilities/cves.ts';
import type { Cause } from '../../vulnerabilities/events.ts';
import type { FindingReader } from '../prepare/finding-reader.ts';
import type { PreparedFinding } from '../prepare/prepared-report.ts';
import type { Compared } from './compare.ts';
import type { ImportContext } from './import-context.ts';
import { resolveAdvisories } from './learned-names.ts';
import { type Resolved, resolveByIdentity, resolveCode, resolvedWith } from './resolve.ts';
import { listPinned } from './resolve-store.ts';
import type { SeriesRow } from './series-row-store.ts';
import { slices } from './slices.ts';
import { SliceWriter, writeChanged } from './write-findings.ts';
import { cvesOf, groupByVulnerability, type SeriesNow } from './written-rows.ts';

/** The part of a finding that the import keeps in memory after the finding is written. */
export interface WrittenFinding {
  vulnerabilityId: VulnerabilityId;
  /** The repository did not know the vulnerability. */
  isNew: boolean;
  advisory: string | null;
  suppressed: boolean;
}

/**
 * Returns the findings that the series did not see until now, as they are written. `onFinished` is called with the
 * number of finished findings.
 */
export async function matchAndWrite(
  tx: ChangeTx,
  context: ImportContext,
  series: SeriesRow & SeriesNow,
  cause: Cause,
  findings: FindingReader,
  groups: string[][],
  compared: Compared,
  onFinished: (findings: number) => void,
): Promise<WrittenFinding[]> {
  const { size } = slices;
  const { repositoryId } = context;
  const written: WrittenFinding[] = [];
  const { packages, secrets, code } = findings.byKind(compared.unmatched);
  const byIdentity = [...batches(packages, size), ...(secrets.length > 0 ? [secrets] : [])];
  const pinned = byIdentity.length > 0 ? await listPinned(tx, repositoryId) : new Map();
  const writer = new SliceWriter(tx, context, series, cause, findings);
  const write = async (rows: Resolved[], intel: IntelOfCves): Promise<void> => {
    await writer.write(rows, intel);
    for (const { vulnerabilityId, isNew, advisory, finding } of rows) {
      written.push({ vulnerabilityId, isNew, advisory, suppressed: finding.suppression !== null });
    }
    onFinished(rows.length);
  };
  const resolve = async (ordinals: number[] = [], before: Resolved[] = []) => {
    const slice = findings.get(ordinals);
    const advisories = await resolveAdvisories(tx, repositoryId, slice);
    const named = slice.map((finding) => ({ finding, advisory: advisories.canonical(finding) }));
    const [rows, intel] = await Promise.all([
      resolveByIdentity(tx, context, series, slice, advisories, pinned, before),
      findIntelOf(tx, named),
    ]);
    return { rows, intel };
  };
  let resolving = resolve(byIdentity[0]);
  for (const at of byIdentity.keys()) {
    const { rows, intel } = await resolving;
    // The questions of the next slice go before the rows of this one, because PostgreSQL answers in this order.
    resolving = resolve(byIdentity[at + 1], rows);
    // The next turn handles its failure; until then this catch prevents an unhandled rejection.
    resolving.catch(() => {});
    await write(rows, intel);
  }
  // A finding that a report only adds takes the place of none that it does not show: those are still where they were.
  const free = series.addsOnly ? [] : compared.absent;
  const resolved = await resolveCode(tx, context, series, findings, code, groups, free);
  // A new vulnerability is written once, so all its locations are in one slice.
  const ofVulnerabilities = groupByVulnerability(resolved);
  for (const slice of batchesByWeight(ofVulnerabilities, size, size, ({ rows }) => rows.length)) {
    const ofSlice = slice.flatMap((group) => group.rows);
    const rows = withFindings(findings, ofSlice, resolvedWith);
    await write(rows, await findIntelOf(tx, rows));
  }
  await writer.done();
  if (!series.late) {
    for (const batch of batches(compared.changed, size)) {
      const rows = withFindings(findings, batch, (finding, { vulnerability_id, location_id }) => {
        return { finding, vulnerabilityId: vulnerability_id, locationId: location_id, newLocation: false };
      });
      await writeChanged(tx, context, series, cause, rows);
    }
  }
  return written;
}

/** The facts of the feeds about the CVEs of these findings. */
function findIntelOf(tx: ChangeTx, rows: Parameters<typeof cvesOf>[0]): Promise<IntelOfCves> {
  return findIntel(tx, [...new Set(cvesOf(rows))]);
}

/** Joins rows with their findings, which are read now. */
function withFindings<Row extends { ordinal: number }, Joined>(
  reader: FindingReader,
  rows: Row[],
  join: (finding: PreparedFinding, row: Row) => Joined,
): Joined[] {
  const findings = reader.get(rows.map((row) => row.ordinal));
  return rows.flatMap((row, at) => {
    const finding = findings[at];
    return finding === undefined ? [] : [join(finding, row)];
  });
}
