/** The tables and columns that a backup contains. */
import type pg from 'pg';
import { listTables, type Table } from '../db/tables.ts';

/** Tables that another install creates by itself, each with the reason to leave it out. */
const leftOut: Record<string, string> = {
  schema_migration: 'the schema is made by migrate, and compared',
  rate_limit: 'counts of the last minute',
  install_secret: 'the restore binds its install to the secret file that it has',
  sweep_lead: 'names a process that runs',
  user_session: 'a session that has ended since the backup must not open again',
  user_verification: 'links and sign-ins of that moment, as user_session',
  mail: 'a copy of the install must not send what waits here',
  mail_reader: 'as mail: a restored install begins with what happens from then on',
};

/** The tables of a backup, each after those that it refers to. */
export async function listKeptTables(client: pg.Client): Promise<Table[]> {
  return (await listTables(client)).filter(({ name }) => !(name in leftOut));
}

/** Tables of a workspace that stay in their install, each with the reason. */
const notMoved: Record<string, string> = {
  event_batch: 'a feed belongs to an install, and its events name the people there',
  event_clock: 'as event_batch',
  event_sequence: 'as event_batch',
  exchanged_token: 'as trust_rule',
  invitation: 'gives access to the workspace',
  issue_tracker: 'its token is encrypted for the install, and two installs would write the same issues',
  linked_issue: 'as issue_tracker',
  linked_vulnerability: 'as issue_tracker',
  trust_rule: 'gives access to the workspace',
  webhook: 'its secrets are encrypted for the install, and two installs would tell its receiver the same',
  webhook_delivery: 'as webhook',
};

/** The tables of a file of one workspace. */
export function tablesOfOneWorkspace(tables: Table[]): Table[] {
  return tables.filter(({ name, isOfWorkspace }) => isOfWorkspace && !(name in notMoved));
}
