/** Reads lists of the API up to a limit. */
import { CommandError, exitCodes } from './failures.ts';

interface Page {
  items: unknown[];
  next_cursor: string | null;
}

/** Every filter of a list of the API as a required field, so that a command that lacks one does not compile. */
export type FiltersOf<Query> = {
  [Name in Exclude<keyof Query, 'cursor' | 'per_page'>]: Query[Name];
};

/** Splits a comma list. The server knows the allowed values, and its error names them. */
export function splitList<Value extends string>(text: string | undefined): Value[] | undefined {
  return text?.split(',') as Value[] | undefined;
}

// The API gives at most this many items per page.
const wholePage = 200;

/** Returns the first answer with the items of the later ones added. Its cursor continues after the last item. */
export async function readUpTo<List extends Page>(
  limit: number,
  load: (page: { per_page: number; cursor: string | null }) => Promise<List>,
): Promise<List> {
  const read = (left: number, cursor: string | null): Promise<List> =>
    load({ per_page: Math.min(wholePage, left), cursor });
  const first = await read(limit, null);
  const list = { ...first, items: [...first.items] };
  while (list.next_cursor !== null && list.items.length < limit) {
    const next = await read(limit - list.items.length, list.next_cursor);
    list.items.push(...next.items);
    list.next_cursor = next.next_cursor;
  }
  return list;
}

/** Reads the value of `--limit`; throws CommandError. */
export function limitOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) {
    throw new CommandError(`The --limit must be a number of rows, not "${text}".`, exitCodes.usage);
  }
  return Number(text);
}
