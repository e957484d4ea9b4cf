/**
 * The keys of equal code in one file have numbers, and so have the fingerprints of some tools. One finding more or less
 * gives the keys after it to other findings. So the observations of such code get the keys under which the report shows
 * it now, by its lines, and no finding gets the vulnerability of another.
 */
import type { Tx } from '../../db/database.ts';
import type { FindingReader } from '../prepare/finding-reader.ts';
import type { CodeKeys } from '../prepare/prepared-report.ts';
import { alignLines } from './align-lines.ts';
import type { Compared } from './compare.ts';
import type { ImportContext } from './import-context.ts';
import { byLineNumber, codeInFile, codeOfFingerprint } from './match-code.ts';
import { type ObservationRow, renameKeys } from './observation-store.ts';
import { listLines, listPlacesOfCode } from './resolve-store.ts';
import type { SeriesRow } from './series-row-store.ts';

/** Equal code in a file, without what the report shows as before. */
interface EqualCode {
  findings: CodeKeys[];
  /** The observations whose key the report has. */
  kept: ObservationRow[];
  /** Those whose key the report does not have. */
  absent: ObservationRow[];
}

/** Returns what the report shows after the observations of equal code have got their new keys. */
export async function alignEqualCode(
  tx: Tx,
  context: ImportContext,
  series: SeriesRow,
  reader: FindingReader,
  compared: Compared,
): Promise<Compared> {
  const found = await findEqualCode(tx, context, reader, compared);
  if (found.length === 0) return compared;
  const lines = await listLines(
    tx,
    found.flatMap(({ kept, absent }) => [...kept, ...absent]).map((row) => row.location_id),
  );
  const changed = new Map(compared.changed.map((row) => [row.ordinal, row]));
  const unmatched = new Set(compared.unmatched);
  const absent = new Map(compared.absent.map((row) => [row.key, row]));
  const renamed = new Map<string, string>();
  for (const equal of found) {
    const rowOf = (row: ObservationRow) => ({ row, line: lines.get(row.location_id) ?? null });
    const rows = [...equal.kept, ...equal.absent].map(rowOf).sort(byLineNumber);
    const pairs = alignLines(equal.findings.sort(byLineNumber), rows);
    if (pairs.length === 0) continue;
    const left = new Set([...equal.kept, ...equal.absent]);
    for (const { ordinal } of equal.findings) {
      changed.delete(ordinal);
      unmatched.add(ordinal);
    }
    for (const [{ ordinal }, { row }] of pairs) {
      const key = reader.keyOf(ordinal);
      left.delete(row);
      unmatched.delete(ordinal);
      changed.set(ordinal, { ...row, ordinal, key });
      renamed.set(row.key, key);
    }
    // A key that the report shows goes to what it shows, so what had it gets one of a row that it shows now.
    const free = equal.absent.flatMap((row) => (left.has(row) ? [] : row.key));
    for (const row of equal.absent) if (!left.has(row)) absent.delete(row.key);
    for (const row of equal.kept) {
      const key = left.has(row) ? free.pop() : undefined;
      if (key === undefined) continue;
      absent.set(key, { ...row, key });
      renamed.set(row.key, key);
    }
  }
  await renameKeys(tx, series.id, renamed);
  return {
    changed: [...changed.values()],
    unmatched: [...unmatched].sort((a, b) => a - b),
    absent: [...absent.values()],
  };
}

async function findEqualCode(
  tx: Tx,
  { repositoryId }: ImportContext,
  reader: FindingReader,
  { changed, unmatched, absent }: Compared,
): Promise<EqualCode[]> {
  const seen = new Map(changed.map((row) => [row.ordinal, row]));
  const known = reader.byKind([...seen.keys()]).code;
  const added = reader.byKind(unmatched).code;
  if (known.length === 0) return [];
  const groups = Map.groupBy(reader.codeKeysOf([...known, ...added]), keyOf);
  const codes = new Set([...groups.values()].flatMap(([first]) => first?.codeKey ?? []));
  const places = await listPlacesOfCode(
    tx,
    repositoryId,
    absent.map((row) => row.location_id),
    [...codes],
  );
  const keys = new Map(places.map((place) => [place.id, keyOf(place)]));
  const gone = Map.groupBy(absent, (row) => keys.get(row.location_id) ?? '');
  return [...groups].flatMap(([key, findings]) => {
    const kept = findings.flatMap(({ ordinal }) => seen.get(ordinal) ?? []);
    const rows = gone.get(key) ?? [];
    const isSeveral = findings.length + rows.length > 1;
    // The locations of one result stay together.
    const isOne = findings.every((finding) => finding.group === null);
    const isAligned = key !== '' && kept.length > 0 && isSeveral && isOne;
    return isAligned ? [{ findings, kept, absent: rows }] : [];
  });
}

/** Equal code has the same key, if its fingerprints differ at most in their numbers; '' without code. */
function keyOf(place: Pick<CodeKeys, 'fileKey' | 'codeKey' | 'fingerprintKey'>): string {
  return codeOfFingerprint(place) ?? codeInFile(place) ?? '';
}
