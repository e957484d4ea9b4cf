/**
 * Tests of foreign databases: a database that this program did not create is refused with a text that says what to do,
 * and is not changed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '../../src/db/migrate.ts';
import { DomainError } from '../../src/domain/domain-error.ts';
import { createTestDatabase } from '../support/database.ts';

const { owner, ownerUrl, appUrl } = await createTestDatabase();
const applied = async () =>
  (await owner.query('select name, sha256, applied_at from schema_migration order by name')).rows;

async function refusal(): Promise<string> {
  const before = await applied();
  const error = await migrate(ownerUrl, appUrl).then(
    () => assert.fail('it was taken'),
    (thrown: unknown) => thrown,
  );
  assert.deepEqual(await applied(), before);
  assert.ok(error instanceof DomainError, String(error));
  return error.message;
}

test('a database with another schema is refused', async () => {
  await owner.query("update schema_migration set sha256 = 'other' || sha256 where name = 'schema.sql'");
  const message = await refusal();
  assert.match(message, /unreleased version with another schema\.sql/);
  assert.match(message, /MERLON_DATA_DIR/);
  await owner.query("update schema_migration set sha256 = substr(sha256, 6) where name = 'schema.sql'");
});

test('a database with migrations from before the single schema is refused', async () => {
  const before = await applied();
  await owner.query("update schema_migration set name = '0001_install.sql' where name = 'schema.sql'");
  assert.match(await refusal(), /unreleased version with another 0001_install\.sql/);
  await owner.query("update schema_migration set name = 'schema.sql' where name = '0001_install.sql'");
  assert.deepEqual(await applied(), before);
});

test('a database of a newer version is refused', async () => {
  await owner.query("insert into schema_migration (name, sha256) values ('9999_later.sql', '')");
  assert.match(await refusal(), /newer than this program: it has had 9999_later\.sql/);
  await owner.query("delete from schema_migration where name = '9999_later.sql'");
});

test('a current database is not changed', async () => {
  assert.deepEqual((await migrate(ownerUrl, appUrl)).applied, []);
});
