/**
 * Look-ups of many keys, one by one, by the index that has the key, whatever the planner thinks of the table.
 *
 * Of a workspace that is newer than the statistics the planner expects a row or two. Then each index that begins with
 * the tenant seems as good as the one with the key, and with the wrong one every look-up reads the whole workspace. An
 * order by the key, which no other index gives, decides; it must not be an equality, which would make the order moot.
 */
export function byKey(column: string, value: string): string {
  return `${column} >= ${value} and ${column} <= ${value}`;
}
