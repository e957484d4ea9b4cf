/** A connection of the owner of the tables, for work of the operator that may take long. */
import pg from 'pg';

// A server may end long statements, long waits and idle transactions by its own settings, which are meant for requests.
// The forms of dates and numbers are those that every server reads back to the same values.
const settings = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  datestyle: 'ISO',
  extra_float_digits: '1',
};

/** SQL: the same for one transaction, for a connection that may go through a pooler, which refuses settings of a session. */
export const withoutLimits = Object.entries(settings)
  .map(([setting, value]) => `set local ${setting} = '${value}'`)
  .join('; ');

/** It is not connected yet. An error of the connection also fails its statement, which reports it. */
export function ownerClient(url: string, name: string, others: pg.ClientConfig = {}): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: `merlond ${name}`,
    options: Object.entries(settings)
      .map(([setting, value]) => `-c ${setting}=${value}`)
      .join(' '),
    ...others,
  });
  client.on('error', () => {});
  return client;
}
