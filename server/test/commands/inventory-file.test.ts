/**
 * Tests of inventory files: names that mislead, two entries about one thing, ids of other repositories and circles of
 * organizations are refused, and the audit log has what changes in applications.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { importTx, tenantTx } from '../../src/db/database.ts';
import { DomainError } from '../../src/domain/domain-error.ts';
import { parseInventory } from '../../src/inventory/file/document.ts';
import { getOrCreateRepository } from '../../src/inventory/repositories/create.ts';
import { lockIdentity } from '../../src/inventory/repositories/identify.ts';
import { createTestDatabase } from '../support/database.ts';
import { importAll } from '../support/import.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { trivy } from '../support/reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const database = await createTestDatabase();
const { tenant } = await createTestWorkspace(database, 'acme');

async function apply(inventory: object): Promise<unknown> {
  const parsed = parseInventory(JSON.stringify(inventory));
  return importTx(database.db, tenant.id, (tx) => applyInventory(tx, parsed));
}

function isDomainError(message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof DomainError, String(error));
    assert.match(error.message, message);
    return true;
  };
}

test('names with control characters, overrides of the direction, or characters that are never seen are refused with their path', async () => {
  for (const bad of ['\u001b[2J', '\u202e', '\0']) {
    for (const [inventory, path] of [
      [{ organizations: [{ full_path: `a${bad}` }] }, '/organizations/0/full_path'],
      [{ organizations: [{ full_path: 'a', name: `A${bad}` }] }, '/organizations/0/name'],
      [{ organizations: [{ full_path: 'a', description: `A${bad}` }] }, '/organizations/0/description'],
      [{ repositories: [{ full_name: `a/b${bad}` }] }, '/repositories/0/full_name'],
      [{ repositories: [{ full_name: 'a/b', external_id: `1${bad}` }] }, '/repositories/0/external_id'],
      [{ applications: [{ name: `A${bad}` }] }, '/applications/0/name'],
    ] as const) {
      await assert.rejects(
        apply(inventory),
        isDomainError(new RegExp(`${path}: Must not contain control characters`)),
      );
    }
  }
  await assert.rejects(
    apply({ repositories: [{ full_name: 'a/b\u200bc' }] }),
    isDomainError(/full_name: Must not contain characters that are never seen/),
  );
  await assert.rejects(apply({ applications: [{ name: ' ' }] }), isDomainError(/applications\/0\/name/));
  await assert.rejects(apply({ applications: [{ name: 3 }] }), isDomainError(/name: Must be string\./));
  await apply({ organizations: [{ full_path: 'a', description: 'Two\nlines\tand a tab' }] });
});

test('an unknown field, and a value that is not one of an enumeration, are refused once each', async () => {
  await assert.rejects(
    apply({ organizations: [{ full_path: 'a', type: 'b', colour: 1 }], extra: [] }),
    isDomainError(
      /:\n\/extra: Is unknown\.\n\/organizations\/0\/colour: Is unknown\.\n\/organizations\/0\/type: Must be one of local, .*\.\nCorrect/,
    ),
  );
});

test('two entries about one thing are refused, whatever their case is', async () => {
  await assert.rejects(
    apply({
      organizations: [{ full_path: 'e' }, { full_path: 'E' }],
      repositories: [{ full_name: 'e/one' }, { full_name: 'e/two' }, { full_name: 'e/One' }],
      applications: [
        { name: 'Shop', repositories: ['e/one'] },
        { name: 'shop', repositories: [] },
      ],
    }),
    isDomainError(
      /\n\/organizations\/1: E is already at \/organizations\/0\.\n\/repositories\/2: e\/One is already at \/repositories\/0\.\n\/applications\/1: shop is already at \/applications\/0\.\n/,
    ),
  );
  await assert.rejects(apply({ applications: [{ name: 'Shop ' }] }), isDomainError(/applications\/0\/name/));
});

test('a repository with the id of another one is refused by its name', async () => {
  const repositories = ['b/one', 'b/two'].map((full_name) => ({
    full_name,
    source: 'ghc',
    external_id: '7',
  }));
  await assert.rejects(
    apply({ repositories }),
    isDomainError(
      /^The repository b\/two cannot be applied\. Another repository of ghc has the external_id 7\.$/,
    ),
  );
});

test('a repository does not keep the id of one VCS when it gets another, where it is the id of another repository', async () => {
  const entry = (fields: object) => apply({ repositories: [{ full_name: 'c/moved', ...fields }] });
  await entry({});
  await entry({ source: 'ghc' });
  await entry({ source: 'ghc', external_id: '500' });
  await assert.rejects(
    entry({ source: 'gitlab' }),
    isDomainError(
      /^The repository c\/moved cannot be applied\. The external_id 500 is that at ghc\. Give the external_id at gitlab too\.$/,
    ),
  );
  const identity = { fullName: 'other/thing', source: 'gitlab', externalId: '500' } as const;
  const [scan] = await importAll(database, 'acme', [{ ...reportInput(trivy([])), repository: identity }]);
  assert.equal(scan?.status, 'completed');
  const { rows } = await database.owner.query(
    `select full_name, source, external_id from repository where external_id = '500' order by full_name`,
  );
  assert.deepEqual(rows, [
    { full_name: 'c/moved', source: 'ghc', external_id: '500' },
    { full_name: 'other/thing', source: 'gitlab', external_id: '500' },
  ]);
  await entry({ source: 'gitlab', external_id: '501' });
});

test('a file that changes the repositories of an application is in the audit log with their names, once', async () => {
  const repositories = ['d/one', 'd/two', 'd/three'].map((full_name) => ({ full_name }));
  const group = (...names: string[]) =>
    apply({ repositories, applications: [{ name: 'Grouped', repositories: names }] });
  await group('d/one', 'd/two');
  await group('d/two', 'd/three');
  await group('D/three', 'd/two');
  const { rows } = await database.owner.query(
    `select e.actor_id, a.name, e.data from audit_event e join application a on a.id = e.target_id
      where e.action = 'application.repositories' order by e.id`,
  );
  const entry = { actor_id: null, name: 'Grouped' };
  assert.deepEqual(rows, [
    { ...entry, data: { added: ['d/one', 'd/two'], removed: [] } },
    { ...entry, data: { added: ['d/three'], removed: ['d/one'] } },
  ]);
});

test('organizations that would be above themselves are refused, also by two files', async () => {
  const top = { full_path: 'top' };
  const middle = { full_path: 'middle', parent: 'top' };
  const low = { full_path: 'low', parent: 'middle' };
  await assert.rejects(
    apply({ organizations: [{ ...top, parent: 'low' }, middle, low] }),
    isDomainError(/is its own ancestor/),
  );
  await apply({ organizations: [top, middle, low] });
  await assert.rejects(
    apply({ organizations: [{ full_path: 'TOP', parent: 'low' }] }),
    isDomainError(/^The organization TOP is its own ancestor/),
  );
  const deep = Array.from({ length: 60 }, (_, level) => ({
    full_path: `level-${level}`,
    parent: level === 0 ? null : `level-${level - 1}`,
  }));
  await apply({ organizations: deep });
  await assert.rejects(
    apply({ organizations: [{ full_path: 'level-0', parent: 'level-59' }] }),
    isDomainError(/^The organization level-0 is its own ancestor/),
  );
  await apply({
    organizations: [
      { full_path: 'low', parent: 'top' },
      { full_path: 'middle', parent: 'low' },
    ],
  });
});

test('a parent that a file gives, also null, stays when the organization that the path names comes later', async () => {
  const parentOf = async (path: string) => {
    const { rows } = await database.owner.query(
      `select p.full_path from organization o
         left join organization p on p.tenant_id = o.tenant_id and p.id = o.parent_id where o.full_path = $1`,
      [path],
    );
    return rows[0]?.full_path;
  };
  await apply({ organizations: [{ full_path: 'own/web', parent: null }, { full_path: 'own' }] });
  assert.equal(await parentOf('own/web'), null, 'by the same file');
  await apply({
    organizations: [{ full_path: 'late/web', parent: null }, { full_path: 'late/api' }],
    repositories: [{ full_name: 'late/one' }],
  });
  assert.deepEqual([await parentOf('late/web'), await parentOf('late/api')], [null, 'late']);
  await apply({
    organizations: [{ full_path: 'own/web/a/b', parent: 'own/web' }, { full_path: 'own/web/a/c' }],
  });
  await apply({ organizations: [{ full_path: 'own/web' }], repositories: [{ full_name: 'own/web/a/one' }] });
  assert.deepEqual([await parentOf('own/web/a/b'), await parentOf('own/web/a/c')], ['own/web', 'own/web/a']);
});

test('a repository that a report creates at the same time keeps its id at the VCS', async () => {
  await apply({ organizations: [{ full_path: 'met' }] });
  let applying: Promise<unknown> | undefined;
  await tenantTx(database.db, tenant.id, async (tx) => {
    const identity = { fullName: 'met/one', source: 'ghc', externalId: '7701' } as const;
    await getOrCreateRepository(tx, identity, { requiresApproval: async () => false });
    applying = apply({ repositories: [{ full_name: 'met/one', is_private: false }] });
    await untilLockWaits(database.owner);
  });
  await applying;
  const { rows } = await database.owner.query(
    "select source, external_id, is_private from repository where full_name = 'met/one'",
  );
  assert.deepEqual(rows, [{ source: 'ghc', external_id: '7701', is_private: false }]);
});

test('a file with many repositories holds no lock for each of them', async () => {
  const numbers = Array.from({ length: 30 }, (_, number) => number);
  const repositories = numbers.map((number) => ({
    full_name: `many-${number % 3}/${number}`,
    source: 'ghc' as const,
    external_id: `88${number}`,
  }));
  const held = await importTx(database.db, tenant.id, async (tx) => {
    await applyInventory(tx, { repositories });
    return tx.query("select 1 from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()");
  });
  assert.ok(held.length <= 2, `${held.length} locks`);
});

test('a file with organizations waits for a report of a new repository in a new organization, without a deadlock', async () => {
  let applying: Promise<unknown> | undefined;
  let attempts = 0;
  await tenantTx(database.db, tenant.id, async (tx) => {
    const identity = { fullName: 'crossed/one', source: 'ghc', externalId: '7702' } as const;
    await lockIdentity(tx, identity);
    applying ??= importTx(database.db, tenant.id, (applied) => {
      attempts += 1;
      const repositories = [{ full_name: 'crossed/one', is_private: false }];
      return applyInventory(applied, { organizations: [{ full_path: 'crossed' }], repositories });
    });
    await untilLockWaits(database.owner);
    attempts += 1;
    await getOrCreateRepository(tx, identity, { requiresApproval: async () => false });
  });
  await applying;
  assert.equal(attempts, 2, 'each transaction runs once');
  const { rows } = await database.owner.query(
    "select source, external_id, is_private from repository where full_name = 'crossed/one'",
  );
  assert.deepEqual(rows, [{ source: 'ghc', external_id: '7702', is_private: false }]);
});
