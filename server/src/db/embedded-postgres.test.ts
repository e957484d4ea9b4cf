/** Tests of the names, settings and hints that Merlon gives its embedded PostgreSQL. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { createDirectory } from '../../test/support/process.ts';
import { openEmbeddedPostgres } from './embedded-postgres.ts';

test('the database, its roles and its settings are those of Merlon', async () => {
  const dataDir = join(createDirectory(), 'data');
  const postgres = await openEmbeddedPostgres({ dataDir });
  try {
    assert.match(postgres.ownerUrl, /^postgresql:\/\/merlon_owner:\w{32}@127\.0\.0\.1:\d+\/merlon$/);
    assert.match(postgres.appUrl, /^postgresql:\/\/merlon_app:\w{32}@127\.0\.0\.1:\d+\/merlon$/);
    assert.ok(existsSync(join(dataDir, 'postgres', 'PG_VERSION')));
    assert.ok(existsSync(join(dataDir, 'postgres-credentials.json')));
    const client = new pg.Client({ connectionString: postgres.ownerUrl });
    await client.connect();
    const { rows } = await client.query(
      `select name, current_setting(name) as value from pg_settings
        where name in ('max_connections', 'shared_buffers', 'work_mem', 'max_wal_size', 'cluster_name',
                       'TimeZone', 'max_wal_senders', 'huge_pages', 'fsync') order by lower(name)`,
    );
    await client.end();
    assert.deepEqual(Object.fromEntries(rows.map(({ name, value }) => [name, value])), {
      cluster_name: 'merlon',
      fsync: 'on',
      huge_pages: 'off',
      max_connections: '60',
      max_wal_senders: '0',
      max_wal_size: '2GB',
      shared_buffers: '256MB',
      TimeZone: 'UTC',
      work_mem: '16MB',
    });
  } finally {
    await postgres.stop();
  }
});

test('an error about the data directory names the setting', async () => {
  const file = join(createDirectory(), 'file');
  writeFileSync(file, '');
  await assert.rejects(openEmbeddedPostgres({ dataDir: join(file, 'data') }), /MERLON_DATA_DIR/);
});
