/** The names of the objects that events mention by id, for people who read the log. */
import type { Tx } from '../../db/database.ts';
import { type IdKind, parseAnyId } from '../../domain/ids.ts';
import { listTargetNames } from './read.ts';

// A merge may name hundreds of objects in one event. A page does not show more names; other objects keep their ids.
const maxNamed = 2_000;

/** The types of the log by the kind of their id. Other kinds have no name. */
const types: Partial<Record<IdKind, string>> = {
  application: 'application',
  exception: 'exception',
  invitation: 'invitation',
  key: 'key',
  organization: 'organization',
  policy: 'policy',
  reference: 'reference',
  repository: 'repository',
  series: 'series',
  team: 'team',
  tenant: 'workspace',
  user: 'user',
  violation: 'violation',
  vulnerability: 'vulnerability',
};

/** Adds to each item the names of the ids in its data. An object that no longer exists has none. */
export async function withNames<Item extends { data: Record<string, unknown> }>(
  tx: Tx,
  items: Item[],
): Promise<(Item & { names: Record<string, string> })[]> {
  const idsOf = items.map(({ data }) => [...new Set(textsIn(data))].filter((text) => uuidOf(text) !== null));
  const named = [...new Set(idsOf.flat())].slice(0, maxNamed);
  const names = await listTargetNames(
    tx,
    named.flatMap((text) => uuidOf(text) ?? []),
  );
  return items.map((item, index) => ({
    ...item,
    names: Object.fromEntries(
      (idsOf[index] ?? []).flatMap((text) => {
        const name = names.get(uuidOf(text)?.id ?? '');
        return name === undefined ? [] : [[text, name]];
      }),
    ),
  }));
}

function uuidOf(text: string): { type: string; id: string } | null {
  const parsed = parseAnyId(text);
  const type = parsed && types[parsed.kind];
  return parsed && type !== undefined ? { type, id: parsed.id } : null;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
