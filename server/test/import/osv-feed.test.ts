/**
 * Files of OSV as they are loaded: which records are taken, left out, withdrawn or refused, and what of them is stored.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { importOsv } from '../../src/ingest/advisories/import-osv.ts';
import { assertInvariants } from '../support/invariants.ts';
import { createMatchedWorkspace, sbom } from '../support/matched-workspace.ts';
import { affectedPackage, loadOsv, type OsvOptions, osvRecord } from '../support/osv.ts';
import { createDirectory } from '../support/process.ts';
import { zipOf } from '../support/zip.ts';

test('a linked folder is read like any other, once, and a broken link is refused', async () => {
  const { server } = await createMatchedWorkspace();
  const root = createDirectory();
  const [linked, folder] = ['linked', 'folder'].map((name) => join(root, name)) as [string, string];
  for (const path of [linked, folder, join(folder, 'inner')]) mkdirSync(path);
  const write = (path: string, id: string): void =>
    writeFileSync(path, JSON.stringify(osvRecord(id, { ranges: [['0']] })));
  write(join(linked, '1.json'), 'GHSA-aaaa-bbbb-cccc');
  write(join(folder, 'inner', '2.json'), 'GHSA-dddd-eeee-ffff');
  for (const name of ['npm', 'again']) symlinkSync(linked, join(folder, name));
  symlinkSync(folder, join(folder, 'inner', 'above'));
  symlinkSync(join(linked, '1.json'), join(folder, 'text'));
  const { added, unchanged } = await importOsv(server.db, { paths: [folder], force: false }, new Date());
  assert.deepEqual([added, unchanged], [2, 0]);
  symlinkSync(join(root, 'gone'), join(folder, 'gone'));
  await assert.rejects(importOsv(server.db, { paths: [folder], force: false }, new Date()), {
    message: `There is no file or folder ${join(folder, 'gone')}.`,
  });
});

test('a file without a record is counted, and a path without any record is refused', async () => {
  const { server, tenant } = await createMatchedWorkspace();
  const load = (...records: object[]) => loadOsv(server, tenant.id, records);
  const imported = await load({ nothing: true }, osvRecord('GHSA-aaaa-bbbb-cccc', { ranges: [['0']] }));
  assert.deepEqual([imported.added, imported.unreadable.count], [1, 1]);
  await assert.rejects(load({ nothing: true }), {
    name: 'DomainError',
    message: /osv-\d+\. It has no OSV record/,
  });
  const nul = await load(osvRecord('GHSA-dddd-eeee-ffff', { summary: 'a\0b\ud800', ranges: [['0', '1\0']] }));
  assert.equal(nul.added, 1);
});

test('a record is withdrawn from its time of withdrawal on, and left out if that is no time', async () => {
  const { server, tenant, load, upload, short } = await createMatchedWorkspace();
  await upload(sbom('pkg:npm/left@1.0.0'));
  const withdrawn = (time: unknown): [string, OsvOptions] => [
    'GHSA-aaaa-bbbb-cccc',
    { ranges: [['0', '1.2.0']], withdrawn: time },
  ];
  const odd = [
    'no',
    '2024-05-01',
    '1989-12-31T00:00:00Z',
    '1970-01-01T00:00:00Z',
    '',
    true,
    {},
    [],
    20240501,
  ];
  const unclear = await load(['GHSA-dddd-eeee-ffff', { withdrawn: null }], ...odd.map(withdrawn));
  assert.deepEqual(
    [unclear.added, unclear.unclear.count, unclear.withdrawn, await short()],
    [1, odd.length, 0, []],
  );
  for (const time of ['0001-01-01T00:00:00Z', '2100-01-01T00:00:00Z']) {
    assert.equal((await load(withdrawn(time))).withdrawn, 0, time);
    assert.deepEqual(await short(), ['open merlon-osv'], time);
  }
  const record = osvRecord(...withdrawn('2100-01-01T00:00:00Z'));
  const later = await loadOsv(server, tenant.id, [record], { now: new Date('2100-01-02T00:00:00Z') });
  assert.deepEqual([later.updated, later.withdrawn, await short()], [1, 1, ['fixed ']]);
  await assertInvariants(server.owner);
});

test('a record without a time of change replaces only one without it, unless by force', async () => {
  const { server, tenant, load } = await createMatchedWorkspace();
  const record = (fixed: string, modified: string): [string, OsvOptions] => [
    'GO-2031-0001',
    { ranges: [['0', fixed]], modified },
  ];
  const unknown = '0001-01-01T00:00:00Z';
  const loads: [string, string][] = [
    ['1.0.0', unknown],
    ['1.1.0', unknown],
    ['1.2.0', '2026-01-01T00:00:00Z'],
    ['1.0.0', unknown],
  ];
  const results: [number, number, number][] = [];
  for (const [fixed, modified] of loads) {
    const { added, updated, older } = await load(record(fixed, modified));
    results.push([added, updated, older]);
  }
  assert.deepEqual(results, [
    [1, 0, 0],
    [0, 1, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]);
  const forced = await loadOsv(server, tenant.id, [osvRecord(...record('1.0.0', unknown))], { force: true });
  assert.equal(forced.updated, 1);
});

test('a record that is dated in the future is corrected by a later one, and does not make the feed newer', async () => {
  const { server, load } = await createMatchedWorkspace();
  const publishedAt = async () => {
    const { rows } = await server.owner.query<{ published_at: Date }>('select published_at from intel_feed');
    return rows[0]?.published_at.toISOString();
  };
  await load(['GHSA-dddd-eeee-ffff', { modified: '2026-01-01T00:00:00Z' }]);
  await load(['GHSA-aaaa-bbbb-cccc', { modified: '2100-01-01T00:00:00Z' }]);
  assert.equal(await publishedAt(), '2026-01-01T00:00:00.000Z');
  const { updated } = await load([
    'GHSA-aaaa-bbbb-cccc',
    { ranges: [['0', '1.2.0']], modified: '2026-01-02T00:00:00Z' },
  ]);
  assert.deepEqual([updated, await publishedAt()], [1, '2026-01-02T00:00:00.000Z']);
});

test('a record that was loaded while the clock was ahead is corrected by any later one', async () => {
  const { server, tenant, load } = await createMatchedWorkspace();
  for (const modified of ['2026-01-02T00:00:00Z', '0001-01-01T00:00:00Z']) {
    const ahead = osvRecord('GHSA-aaaa-bbbb-cccc', { modified: '2100-01-01T00:00:00Z' });
    await loadOsv(server, tenant.id, [ahead], { force: true, now: new Date('2100-01-02T00:00:00Z') });
    const { updated, older } = await load(['GHSA-aaaa-bbbb-cccc', { modified }]);
    assert.deepEqual([updated, older], [1, 0], modified);
  }
});

test('a record whose versions cannot be read is left out, and an entry without versions is counted', async () => {
  const { load, upload, short } = await createMatchedWorkspace();
  await upload(sbom('pkg:npm/left@1.5.0'));
  const ofLeft = (entry: object): OsvOptions => ({
    affected: [{ package: { ecosystem: 'npm', name: 'left' }, ...entry }],
  });
  const events = (...list: object[]) => ofLeft({ ranges: [{ type: 'SEMVER', events: list }] });
  const unclear = await load(
    ['GHSA-good', events({ introduced: 0, limit: null }, { fixed: '1.4.0' })],
    ['GHSA-number', events({ introduced: '0' }, { fixed: 1.1 })],
    ['GHSA-long', events({ introduced: '0' }, { fixed: '1.2.0' }, { introduced: '1'.repeat(257) })],
    ['GHSA-empty', events({ introduced: ' ' }, { fixed: '1.2.0' })],
    ['GHSA-list', ofLeft({ versions: [1.5] })],
  );
  assert.deepEqual([unclear.added, unclear.unclear.count, unclear.skippedPackages], [1, 4, 0]);
  const without = await load(
    ['GHSA-neither', ofLeft({})],
    ['GHSA-commits', ofLeft({ ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }] })],
  );
  assert.deepEqual([without.added, without.skippedPackages, await short()], [2, 2, []]);
  const numbers = { ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: 1.1 }] }] };
  const known = affectedPackage('npm', 'left', '1.2.0');
  const others = await load(
    ['GHSA-good', { ...events({ introduced: '0' }, { fixed: 1.1 }), withdrawn: '2026-01-02T00:00:00Z' }],
    ['GHSA-other', { affected: [known, { package: { ecosystem: 'Other', name: 'left' }, ...numbers }] }],
    [
      'GHSA-commit',
      ofLeft({ versions: ['1.0.0'], ranges: [{ type: 'GIT', events: [{ introduced: 1.1 }] }] }),
    ],
    ['DEBIAN-CVE-2031-1001', { affected: [affectedPackage('Debian:12', 'left', '2', { versions: [1.5] })] }],
    ['GHSA-pending', { ...ofLeft({ versions: [1.5] }), withdrawn: '2100-01-01T00:00:00Z' }],
  );
  assert.deepEqual(
    [others.added, others.updated, others.withdrawn, others.unclear.count, others.unclear.first[0]?.at(-6)],
    [3, 1, 1, 1, '4'],
    'only the last one has versions that count',
  );
});

test('an archive in a folder is refused if it is empty, damaged, or has many files that are no records', async () => {
  const { server } = await createMatchedWorkspace();
  const folder = createDirectory();
  const [good, other] = ['good.zip', 'other.zip'].map((name) => join(folder, name)) as [string, string];
  const record = (id: string) => JSON.stringify(osvRecord(id, { ranges: [['0']] }));
  writeFileSync(good, zipOf({ '1.json': record('GHSA-aaaa-bbbb-cccc') }));
  const load = (force = false) => importOsv(server.db, { paths: [folder], force }, new Date());
  const one = record('GHSA-dddd-eeee-ffff');
  for (const [content, reason] of [
    [zipOf({}), 'has no JSON file.'],
    [zipOf({ 'a.json': '{}' }), 'has no OSV record that can be loaded.'],
    [
      zipOf({ 'a.json': { content: one, checksum: 1 } }),
      'is cut off or damaged: the checksum of a.json is wrong.',
    ],
    [zipOf({ 'a.json': one }).subarray(20), 'is cut off or damaged: '],
  ] as const) {
    writeFileSync(other, content);
    await assert.rejects(load(true), {
      name: 'DomainError',
      message: includes(`archive ${other} ${reason}`),
    });
  }
  writeFileSync(other, zipOf({ 'a.json': one, 'b.json': '{}' }));
  await assert.rejects(load(), {
    data: { isConflict: true },
    message: includes(`${other}, 1 of 2 files are no records, so it may be damaged. Use --force`),
  });
  const { added, unreadable } = await load(true);
  assert.deepEqual([added, unreadable], [2, { count: 1, first: [`${other}: b.json`] }]);
  const odd = JSON.stringify({ ...osvRecord('GHSA-gggg-hhhh-jjjj', { ranges: [['0']] }), withdrawn: true });
  const oddOnes = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`odd-${i}.json`, odd]));
  writeFileSync(other, zipOf({ 'a.json': one, ...oddOnes }));
  await assert.rejects(load(), {
    data: { isConflict: true },
    message: includes(`${other}, 6 of 7 records do not say clearly whether they are withdrawn`),
  });
  assert.equal((await load(true)).unclear.count, 6);
  writeFileSync(other, zipOf(oddOnes));
  await assert.rejects(load(true), { message: includes('has no OSV record that can be loaded.') });
});

test('a record that is unclear is left out, the loaded one stays, and its archive is not refused', async () => {
  const { server, tenant } = await createMatchedWorkspace();
  const archive = join(createDirectory(), 'all.zip');
  const record = osvRecord('GHSA-aaaa-bbbb-cccc', { ranges: [['0']] });
  await loadOsv(server, tenant.id, [record]);
  const other = osvRecord('GHSA-dddd-eeee-ffff', { ranges: [['0']] });
  writeFileSync(
    archive,
    zipOf({
      'a.json': JSON.stringify({ ...record, withdrawn: '2024-05-01' }),
      'b.json': JSON.stringify(other),
    }),
  );
  const imported = await importOsv(server.db, { paths: [archive], force: false }, new Date());
  assert.deepEqual(
    [imported.unclear, imported.unreadable.count, imported.updated],
    [{ count: 1, first: [`${archive}: a.json`] }, 0, 0],
  );
  const { rows } = await server.owner.query('select purl from osv_package');
  assert.equal(rows.length, 2);
});

test('an alias that is no id is not learned, and stops no import of a report', async () => {
  const { server, load, upload, short } = await createMatchedWorkspace();
  // An index compresses a text that repeats.
  const alias = `GHSA-${randomBytes(6_000).toString('base64')}`;
  const ids = { aliases: [alias, 'CVE-2031-1001'], upstream: ['https://shop.example/'], related: [alias] };
  await load(['GHSA-aaaa-bbbb-cccc', { ...ids, ranges: [['0']] }]);
  await upload(sbom('pkg:npm/left@1.0.0'));
  assert.deepEqual(await short(), ['open merlon-osv']);
  const { rows } = await server.owner.query<{ aliases: string[] }>(
    `select array_agg(distinct alias) as aliases from (select alias from advisory_alias) a`,
  );
  assert.deepEqual(rows[0]?.aliases, ['GHSA-aaaa-bbbb-cccc']);
});

test('fields that are not read stop no import, whatever they hold', async () => {
  const { server } = await createMatchedWorkspace();
  const folder = createDirectory();
  const odd = { 'key\0': 'a\0', deep: 'DEEP', '\ud800': 1 };
  const record = {
    ...osvRecord('GHSA-aaaa-bbbb-cccc', { ranges: [['0']], modified: '+010000-01-01T00:00:00Z' }),
    references: [{ ...odd, url: 'https://shop.example/' }, 'DEEP'],
    severity: [{ ...odd, type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }, 'DEEP'],
    affected: [
      { ...affectedPackage('npm', 'left'), database_specific: { cwes: [{ ...odd, cweId: 'CWE-506' }] } },
    ],
  };
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  writeFileSync(join(folder, '1.json'), JSON.stringify(record).replaceAll('"DEEP"', deep));
  const { added } = await importOsv(server.db, { paths: [folder], force: false }, new Date());
  assert.equal(added, 1);
});

test('the content of an advisory is stored within limits', async () => {
  const { server, tenant } = await createMatchedWorkspace();
  const many = <T>(of: (i: number) => T): T[] => Array.from({ length: 20_000 }, (_, i) => of(i));
  const long = randomBytes(100_000).toString('base64');
  const record: Record<string, unknown> = {
    ...osvRecord('GHSA-aaaa-bbbb-cccc', {
      ranges: [['0']],
      aliases: many((i) => `GHSA-${i}`),
      summary: long,
    }),
    references: many((i) => ({ url: `https://shop.example/${i}` })),
    severity: [{ score: long }, ...many((i) => ({ score: `${i}` }))],
    database_specific: { severity: long, cwe_ids: [long, ...many((i) => `CWE-${i}`)] },
  };
  await loadOsv(server, tenant.id, [record]);
  const { rows } = await server.owner.query<{ content: Record<string, unknown[]> }>(
    'select content from osv_advisory',
  );
  const content = rows[0]?.content ?? {};
  assert.deepEqual(
    ['aliases', 'references', 'severity', 'summary'].map((key) => content[key]?.length),
    [10_000, 30, 19, 65_536],
  );
  assert.ok(JSON.stringify(content).length < 400_000, `${JSON.stringify(content).length}`);
});

function includes(text: string): RegExp {
  return new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}

test('an ecosystem whose advisories change on many days has the time of its newest change', async () => {
  const { server, tenant } = await createMatchedWorkspace();
  const at = (month: number, day: number) => new Date(Date.UTC(2026, month - 1, day)).toISOString();
  const daily = (kind: string, days: number, more: OsvOptions): object[] =>
    Array.from({ length: days }, (_, day) => ({
      ...osvRecord(`TEST-${kind}-${day}`, { ranges: [['0']], modified: at(1, day + 1), ...more }),
    }));
  const both = [affectedPackage('npm', 'left'), affectedPackage('PyPI', 'left')];
  await loadOsv(server, tenant.id, [
    ...daily('npm', 8, {}),
    ...daily('debian', 9, {
      affected: [affectedPackage('Debian:12', 'left'), affectedPackage('Debian:11', 'left')],
    }),
    // On seven days, and two times on one of them.
    ...daily('pypi', 7, { ecosystem: 'PyPI' }),
    osvRecord('TEST-pypi-again', { ecosystem: 'PyPI', ranges: [['0']], modified: at(1, 1) }),
    // A day that is too long ago.
    osvRecord('TEST-pypi-old', { ecosystem: 'PyPI', ranges: [['0']], modified: '2025-12-01T00:00:00Z' }),
    // The archive of npm may have brought it, and it is later than all others.
    osvRecord('TEST-both', { affected: both, modified: at(2, 1) }),
  ]);
  const listed = async () =>
    (await server.owner.query('select name, newest_at from osv_ecosystem order by name')).rows;
  assert.deepEqual(await listed(), [
    { name: 'deb/debian', newest_at: new Date(at(1, 9)) },
    { name: 'npm', newest_at: new Date(at(1, 8)) },
  ]);
  await loadOsv(server, tenant.id, [
    osvRecord('TEST-npm-later', { ranges: [['0']], modified: at(1, 20) }),
    osvRecord('TEST-pypi-later', { ecosystem: 'PyPI', ranges: [['0']], modified: at(1, 20) }),
  ]);
  assert.deepEqual(await listed(), [
    { name: 'deb/debian', newest_at: new Date(at(1, 9)) },
    { name: 'npm', newest_at: new Date(at(1, 20)) },
    { name: 'pypi', newest_at: new Date(at(1, 20)) },
  ]);
});
