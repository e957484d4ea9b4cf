/** Tests of the second spellings of parameters and values: the answer is the same for both. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, type Json } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { createTestServer } from '../support/server.ts';
import { codeReport, secretReport, trivyReport } from '../support/tool-reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
const { people } = await createTestWorkspace(server, 'acme');
const severities = ['CRITICAL', 'HIGH', 'LOW', 'MEDIUM'] as const;
const packages = Array.from({ length: 12 }, (_, i) => ({
  id: `CVE-2030-${1000 + i}`,
  package: `lib${i}`,
  severity: severities[i % 4] ?? 'LOW',
}));
const secrets = ['a', 'b'].map((name, i) => ({
  rule: 'garden',
  title: `token ${name}`,
  path: `${name}.yml`,
  secret: `gdn-not-a-real-token-${name}`,
  verified: i === 0,
}));
await importAll(server, 'acme', [
  reportInput(trivyReport({ packages })),
  reportInput(trivyReport({ packages: packages.slice(0, 2) }), { repository: 'acme/api' }),
  reportInput(secretReport(secrets)),
  reportInput(codeReport([{ rule: 'sqli', title: 'in code', path: 'src/db.ts', code: 'query(q)' }])),
]);
const client = clientOf(server.app, people.admin.key);
const base = '/api/v1/acme';
const list = `${base}/vulnerabilities`;

async function bodyOf(path: string): Promise<Json> {
  const { status, body, text } = await client.get(path);
  assert.equal(status, 200, `${path}: ${text}`);
  return body;
}

async function refusedOn(path: string): Promise<Record<string, string[]>> {
  const { status, body, text } = await client.get(path);
  assert.deepEqual([status, body.code], [422, 'VALIDATION_FAILED'], `${path}: ${text}`);
  return (body.details as { errors: Record<string, string[]> }).errors;
}

test('each second spelling gives the answer of the first, with its echo and its cursor', async () => {
  const pairs: [first: string, ...others: string[]][] = [
    ['per_page=3', 'limit=3', 'page_size=3', 'limit=3&per_page=3&page_size=3', 'limit=03&per_page=3'],
    [
      'severity=high,low&per_page=3',
      'severity[]=high&severity[]=low&limit=3',
      'severity[]=high,low&per_page=3',
    ],
    ['severity=high&per_page=1', 'severity%5B%5D=high&per_page=1'],
    ['severity=high,low&per_page=1', 'severity=high&severity[]=low&per_page=1'],
    ['severity=low,high,low&per_page=1', 'severity[]=low,high&per_page=1&severity=low'],
    ['type=secret,sast&per_page=1', 'type[]=secret&type[]=sast&per_page=1'],
    ['exploitable=yes', 'exploitable=true'],
    ['include=fix,due', 'include[]=fix&include[]=due'],
  ];
  for (const [first, ...others] of pairs) {
    const expected = await bodyOf(`${list}?${first}`);
    assert.ok((expected.items as Json[]).length > 0, first);
    for (const other of others) {
      assert.deepEqual(await bodyOf(`${list}?${other}`), expected, other);
      if (expected.next_cursor === null) continue;
      const next = `&cursor=${expected.next_cursor}`;
      assert.deepEqual(
        await bodyOf(`${list}?${other}${next}`),
        await bodyOf(`${list}?${first}${next}`),
        other,
      );
    }
  }
});

test('limit and page_size are per_page on every list of the document that has pages', async () => {
  const paths = [`${base}/organizations`, `${base}/repositories`, `${base}/scans`, `${base}/applications`];
  for (const path of ['/api/v1/tenants', ...paths]) {
    const first = await bodyOf(`${path}?per_page=1`);
    for (const name of ['limit', 'page_size']) {
      assert.deepEqual(await bodyOf(`${path}?${name}=1`), first, `${path} ${name}`);
    }
  }
  assert.equal(((await bodyOf(`${base}/repositories?limit=1`)).items as Json[]).length, 1);
});

test('two spellings of a single value with different values are refused, and so is a wrong value in the second', async () => {
  for (const [query, field] of [
    ['limit=3&per_page=4', 'per_page'],
    ['page_size=3&limit=4', 'per_page'],
  ] as const) {
    assert.match(String((await refusedOn(`${list}?${query}`))[field]), /two spellings/, query);
  }
  for (const query of ['limit=0', 'limit=201', 'limit=x', 'limit=1&limit=1', 'page_size=0']) {
    assert.deepEqual(Object.keys(await refusedOn(`${list}?${query}`)), ['per_page'], query);
  }
  for (const query of ['exploitable=no', 'exploitable=false', 'exploitable=TRUE', 'exploitable=toString']) {
    assert.deepEqual(Object.keys(await refusedOn(`${list}?${query}`)), ['exploitable'], query);
  }
  const { body } = await client.get(`${list}?severity[]=awful`);
  assert.deepEqual(body.details, { invalid_values: ['awful'] });
});

test('the second spelling of a parameter that the route does not have is refused as unknown', async () => {
  for (const [path, field] of [
    [`${list}?repo[]=acme/shop`, 'repo[]'],
    [`${list}?[]=1`, '[]'],
    [`${list}/facets?limit=3`, 'limit'],
    [`${list}/facets?page_size=3`, 'page_size'],
    [`${base}/whoami?limit=3`, 'limit'],
    [`${list}?severity[0]=high`, 'severity[0]'],
  ] as const) {
    assert.match(String((await refusedOn(path))[field]), /Unknown parameter/, path);
  }
});
