/** Tests that settings, error codes, endpoints and commands are documented, and that openapi.json is up to date. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Command } from 'commander';
import { clientFiles } from '../../../client/generate.ts';
import { openApiDocuments } from '../../../tools/openapi-document.ts';
import { settings } from '../../src/config.ts';
import { organizationTypes } from '../../src/domain/organization-enums.ts';
import { repositorySources } from '../../src/domain/repository-enums.ts';
import { errorStatuses } from '../../src/http/error-answers.ts';
import { buildProgram } from '../../src/main.ts';
import { formats } from '../../src/parsers/formats.ts';
import { matchMethods } from '../../src/vulnerabilities/match-methods.ts';

function read(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

test('openapi.json and the client are fresh (npm run openapi)', async () => {
  const { open, whole } = await openApiDocuments();
  assert.equal(read('openapi.json'), open);
  for (const [path, text] of Object.entries(await clientFiles(whole))) assert.equal(read(path), text, path);
});

test('docs/ci.md shows the actions of others with the digest that the workflows of this repository have', () => {
  const pinned = read('.github/workflows/ci.yml');
  const shown = [...read('docs/ci.md').matchAll(/uses: (?!merlon\/)\S+@.*/g)].map(([line]) => line);
  assert.ok(shown.length > 0);
  for (const line of shown) assert.ok(pinned.includes(`${line}\n`), `ci.yml has no ${line}`);
});

test('docs/configuration.md has every setting with its default and meaning', () => {
  const text = read('docs/configuration.md');
  for (const { name, fallback, about } of Object.values(settings)) {
    const shown = fallback === '' ? '' : `\`${fallback}\``;
    assert.ok(text.includes(`| \`${name}\` | ${shown} | ${about} |`), `${name} is not documented as it is`);
  }
  const named = new Set([...text.matchAll(/`(MERLON_[A-Z_]+)`/g)].map((match) => match[1]));
  const known = new Set<string>(Object.values(settings).map((setting) => setting.name));
  assert.deepEqual(
    [...named].filter((name) => name && !known.has(name)),
    [],
    'settings that do not exist',
  );
});

test('docs/api.md has every error code with its status, every endpoint and every enumeration', async () => {
  const text = read('docs/api.md');
  for (const [code, status] of Object.entries(errorStatuses)) {
    assert.match(text, new RegExp(`\\| ${status} \\| \`${code}\` \\|`), code);
  }
  const { whole } = await openApiDocuments();
  const { paths } = JSON.parse(whole) as { paths: Record<string, Record<string, unknown>> };
  for (const [path, methods] of Object.entries(paths)) {
    for (const method of Object.keys(methods)) {
      const line = `\`${method.toUpperCase()} ${path.replace('{tenant_slug}', '{slug}')}\``;
      assert.ok(text.includes(line), `${line} is not in docs/api.md`);
    }
  }
});

test('docs/commands.md has every command', async () => {
  const text = read('docs/commands.md');
  const names = (command: Command, prefix: string): string[] =>
    command.commands.length === 0
      ? [prefix]
      : command.commands.flatMap((child) => names(child, `${prefix} ${child.name()}`));
  for (const name of names(await buildProgram(), 'merlond')) assert.ok(text.includes(`\`${name}`), name);
});

test('docs/inventory.md and docs/identity.md name the values of the code', () => {
  const inventory = read('docs/inventory.md');
  for (const name of [...organizationTypes, ...repositorySources]) assert.ok(inventory.includes(name), name);
  const identity = read('docs/identity.md');
  for (const method of matchMethods) assert.ok(identity.includes(`\`${method}\``), method);
});

test('docs/formats.md has a row for every format, and the README their number', () => {
  const rows = [...read('docs/formats.md').matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(rows.sort(), formats.map(({ name }) => name).sort());
  assert.ok(
    read('README.md').includes(`Reports in ${formats.length} formats`),
    `there are ${formats.length} formats`,
  );
});
