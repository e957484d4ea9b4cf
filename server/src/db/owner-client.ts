/** A connection of the owner of the tables, for work of the operator that may take long. */
import pg from 'pg';
import { readSettings } from './server-settings.ts';

// A server may end long statements, long waits and long transactions by its own settings, which are meant for requests.
// The forms of dates and numbers are those that every server reads back to the same values.
const settings = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  datestyle: 'ISO',
  extra_float_digits: '1',
};

/**
 * Sets them for the session, or for one transaction if the connection may go through a pooler, which gives the next
 * transaction another session. Each is a statement of its own, because Citus repeats the text of a SET LOCAL on each
 * node.
 */
export async function liftLimits(client: pg.ClientBase, set: 'set' | 'set local'): Promise<void> {
  for (const [name, value] of Object.entries(settings)) await client.query(`${set} ${name} = '${value}'`);
  // PostgreSQL 17 and later.
  const known = await readSettings(client, ['transaction_timeout']);
  if (known.size > 0) await client.query(`${set} transaction_timeout = 0`);
}

/** Connects. An error of the connection also fails its statement, which reports it. */
export async function connectOwner(
  url: string,
  name: string,
  others: pg.ClientConfig = {},
): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: `merlond ${name}`, ...others });
  client.on('error', () => {});
  await client.connect();
  // By statements, because the options of the address would replace those of a start, which a pooler refuses.
  await liftLimits(client, 'set').catch(async (error) => {
    await client.end().catch(() => {});
    throw error;
  });
  return client;
}
