/** The names of the objects that events mention by id, for people who read the log. */
import type { Tx } from '../../db/database.ts';
import { parseNamedId } from './objects.ts';
import { listObjectNames } from './read.ts';

// A merge may name hundreds of objects in one event. A page does not show more names; other objects keep their ids.
const maxNamed = 2_000;

/** Adds to each item the names of the ids in its data. An object that no longer exists has none. */
export async function withNames<Item extends { data: Record<string, unknown> }>(
  tx: Tx,
  items: Item[],
): Promise<(Item & { names: Record<string, string> })[]> {
  const objectsOf = items.map(({ data }) =>
    [...new Set(textsIn(data))].flatMap((text) => {
      const object = parseNamedId(text);
      return object === null ? [] : [{ text, ...object }];
    }),
  );
  const objects = new Map(objectsOf.flat().map((object) => [object.text, object]));
  const names = await listObjectNames(tx, [...objects.values()].slice(0, maxNamed));
  return items.map((item, index) => ({
    ...item,
    names: Object.fromEntries(
      (objectsOf[index] ?? []).flatMap(({ text, id }) => {
        const name = names.get(id);
        return name === undefined ? [] : [[text, name]];
      }),
    ),
  }));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
