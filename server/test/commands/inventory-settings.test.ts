/**
 * Tests of settings of repositories at their VCS, from an inventory file to their rows; and of refused values with
 * their paths.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countStatements } from '../../../benchmarks/count-statements.ts';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { importTx } from '../../src/db/database.ts';
import { DomainError } from '../../src/domain/domain-error.ts';
import { parseInventory } from '../../src/inventory/file/document.ts';
import { createTestDatabase } from '../support/database.ts';
import { fieldOf } from '../support/fields.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const database = await createTestDatabase();
const { tenant } = await createTestWorkspace(database, 'acme');
const statements = countStatements();

function file(settings: string, repository = 'acme/shop'): string {
  return `repositories:\n  - full_name: acme/first\n  - full_name: ${repository}\n    settings: ${settings}\n`;
}

function apply(settings: string, repository?: string): Promise<unknown> {
  const inventory = parseInventory(file(settings, repository));
  return importTx(database.db, tenant.id, (tx) => applyInventory(tx, inventory));
}

interface Setting {
  name: string;
  value: string;
  manual_override: boolean;
  id: string;
  changed_at: Date;
  written: string;
}

async function settingsOf(repository = 'acme/shop'): Promise<Setting[]> {
  const { rows } = await database.owner.query<Setting>(
    `select s.name, s.value, s.manual_override, s.id, s.changed_at, s.xmin::text as written
       from provider_setting s join repository r on r.tenant_id = $2 and r.id = s.repository_id
      where s.tenant_id = $2 and r.full_name = $1 order by s.name`,
    [repository, tenant.id],
  );
  return rows;
}

const said = (rows: Setting[]) => rows.map(({ name, value, manual_override: own }) => [name, value, own]);

test('values of all kinds are stored as text, and the same file again writes nothing', async () => {
  const settings = `{ branch_protection: true, reviews.required: 2, secret-scanning: enabled, ratio: 0.5, empty: "",
      force_push: { value: false, manual_override: true }, plain: { value: 3 } }`;
  await apply(settings);
  await apply('{ branch_protection: false }', 'acme/other');
  const first = await settingsOf();
  assert.deepEqual(said(first), [
    ['branch_protection', 'true', false],
    ['empty', '', false],
    ['force_push', 'false', true],
    ['plain', '3', false],
    ['ratio', '0.5', false],
    ['reviews.required', '2', false],
    ['secret-scanning', 'enabled', false],
  ]);
  await apply(settings);
  assert.deepEqual(await settingsOf(), first, 'not even written anew');
  assert.deepEqual(said(await settingsOf('acme/other')), [['branch_protection', 'false', false]]);
});

test('a missing value stays, null removes it, and only a changed value gets a new time', async () => {
  const before = new Map((await settingsOf()).map((row) => [row.name, row]));
  // The same value in another spelling; a value without the person who confirms it; and that person alone.
  await apply(`{ reviews.required: "2", force_push: true, plain: { value: 3, manual_override: true },
      branch_protection: false, empty: null, none: null, new: x }`);
  const after = new Map((await settingsOf()).map((row) => [row.name, row]));
  assert.deepEqual(said([...after.values()]), [
    ['branch_protection', 'false', false],
    ['force_push', 'true', true],
    ['new', 'x', false],
    ['plain', '3', true],
    ['ratio', '0.5', false],
    ['reviews.required', '2', false],
    ['secret-scanning', 'enabled', false],
  ]);
  const moved = [...after.values()].filter(
    (row) => before.get(row.name)?.changed_at.getTime() !== row.changed_at.getTime(),
  );
  assert.deepEqual(fieldOf(moved, 'name'), ['branch_protection', 'force_push', 'new']);
  for (const row of moved) {
    assert.ok(row.changed_at > (before.get(row.name)?.changed_at ?? new Date(0)), row.name);
    assert.equal(row.id, before.get(row.name)?.id ?? row.id, 'the same setting');
  }
  await apply('{ force_push: { value: true, manual_override: false } }');
  assert.deepEqual(said(await settingsOf())[1], ['force_push', 'true', false]);
});

test('a number is kept as it is written', async () => {
  await apply(
    '{ version: 1.10, account: 12345678901234567890, plain: { value: 1.0 }, exponent: 1e3 }',
    'acme/numbers',
  );
  assert.deepEqual(said(await settingsOf('acme/numbers')), [
    ['account', '12345678901234567890', false],
    ['exponent', '1e3', false],
    ['plain', '1.0', false],
    ['version', '1.10', false],
  ]);
});

test('a hundred settings take as many statements as one', async () => {
  const many = (count: number): string =>
    `{ ${Array.from({ length: count }, (_, i) => `s${i}: ${i}`).join(', ')} }`;
  await apply('{ a: 1 }', 'acme/many');
  const counted = async (settings: string): Promise<number> => {
    const start = statements();
    await apply(settings, 'acme/many');
    return statements() - start;
  };
  assert.equal(await counted(many(100)), await counted('{ a: 2 }'));
  assert.equal((await settingsOf('acme/many')).length, 101);
});

test('invalid settings are refused with their path', () => {
  const tooMany = `{ ${Array.from({ length: 101 }, (_, i) => `s${i}: true`).join(', ')} }`;
  const value = 'Must be true or false, a number';
  for (const [settings, expected] of [
    ['{ Protection: true }', '/repositories/1/settings/Protection: The name must match'],
    ['{ 2fa: true }', '/repositories/1/settings/2fa: The name must match'],
    [`{ ${'a'.repeat(64)}: true }`, `/repositories/1/settings/${'a'.repeat(64)}: The name must match`],
    ['{ a: [1] }', `/repositories/1/settings/a: ${value}`],
    ['{ a: .nan }', `/repositories/1/settings/a: ${value}`],
    ['{ a: .inf }', `/repositories/1/settings/a: ${value}`],
    [`{ a: ${'x'.repeat(256)} }`, `/repositories/1/settings/a: ${value}`],
    ['{ a: "\\0" }', `/repositories/1/settings/a: ${value}`],
    ['{ a: "\\n" }', `/repositories/1/settings/a: ${value}`],
    ['{ a: { manual_override: true } }', `/repositories/1/settings/a: ${value}`],
    ['{ a: { value: null } }', `/repositories/1/settings/a: ${value}`],
    ['{ a: { value: 1, manual_override: yes } }', `/repositories/1/settings/a: ${value}`],
    ['{ a: { value: 1, since: 2 } }', `/repositories/1/settings/a: ${value}`],
    ['[a]', '/repositories/1/settings: Must be object'],
    ['null', '/repositories/1/settings: Must be object'],
    [tooMany, '/repositories/1/settings: Must not have more than 100 properties'],
  ] as const) {
    assert.throws(
      () => parseInventory(file(settings)),
      (error) => {
        assert.ok(error instanceof DomainError, settings);
        const lines = error.message.split('\n');
        assert.ok(
          lines.some((line) => line.startsWith(expected)),
          `${settings}: ${error.message}`,
        );
        assert.ok(lines.length <= 4, error.message);
        return true;
      },
    );
  }
  const both = file('{ a: [1], b: {}, c: 1 }');
  assert.throws(
    () => parseInventory(both),
    /settings\/a: Must be[^\n]*\n\/repositories\/1\/settings\/b: Must be[^\n]*\nCorrect/,
  );
});
