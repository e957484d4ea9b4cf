/** Cuts a list into pieces, so that a statement's parameters stay small whatever the size of a report. */
export function* batches<T>(items: T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
