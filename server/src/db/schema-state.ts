/**
 * Compares a database with the schema files of this program, and its tables of the job queue with the library. A
 * program runs on its own schema, and on a newer one whose migrations say that it may, so that nodes are upgraded one
 * after the other. The library of the queue runs on its own version alone.
 */

import type pg from 'pg';
import type { Sentence } from '../domain/sentence.ts';
import { ownDirectory, readSchemaFiles, type SchemaFiles, type SqlFile } from './migration-files.ts';
import { queueVersion, queueVersionInDatabase, queueVersionIsReadable } from './queue-tables.ts';

/** This row of the table of migrations names the last migration after which rights and queue were complete too. */
export const completeMark = 'complete';

/** A row of the table of migrations. */
export interface AppliedFile {
  name: string;
  sha256: string;
  oldest_program: string | null;
}

/** The schema that a database has. */
export interface AppliedSchema {
  files: AppliedFile[];
  /** The version of the tables of the job queue; null if they do not exist, or if the role may not read it. */
  queueVersion: number | null;
}

export interface SchemaState {
  /** Migrations, and the version of the job queue, that the database does not have yet. */
  pending: string[];
  /** Migrations, and the version of the job queue, that are newer than this program and with which it must not run. */
  tooNew: string[];
  /** True if the database has a migration or a version of the job queue that this program does not know. */
  isNewer: boolean;
}

/** The name of a version of the job queue in lists of migrations. */
export const queueMigration = (version: number): string => `schema ${version} of the job queue`;

export function compareSchema(
  { schema, migrations }: SchemaFiles,
  { files: applied, queueVersion: version }: AppliedSchema,
): SchemaState {
  const known = [schema, ...migrations].map(({ name }) => name);
  const done = new Map(applied.map((row) => [row.name, row]));
  const unknown = applied.filter(({ name }) => name !== completeMark && !known.includes(name));
  const missing = known.filter((name) => !done.has(name));
  const complete = done.get(completeMark)?.sha256;
  // A newer program writes a name that this one does not know.
  const isComplete = complete !== undefined && (complete === known.at(-1) || !known.includes(complete));
  if (missing.length === 0) {
    if (!isComplete) missing.push(completeMark);
    else if (version === null || version < queueVersion) missing.push(queueMigration(queueVersion));
  }
  const tooNew = unknown
    .filter(({ oldest_program }) => oldest_program === null || !known.includes(oldest_program))
    .map(({ name }) => name);
  const isQueueNewer = version !== null && version > queueVersion;
  if (isQueueNewer) tooNew.push(queueMigration(version));
  return { pending: missing, tooNew, isNewer: unknown.length > 0 || isQueueNewer };
}

let ownFiles: Promise<SchemaFiles> | null = null;

/** The state of the database for this program; the running role may read it. A standby takes no writes. */
export async function schemaState(
  pool: Pick<pg.Pool, 'query'>,
): Promise<SchemaState & { isStandby: boolean }> {
  ownFiles ??= readSchemaFiles(ownDirectory);
  const files = await ownFiles;
  const { rows } = await pool.query(
    `select to_regclass('public.schema_migration') is not null as is_there, pg_is_in_recovery() as is_standby,
            ${queueVersionIsReadable} as has_queue`,
  );
  const [{ is_there, is_standby, has_queue }] = rows;
  const applied = is_there ? await appliedSchema(pool, has_queue) : { files: [], queueVersion: null };
  return { ...compareSchema(files, applied), isStandby: is_standby };
}

/**
 * Reads the applied files and the version of the job queue in one statement. The column `oldest_program` was added
 * later, so a row is read as a whole.
 */
export async function appliedSchema(
  client: Pick<pg.Pool, 'query'>,
  hasQueue: boolean,
): Promise<AppliedSchema> {
  const { rows } = await client.query<AppliedFile & { queue_version: number | null }>(
    `select name, sha256, to_jsonb(m) ->> 'oldest_program' as oldest_program,
            ${hasQueue ? queueVersionInDatabase : 'null::int'} as queue_version
       from schema_migration m`,
  );
  return { files: rows, queueVersion: rows[0]?.queue_version ?? null };
}

/** Returns the reason why this program cannot run on the database, with what to do about it; null if it can run. */
export function schemaProblem({ pending, tooNew }: SchemaState): Sentence | null {
  if (tooNew.length > 0) {
    return `The database is newer than this program: it has had ${tooNew.join(', ')}. Start the version that made it, or a newer one.`;
  }
  return pending.length > 0 ? `The database lacks ${pending.join(', ')}. Run merlond migrate.` : null;
}

/** The last applied file of a complete database. */
export function lastFile({ schema, migrations }: SchemaFiles): SqlFile {
  return migrations.at(-1) ?? schema;
}
