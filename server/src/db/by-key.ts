/**
 * A hint for the planner: a condition, together with an order by the key, that makes each look-up use the index with
 * the key.
 *
 * The planner expects a row or two in a workspace that is newer than the statistics. Each index that begins with the
 * tenant then seems equally good, and a wrong one makes every look-up read the whole workspace. Only the right index
 * gives the order by the key. The condition must not be an equality, because the planner would then drop the order.
 */
export function byKey(column: string, value: string): string {
  return `${column} >= ${value} and ${column} <= ${value}`;
}
