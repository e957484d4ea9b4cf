/**
 * Brings a database to the schema of this program: an empty one with `schema.sql`, an earlier one with the numbered
 * files of `migrations/`, forward only, each in its own transaction. It runs as the owner, because only the owner can
 * create the running role with its rights and the tables of the queue. Older nodes keep serving meanwhile.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { DomainError } from '../domain/domain-error.ts';
import { conflictingInput } from '../domain/errors.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { refuseUnfitOwner } from './check-owner.ts';
import { isCitus, placeTables, refuseUnfitCitus } from './citus.ts';
import { explainConnectionError } from './connection-errors.ts';
import { deadlockDetected, lockNotAvailable } from './error-codes.ts';
import { ownDirectory, readSchemaFiles, type SchemaFiles, type SqlFile } from './migration-files.ts';
import { connectOwner } from './owner-client.ts';
import { installQueue, queueVersion, queueVersionIsReadable } from './queue-tables.ts';
import { appendOnly } from './role-power.ts';
import { setRoleSettings } from './role-settings.ts';
import {
  appliedSchema,
  compareSchema,
  completeMark,
  lastFile,
  queueMigration,
  schemaProblem,
} from './schema-state.ts';

// A migration that waits for a lock stops every query behind it. A write of a request waits three seconds for a lock,
// so the migration gives up well before that, and tries again after the others have had their turn.
const lockTimeout = '1s';
const firstPauseMs = 200;
const longestPauseMs = 5_000;
// The longest import holds its locks for minutes.
const maxWaitMs = 15 * 60_000;
const lockErrors = new Set([lockNotAvailable, deadlockDetected]);

export interface MigrationReport {
  applied: string[];
  version: string;
}

/**
 * Brings the database of `ownerUrl` to this program's schema and gives the role of `appUrl` its rights and settings. It
 * creates the role if it is missing. `directory` holds `schema.sql` and `migrations/`. A newer database on which this
 * program may run stays unchanged. Throws an Error that says what to do, such as a DomainError if an applied file has
 * changed, or if the database is too new.
 */
export async function migrate(
  ownerUrl: string,
  appUrl: string,
  directory = ownDirectory,
): Promise<MigrationReport> {
  const files = await readSchemaFiles(directory);
  const options = { connectionTimeoutMillis: 10_000, keepAlive: true };
  const client = await connectOwner(ownerUrl, 'migrate', options).catch((error) => {
    throw explainConnectionError(error, 'MERLON_DATABASE_OWNER_URL', ownerUrl);
  });
  try {
    const onCitus = await isCitus(client);
    if (onCitus) await refuseUnfitCitus(client, roleOf(appUrl).name);
    await refuseUnfitOwner(client, roleOf(appUrl).name);
    await client.query('set client_min_messages = warning');
    // Two nodes that start together migrate in turn. A statement that waited for the lock would deadlock with an index
    // that the other node builds concurrently, because that waits until all earlier statements have ended.
    while (!(await tryLock(client))) await sleep(firstPauseMs);
    await client.query(`set lock_timeout = '${lockTimeout}'`);
    const applied = await applyFiles(client, files);
    const version = lastFile(files).name;
    if (applied === null) return { applied: [], version };
    await grantRunningRole(client, appUrl);
    // After the rights, which each shard takes from its table.
    if (onCitus) await placeTables(client);
    // Until the rights on the tables of the queue are given too, the schema is not complete.
    if (applied.includes(queueMigration(queueVersion))) {
      await client.query('delete from schema_migration where name = $1', [completeMark]);
    }
    await installQueue(ownerUrl, roleOf(appUrl).name, client);
    await setRoleSettings(appUrl).catch((error) => {
      throw explainConnectionError(error, 'MERLON_DATABASE_URL', appUrl);
    });
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

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as locked', [advisoryLocks.migrate]);
  return rows[0].locked;
}

/**
 * Applies the whole schema to an empty database, and the missing migrations to any other. Returns null if the database
 * is newer.
 */
async function applyFiles(client: pg.Client, files: SchemaFiles): Promise<string[] | null> {
  const { schema, migrations } = files;
  await client.query(`create table if not exists schema_migration (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
  await client.query('alter table schema_migration add column if not exists oldest_program text');
  const { rows: readable } = await client.query(`select ${queueVersionIsReadable} as has_queue`);
  const found = await appliedSchema(client, readable[0].has_queue);
  const done = new Map(found.files.map((row) => [row.name, row.sha256]));
  if (!done.has(schema.name)) {
    const [earlier] = [...done.keys()].filter((name) => name !== completeMark);
    if (earlier !== undefined) throw unreleased(earlier);
    // The schema already holds the result of the migrations, so they count as applied.
    await apply(client, schema, migrations);
    return [schema.name];
  }
  const { pending, tooNew, isNewer } = compareSchema(files, found);
  if (isNewer) {
    const problem = schemaProblem({ pending, tooNew, isNewer });
    if (problem === null) return null;
    throw conflictingInput(problem);
  }
  // Without any migration there is only one schema. Later, a database may have started with an earlier one.
  if (migrations.length === 0 && done.get(schema.name) !== schema.sha256) throw unreleased(schema.name);
  const applied: string[] = [];
  for (const file of migrations) {
    const before = done.get(file.name);
    if (before === file.sha256) continue;
    if (before !== undefined) throw unreleased(file.name);
    await apply(client, file);
    applied.push(file.name);
  }
  // The caller brings the tables of the queue up to date next.
  if (found.queueVersion !== null && found.queueVersion < queueVersion) {
    applied.push(queueMigration(queueVersion));
  }
  return applied;
}

function unreleased(name: string): DomainError {
  return conflictingInput(
    `The database was created by an unreleased version with another ${name}. Start that version, or start this one with an empty data directory (MERLON_DATA_DIR).`,
  );
}

/**
 * Runs the file and records it together with `included`, which are not run. Waits for its locks without holding any.
 */
async function apply(client: pg.Client, file: SqlFile, included: SqlFile[] = []): Promise<void> {
  const deadline = Date.now() + maxWaitMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      if (file.isOutsideTransaction) await outsideTransaction(client, file);
      else await inTransaction(client, file, included);
      return;
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (!lockErrors.has(code ?? '') || Date.now() > deadline) {
        throw new Error(`${file.name}: ${message}`, { cause: error });
      }
    }
    await sleep(pauseMs);
  }
}

async function inTransaction(client: pg.Client, file: SqlFile, included: SqlFile[]): Promise<void> {
  await client.query('begin');
  try {
    await client.query(file.sql);
    await record(client, [file, ...included]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/**
 * An index that is built concurrently waits for open transactions, and blocks no other. An interrupted build leaves an
 * invalid index behind, which must not be taken for a complete one.
 */
async function outsideTransaction(client: pg.Client, file: SqlFile): Promise<void> {
  const index = /\bindex concurrently if not exists (\w+)/i.exec(file.sql)?.[1];
  await client.query('set lock_timeout = 0');
  try {
    const { rows } = await client.query(
      'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid',
      [`public.${index}`],
    );
    // On Citus shards that the build had not reached have no such index.
    if (rows.length > 0) await client.query(`drop index concurrently if exists ${index}`);
    await client.query(file.sql);
  } finally {
    await client.query(`set lock_timeout = '${lockTimeout}'`);
  }
  await record(client, [file]);
}

async function record(client: pg.Client, files: SqlFile[]): Promise<void> {
  await client.query(
    `insert into schema_migration (name, sha256, oldest_program)
     select * from unnest($1::text[], $2::text[], $3::text[])`,
    [
      files.map(({ name }) => name),
      files.map(({ sha256 }) => sha256),
      files.map(({ oldestProgram }) => oldestProgram),
    ],
  );
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
  await client.query(`revoke insert, update, delete on schema_migration from ${name}, public`);
  await client.query(`revoke update, delete on ${appendOnly.join(', ')} from ${name}, public`);
  // Somebody may have granted all rights.
  await client.query(`revoke truncate on all tables in schema public from ${name}, public`);
}

function roleOf(appUrl: string): { name: string; password: string } {
  const url = new URL(appUrl);
  return { name: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
}
