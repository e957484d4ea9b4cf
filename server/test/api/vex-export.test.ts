/**
 * VEX documents from decisions, in three formats: valid by the official schemas of CSAF and CycloneDX, and read back by
 * our own parsers to the same statements. No package of npm carries the schema of OpenVEX, so the rules of its
 * specification about statements are checked here by hand.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { tenantReadTx } from '../../src/db/database.ts';
import { dayMs } from '../../src/domain/time.ts';
import { getRepository } from '../../src/inventory/repositories/service.ts';
import { parseDocument } from '../../src/parsers/parse-report.ts';
import { decodeReport } from '../../src/parsers/reading/decode.ts';
import { defaultLimits } from '../../src/parsers/reading/limits.ts';
import type { Report } from '../../src/parsers/report.ts';
import { listVexRows, type VexRow } from '../../src/reports/vex/vex-store.ts';
import { forgetFixed } from '../../src/retention/forget-fixed.ts';
import { bom } from '../support/boms.ts';
import { clientOf, refused } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { loadOsv, osvRecord } from '../support/osv.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestKey, createTestWorkspace, reportInput } from '../support/workspace.ts';

interface Check {
  isValid: boolean;
  errors?: unknown[];
}

// The library has no types of its own.
const library = '@secvisogram/csaf-validator-lib';
const schemas = (await import(`${library}/schemaTests.js`)) as Record<string, (document: object) => Check>;
const mandatory = (await import(`${library}/mandatoryTests.js`)) as Record<
  string,
  (document: object) => Check | Promise<Check>
>;

const server = await createTestServer();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const admin = clientOf(server.app, people.admin.key);
const viewer = clientOf(server.app, people.viewer.key);

const decisions: Record<string, { action: string; resolution?: string; reason: string; until?: string }> = {
  a: {
    action: 'reject',
    resolution: 'not_affected',
    reason: 'vulnerable_code_not_present: We build without it.',
  },
  b: {
    action: 'reject',
    resolution: 'false_positive',
    reason: 'Another package of that name: see 100% "proof".',
  },
  c: { action: 'accept', reason: 'Only inside', until: '2999-01-31T00:00:00Z' },
  d: { action: 'ignore', reason: 'The product ends this year.' },
  e: { action: 'confirm', reason: 'We have seen it.' },
  g: { action: 'ignore', resolution: 'test_code', reason: 'Only in tests.' },
  h: { action: 'confirm', reason: 'We wait for one.' },
};
const packages = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `lib-${name}`);

await loadOsv(
  server,
  tenant.id,
  packages.map((name, i) =>
    osvRecord(`GHSA-aaaa-bbbb-ccc${i + 2}`, {
      package: name,
      ranges: [name === 'lib-h' ? ['0'] : ['0', '2.0.0']],
      aliases: name === 'lib-f' ? [] : [`CVE-2031-100${i}`],
    }),
  ),
);
const sbom = bom([
  ...packages.map((name) => ({ purl: `pkg:npm/${name}@1.0.0` })),
  { purl: 'pkg:npm/lib-a@1.1.0' },
  { purl: 'pkg:npm/free@1.0.0' },
]);
await importAll(server, 'acme', [reportInput(sbom), reportInput(sbom, { ref: 'feature' })]);
const listed = await viewer.get<{ items: { id: string; title: string }[] }>(
  '/api/v1/acme/vulnerabilities?include=package&per_page=50',
);
const packageOf = (item: object) => (item as { package: { name: string } }).package.name.replace('lib-', '');
for (const item of listed.body.items) {
  const decision = decisions[packageOf(item)];
  if (decision === undefined) continue;
  const answer = await admin.post('/manage/v1/acme/vulnerabilities/decisions', {
    ...decision,
    vulnerabilities: [{ id: item.id }],
  });
  assert.equal(answer.status, 200, answer.text);
}

type Format = 'openvex' | 'csaf' | 'cyclonedx';

async function vex(format: Format, query = 'repo=acme%2Fshop'): Promise<Record<string, unknown>> {
  const answer = await viewer.get<Record<string, unknown>>(`/export/v1/acme/vex?format=${format}&${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

function readBack(document: object): Report {
  const bytes = Buffer.from(JSON.stringify(document));
  return parseDocument(decodeReport(bytes, defaultLimits), { format: 'auto', limits: defaultLimits });
}

async function assertValidCsaf(document: object): Promise<void> {
  const strict = schemas.csaf_2_0_strict?.(document);
  assert.deepEqual([strict?.isValid, strict?.errors], [true, []]);
  const names = Object.keys(mandatory).filter((name) => name.startsWith('mandatoryTest_'));
  assert.ok(names.length > 30, `only ${names.length} tests`);
  for (const name of names) {
    const result = await mandatory[name]?.(document);
    assert.ok(result?.isValid, `${name}: ${JSON.stringify(result?.errors)}`);
  }
}

const rowsOf = ({ statements }: Report): string[] =>
  statements
    .map(({ advisories, package: named, status, reason }) =>
      [advisories[0], `${named?.purl}@${named?.version}`, status, reason].join(' | '),
    )
    .sort();

const expected = (falsePositive: string, affected: string) =>
  [
    'CVE-2031-1000 | pkg:npm/lib-a@1.0.0 | not_affected | vulnerable_code_not_present: We build without it.',
    'CVE-2031-1000 | pkg:npm/lib-a@1.1.0 | not_affected | vulnerable_code_not_present: We build without it.',
    `CVE-2031-1001 | pkg:npm/lib-b@1.0.0 | ${falsePositive} | Another package of that name: see 100% "proof".`,
    `CVE-2031-1002 | pkg:npm/lib-c@1.0.0 | ${affected} | The risk is accepted until 2999-01-31. Version 2.0.0 fixes it. Only inside`,
    `CVE-2031-1003 | pkg:npm/lib-d@1.0.0 | ${affected} | It will not be fixed. The product ends this year.`,
    `CVE-2031-1004 | pkg:npm/lib-e@1.0.0 | ${affected} | Update to 2.0.0.`,
    'GHSA-aaaa-bbbb-ccc7 | pkg:npm/lib-f@1.0.0 | under_investigation | ',
    'CVE-2031-1006 | pkg:npm/lib-g@1.0.0 | not_affected | Only in tests.',
    `CVE-2031-1007 | pkg:npm/lib-h@1.0.0 | ${affected} | No fix is known. We wait for one.`,
  ].sort();

test('OpenVEX has the fields that its specification requires, and is read back to the same statements', async () => {
  const document = await vex('openvex');
  for (const field of ['@context', '@id', 'author', 'timestamp', 'version'])
    assert.ok(document[field], field);
  const statements = document.statements as Record<string, unknown>[];
  for (const statement of statements) {
    const { status, justification, impact_statement: impact, action_statement: action } = statement;
    if (status === 'not_affected') assert.ok(justification ?? impact, JSON.stringify(statement));
    if (status === 'affected') assert.ok(action, JSON.stringify(statement));
  }
  const report = readBack(document);
  assert.deepEqual([report.format, report.unreadable, report.warnings], ['openvex', [], []]);
  assert.deepEqual(rowsOf(report), expected('not_affected', 'affected'));
});

test('CSAF is valid by its schema and its mandatory tests, and is read back to the same statements', async () => {
  const document = await vex('csaf');
  await assertValidCsaf(document);
  const { vulnerabilities } = document as { vulnerabilities: { remediations?: { category: string }[] }[] };
  assert.deepEqual(
    vulnerabilities.flatMap(({ remediations = [] }) => fieldOf(remediations, 'category')).sort(),
    ['no_fix_planned', 'none_available', 'vendor_fix', 'vendor_fix'],
  );
  const report = readBack(document);
  assert.deepEqual([report.format, report.unreadable, report.warnings], ['csaf', [], []]);
  const withoutCategory = rowsOf(report).map((row) =>
    row.replace(/ \| (?:vendor_fix|no_fix_planned|none_available): /, ' | '),
  );
  assert.deepEqual(withoutCategory, expected('not_affected', 'affected'));
});

test('a document reads the first names of a vulnerability, and no rows after too many versions of packages', async () => {
  const repositoryIds = [
    (await tenantReadTx(server.db, tenant.id, (tx) => getRepository(tx, 'acme/shop'))).id,
  ];
  const rowsWithin = (maxPurls: number): Promise<VexRow[]> =>
    tenantReadTx(server.db, tenant.id, (tx) =>
      listVexRows(tx, { repositoryIds }, { maxRows: 100, maxPurls }),
    );
  const all = await rowsWithin(1_000);
  const purls = all.map((row) => row.purls.length);
  assert.equal(all.length, packages.length);
  for (const maxPurls of [0, 2, 5]) {
    const sum = (count: number): number => purls.slice(0, count).reduce((total, each) => total + each, 0);
    const read = await rowsWithin(maxPurls);
    assert.ok(sum(read.length) > maxPurls && sum(read.length - 1) <= maxPurls, `${read.length} rows`);
  }
  const [first] = all;
  const set = 'update vulnerability set identifiers = $2 where id = $1';
  const { rows } = await server.owner.query('select identifiers from vulnerability where id = $1', [
    first?.id,
  ]);
  const names = ['ALAS-1', ...Array.from({ length: 10_000 }, (_, index) => `GHSA-${10_000 + index}`)];
  await server.owner.query(set, [first?.id, names]);
  assert.deepEqual((await rowsWithin(0))[0]?.identifiers, names.slice(1, 21));
  await server.owner.query(set, [first?.id, rows[0].identifiers]);
});

test('CycloneDX is valid by its schema, and is read back to the same statements', async () => {
  const document = await vex('cyclonedx');
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  assert.equal(await validator.validate(JSON.stringify(document)), null);
  const report = readBack(document);
  assert.deepEqual([report.format, report.unreadable], ['cyclonedx', []]);
  assert.deepEqual(rowsOf(report), expected('false_positive', 'exploitable'));
});

test('a document decides in another workspace what it says, and nothing more', async () => {
  for (const format of ['openvex', 'csaf', 'cyclonedx'] as const) {
    const slug = `other-${format}`;
    const other = await createTestWorkspace(server, slug);
    await importAll(server, slug, [reportInput(sbom)]);
    const document = await vex(format);
    const [scan] = await importAll(server, slug, [reportInput(document, { category: 'vex' })]);
    assert.equal(scan?.error, null, JSON.stringify(scan?.error));
    const client = clientOf(server.app, other.people.viewer.key);
    const { body } = await client.get<{ items: { status: string }[] }>(
      `/api/v1/${slug}/vulnerabilities?include=package&per_page=50`,
    );
    const statuses = body.items.map((item) => `${packageOf(item)} ${item.status}`).sort();
    assert.deepEqual(
      statuses,
      ['a rejected', 'b rejected', 'c open', 'd open', 'e open', 'f open', 'g rejected', 'h open'],
      format,
    );
  }
});

test('a document is about a repository, a reference of it, or an application', async () => {
  const feature = readBack(await vex('openvex', 'repo=acme%2Fshop&ref=feature'));
  assert.deepEqual(rowsOf(feature), expected('not_affected', 'affected'));
  await admin.post('/manage/v1/acme/applications', { name: 'Empty' });
  for (const [query, status] of [
    ['format=openvex', 422],
    ['format=openvex&repo=acme%2Fshop&application=Empty', 422],
    ['format=openvex&application=Empty&ref=main', 422],
    ['format=openvex&repo=acme%2Fnone', 404],
    ['format=openvex&repo=acme%2Fshop&ref=none', 404],
    ['format=spdx&repo=acme%2Fshop', 422],
  ] as const) {
    const answer = await viewer.get(`/export/v1/acme/vex?${query}`);
    assert.equal(answer.status, status, `${query}: ${answer.text}`);
  }
});

test('a document without statements is valid, and OpenVEX, which has none, is refused', async () => {
  await admin.post('/manage/v1/acme/applications', { name: 'Nothing' });
  await assertValidCsaf(await vex('csaf', 'application=Nothing'));
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  const empty = JSON.stringify(await vex('cyclonedx', 'application=Nothing'));
  assert.equal(await validator.validate(empty), null);
  const answer = await viewer.get('/export/v1/acme/vex?format=openvex&application=Nothing');
  refused(answer, 422, 'VALIDATION_FAILED', 'format');
});

test('one decision about two repositories of an application is one entry of CycloneDX, whose entries differ', async () => {
  const twins = ['acme/twin-a', 'acme/twin-b'];
  await importAll(
    server,
    'acme',
    twins.map((repository) => reportInput(trivy([found('shared')]), { repository })),
  );
  const { body } = await viewer.get<{
    items: { id: string; repository: { id: string; full_name: string } }[];
  }>('/api/v1/acme/vulnerabilities?q=shared');
  const both = body.items.filter(({ repository }) => twins.includes(repository.full_name));
  const decision = {
    action: 'accept',
    reason: 'Only inside.',
    vulnerabilities: both.map(({ id }) => ({ id })),
  };
  assert.equal((await admin.post('/manage/v1/acme/vulnerabilities/decisions', decision)).status, 200);
  const made = await admin.post<{ id: string }>('/manage/v1/acme/applications', { name: 'Twins' });
  const repositories = both.map(({ repository }) => repository.id);
  const path = `/manage/v1/acme/applications/${made.body.id}/repositories`;
  assert.equal((await admin.put(path, { repositories })).status, 200);
  const document = await vex('cyclonedx', 'application=Twins');
  assert.equal((document.vulnerabilities as object[]).length, 1);
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  assert.equal(await validator.validate(JSON.stringify(document)), null);
  assert.equal(((await vex('openvex', 'application=Twins')).statements as object[]).length, 2);
});

const found = (name: string, version = '1.0.0') => ({ id: 'CVE-2031-6000', name, version });
const scanOf = (repository: string, ref: string, packages: ReturnType<typeof found>[], more: object = {}) =>
  reportInput(trivy(packages), { repository, ref, ...more });
const purlsOf = async (query: string): Promise<string[]> =>
  readBack(await vex('openvex', query))
    .statements.map(({ package: named }) => `${named?.purl}@${named?.version}`)
    .sort();

test('what only a branch before its merge has is in the document of the branch, and in no other', async () => {
  await importAll(server, 'acme', [
    scanOf('acme/merged', 'main', [found('both')]),
    scanOf('acme/merged', 'feature', [found('both', '2.0.0'), found('open'), found('accepted')]),
  ]);
  const { body } = await viewer.get<{ items: { id: string; title: string }[] }>(
    '/api/v1/acme/vulnerabilities?repo=acme%2Fmerged&include=package',
  );
  const accepted = body.items.find((item) => packageOf(item) === 'accepted');
  const decided = await admin.post('/manage/v1/acme/vulnerabilities/decisions', {
    action: 'accept',
    reason: 'Only there.',
    vulnerabilities: [{ id: accepted?.id }],
  });
  assert.equal(decided.status, 200, decided.text);
  const [both, all] = [
    ['pkg:npm/both@1.0.0'],
    ['pkg:npm/accepted@1.0.0', 'pkg:npm/both@2.0.0', 'pkg:npm/open@1.0.0'],
  ];
  assert.deepEqual(await purlsOf('repo=acme%2Fmerged'), both);
  assert.deepEqual(await purlsOf('repo=acme%2Fmerged&ref=feature'), all);
});

test('another default branch makes a newer version, with the package versions of that branch', async () => {
  const about = 'repo=acme%2Fmoved';
  await importAll(server, 'acme', [
    scanOf('acme/moved', 'main', [found('both')]),
    scanOf('acme/moved', 'next', [found('both', '2.0.0')]),
  ]);
  await server.owner.query(
    `update vulnerability set updated_at = now() - interval '1 hour'
      where repository_id = (select id from repository where full_name = 'acme/moved')`,
  );
  const before = await vex('openvex', about);
  assert.deepEqual(await purlsOf(about), ['pkg:npm/both@1.0.0']);
  const { body: known } = await viewer.get<{ items: { id: string }[] }>(
    '/api/v1/acme/repositories?q=acme%2Fmoved',
  );
  const moved = await admin.patch(`/manage/v1/acme/repositories/${known.items[0]?.id}`, {
    default_branch: 'next',
  });
  assert.equal(moved.status, 200, moved.text);
  const after = await vex('openvex', about);
  assert.deepEqual(await purlsOf(about), ['pkg:npm/both@2.0.0']);
  assert.ok(Number(after.version) > Number(before.version), `${after.version} after ${before.version}`);
});

test('a repository that was scanned on other references only is refused, also in an application', async () => {
  await importAll(server, 'acme', [scanOf('acme/tags', 'refs/tags/v1', [found('released')])]);
  const { body: known } = await viewer.get<{ items: { id: string; full_name: string }[] }>(
    '/api/v1/acme/repositories',
  );
  const { body: made } = await admin.post<{ id: string }>('/manage/v1/acme/applications', { name: 'Tags' });
  await admin.put(`/manage/v1/acme/applications/${made.id}/repositories`, {
    repositories: known.items.filter(({ full_name: name }) => name === 'acme/tags').map(({ id }) => id),
  });
  for (const about of ['repo=acme%2Ftags', 'application=Tags']) {
    const answer = await viewer.get(`/export/v1/acme/vex?format=openvex&${about}`);
    assert.equal(answer.status, 422, answer.text);
    assert.match(answer.text, /No tracked reference of acme\/tags has been scanned/);
  }
  assert.deepEqual(await purlsOf('repo=acme%2Ftags&ref=refs%2Ftags%2Fv1'), ['pkg:npm/released@1.0.0']);
});

test('a document about an application needs applications:read, because it shows its name and its repositories', async () => {
  const { key } = await createTestKey(server, {
    userId: people.viewer.user.id,
    role: 'viewer',
    scopes: ['vulnerabilities:read'],
  });
  const { get } = clientOf(server.app, key);
  assert.equal((await get('/export/v1/acme/vex?format=openvex&repo=acme%2Fshop')).status, 200);
  for (const name of ['Empty', 'None']) {
    const answer = await get(`/export/v1/acme/vex?format=csaf&application=${name}`);
    refused(answer, 403, 'TOKEN_ABILITY_DENIED');
    assert.match(String(answer.headers['www-authenticate']), /applications:read/);
  }
});

test('a document from which a fixed vulnerability is gone is a newer version', async () => {
  const about = 'repo=acme%2Ffixed';
  const [kept, gone] = ['pkg:npm/lib-a@1.0.0', 'pkg:npm/lib-b@1.0.0'];
  const report = (...purls: string[]) =>
    reportInput(bom(purls.map((purl) => ({ purl }))), { repository: 'acme/fixed' });
  await importAll(server, 'acme', [report(kept)]);
  await importAll(server, 'acme', [report(kept, gone)]);
  // A version is a second, and the last import is in the same one.
  await server.owner.query(
    `update vulnerability set updated_at = now() - interval '1 hour' where repository_id = (
       select id from repository where full_name = 'acme/fixed')`,
  );
  const before = await vex('openvex', about);
  assert.equal((before.statements as unknown[]).length, 2);
  await importAll(server, 'acme', [report(kept)]);
  for (const query of [about, `${about}&ref=main`]) {
    const after = await vex('openvex', query);
    assert.equal((after.statements as unknown[]).length, 1);
    assert.ok(Number(after.version) > Number(before.version), `${after.version} after ${before.version}`);
  }
});

test('a document stays as it is when the fixed vulnerability that has changed last is deleted', async () => {
  const report = (...names: string[]) =>
    reportInput(trivy(names.map((name, i) => ({ id: `CVE-2031-500${i}`, name, version: '1.0.0' }))), {
      repository: 'acme/pruned',
    });
  await importAll(server, 'acme', [report('stays', 'gone')]);
  await importAll(server, 'acme', [report('stays')]);
  for (const [i, days] of [3, 2].entries()) {
    await server.owner.query(
      `update vulnerability set updated_at = now() - interval '${days} days' where advisory = 'CVE-2031-500${i}'`,
    );
  }
  const documents = () =>
    Promise.all(['repo=acme%2Fpruned', 'repo=acme%2Fpruned&ref=main'].map((about) => vex('openvex', about)));
  const before = await documents();
  await forgetFixed(server.db, tenant.id, new Date(Date.now() - dayMs));
  assert.deepEqual(await documents(), before);
  const { rows } = await server.owner.query(
    `select title from vulnerability where repository_id = (select id from repository where full_name = 'acme/pruned')`,
  );
  assert.equal(rows.length, 1, 'one was deleted');
});

test('a decision about a package that is gone is in no document, and makes it a newer version', async () => {
  const about = 'repo=acme%2Fleft';
  const report = (...names: string[]) =>
    reportInput(trivy(names.map((name, i) => ({ id: `CVE-2031-400${i}`, name, version: '1.0.0' }))), {
      repository: 'acme/left',
    });
  await importAll(server, 'acme', [report('stays', 'accepted', 'denied')]);
  const { body } = await viewer.get<{ items: { id: string; title: string }[] }>(
    '/api/v1/acme/vulnerabilities?repo=acme%2Fleft&include=package',
  );
  for (const item of body.items) {
    const action = { stays: 'confirm', accepted: 'accept', denied: 'reject' }[packageOf(item)];
    const answer = await admin.post('/manage/v1/acme/vulnerabilities/decisions', {
      action,
      reason: 'We know it.',
      vulnerabilities: [{ id: item.id }],
    });
    assert.equal(answer.status, 200, answer.text);
  }
  const own = "repository_id = (select id from repository where full_name = 'acme/left')";
  for (const statement of [
    `update vulnerability set updated_at = now() - interval '1 hour' where ${own}`,
    `update vulnerability_event set at = now() - interval '1 hour'
      where vulnerability_id in (select id from vulnerability where ${own})`,
  ]) {
    await server.owner.query(statement);
  }
  const before = await vex('openvex', about);
  assert.equal((before.statements as unknown[]).length, 3);
  await importAll(server, 'acme', [report('stays')]);
  for (const format of ['openvex', 'csaf', 'cyclonedx'] as const) {
    const { statements } = readBack(await vex(format, about));
    assert.deepEqual(
      statements.map(({ package: named }) => named?.purl),
      ['pkg:npm/stays'],
      format,
    );
  }
  const after = await vex('openvex', about);
  assert.ok(Number(after.version) > Number(before.version), `${after.version} after ${before.version}`);
});

test('the reason of a decision that no longer holds is in no document', async () => {
  const report = trivy([{ id: 'CVE-2031-2000', name: 'no-fix', version: '1.0.0' }]);
  await importAll(server, 'acme', [reportInput(report, { repository: 'acme/withdrawn' })]);
  const { body } = await viewer.get<{ items: { id: string }[] }>(
    '/api/v1/acme/vulnerabilities?repo=acme%2Fwithdrawn',
  );
  for (const decision of [
    { action: 'confirm', reason: 'We have seen it.' },
    { action: 'accept', reason: 'Only inside.' },
    { action: 'reopen', reason: 'It is outside too.' },
  ]) {
    const answer = await admin.post('/manage/v1/acme/vulnerabilities/decisions', {
      ...decision,
      vulnerabilities: [{ id: body.items[0]?.id }],
    });
    assert.equal(answer.status, 200, answer.text);
  }
  const { statements } = await vex('openvex', 'repo=acme%2Fwithdrawn');
  const [first] = statements as { action_statement: string }[];
  assert.equal(first?.action_statement, 'No fix is known. We have seen it.');
});

test('the reason of a decision that was undone is in no document', async () => {
  const report = trivy([{ id: 'CVE-2031-2100', name: 'undone', version: '1.0.0' }]);
  await importAll(server, 'acme', [reportInput(report, { repository: 'acme/back' })]);
  const { body } = await viewer.get<{ items: { id: string }[] }>(
    '/api/v1/acme/vulnerabilities?repo=acme%2Fback',
  );
  const decide = async (reason: string) => {
    const answer = await admin.post<{ items: { status_version: string }[] }>(
      '/manage/v1/acme/vulnerabilities/decisions',
      { action: 'accept', reason, vulnerabilities: [{ id: body.items[0]?.id }] },
    );
    assert.equal(answer.status, 200, answer.text);
    return answer.body.items[0]?.status_version;
  };
  const statements = async () =>
    (await vex('openvex', 'repo=acme%2Fback')).statements as {
      action_statement: string;
      timestamp: string;
    }[];
  await decide('Only inside.');
  const before = await statements();
  const version = await decide('Meant for another one.');
  const undone = await admin.post('/manage/v1/acme/vulnerabilities/undo', {
    vulnerabilities: [{ id: body.items[0]?.id, status_version: version }],
  });
  assert.equal(undone.status, 200, undone.text);
  assert.match(before[0]?.action_statement ?? '', /Only inside/);
  assert.deepEqual(await statements(), before);
});

test('the reason of a document that decides again after an undo is that of the document', async () => {
  const repository = 'acme/stated';
  const document = {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    statements: [
      {
        vulnerability: { name: 'CVE-2031-2200' },
        products: [{ '@id': 'pkg:npm/stated@1.0.0' }],
        status: 'not_affected',
        impact_statement: 'It is built without it.',
      },
    ],
  };
  await importAll(server, 'acme', [
    reportInput(trivy([{ id: 'CVE-2031-2200', name: 'stated', version: '1.0.0' }]), { repository }),
    reportInput(document, { repository, category: 'vex' }),
  ]);
  const { body } = await viewer.get<{ items: { id: string }[] }>(
    '/api/v1/acme/vulnerabilities?repo=acme%2Fstated',
  );
  const before = await vex('openvex', 'repo=acme%2Fstated');
  assert.match(JSON.stringify(before.statements), /It is built without it/);
  const [id] = body.items.map((item) => item.id);
  const { body: decided } = await admin.post<{ items: { status_version: string }[] }>(
    '/manage/v1/acme/vulnerabilities/decisions',
    {
      action: 'reject',
      resolution: 'not_affected',
      reason: 'Meant for another one.',
      vulnerabilities: [{ id }],
    },
  );
  const undone = await admin.post('/manage/v1/acme/vulnerabilities/undo', {
    vulnerabilities: [{ id, status_version: decided.items[0]?.status_version }],
  });
  assert.equal(undone.status, 200, undone.text);
  assert.deepEqual((await vex('openvex', 'repo=acme%2Fstated')).statements, before.statements);
});

test('a package is not denied where another repository or location has the same vulnerability open', async () => {
  const found = [{ id: 'CVE-2031-3000', name: 'shared', version: '1.0.0' }];
  const inFolders = ['a', 'b'].flatMap((folder) =>
    found.map((one) => ({ ...one, path: `${folder}/package-lock.json` })),
  );
  await importAll(server, 'acme', [
    reportInput(trivy(found), { repository: 'acme/one' }),
    reportInput(trivy(found), { repository: 'acme/two' }),
    reportInput(trivy(inFolders), { repository: 'acme/folders' }),
  ]);
  const itemsOf = async (repo: string) => {
    const { body } = await viewer.get<{ items: { id: string }[] }>(
      `/api/v1/acme/vulnerabilities?repo=${encodeURIComponent(repo)}`,
    );
    return body.items;
  };
  const post = async <Body>(path: string, body: object): Promise<Body> => {
    const answer = await admin.post<Body>(`/manage/v1/acme/${path}`, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const deny = (id: string | undefined) =>
    post('vulnerabilities/decisions', {
      action: 'reject',
      resolution: 'not_affected',
      reason: 'Not reachable here.',
      vulnerabilities: [{ id }],
    });
  const [whole] = await itemsOf('acme/folders');
  const { body: places } = await viewer.get<{ items: { id: string; path: string }[] }>(
    `/api/v1/acme/vulnerabilities/${whole?.id}/locations`,
  );
  await post(`vulnerabilities/${whole?.id}/split`, {
    locations: [places.items.find(({ path }) => path.startsWith('b/'))?.id],
    reason: 'b is another product',
  });
  await deny(whole?.id);
  await deny((await itemsOf('acme/one'))[0]?.id);
  const application = await post<{ id: string }>('applications', { name: 'Shared' });
  const { body: known } = await viewer.get<{ items: { id: string; full_name: string }[] }>(
    '/api/v1/acme/repositories',
  );
  const both = known.items.filter(({ full_name: name }) => /one|two/.test(name)).map(({ id }) => id);
  const grouped = await admin.put(`/manage/v1/acme/applications/${application.id}/repositories`, {
    repositories: both,
  });
  assert.equal(grouped.status, 200, grouped.text);
  for (const [format, query, expected] of [
    ['openvex', 'repo=acme%2Ffolders', ['under_investigation']],
    ['csaf', 'repo=acme%2Ffolders', ['under_investigation']],
    ['cyclonedx', 'repo=acme%2Ffolders', ['under_investigation']],
    ['openvex', 'application=Shared', ['not_affected', 'under_investigation']],
    ['cyclonedx', 'application=Shared', ['under_investigation']],
  ] as const) {
    const { statements } = readBack(await vex(format, query));
    assert.deepEqual(statements.map(({ status }) => status).sort(), expected, `${format} ${query}`);
  }
});
