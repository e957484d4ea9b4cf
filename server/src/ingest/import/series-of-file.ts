/**
 * Files that come beside each other have a series each (ADR 112), and the only one that has not left keeps the series
 * that they have shared.
 *
 * A file gets its series once it has come beside another one for two commits. A name that comes for one commit only,
 * such as one with a date, gets none, because nothing would ever close what it has shown.
 */
import type { Tx } from '../../db/database.ts';
import type { SeriesId } from '../../domain/ids.ts';
import type { Source } from '../../domain/packed-state.ts';
import { hasVaryingPart } from '../../parsers/reading/stable-category.ts';
import type { ImportContext } from './import-context.ts';
import type { RunInSeries } from './runs-in-series.ts';
import { type CommitOfFiles, listCommitsOfFiles, listSeriesOfCategory } from './series-of-file-store.ts';

export interface SeriesOfFile {
  /** The file whose series it is; '' if files share it. */
  fileName: string;
  /** Another file that may still come for this commit, so that the report closes nothing; null if there is none. */
  awaited: string | null;
  /** The shared series that the file leaves with this run; null if it leaves none. */
  left: SeriesId | null;
  /** The series is the shared one, and other files have series of their own on the reference. */
  isKept: boolean;
}

/**
 * Finds the series of a run. `isEvidence` says that the run succeeded and is complete. Another run begins no series of
 * a file, and one with gaps leaves none, because the new series would not see what this run does not show.
 */
export async function findSeriesOfFile(
  tx: Tx,
  context: ImportContext,
  run: RunInSeries,
  source: Source,
  isEvidence: boolean,
): Promise<SeriesOfFile> {
  const { fileName, sha, scannedAt, force } = context;
  const shared = { fileName: '', awaited: null, left: null, isKept: false };
  if (fileName === null) return shared;
  const [all, commits] = await Promise.all([
    listSeriesOfCategory(tx, context, run, source),
    listCommitsOfFiles(tx, context, run, source),
  ]);
  const ofCategory = all.filter((series) => series.category === run.unnumbered);
  const own = ofCategory.filter((series) => series.file_name === fileName);
  const here = ofCategory.filter((series) => series.is_here);
  const sharedHere = here.find((series) => series.file_name === '');
  const alone = new Set(here.map((series) => series.file_name).filter((name) => name !== ''));
  const lastAt = sharedHere?.last_scanned_at ?? null;
  const isLate = lastAt !== null && lastAt > scannedAt;
  const mayBegin = isEvidence && !isLate && !force;
  // A file that shares a series on this reference does not leave it because of a series on another one.
  const isNewHere = run.isOnly && own.length > 0 && !commits.some((commit) => commit.is_known);
  if (alone.has(fileName) || (isNewHere && mayBegin)) return { ...shared, fileName };
  const stays = { ...shared, isKept: alone.size > 0 };
  if (sha === null || isLate) return stays;
  const { isTogether, awaited } = compareWithOthers(fileName, sha.slice(0, 7), commits, alone);
  // Runs that only numbers tell apart do not change their series one by one.
  const isNumbered =
    !run.isOnly || all.some((series) => series.is_here && series.category !== run.unnumbered);
  const mayLeave = mayBegin && run.gaps.length === 0 && !isNumbered && isStable(fileName);
  if (!isTogether || !mayLeave) return { ...stays, awaited };
  return { ...shared, fileName, left: sharedHere?.id ?? null };
}

/** A name with a date, a commit or a large number is another one for each run. */
function isStable(fileName: string): boolean {
  return !hasVaryingPart(fileName) && !/[0-9]{6}|[0-9]{4}[._-][0-9]{2}[._-][0-9]{2}/.test(fileName);
}

/**
 * Compares a file with those that have come beside it, but for those that are `alone` in a series on the reference.
 * `now` is the commit of its scan. `isTogether` says that it comes beside one of them for the second commit at least,
 * or has done so for two commits and comes first now.
 */
export function compareWithOthers(
  fileName: string,
  now: string,
  all: Pick<CommitOfFiles, 'is_here' | 'commit' | 'files'>[],
  alone: ReadonlySet<string>,
): { isTogether: boolean; awaited: string | null } {
  const commits = all.filter(({ commit }) => commit !== null);
  const here = commits.filter(({ is_here }) => is_here);
  const shown = here.find(({ commit }) => commit === now)?.files ?? [];
  const [last, earlier] = here.filter(({ commit }) => commit !== now);
  const sharing = (files: string[] = []): string[] =>
    files.filter((file) => file !== fileName && !alone.has(file));
  const countTogether = (file: string): number => {
    const both = commits.filter(({ files }) => files.includes(fileName) && files.includes(file));
    return new Set(both.map(({ commit }) => commit).filter((commit) => commit !== now)).size;
  };
  const missing = sharing(last?.files).filter((file) => !shown.includes(file));
  const isTogether =
    sharing(shown).some((file) => countTogether(file) > 0) || missing.some((file) => countTogether(file) > 1);
  // A file whose name changes with each commit does not come again. One commit alone does not tell whether it does.
  const comesAgain = (file: string): boolean =>
    earlier === undefined
      ? last?.files.includes(fileName) === true ||
        commits.some(({ is_here, files }) => !is_here && files.includes(file))
      : earlier.files.includes(file) || earlier.files.every((other) => last?.files.includes(other));
  const awaited = missing.find((file) => comesAgain(file) && countTogether(file) < patience);
  // A file that comes again for the same commit stays where it was.
  return { isTogether: isTogether && !shown.includes(fileName), awaited: awaited ?? null };
}

// A file does not await for ever one that never leaves their series.
const patience = 3;
