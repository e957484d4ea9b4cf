/**
 * A run is of the current tree or of the history of commits. Scanners of secrets write both in one format, and a report
 * without findings does not say which it is. It is then of the one in which its tool has found something, in the series
 * of its file if that sees something.
 */
import type { Tx } from '../../db/database.ts';
import type { Source } from '../../domain/packed-state.ts';
import type { PreparedRun } from '../prepare/prepared-report.ts';
import type { ImportContext } from './import-context.ts';
import { listSeeingSeries } from './series-row-store.ts';

export interface RunSource {
  source: Source;
  /** The tool sees something in both, so the report may be of either. */
  isUnclear: boolean;
}

export async function findRunSource(tx: Tx, context: ImportContext, run: PreparedRun): Promise<RunSource> {
  const named = context.source ?? (run.history ? 'git_history' : null);
  if (
    named !== null ||
    run.findings.digests.length > 0 ||
    run.manifests.length > 0 ||
    context.reader === null
  ) {
    return { source: named ?? 'current', isUnclear: false };
  }
  const seeing = await listSeeingSeries(tx, context, run);
  const own = seeing.filter((series) => series.file_name !== '');
  const sources = (own.length > 0 ? own : seeing).map((series) => series.source);
  return {
    source: sources.length === 1 ? (sources[0] ?? 'current') : 'current',
    isUnclear: sources.length > 1,
  };
}
