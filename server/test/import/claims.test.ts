/** Tests of the titles and versions of claims: each series keeps its own, whatever its vulnerability has. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { formatId } from '../../src/domain/ids.ts';
import { clientOf, succeeded } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { type PackageResult, trivy } from '../support/reports.ts';
import { grype } from '../support/scanner-reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
afterEach(() => assertInvariants(server.owner));
const { people } = await createTestWorkspace(server, 'acme');
const admin = clientOf(server.app, people.admin.key);
const cve = 'CVE-2021-23337';
const ofTrivy = `lodash: ${cve}`;
const ofGrype = 'Command injection in templates.';

/** Imports the reports, one day apart. */
async function bring(repository: string, ...reports: unknown[]): Promise<void> {
  for (const report of reports) {
    const scannedAt = new Date(Date.UTC(2026, 0, ++day));
    const [scan] = await importAll(server, 'acme', [reportInput(report, { repository, scannedAt })]);
    assert.equal(scan?.error, null);
  }
}
let day = 0;

const byTrivy = (more: Partial<PackageResult> = {}): PackageResult => ({
  ...{ id: cve, name: 'lodash', version: '4.17.20' },
  ...more,
});
const byGrype = (title: string, { id = cve, path = 'package-lock.json' } = {}) => ({
  ...{ id, path, title, package: 'lodash', version: '4.17.20' },
});

/** Returns the ids of the vulnerabilities, the oldest first. */
async function idsOf(repository: string): Promise<string[]> {
  const { rows } = await server.owner.query(
    `select v.id from vulnerability v join repository r on r.id = v.repository_id where r.full_name = $1 order by v.id`,
    [repository],
  );
  return rows.map((row) => formatId('vulnerability', row.id));
}

/** Returns the title of the vulnerability, and those of its claims as `tool title`, with a mark at those that ended. */
async function titlesOf(id: string): Promise<unknown[]> {
  const { body } = await admin.get(`/api/v1/acme/vulnerabilities/${id}`);
  const reporters = body.reporters as { tool: string; title: string; live: boolean }[];
  return [body.title, ...reporters.map((row) => `${row.tool} ${row.title}${row.live ? '' : ' (ended)'}`)];
}

test('claims keep their titles when a tool with a better one comes, goes and comes again', async () => {
  const repository = 'acme/turns';
  await bring(repository, grype([byGrype(ofGrype)]));
  const [id = ''] = await idsOf(repository);
  assert.deepEqual(await titlesOf(id), [ofGrype, `grype ${ofGrype}`]);
  for (const _ of ['first', 'again']) {
    await bring(repository, trivy([byTrivy()]));
    assert.deepEqual(await titlesOf(id), [ofTrivy, `grype ${ofGrype}`, `trivy ${ofTrivy}`]);
    await bring(repository, trivy([]));
    assert.deepEqual(await titlesOf(id), [ofGrype, `grype ${ofGrype}`, `trivy ${ofTrivy} (ended)`]);
  }
});

test('a claim takes the new title of its report, and that of its vulnerability follows', async () => {
  const repository = 'acme/renamed';
  await bring(repository, grype([byGrype(ofGrype)]), grype([byGrype('Another text.')]));
  const [id = ''] = await idsOf(repository);
  assert.deepEqual(await titlesOf(id), ['Another text.', 'grype Another text.']);
});

test('a merge keeps the titles of the claims on both vulnerabilities', async () => {
  const other = 'CVE-2020-8203';
  for (const [repository, first, second] of [
    ['acme/merge-into-better', trivy([byTrivy()]), grype([byGrype(ofGrype, { id: other })])],
    ['acme/merge-better-into', grype([byGrype(ofGrype, { id: other })]), trivy([byTrivy()])],
  ] as const) {
    await bring(repository, first, second);
    const [into = '', from = ''] = await idsOf(repository);
    const body = { others: [from], reason: 'same' };
    succeeded(await admin.post(`/manage/v1/acme/vulnerabilities/${into}/merge`, body));
    assert.deepEqual(await titlesOf(into), [ofTrivy, `grype ${ofGrype}`, `trivy ${ofTrivy}`]);
  }
});

test('a merge of two vulnerabilities of one series keeps the first title by alphabet', async () => {
  const titles = ['An answer is not checked.', 'Bytes are not checked.'];
  for (const [repository, [first = '', second = '']] of [
    ['acme/merge-first', titles],
    ['acme/merge-second', titles.toReversed()],
  ] as const) {
    await bring(repository, grype([byGrype(first)]));
    await bring(repository, grype([byGrype(first), byGrype(second, { id: 'CVE-2020-8203' })]));
    const [into = '', from = ''] = await idsOf(repository);
    const body = { others: [from], reason: 'same' };
    succeeded(await admin.post(`/manage/v1/acme/vulnerabilities/${into}/merge`, body));
    assert.deepEqual(await titlesOf(into), [titles[0], `grype ${titles[0]}`]);
  }
});

test('a split keeps the titles of the claims on both vulnerabilities', async () => {
  const repository = 'acme/split';
  const [a, b] = ['a/package-lock.json', 'b/package-lock.json'];
  await bring(
    repository,
    trivy([byTrivy({ path: a }), byTrivy({ path: b })]),
    grype([byGrype(ofGrype, { path: b })]),
    trivy([byTrivy({ path: a })]),
  );
  const [id = ''] = await idsOf(repository);
  assert.deepEqual(await titlesOf(id), [ofTrivy, `grype ${ofGrype}`, `trivy ${ofTrivy}`]);
  const { rows } = await server.owner.query(
    `select l.id from vulnerability_location l join repository r on r.id = l.repository_id where r.full_name = $1 and l.path = $2`,
    [repository, b],
  );
  const body = { locations: [formatId('location', rows[0].id)], reason: 'another product' };
  const apart = succeeded(await admin.post(`/manage/v1/acme/vulnerabilities/${id}/split`, body));
  assert.deepEqual(await titlesOf(String(apart.id)), [
    ofGrype,
    `grype ${ofGrype}`,
    `trivy ${ofTrivy} (ended)`,
  ]);
  assert.deepEqual(await titlesOf(id), [ofTrivy, `grype ${ofGrype} (ended)`, `trivy ${ofTrivy}`]);
});

test('a merge joins the versions that fix its vulnerabilities', async () => {
  const repository = 'acme/merge-versions';
  const found = [
    byTrivy({ fixed: '4.18.0, 4.17.21' }),
    byTrivy({ id: 'CVE-2020-8203', fixed: '4.17.19' }),
    byTrivy({ id: 'CVE-2019-10744', fixed: '' }),
  ];
  await bring(repository, trivy(found));
  const [into = '', ...others] = await idsOf(repository);
  const versionsOf = async (id: string) => {
    const { body } = await admin.get(`/api/v1/acme/vulnerabilities/${id}`);
    return (body.reporters as { fixed_versions: string[] }[]).map((row) => row.fixed_versions);
  };
  const before = (await Promise.all([into, ...others].map(versionsOf))).flat();
  assert.deepEqual(before.map((versions) => versions.length).sort(), [0, 1, 2]);
  succeeded(await admin.post(`/manage/v1/acme/vulnerabilities/${into}/merge`, { others, reason: 'same' }));
  assert.deepEqual(await versionsOf(into), [['4.17.19', '4.17.21', '4.18.0']]);
});
