/** Requests made from openapi.json: no failure of the server, no answer that is not documented, nobody else's data. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, clientOf } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { createTestServer } from '../support/server.ts';
import { signInAs } from '../support/session.ts';
import { codeReport, secretReport, trivyReport } from '../support/tool-reports.ts';
import {
  createTestWorkspace,
  createTestWorkspaceKey,
  reportInput,
  type TestWorkspace,
} from '../support/workspace.ts';
import { fuzzApi, operations } from './api-fuzz.ts';

const full = process.env.TEST_FULL === '1';
const seed = process.env.TEST_SEED ?? (full ? String(Date.now()) : '20260729');
const requestsOfOperation = full ? 500 : 20;
const seconds = Number(process.env.FUZZ_SECONDS ?? 3_600);
const foreignMarker = 'zebrafish';

const server = await createTestServer({ MERLON_UPLOADS_PER_MINUTE: '0' });
const own = await filledWorkspace('acme', 'lodash');
const other = await filledWorkspace('other', foreignMarker);

async function filledWorkspace(slug: string, word: string): Promise<TestWorkspace> {
  const workspace = await createTestWorkspace(server, slug);
  const code = [1, 2, 3].map((n) => ({
    rule: `rule-${n}`,
    title: `${word} ${n}`,
    path: `src/${word}.ts`,
    line: n,
    code: `${word}(${n})`,
  }));
  const repository = slug === 'acme' ? 'acme/shop' : `other/${word}`;
  await importAll(server, slug, [
    reportInput(trivyReport({ packages: [{ id: 'CVE-2030-1', package: word, severity: 'CRITICAL' }] }), {
      repository,
    }),
    reportInput(codeReport(code), { repository, ref: 'feature/x' }),
    reportInput(
      secretReport([{ rule: 'garden', title: word, path: `${word}.yml`, secret: 'gdn-not-a-real-token-1' }]),
      { repository },
    ),
  ]);
  return workspace;
}

/** Ids in the lists of a workspace, but those of people and keys, whose removal would end the requests. */
async function idsOf({ people }: TestWorkspace, slug: string): Promise<string[]> {
  const client = clientOf(server.app, people.admin.key);
  const paths = [
    'vulnerabilities',
    'repositories',
    'organizations',
    'scans',
    'references?repo=acme/shop',
    'tenants',
  ];
  const answers: Answer[] = await Promise.all(paths.map((path) => client.get(`/api/v1/${slug}/${path}`)));
  const found = answers.flatMap(({ text }) => text.match(/\b[a-z]+_[0-9a-hjkmnp-tv-z]{26}\b/g) ?? []);
  return [...new Set(found)].filter((id) => !/^(?:usr|pat|key|wsk)_/.test(id)).slice(0, 100);
}

test('every operation answers any request as openapi.json says', async (t) => {
  const { people, tenant } = own;
  const keyOf = (key: string) => ({ authorization: `Bearer ${key}` });
  const roles = (['admin', 'member', 'viewer'] as const).map((role) => ({
    name: role,
    headers: keyOf(people[role].key),
  }));
  const session = await signInAs(server, people.admin.user.id);
  const service = await createTestWorkspaceKey(server, tenant, 'admin');
  const callers = [
    ...roles,
    { name: 'session', headers: session.headers },
    { name: 'session', headers: session.headers },
    { name: 'workspace key', headers: keyOf(service.key) },
    { name: 'other', headers: keyOf(other.people.viewer.key) },
    { name: 'nobody', headers: {} },
    { name: 'nonsense', headers: keyOf(`mrl_pat_${'a'.repeat(46)}`) },
  ];
  const ids = [...(await idsOf(own, 'acme')), ...(await idsOf(other, 'other'))];
  assert.ok(ids.length > 20);
  const deadline = performance.now() + seconds * 1000;
  const totals = await fuzzApi({
    server,
    slug: 'acme',
    callers: callers.filter(({ name }) => name !== 'other'),
    foreignMarker,
    ids,
    seed,
    requestsOfOperation,
    deadline,
  });
  t.diagnostic(`seed ${seed}: ${JSON.stringify(totals)}`);
  assert.ok(totals.succeeded > 0.4 * operations.length, 'many operations succeed');
  await assertInvariants(server.owner);
});
