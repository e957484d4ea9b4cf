/**
 * Tests the rules for migrations. There are none before the first release. The linter refuses changes that would break
 * running nodes, and a migrated database has the schema of `schema.sql`.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { migrate } from '../../src/db/migrate.ts';
import { readSchemaFiles } from '../../src/db/migration-files.ts';
import { cloneDatabase } from '../support/database.ts';

const source = fileURLToPath(new URL('../../src/db/', import.meta.url));
const schema = readFileSync(join(source, 'schema.sql'), 'utf8');
const directory = mkdtempSync(join(tmpdir(), 'merlon-migrations-'));
after(() => rmSync(directory, { recursive: true }));

// `migrate` sets the lock timeout, and a migration may take as long as it needs, because only its own lock blocks
// others.
const excluded = 'require-lock-timeout,require-statement-timeout';

/** Lints one file, as a part of a transaction unless it says that it runs outside one. */
function lint(file: string): { passed: boolean; text: string } {
  const isOutside = /^-- outside a transaction$/m.test(readFileSync(file, 'utf8'));
  const { status, stdout, stderr } = spawnSync(
    'npx',
    [
      'squawk',
      ...(isOutside ? [] : ['--assume-in-transaction']),
      '--pg-version=15',
      `--exclude=${excluded}`,
      file,
    ],
    { encoding: 'utf8' },
  );
  return { passed: status === 0, text: stdout + stderr };
}

test('the linter passes every migration', () => {
  const files = globSync('migrations/*.sql', { cwd: source }).map((file) => join(source, file));
  for (const file of files) {
    const { passed, text } = lint(file);
    assert.ok(passed, text);
  }
});

test('a migration says the oldest program that may run beside it', async () => {
  await readSchemaFiles(pathToFileURL(source));
  const home = pathToFileURL(`${mkdtempSync(join(directory, 'home-'))}/`);
  mkdirSync(new URL('migrations', home));
  writeFileSync(new URL('schema.sql', home), '');
  for (const header of ['', '-- oldest program: 0002_later.sql\n', '-- oldest program: none\n']) {
    writeFileSync(new URL('migrations/0001_first.sql', home), `${header}select 1;`);
    await assert.rejects(
      readSchemaFiles(home),
      /0001_first\.sql: oldest program: must be one of schema\.sql, 0001_first\.sql/,
    );
  }
});

test('a migration outside a transaction is one statement that may be repeated', () => {
  const file = join(directory, 'outside.sql');
  const lintOutside = (sql: string) => {
    writeFileSync(file, `-- oldest program: schema.sql\n-- outside a transaction\n${sql}\n`);
    return lint(file);
  };
  const index = 'on scan (tenant_id, sha);';
  assert.ok(lintOutside(`create index concurrently if not exists scan_by ${index}`).passed);
  assert.match(lintOutside(`create index concurrently scan_by ${index}`).text, /prefer-robust-stmts/);
  assert.match(
    lintOutside(`create index if not exists scan_by ${index}`).text,
    /require-concurrent-index-creation/,
  );
});

test('the linter refuses what would break older nodes, and accepts additions', () => {
  const file = join(directory, 'made-up.sql');
  const refused: Record<string, string> = {
    'ban-drop-column': 'alter table scan drop column sha;',
    'renaming-table': 'alter table scan rename to report;',
    'adding-required-field': 'alter table scan add column size bigint not null;',
    'changing-column-type': 'alter table scan alter column sha type bytea;',
    'constraint-missing-not-valid': 'alter table scan add constraint given check (sha is not null);',
  };
  for (const [rule, sql] of Object.entries(refused)) {
    writeFileSync(file, sql);
    const { passed, text } = lint(file);
    assert.ok(!passed && text.includes(rule), `${sql}: ${text}`);
  }
  writeFileSync(
    file,
    `alter table scan add column size bigint;
     create table scan_note (tenant_id bigint not null, id uuid not null, text text not null, primary key (tenant_id, id));`,
  );
  const { passed, text } = lint(file);
  assert.ok(passed, text);
});

/** A description of the database's schema, one line each, independent of the order of columns. */
async function describeSchema(ownerUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(
      `select concat_ws(' ', table_name, column_name, domain_name, udt_name, is_nullable, column_default) as line
         from information_schema.columns where table_schema = 'public'
       union all select indexdef from pg_indexes where schemaname = 'public'
       union all select concat_ws(' ', conrelid::regclass, contypid::regtype, pg_get_constraintdef(oid)) from pg_constraint
                  where connamespace = 'public'::regnamespace
       union all select concat_ws(' ', tablename, policyname, cmd, qual, with_check) from pg_policies
       union all select concat_ws(' ', relname, relrowsecurity, relforcerowsecurity) from pg_class
                  where relnamespace = 'public'::regnamespace and relkind = 'r'
       order by line`,
    );
    return rows.map(({ line }) => line);
  } finally {
    await client.end();
  }
}

/** A database that begins with one schema and then gets the migrations. Returns its description. */
async function migrated(before: string, migration: string | null): Promise<string[]> {
  const clone = await cloneDatabase('template0');
  const home = mkdtempSync(join(directory, 'home-'));
  const url = pathToFileURL(`${home}/`);
  try {
    mkdirSync(join(home, 'migrations'));
    writeFileSync(join(home, 'schema.sql'), before);
    await migrate(clone.ownerUrl, clone.appUrl, url);
    if (migration !== null) {
      // The next release: another schema, and the migration that leads to it.
      writeFileSync(join(home, 'schema.sql'), schema);
      writeFileSync(join(home, 'migrations', '0001_made_up.sql'), migration);
      assert.deepEqual((await migrate(clone.ownerUrl, clone.appUrl, url)).applied, ['0001_made_up.sql']);
      assert.deepEqual((await migrate(clone.ownerUrl, clone.appUrl, url)).applied, []);
    }
    return await describeSchema(clone.ownerUrl);
  } finally {
    await clone.drop();
  }
}

test('a migrated earlier schema is the same as schema.sql', async () => {
  const column = '  description text,\n  parent_id uuid,\n';
  const index = 'create index search_term_key on search_term (tenant_id, text_key);\n';
  assert.ok(schema.includes(column));
  const earlier = `${schema.replace(column, '  parent_id uuid,\n')}${index}`;
  const now = await migrated(schema, null);
  assert.ok(now.length > 500, `${now.length} lines`);
  assert.notDeepEqual(await migrated(earlier, null), now, 'a difference is seen');
  assert.deepEqual(
    await migrated(
      earlier,
      '-- oldest program: schema.sql\nalter table organization add column description text; drop index search_term_key;',
    ),
    now,
  );
});
