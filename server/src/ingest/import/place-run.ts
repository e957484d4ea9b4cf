/** Places a run of a report: its series, and what the run may open, close and lower there. */
import { uuidArray } from '../../db/column-array.ts';
import type { Tx } from '../../db/database.ts';
import { gapOfEverything } from '../../parsers/reading/gaps.ts';
import type { RunOutcome } from '../../parsers/report.ts';
import type { FindingReader } from '../prepare/finding-reader.ts';
import type { PreparedRun } from '../prepare/prepared-report.ts';
import { type Adding, findAdding } from './adding-report.ts';
import { type Compared, compareKeys } from './compare.ts';
import { alignEqualCode } from './equal-code.ts';
import type { ImportContext } from './import-context.ts';
import { insertDetachedObservations } from './observation-store.ts';
import { findRunSource } from './run-source.ts';
import type { RunInSeries } from './runs-in-series.ts';
import { findSeriesOfFile } from './series-of-file.ts';
import { insertSeriesScan, type SeriesRow, upsertSeries } from './series-row-store.ts';
import type { SeriesNow } from './written-rows.ts';

export interface PlacedRun {
  series: SeriesRow & SeriesNow;
  outcome: RunOutcome;
  compared: Compared;
  /** See `findAdding`. */
  adding: Adding | null;
  /** See `SeriesOfFile`. */
  isKept: boolean;
}

/**
 * Creates the series if it is new, and compares the findings with what it sees. `isIncomplete` says that some rows of
 * the run could not be read, so that it closes nothing.
 */
export async function placeRun(
  tx: Tx,
  context: ImportContext,
  run: RunInSeries,
  findings: FindingReader,
  isIncomplete: boolean,
): Promise<PlacedRun> {
  const { scanId, scannedAt } = context;
  const { tool, category } = run;
  const outcome = outcomeOf(run, context, findings.length);
  // A partial, incomplete or failed report is no evidence that a finding which it lacks is fixed.
  const isEvidence = !context.partial && !isIncomplete && outcome === 'succeeded';
  const { source, isUnclear } = await findRunSource(tx, context, run);
  const { fileName, awaited, left, isKept } = await findSeriesOfFile(tx, context, run, source, isEvidence);
  const row = await upsertSeries(tx, {
    repositoryId: context.repositoryId,
    referenceId: context.reference.id,
    tool,
    category,
    source,
    fileName,
  });
  const newestAt = row.last_scanned_at;
  const late = newestAt !== null && newestAt > scannedAt;
  const detached = late || !isEvidence;
  const seq = row.last_seq + 1;
  const [, byKeys, adding] = await Promise.all([
    insertSeriesScan(tx, { scanId, seriesId: row.id, seq, detached, late, outcome }),
    compareKeys(tx, row, findings, detached),
    late ? null : findAdding(tx, context, row, run, { isUnclear, awaited }),
  ]);
  const addsOnly = adding !== null;
  const compared = late || addsOnly ? byKeys : await alignEqualCode(tx, context, row, findings, byKeys);
  if (detached) await insertDetachedObservations(tx, row.id, uuidArray(findings.keys), seq);
  const gaps = context.force ? [] : addsOnly ? gapOfEverything : run.gaps;
  const history = source === 'git_history';
  const series = { ...row, tool, history, seq, late, detached, gaps, addsOnly, left, newestAt };
  return { series, outcome, compared, adding, isKept };
}

// A partial report without findings may have scanned nothing, so it does not prove that anything is clean.
function outcomeOf(run: PreparedRun, { partial }: ImportContext, findings: number): RunOutcome {
  return run.outcome === 'succeeded' && partial && findings === 0 ? 'scanned_nothing' : run.outcome;
}
