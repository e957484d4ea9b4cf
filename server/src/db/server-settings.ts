/** Settings of the server as they hold for a connection. */
import type pg from 'pg';

/**
 * Returns the values of those settings that the server knows. An older one lacks some, one without Citus all of Citus.
 */
export async function readSettings(
  client: Pick<pg.ClientBase, 'query'>,
  names: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select name, current_setting(name, true) as value from unnest($1::text[]) as name
      where current_setting(name, true) is not null`,
    [names],
  );
  return new Map(rows.map(({ name, value }) => [name, value]));
}
