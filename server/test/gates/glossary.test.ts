/** Tests that the glossary has the types and tables of the code. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = new URL('../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');

test('every exported type of the domain is in the glossary', () => {
  const glossary = read('docs/glossary.md');
  const folder = 'server/src/domain/';
  const files = globSync('**/*.ts', { cwd: fileURLToPath(new URL(folder, root)) });
  const types = files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...read(`${folder}${file}`).matchAll(/^export (?:type|interface|class) (\w+)(.*)/gm)])
    // The glossary has one entry for the ids of all kinds.
    .filter(([, , definition = '']) => !definition.startsWith(' = Id<'))
    .map(([, name = '']) => name);
  assert.ok(types.length > 20, 'the types were found');
  const missing = types.filter((name) => !glossary.includes(`\`${name}\``));
  assert.deepEqual(missing, []);
});

test('every table of the database is in the glossary', () => {
  const glossary = read('docs/glossary.md');
  const tables = Array.from(
    read('server/src/db/schema.sql').matchAll(/^create (?:unlogged )?table (\w+)/gm),
    ([, name = '']) => name,
  );
  assert.ok(tables.length > 90, 'the tables were found');
  assert.deepEqual(
    tables.filter((name) => !glossary.includes(`\`${name}\``)),
    [],
  );
});
