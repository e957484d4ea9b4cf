/**
 * A report only adds to its series if other reports or runs show the rest of what the series sees (ADR 110). It opens
 * what is new and raises severities; it closes nothing, takes no package away, and lowers and suppresses nothing.
 */
import type { Tx } from '../../db/database.ts';
import { formatId, type SeriesId } from '../../domain/ids.ts';
import { findOtherReports, findSeriesBeside } from './adding-report-store.ts';
import type { ImportContext } from './import-context.ts';
import type { RunInSeries } from './runs-in-series.ts';

export interface Adding {
  /** Tells the sender why the report closes nothing. */
  warning: string;
  /** True if another report of the commit shows a run that did not succeed. */
  isFailed: boolean;
}

/** Returns null if the run shows all that the series sees, or its sender forces it. */
export async function findAdding(
  tx: Tx,
  context: ImportContext,
  series: { id: SeriesId; last_seq: number },
  run: RunInSeries,
  { isUnclear, awaited }: { isUnclear: boolean; awaited: string | null },
): Promise<Adding | null> {
  // Findings that are no report are all that their tool knows, and a partial report closes nothing anyway.
  if (series.last_seq === 0 || context.force || context.partial || context.reader === null) return null;
  const [others, beside] = await Promise.all([
    findOtherReports(tx, series.id, context.scanId),
    findSeriesBeside(tx, series.id, context.scanId, run.nextCategory),
  ]);
  const isFailed = others.is_failed;
  if (others.is_complete) return { warning: secondReport(run.tool, others.file_name), isFailed };
  if (awaited !== null) return { warning: awaitedReport(run.tool, awaited), isFailed };
  if (isUnclear) return { warning: unclearSource(run.tool), isFailed };
  return beside === null ? null : { warning: missingRun(run, beside), isFailed };
}

function secondReport(tool: string, fileName: string | null): string {
  const other = fileName === null ? 'one without a file name' : JSON.stringify(fileName);
  return `Another report of ${tool} shows this commit in the same category: ${other}. So this report closes nothing. Files that come again under these names for the next commit are kept apart from then on, if their reports are complete. If their names change, give each its own --category; if one replaces the other, give both the same name.`;
}

const awaitedReport = (tool: string, fileName: string): string =>
  `The report ${JSON.stringify(fileName)} of ${tool} came for the commit before and has not come for this one yet. So this report closes nothing. If the other comes for this commit, or both for the next, they are kept apart from then on; if it does not, the report of the next commit closes what it does not show. A --category for each keeps them apart at once.`;

const unclearSource = (tool: string): string =>
  `The report has no findings and does not say whether ${tool} has searched the files or the history of commits, where it sees something in both. So this report closes nothing. Give --source current or --source git_history.`;

const missingRun = ({ tool, nextCategory }: RunInSeries, beside: SeriesId): string =>
  `The report before had more runs of ${tool}, and nothing tells which one is missing. So this report closes nothing. Give each run an id of its automation, or retire the series ${JSON.stringify(nextCategory)}: merlon series retire ${formatId('series', beside)}`;
