/**
 * Brings a database to the schema of this program: an empty one by `schema.sql`, an earlier one by the numbered files
 * of `migrations/`, forward only, each in its own transaction. It runs as the owner, because only the owner can make
 * the running role with its rights and the tables of the queue.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { DomainError } from '../domain/domain-error.ts';
import { refuseUnfitOwner } from './check-owner.ts';
import { explainConnectionError } from './connection-errors.ts';
import { installQueue } from './queue-tables.ts';
import { setRoleSettings } from './role-settings.ts';

const ownDirectory = new URL('./', import.meta.url);

// A migration that waits for a lock stops every query behind it, so it fails early and must be started again.
const lockTimeout = '5s';
// The number is arbitrary but the same in all versions, so that two nodes which start together migrate in turn.
const advisoryLock = 7_263_041;

// History and audit must never change, so the running role can neither update nor delete them.
const appendOnly = ['audit_event', 'vulnerability_event'];

// This row of the table of migrations names the last migration after which rights and queue were complete too.
const completeMark = 'complete';

export interface MigrationReport {
  applied: string[];
  version: string;
}

/**
 * Brings the database of `ownerUrl` to this program's schema and gives the role of `appUrl` its rights. The role
 * is made when it is missing. `directory` holds `schema.sql` and `migrations/`. Throws DomainError where a file that was
 * applied has changed, or the database is newer.
 */
export async function migrate(
  ownerUrl: string,
  appUrl: string,
  directory = ownDirectory,
): Promise<MigrationReport> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    application_name: 'merlond migrate',
    connectionTimeoutMillis: 10_000,
  });
  await client.connect().catch((error) => {
    throw explainConnectionError(error, 'MERLON_DATABASE_OWNER_URL', ownerUrl);
  });
  try {
    await refuseUnfitOwner(client, roleOf(appUrl).name);
    await client.query(`set lock_timeout = '${lockTimeout}'`);
    await client.query('set client_min_messages = warning');
    await client.query('select pg_advisory_lock($1)', [advisoryLock]);
    const applied = await applyFiles(client, directory);
    await grantRunningRole(client, appUrl);
    await installQueue(ownerUrl, roleOf(appUrl).name, client);
    await setRoleSettings(appUrl).catch((error) => {
      throw explainConnectionError(error, 'MERLON_DATABASE_URL', appUrl);
    });
    const version = (await latest(directory)).name;
    // The mark is written last, so that a migration that was cut off anywhere stays pending.
    await client.query(
      `insert into schema_migration (name, sha256) values ($1, $2)
       on conflict (name) do update set sha256 = excluded.sha256, applied_at = now()`,
      [completeMark, version],
    );
    return { applied, version };
  } finally {
    await client.end();
  }
}

/** The names of migrations that the database lacks; the running role may read them. */
export async function pendingMigrations(pool: pg.Pool): Promise<string[]> {
  const names = [await schemaFile(ownDirectory), ...(await migrationFiles(ownDirectory))].map(
    (file) => file.name,
  );
  const exists = await pool.query("select to_regclass('public.schema_migration') is not null as there");
  if (!exists.rows[0]?.there) return names;
  const rows = await pool.query('select name, sha256 from schema_migration');
  const done = new Map(rows.rows.map((row) => [row.name, row.sha256]));
  const missing = names.filter((name) => !done.has(name));
  return missing.length === 0 && done.get(completeMark) !== names.at(-1) ? [completeMark] : missing;
}

/** Gives an empty database the whole schema, and any other the migrations that it has not had. */
async function applyFiles(client: pg.Client, directory: URL): Promise<string[]> {
  await client.query(`create table if not exists schema_migration (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
  const rows = await client.query('select name, sha256 from schema_migration');
  const done = new Map<string, string>(rows.rows.map((row) => [row.name, row.sha256]));
  const migrations = await migrationFiles(directory);
  const schema = await schemaFile(directory);
  if (!done.has(schema.name)) {
    const [earlier] = [...done.keys()].filter((name) => name !== completeMark);
    if (earlier !== undefined) throw unreleased(earlier);
    // The schema already holds the result of the migrations, so they count as applied.
    await inTransaction(client, schema, migrations);
    return [schema.name];
  }
  const known = new Set([completeMark, schema.name, ...migrations.map((file) => file.name)]);
  const unknown = [...done.keys()].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new DomainError(
      'conflict',
      `The database is newer than this program: it has had ${unknown.join(', ')}. Start the version that made it, or a newer one.`,
    );
  }
  // Without any migration there is only one schema; later, a database may have begun with an earlier one.
  if (migrations.length === 0 && done.get(schema.name) !== schema.sha256) throw unreleased(schema.name);
  const applied: string[] = [];
  for (const file of migrations) {
    const before = done.get(file.name);
    if (before === file.sha256) continue;
    if (before !== undefined) throw unreleased(file.name);
    await inTransaction(client, file);
    applied.push(file.name);
  }
  return applied;
}

function unreleased(name: string): DomainError {
  return new DomainError(
    'conflict',
    `The database was made by an unreleased version, with another ${name}. Start that version, or this one with an empty data directory (MERLON_DATA_DIR).`,
  );
}

/** Runs the file and records it together with `included`, which are not run. */
async function inTransaction(client: pg.Client, file: SqlFile, included: SqlFile[] = []): Promise<void> {
  await client.query('begin');
  try {
    await client.query(file.sql);
    await client.query(
      'insert into schema_migration (name, sha256) select * from unnest($1::text[], $2::text[])',
      [[file, ...included].map(({ name }) => name), [file, ...included].map(({ sha256 }) => sha256)],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`${file.name}: ${(error as Error).message}`, { cause: error });
  }
}

interface SqlFile {
  name: string;
  sql: string;
  sha256: string;
}

/** The file that a complete database has had last. */
async function latest(directory: URL): Promise<SqlFile> {
  return (await migrationFiles(directory)).at(-1) ?? (await schemaFile(directory));
}

async function schemaFile(directory: URL): Promise<SqlFile> {
  return readSql(new URL('schema.sql', directory), 'schema.sql');
}

async function migrationFiles(directory: URL): Promise<SqlFile[]> {
  const folder = new URL('migrations/', directory);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(names.map((name) => readSql(new URL(name, folder), name)));
}

async function readSql(url: URL, name: string): Promise<SqlFile> {
  const sql = await readFile(url, 'utf8');
  return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
}

async function grantRunningRole(client: pg.Client, appUrl: string): Promise<void> {
  const role = roleOf(appUrl);
  const name = client.escapeIdentifier(role.name);
  const found = await client.query('select 1 from pg_roles where rolname = $1', [role.name]);
  if (found.rows.length === 0) {
    await client.query(
      `create role ${name} login nosuperuser nobypassrls nocreatedb nocreaterole password ${client.escapeLiteral(role.password)}`,
    );
  }
  await client.query(`grant usage on schema public to ${name}`);
  await client.query(`grant select, insert, update, delete on all tables in schema public to ${name}`);
  await client.query(`revoke insert, update, delete on schema_migration from ${name}`);
  await client.query(`revoke update, delete on ${appendOnly.join(', ')} from ${name}`);
}

function roleOf(appUrl: string): { name: string; password: string } {
  const url = new URL(appUrl);
  return { name: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
}
