/** The SQL files that create and change the schema, and the directives in the comments at their beginning. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** The directory of this program's `schema.sql` and `migrations/`. */
export const ownDirectory = new URL('./', import.meta.url);

export interface SqlFile {
  name: string;
  sql: string;
  sha256: string;
  /**
   * The oldest program that may run on a database with this migration, as the name of the latest file that this program
   * knows: an earlier file, or the migration itself if every earlier program would fail.
   */
  oldestProgram: string;
  /** One statement that PostgreSQL runs in no transaction, such as `create index concurrently`. */
  isOutsideTransaction: boolean;
}

export interface SchemaFiles {
  schema: SqlFile;
  migrations: SqlFile[];
}

export async function readSchemaFiles(directory: URL): Promise<SchemaFiles> {
  const schema = await readSql(new URL('schema.sql', directory), 'schema.sql');
  const folder = new URL('migrations/', directory);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const migrations = await Promise.all(names.map((name) => readSql(new URL(name, folder), name)));
  for (const [i, { name, oldestProgram }] of migrations.entries()) {
    const allowed = [schema.name, ...names.slice(0, i + 1)];
    if (!allowed.includes(oldestProgram)) {
      throw new Error(`${name}: oldest program: must be one of ${allowed.join(', ')}`);
    }
  }
  return { schema, migrations };
}

async function readSql(url: URL, name: string): Promise<SqlFile> {
  const sql = await readFile(url, 'utf8');
  return {
    name,
    sql,
    sha256: createHash('sha256').update(sql).digest('hex'),
    oldestProgram: name === 'schema.sql' ? name : (/^-- oldest program: (\S+)$/m.exec(sql)?.[1] ?? ''),
    isOutsideTransaction: /^-- outside a transaction$/m.test(sql),
  };
}
