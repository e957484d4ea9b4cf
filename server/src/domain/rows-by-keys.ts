/**
 * Rows that are found by three keys, one after another. An import counts each finding in a dozen rows, and a text made
 * of the keys of a row would take longer to make and to hash than these look-ups.
 */
export class RowsByKeys<A, B, C, Row> {
  readonly #rows = new Map<A, Map<B, Map<C, Row>>>();

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  /** Returns the row of these keys, which `create` makes if there is none. */
  getOrCreate(a: A, b: B, c: C, create: () => Row): Row {
    const ofA = getOrAdd(this.#rows, a, () => new Map<B, Map<C, Row>>());
    const ofB = getOrAdd(ofA, b, () => new Map<C, Row>());
    return getOrAdd(ofB, c, create);
  }

  /** Takes all rows. */
  take(): Row[] {
    const rows = [...this.#rows.values()].flatMap((ofA) =>
      [...ofA.values()].flatMap((ofB) => [...ofB.values()]),
    );
    this.#rows.clear();
    return rows;
  }
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const created = create();
  map.set(key, created);
  return created;
}
