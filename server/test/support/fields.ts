/** Fields of all items of a list, for the comparison with what a test expects. */

/** The value of the field in each item. */
export function fieldOf<Item>(items: readonly Item[], key: keyof Item): unknown[] {
  return items.map((item) => item[key]);
}

/** The values of these fields in each item, in this order. */
export function fieldsOf<Item>(items: readonly Item[], ...keys: (keyof Item)[]): unknown[][] {
  return items.map((item) => keys.map((key) => item[key]));
}
