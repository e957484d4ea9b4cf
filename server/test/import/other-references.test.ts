/**
 * Tests of vulnerabilities that are on many references: a change on one of them, or by a person, is seen on all, and
 * each of them keeps its own status.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import { clientOf, succeeded } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { numberedPackages, trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
const acme = await createTestWorkspace(server, 'acme');
const client = clientOf(server.app, acme.people.admin.key);
const [first, second, quiet] = ['refs/pull/1/head', 'refs/pull/2/head', 'refs/pull/3/head'];
const references = ['main', first, second, quiet];
const report = (names: number[], ref: string, severity = 'MEDIUM') =>
  reportInput(
    trivy(names.flatMap((at) => numberedPackages(at, at + 1).map((row) => ({ ...row, severity })))),
    {
      ref,
    },
  );
await importAll(
  server,
  'acme',
  references.map((ref) => report([0, 1], ref)),
);
await server.owner.query(
  `update reference set last_scanned_at = now() - interval '31 days' where full_ref = $1`,
  [quiet],
);
await sweepTenant(server.db, acme.tenant.id, new Date(), 30);

interface Item {
  id: string;
  title: string;
  status: string;
  location: { reference: { ref: string } };
}
const list = async (query: string) =>
  succeeded(await client.get<{ items: Item[] }>(`/api/v1/acme/vulnerabilities?${query}`)).items;
const idOf = async (at: number): Promise<string> =>
  [...(await list('ref=main')), ...(await list(`ref=${first}`)), ...(await list(`ref=${second}`))].find(
    ({ title }) => title.startsWith(`lib-${at}:`),
  )?.id ?? assert.fail(`lib-${at}`);
/** The status of the vulnerability on each reference that shows it. */
async function statusOn(at: number): Promise<Record<string, string>> {
  const { references } = succeeded(
    await client.get<{ references: { ref: string; status: string }[] }>(
      `/api/v1/acme/vulnerabilities/${await idOf(at)}`,
    ),
  );
  return Object.fromEntries(references.map(({ ref, status }) => [ref, status]));
}
const onAll = (status: string) => Object.fromEntries(references.map((ref) => [ref, status]));

test('a decision of a person is seen on every reference, also on an inactive one', async () => {
  const decide = async (action: string) =>
    succeeded(
      await client.post('/manage/v1/acme/vulnerabilities/decisions', {
        action,
        reason: 'Looked at it.',
        vulnerabilities: [{ id: await idOf(0) }],
      }),
    );
  await decide('accept');
  assert.deepEqual(await statusOn(0), onAll('accepted'));
  for (const ref of references) assert.equal((await list(`ref=${ref}&state=accepted`)).length, 1, ref);
  await assertInvariants(server.owner);
  await decide('reopen');
  assert.deepEqual(await statusOn(0), onAll('open'));
  await assertInvariants(server.owner);
});

test('a severity that a report raises on one reference is that of the vulnerability on all', async () => {
  await importAll(server, 'acme', [report([0, 1], 'main', 'CRITICAL')]);
  for (const ref of references) assert.equal((await list(`ref=${ref}&severity=critical`)).length, 2, ref);
  await assertInvariants(server.owner);
});

test('a fix on one reference leaves the others as they are', async () => {
  await importAll(server, 'acme', [report([1], first)]);
  assert.deepEqual(await statusOn(0), { ...onAll('open'), [first]: 'fixed' });
  await importAll(server, 'acme', [report([1], 'main')]);
  assert.deepEqual(await statusOn(0), { ...onAll('open'), [first]: 'fixed', main: 'fixed' });
  await assertInvariants(server.owner);
});

test('a vulnerability that only pull requests have is open, and shows one that has it, until the last one closes it', async () => {
  await importAll(server, 'acme', [report([1, 5], first), report([1, 5], second)]);
  const id = await idOf(5);
  const shown = async () => {
    const row = succeeded(await client.get<Item>(`/api/v1/acme/vulnerabilities/${id}`));
    return [row.status, row.location.reference.ref];
  };
  const [, newest = ''] = await shown();
  const [closing, other] = newest === first ? [first, second] : [second, first];
  await importAll(server, 'acme', [report([1], closing)]);
  assert.deepEqual(await shown(), ['open', other]);
  await assertInvariants(server.owner);
  await importAll(server, 'acme', [report([1], other)]);
  assert.equal((await shown())[0], 'fixed');
  await assertInvariants(server.owner);
});

test('the detail shows the references that matter, then the newest ones, and the number of all', async () => {
  const id = await idOf(1);
  await server.owner.query(
    `with pulls as (
       insert into reference (tenant_id, id, repository_id, full_ref, type, active)
       select tenant_id, gen_random_uuid(), repository_id, 'refs/pull/' || n || '/head', 'pull_request', false
         from reference cross join generate_series(1001, 1300) n where is_default
       returning tenant_id, id, full_ref)
     insert into vulnerability_reference
     select r.tenant_id, r.vulnerability_id, p.id, r.location_id, r.introduced_at, r.first_seen_at + interval '1 hour',
            r.fixed_at, r.packed_state, false, p.full_ref
       from vulnerability_reference r join pulls p on p.tenant_id = r.tenant_id
      where r.full_ref = 'refs/heads/main'`,
  );
  const detail = succeeded(
    await client.get<{
      references: { ref: string }[];
      references_total: number;
      reporters: { ref: string }[];
    }>(`/api/v1/acme/vulnerabilities/${id}`),
  );
  assert.equal(detail.references.length, 200);
  assert.equal(detail.references_total, 304);
  assert.deepEqual(
    detail.references.slice(0, 3).map(({ ref }) => ref),
    ['main', first, second],
  );
  assert.deepEqual(new Set(detail.reporters.map(({ ref }) => ref)), new Set(['main', first, second]));
});
