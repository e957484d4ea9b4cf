/** NDJSON has a line for each merged id and each vulnerability. The last line is the cursor: nothing is missing. */
import { formatId } from '../../domain/ids.ts';
import { type Walk, walkItems, walkMerged } from './walk.ts';

export async function* ndjson(walk: Walk, cursor: string): AsyncGenerator<string> {
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

function lines(values: object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
