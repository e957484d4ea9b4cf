/** Tests of packages: usages by version, licenses, and open vulnerabilities. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tenantTx } from '../../src/db/database.ts';
import { bom } from '../support/boms.ts';
import { clientOf, queryOf, type Schemas, walk } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestKey, createTestWorkspace, reportInput } from '../support/workspace.ts';

type Item = Schemas['Package'];
type Detail = Schemas['PackageDetail'];
type Usage = Schemas['PackageUsage'];

const server = await createTestServer();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'other');
const client = clientOf(server.app, people.viewer.key);
const path = '/api/v1/acme/packages';

const openssl = (version: string) => `pkg:deb/debian/openssl@${version}`;
const common = [
  { purl: 'pkg:npm/lodash@4.17.20', license: 'MIT', direct: true },
  { purl: 'pkg:npm/%40acme/shell-quote@1.0.0', license: 'Apache-2.0' },
];
const vulnerable = (name: string, version: string, id = 'CVE-2030-1001', severity = 'HIGH') => ({
  id,
  name,
  version,
  severity,
});
await importAll(server, 'acme', [
  reportInput(
    bom([
      ...common,
      { purl: openssl('1.1.1'), license: 'OpenSSL' },
      { purl: 'pkg:npm/gone@1.0.0', license: 'ISC' },
    ]),
  ),
  // The newer report lacks two packages.
  reportInput(bom([...common, { purl: openssl('1.1.1'), license: 'OpenSSL' }])),
  reportInput(bom([{ purl: openssl('3.0.0'), license: 'Apache-2.0', direct: true }]), {
    repository: 'acme/api',
  }),
  reportInput(bom([{ purl: openssl('3.0.0'), license: 'Apache-2.0' }]), {
    repository: 'acme/api',
    ref: 'work',
  }),
  reportInput(bom([{ purl: 'pkg:maven/org.acme/Core@2.0.0' }, { purl: 'pkg:npm/openssl-wrapper@1.0.0' }]), {
    repository: 'acme/jars',
  }),
  reportInput(
    trivy([vulnerable('lodash', '4.17.20'), vulnerable('lodash', '4.17.20', 'CVE-2030-1002', 'LOW')]),
  ),
]);
await importAll(server, 'other', [reportInput(bom([{ purl: openssl('9.9.9'), license: 'Foreign' }]))]);

const names = (items: Item[]): string[] => items.map(({ name }) => name);
const find = async (query: Record<string, string>): Promise<string[]> =>
  names(await walk<Item>(client, path, query));
const one = async (q: string): Promise<Item> => {
  const [item] = await walk<Item>(client, path, { q });
  assert.ok(item, q);
  return item;
};

describe('the list of packages', () => {
  const everything = ['Core', 'lodash', 'openssl', 'openssl-wrapper', 'shell-quote'];

  test('has each package in use once, by name, without those that a newer report lacks', async () => {
    assert.deepEqual(await find({}), everything);
    const lodash = await one('lodash');
    assert.deepEqual(
      { ...lodash, id: '' },
      {
        id: '',
        purl: 'pkg:npm/lodash',
        ecosystem: 'npm',
        namespace: null,
        name: 'lodash',
        versions: 1,
        repositories: 1,
        licenses: ['MIT'],
        open: 2,
        open_by_severity: { critical: 0, high: 1, medium: 0, low: 1, info: 0, unknown: 0 },
      },
    );
  });

  test('counts the versions and repositories of a package, and not those of another workspace', async () => {
    const item = await one('openssl');
    assert.equal(item.versions, 2);
    assert.equal(item.repositories, 2);
    assert.deepEqual(item.licenses, ['Apache-2.0', 'OpenSSL']);
  });

  test('is found by the beginning of a name, of a part of it, and by a package URL; an exact name comes first', async () => {
    assert.deepEqual(await find({ q: 'OpenSSL' }), ['openssl', 'openssl-wrapper']);
    assert.deepEqual(await find({ q: 'wrap' }), ['openssl-wrapper']);
    assert.deepEqual(await find({ q: '@acme/sh' }), ['shell-quote']);
    assert.deepEqual(await find({ q: 'quote' }), ['shell-quote']);
    assert.deepEqual(await find({ q: 'org.acme:core' }), ['Core']);
    assert.deepEqual(await find({ q: 'pkg:npm/@acme/shell-quote' }), ['shell-quote']);
    assert.deepEqual(await find({ q: 'pkg:npm/lodash@4.17.20' }), ['lodash']);
    assert.deepEqual(await find({ q: 'ssl' }), []);
    assert.deepEqual(await find({ q: 'gone' }), []);
    assert.deepEqual(await find({ q: 'pkg:' }), []);
    assert.deepEqual(await find({ q: '%' }), []);
  });

  test('each filter finds its packages, alone and combined with others', async () => {
    assert.deepEqual(await find({ ecosystem: 'npm' }), ['lodash', 'openssl-wrapper', 'shell-quote']);
    assert.deepEqual(await find({ ecosystem: 'maven,deb' }), ['Core', 'openssl']);
    assert.deepEqual(await find({ license: 'Apache-2.0' }), ['openssl', 'shell-quote']);
    assert.deepEqual(await find({ license: 'ISC' }), []);
    assert.deepEqual(await find({ license: 'Foreign' }), []);
    assert.deepEqual(await find({ vulnerable: 'yes' }), ['lodash']);
    assert.deepEqual(
      await find({ vulnerable: 'no' }),
      everything.filter((name) => name !== 'lodash'),
    );
    assert.deepEqual(await find({ repo: 'acme/jars' }), ['Core', 'openssl-wrapper']);
    assert.deepEqual(await find({ repo: 'acme/shop', license: 'Apache-2.0' }), ['shell-quote']);
    assert.deepEqual(await find({ repo: 'acme/shop', vulnerable: 'yes' }), ['lodash']);
    assert.deepEqual(await find({ repo: 'acme/api', vulnerable: 'yes' }), []);
    assert.deepEqual(await find({ q: 'openssl', ecosystem: 'deb', license: 'OpenSSL' }), ['openssl']);
    assert.deepEqual(await find({ license: 'MIT', vulnerable: 'yes', ecosystem: 'npm' }), ['lodash']);
    assert.deepEqual(await find({ license: 'MIT', vulnerable: 'no' }), []);
  });

  test('pages of one show each package once, whatever the filter', async () => {
    for (const query of [
      {},
      { q: 'openssl' },
      { q: 'o' },
      { ecosystem: 'npm,maven,deb' },
      { license: 'Apache-2.0' },
      { vulnerable: 'no' },
      { repo: 'acme/shop' },
    ]) {
      const pages = names(await walk<Item>(client, path, { ...query, per_page: 1 }));
      assert.deepEqual(pages, await find(query as Record<string, string>), JSON.stringify(query));
    }
  });

  test('an unknown repository is refused with 404, and the cursor of another filter with 422', async () => {
    assert.equal((await client.get(`${path}?repo=acme%2Fnone`)).status, 404);
    const { body } = await client.get<{ next_cursor: string }>(`${path}?per_page=1`);
    assert.equal(
      (await client.get(`${path}${queryOf({ cursor: body.next_cursor, q: 'openssl' })}`)).status,
      422,
    );
    const { key } = await createTestKey(server, {
      userId: people.viewer.user.id,
      role: 'viewer',
      scopes: ['repositories:read'],
    });
    assert.equal((await clientOf(server.app, key).get(path)).status, 403);
  });
});

describe('a package', () => {
  test('shows its versions, those with open vulnerabilities, and the advisories', async () => {
    const { id } = await one('lodash');
    const { body } = await client.get<Detail>(`${path}/${id}`);
    assert.deepEqual(
      body.used_versions.map(({ version, repositories, open, licenses }) => ({
        version,
        repositories,
        open,
        licenses,
      })),
      [{ version: '4.17.20', repositories: 1, open: 2, licenses: ['MIT'] }],
    );
    assert.deepEqual(
      body.advisories.map(({ advisory, severity, open }) => ({ advisory, severity, open })),
      [
        { advisory: 'CVE-2030-1001', severity: 'high', open: 1 },
        { advisory: 'CVE-2030-1002', severity: 'low', open: 1 },
      ],
    );
  });

  test('shows each repository, reference and manifest that uses it, over pages, and by version', async () => {
    const { id } = await one('openssl');
    const usages = await walk<Usage>(client, `${path}/${id}/usages`, { per_page: 1 });
    assert.deepEqual(
      usages.map(({ repository, reference, version, direct }) =>
        [repository.full_name, reference.full_ref, version, String(direct)].join(' '),
      ),
      [
        'acme/shop refs/heads/main 1.1.1 null',
        'acme/api refs/heads/main 3.0.0 null',
        'acme/api refs/heads/work 3.0.0 null',
      ],
    );
    for (const [name, direct] of [
      ['lodash', true],
      ['shell-quote', false],
    ] as const) {
      const [usage] = await walk<Usage>(client, `${path}/${(await one(name)).id}/usages`);
      assert.equal(usage?.direct, direct, name);
    }
    const { body } = await client.get<Detail>(`${path}/${id}`);
    const old = body.used_versions.find(({ version }) => version === '1.1.1');
    const ofOld = await walk<Usage>(client, `${path}/${id}/usages`, { version: old?.id });
    assert.deepEqual(
      ofOld.map(({ repository }) => repository.full_name),
      ['acme/shop'],
    );
  });

  test('of another workspace, and one that nothing uses any more, is refused with 404', async () => {
    const theirs = clientOf(server.app, other.people.viewer.key);
    const { body } = await theirs.get<{ items: Item[] }>('/api/v1/other/packages');
    const foreign = body.items[0]?.id;
    assert.equal((await theirs.get(`/api/v1/other/packages/${foreign}`)).status, 200);
    for (const at of [foreign, `${foreign}/usages`, 'pkg_x', 'lodash']) {
      assert.equal((await client.get(`${path}/${at}`)).status, 404, at);
    }
    const { id } = await one('lodash');
    assert.equal((await client.get(`${path}/${id}/usages?version=pkgv_x`)).status, 404);
  });

  test('a reference that is not active any more uses nothing', async () => {
    const hidden = (active: boolean) =>
      tenantTx(server.db, tenant.id, (tx) =>
        tx.query(`update reference set active = $2 where tenant_id = $1 and full_ref = 'refs/heads/work'`, [
          tx.tenantId,
          active,
        ]),
      );
    const { id } = await one('openssl');
    await hidden(false);
    assert.equal((await walk<Usage>(client, `${path}/${id}/usages`)).length, 2);
    await hidden(true);
    assert.equal((await walk<Usage>(client, `${path}/${id}/usages`)).length, 3);
  });
});

describe('licenses and ecosystems', () => {
  test('licenses of packages in use are counted as in the list filtered by each', async () => {
    const licenses = await walk<{ name: string; packages: number }>(client, '/api/v1/acme/licenses', {
      per_page: 1,
    });
    assert.deepEqual(licenses, [
      { name: 'Apache-2.0', packages: 2 },
      { name: 'MIT', packages: 1 },
      { name: 'OpenSSL', packages: 1 },
    ]);
    for (const { name, packages } of licenses) assert.equal((await find({ license: name })).length, packages);
  });

  test('ecosystems are the types of the package URLs', async () => {
    const { body } = await client.get<{ items: object[] }>('/api/v1/acme/ecosystems');
    assert.deepEqual(body.items, [{ ecosystem: 'deb' }, { ecosystem: 'maven' }, { ecosystem: 'npm' }]);
  });
});
