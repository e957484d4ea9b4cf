/** Cuts a list into pieces, so that a statement's parameters stay small whatever the size of a report. */
export function* batches<T>(items: T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/**
 * Divides items in their order into batches of at most `maxItems` items and at most `maxWeight` in sum. An item that
 * weighs more has a batch of its own.
 */
export function* batchesByWeight<Item>(
  items: Item[],
  maxItems: number,
  maxWeight: number,
  weightOf: (item: Item) => number,
): Iterable<Item[]> {
  let batch: Item[] = [];
  let sum = 0;
  for (const item of items) {
    const weight = weightOf(item);
    if (batch.length > 0 && (batch.length === maxItems || sum + weight > maxWeight)) {
      yield batch;
      batch = [];
      sum = 0;
    }
    batch.push(item);
    sum += weight;
  }
  if (batch.length > 0) yield batch;
}
