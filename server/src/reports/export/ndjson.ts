/**
 * NDJSON has a line for each merged id and each vulnerability. The last line shows that the export is complete: the
 * cursor of the next export, or the number of vulnerabilities of a list.
 */
import { formatId } from '../../domain/ids.ts';
import { type ExportWalk, type WorkspaceWalk, walkItems, walkMerged } from './walk.ts';

export async function* ndjson(walk: WorkspaceWalk, cursor: string): AsyncGenerator<string> {
  for await (const rows of walkMerged(walk)) {
    yield lines(
      rows.map((row) => ({
        id: formatId('vulnerability', row.id),
        merged_into: formatId('vulnerability', row.vulnerability_id),
      })),
    );
  }
  for await (const items of walkItems(walk)) yield lines(items);
  yield lines([{ cursor }]);
}

export async function* ndjsonOfList(walk: ExportWalk): AsyncGenerator<string> {
  let count = 0;
  for await (const items of walkItems(walk)) {
    count += items.length;
    yield lines(items);
  }
  yield lines([{ complete: true, count }]);
}

function lines(values: object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
