/**
 * Tests of pruning what old references have shown: rows of closed pull requests go, all that counts stays the same, and
 * the next scan of such a reference begins anew.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importTx } from '../../src/db/database.ts';
import { formatId, nilId, type RepositoryId } from '../../src/domain/ids.ts';
import { parseReference } from '../../src/domain/reference-name.ts';
import { lockRepository } from '../../src/inventory/repositories/lock.ts';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import { bom } from '../support/boms.ts';
import { clientOf, succeeded } from '../support/client.ts';
import { countsOf, importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { applyAndEvaluate, policyOf } from '../support/policies.ts';
import { createPruneServer } from '../support/prune.ts';
import { numberedPackages, sarif, trivy } from '../support/reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const { server, prune, numberOf } = await createPruneServer();
const acme = await createTestWorkspace(server, 'acme');
const client = clientOf(server.app, acme.people.admin.key);
const [closed, open] = ['refs/pull/1/head', 'refs/pull/2/head'];
const packages = bom([{ purl: 'pkg:npm/lib-0@1.0.0', license: 'MIT' }]);
const reportOf = (from: number, to: number, ref?: string) =>
  reportInput(trivy(numberedPackages(from, to)), ref === undefined ? {} : { ref });
await importAll(server, 'acme', [
  reportOf(0, 10),
  reportInput(packages),
  // Two that no other reference has.
  reportOf(5, 12, closed),
  reportInput(packages, { ref: closed }),
  reportOf(5, 11, open),
]);

interface Item {
  id: string;
  title: string;
  status: string;
}
const list = async (query: string) =>
  succeeded(await client.get<{ items: Item[] }>(`/api/v1/acme/vulnerabilities?${query}`)).items;
const all = [...(await list('ref=main')), ...(await list(`ref=${closed}`))];
const idOf = (name: string): string =>
  all.find(({ title }) => title.startsWith(`${name}:`))?.id ?? assert.fail(name);
const rowsOn = (table: string, ref: string) =>
  numberOf(`${table} where reference_id = (select id from reference where full_ref = '${ref}')`);
const observationsOn = (ref: string) =>
  numberOf(
    `location_observation where location_id in (select l.id from vulnerability_location l join reference f on f.id = l.reference_id where f.full_ref = '${ref}')`,
  );
/** Lets the time pass for the pull request, in days without a scan. */
async function age(ref: string, days: number): Promise<void> {
  await server.owner.query(
    `update reference set last_scanned_at = now() - make_interval(days => $2) where full_ref = $1`,
    [ref, days],
  );
  await sweepTenant(server.db, acme.tenant.id, new Date(), 20);
}

test('a pull request that is active keeps all, and so does one that has been inactive for a short time', async () => {
  await server.owner.query(
    `update reference set last_scanned_at = now() - interval '400 days' where full_ref = 'refs/heads/main'`,
  );
  assert.equal((await prune('REFERENCES')).references, 0);
  await age(closed, 29);
  assert.equal(await numberOf(`reference where full_ref = '${closed}' and active`), 0);
  assert.equal((await prune('REFERENCES')).references, 0);
  assert.equal(await rowsOn('vulnerability_location', closed), 7);
});

test('what an old pull request has shown is deleted, and everything that counts stays', async () => {
  await age(closed, 31);
  const scopes = ['', 'ref=main', `ref=${open}`];
  const before = await Promise.all(scopes.map(list));
  const stored = await numberOf('vulnerability_event');
  const zeroGroups = `open_group where critical + high + medium + low + info + unknown = 0`;
  // A package that was open on main and is nowhere any more.
  await server.owner.query(
    `insert into open_group select tenant_id, 'workspace', 'package', 'gone', 0, 0, 0, 0, 0, 0 from reference limit 1`,
  );
  assert.equal((await prune('REFERENCES')).references, 1);
  assert.deepEqual(await Promise.all(scopes.map(list)), before);
  assert.equal(await numberOf('vulnerability_event'), stored);
  assert.deepEqual(
    (await list(`ref=${closed}`)).map(({ id }) => id),
    [idOf('lib-11')],
    'the one that nothing else shows keeps its location; lib-10 is on the other pull request too',
  );
  for (const table of ['vulnerability_location', 'vulnerability_reference']) {
    assert.equal(await rowsOn(table, closed), 1, table);
    assert.equal(await rowsOn(table, open), 6, table);
  }
  assert.equal(await observationsOn(closed), 1);
  assert.equal(
    await numberOf(
      `vulnerability_reporter where series_id in (select s.id from scan_series s join reference f on f.id = s.reference_id where f.full_ref = '${closed}')`,
    ),
    1,
  );
  assert.equal(await rowsOn('manifest_package', closed), 0);
  assert.equal(await rowsOn('manifest_package', 'refs/heads/main'), 1);
  for (const zeros of ['vulnerability_count where count = 0', zeroGroups]) {
    assert.equal(await numberOf(zeros), 0, zeros);
  }
  await assertInvariants(server.owner, { isHistoryWhole: false });
  assert.equal((await prune('REFERENCES')).references, 0, 'it is emptied once');
});

test('old entries that a vulnerability was seen on a reference are deleted, and the rest of the history stays', async () => {
  const path = `/api/v1/acme/vulnerabilities/${idOf('lib-5')}`;
  succeeded(await client.patch(`${path}/assignment`, { assignee: acme.people.admin.user.email }));
  const history = async () =>
    succeeded(await client.get<{ history: { event: string }[] }>(path)).history.map(({ event }) => event);
  assert.deepEqual(await history(), ['assigned', 'seen_on_reference', 'seen_on_reference', 'opened']);
  await server.owner.query(
    `update vulnerability_event set at = now() - interval '31 days' where kind <> 'seen_on_reference' or data ->> 'ref' = $1`,
    [closed],
  );
  assert.equal((await prune('REFERENCES')).events, 5);
  assert.deepEqual(await history(), ['assigned', 'seen_on_reference', 'opened'], 'the other one is younger');
});

test('a vulnerability that only an emptied reference has is forgotten like a fixed one', async () => {
  await server.owner.query(`update vulnerability set updated_at = now() - interval '31 days'`);
  assert.equal((await prune('FIXED')).vulnerabilities, 1);
  assert.equal((await client.get(`/api/v1/acme/vulnerabilities/${idOf('lib-11')}`)).status, 404);
  await assertInvariants(server.owner, { isHistoryWhole: false });
});

test('the next scan of an emptied reference shows the same vulnerabilities again', async () => {
  const again = await importAll(server, 'acme', [
    reportOf(5, 12, closed),
    reportInput(packages, { ref: closed }),
  ]);
  assert.deepEqual(countsOf(again, 'new', 'unchanged'), [
    [1, 6],
    [0, 0],
  ]);
  const shown = (await list(`ref=${closed}`)).map(({ id }) => id);
  for (const name of ['lib-5', 'lib-10']) assert.ok(shown.includes(idOf(name)), name);
  assert.equal(shown.length, 7);
  assert.equal(await rowsOn('manifest_package', closed), 1);
  await assertInvariants(server.owner, { isHistoryWhole: false });
  await age(closed, 31);
  assert.equal((await prune('REFERENCES')).references, 1, 'it is emptied again');
});

const gateOf = async (query: string) =>
  succeeded(await client.get<{ verdict: string | null }>(`/api/v1/acme/gate?repo=acme/shop&${query}`))
    .verdict;

test('an emptied branch that becomes tracked has no verdict before its next scan, which the tools that stay away do not keep from it', async () => {
  await applyAndEvaluate(
    server,
    acme.tenant.id,
    policyOf('severe', `{fact: severity, operator: '>=', value: low}`),
  );
  const release = 'refs/heads/release-1';
  const code = sarif([{ rule: 'r', path: 'a.ts', line: 1 }]);
  await importAll(server, 'acme', [
    reportInput(code),
    reportOf(0, 10, release),
    reportInput(code, { ref: release }),
  ]);
  assert.equal(await gateOf('ref=release-1'), 'block');
  await age(release, 31);
  assert.equal(await rowsOn('violation_reference', release), 11);
  assert.equal((await prune('REFERENCES')).references, 1);
  assert.equal(await rowsOn('violation_reference', release), 0, 'the matches that have ended are deleted');
  assert.equal(await rowsOn('violation_reference', 'refs/heads/main'), 11);
  succeeded(await client.patch('/manage/v1/acme/settings', { tracked_branches: ['release-*'] }));
  await sweepTenant(server.db, acme.tenant.id, new Date(), 20);
  assert.equal(await gateOf('ref=release-1'), null);
  await importAll(server, 'acme', [reportInput(trivy([]), { ref: release, force: true })]);
  assert.equal(await gateOf('ref=release-1'), 'pass');
  await assertInvariants(server.owner, { isHistoryWhole: false });
});

test('matches that have ended are deleted on references that were emptied before, and stay on others', async () => {
  await importAll(server, 'acme', [reportOf(0, 10, closed), reportOf(0, 10, open)]);
  for (const ref of [closed, open]) await age(ref, 31);
  assert.equal(await rowsOn('violation_reference', closed), 10);
  await server.owner.query(
    `update reference set emptied_at = now() where full_ref = '${closed}';
     update reference set last_scanned_at = now() where full_ref = '${open}'`,
  );
  const kept = await rowsOn('violation_reference', open);
  assert.equal((await prune('REFERENCES')).references, 0);
  assert.equal(await rowsOn('violation_reference', closed), 0);
  assert.equal(await rowsOn('violation_reference', open), kept);
});

test('ended matches are deleted after an import of their reference, and stay if it has a scan again', async () => {
  await importAll(server, 'acme', [reportOf(0, 10, closed)]);
  await age(closed, 31);
  await server.owner.query(`update reference set emptied_at = now() where full_ref = $1`, [closed]);
  assert.equal(await rowsOn('violation_reference', closed), 10);
  let pruned: ReturnType<typeof prune> | undefined;
  await importTx(server.db, acme.tenant.id, async (tx) => {
    const [reference] = await tx.query<{ repository_id: RepositoryId }>(
      'select repository_id from reference where tenant_id = $1 and full_ref = $2',
      [tx.tenantId, closed],
    );
    await lockRepository(tx, reference?.repository_id ?? nilId);
    pruned = prune('REFERENCES');
    await Promise.race([pruned, untilLockWaits(server.owner)]);
    assert.equal(await rowsOn('violation_reference', closed), 10);
    await tx.query('update reference set emptied_at = null where tenant_id = $1 and full_ref = $2', [
      tx.tenantId,
      closed,
    ]);
  });
  await pruned;
  assert.equal(await rowsOn('violation_reference', closed), 10);
  assert.equal((await prune('REFERENCES')).references, 1);
  assert.equal(await rowsOn('violation_reference', closed), 0);
});

test('the base of an active pull request is not emptied', async () => {
  await importAll(server, 'acme', [
    reportOf(0, 3, 'develop'),
    reportInput(trivy(numberedPackages(0, 3)), {
      ref: 'refs/pull/9/head',
      baseRef: parseReference('develop'),
    }),
  ]);
  await age('refs/heads/develop', 31);
  assert.equal(await numberOf(`reference where full_ref = 'refs/heads/develop' and active`), 0);
  assert.equal((await prune('REFERENCES')).references, 0);
});

test('a pull request whose reports have all failed becomes inactive by its age, and then keeps no base', async () => {
  const [base, broken] = ['refs/heads/next', 'refs/pull/10/head'];
  const [scan, failed] = await importAll(server, 'acme', [
    reportOf(0, 3, base),
    reportInput('{"a": ', { ref: broken }),
  ]);
  assert.deepEqual([scan?.status, failed?.status], ['completed', 'failed']);
  const id = formatId('reference', failed?.reference_id ?? assert.fail());
  succeeded(await client.patch(`/manage/v1/acme/references/${id}`, { base_ref: 'next' }));
  await age(base, 31);
  assert.equal((await prune('REFERENCES')).references, 0);
  await server.owner.query(
    `update reference set created_at = now() - interval '21 days' where full_ref = '${broken}'`,
  );
  await age(base, 31);
  assert.equal(await numberOf(`reference where full_ref = '${broken}' and active`), 0);
  assert.equal((await prune('REFERENCES')).references, 1);
});
