/** Tests of corrections by people: split, merge, release held closures, retire series. Later scans respect them. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { tenantTx } from '../../src/db/database.ts';
import { formatId, parseId } from '../../src/domain/ids.ts';
import { clientOf, send, succeeded } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { type CodeResult, type PackageResult, sarif, trivy } from '../support/reports.ts';
import { grype, osvScanner } from '../support/scanner-reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestKey, createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
afterEach(() => assertInvariants(server.owner));
const { people, tenant } = await createTestWorkspace(server, 'acme');
const admin = clientOf(server.app, people.admin.key);
const member = clientOf(server.app, people.member.key);
const base = '/manage/v1/acme';
const authorization = `Bearer ${people.admin.key}`;
const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));
const lodash: PackageResult = { id: 'CVE-2020-8203', name: 'lodash', version: '4.17.15' };

async function import_(repository: string, report: unknown, n: number, ref = 'main') {
  const [scan] = await importAll(server, 'acme', [
    reportInput(report, { repository, scannedAt: day(n), ref }),
  ]);
  assert.equal(scan?.error, null);
  return scan?.counts;
}

/** Open locations by vulnerability: `id → [ref path]`, oldest vulnerability first. */
async function places(repository: string): Promise<Map<string, string[]>> {
  const { rows } = await server.owner.query(
    `select v.id, array_agg(replace(f.full_ref, 'refs/heads/', '') || ' ' || l.path order by f.full_ref, l.path)
              filter (where l.fixed_at is null) as open
       from vulnerability v join repository r on r.id = v.repository_id
       join vulnerability_location l on l.vulnerability_id = v.id join reference f on f.id = l.reference_id
      where r.full_name = $1 group by v.id order by v.id`,
    [repository],
  );
  return new Map(rows.map((row) => [formatId('vulnerability', row.id), row.open ?? []]));
}

/** Returns the newest audit entry about a series, without the id of the series. */
async function auditOf(action: string): Promise<Record<string, unknown>> {
  const { rows } = await server.owner.query(
    `select data - '{tool,category,repository}'::text[] as data from audit_event where action = $1 order by id desc limit 1`,
    [action],
  );
  return rows[0]?.data;
}

async function locationOf(repository: string, path: string): Promise<string> {
  const { rows } = await server.owner.query(
    `select l.id from vulnerability_location l join repository r on r.id = l.repository_id
      where r.full_name = $1 and l.path = $2 order by l.id limit 1`,
    [repository, path],
  );
  return formatId('location', rows[0].id);
}

const openPlaces = async (repository: string) => [...(await places(repository)).values()];

const merge = (by: typeof admin, into: string, other: string) =>
  by.post(`${base}/vulnerabilities/${into}/merge`, { others: [other], reason: 'same' });

/** Makes the location another vulnerability, and returns its id. */
async function split(id: string, location: string): Promise<unknown> {
  const body = { locations: [location], reason: 'It is another product.' };
  const answer = succeeded(await admin.post(`${base}/vulnerabilities/${id}/split`, body));
  return answer.id;
}

test('a split package stays split in later reports, on other branches and at a higher version', async () => {
  const repository = 'acme/split';
  const both = (version: string) =>
    trivy([
      { ...lodash, version, path: 'a/package-lock.json' },
      { ...lodash, version, path: 'b/package-lock.json' },
    ]);
  await import_(repository, both('4.17.15'), 1);
  const [id = ''] = [...(await places(repository)).keys()];
  const apartId = await split(id, await locationOf(repository, 'b/package-lock.json'));
  await import_(repository, both('4.17.15'), 2);
  await import_(repository, both('4.17.16'), 3);
  await import_(repository, both('4.17.16'), 4, 'feature');
  assert.deepEqual(await openPlaces(repository), [
    ['feature a/package-lock.json', 'main a/package-lock.json'],
    ['feature b/package-lock.json', 'main b/package-lock.json'],
  ]);
  const detail = await admin.get(`/api/v1/acme/vulnerabilities/${apartId}`);
  assert.deepEqual(
    (detail.body.history as { event: string }[])
      .map((event) => event.event)
      .filter((kind) => kind === 'split'),
    ['split'],
  );
});

test('a split stays when its advisory gets another name', async () => {
  const repository = 'acme/split-named';
  const ghsa = 'GHSA-p6mc-m468-83gw';
  const rows = ['a', 'b'].map((folder) => ({
    id: ghsa,
    package: 'lodash',
    version: '4.17.15',
    path: `${folder}/package-lock.json`,
  }));
  await import_(repository, osvScanner(rows), 1);
  const [id = ''] = [...(await places(repository)).keys()];
  await split(id, await locationOf(repository, 'b/package-lock.json'));
  const apart = [['main a/package-lock.json'], ['main b/package-lock.json']];
  // A report of another repository teaches the meaning of the name. The next report of this repository applies it.
  await import_('acme/teaches', grype([{ id: ghsa, aliases: [lodash.id], package: 'x', version: '1' }]), 2);
  await import_(repository, osvScanner(rows), 3);
  assert.deepEqual(await openPlaces(repository), apart);
  for (const each of (await places(repository)).keys()) {
    const { body } = await admin.get(`/api/v1/acme/vulnerabilities/${each}`);
    assert.deepEqual([body.identifiers, body.rule], [[lodash.id, ghsa], ghsa]);
  }
  // A tool that knows only the CVE finds both.
  const both = rows.map(({ path }) => ({ ...lodash, path }));
  await import_(repository, trivy(both), 4);
  assert.deepEqual(await openPlaces(repository), apart);
});

test('two splits of one file stay two when their advisories turn out to be the same', async () => {
  const repository = 'acme/split-twice';
  const names = ['GHSA-2222-3333-4444', 'GHSA-2222-3333-5555'];
  const rows = names.flatMap((id) =>
    ['a', 'b'].map((folder) => ({
      id,
      package: 'lodash',
      version: '4.17.15',
      path: `${folder}/package-lock.json`,
    })),
  );
  await import_(repository, osvScanner(rows), 1);
  for (const [id, open] of await places(repository)) {
    assert.equal(open.length, 2);
    const { rows: found } = await server.owner.query(
      `select id from vulnerability_location where vulnerability_id = $1 and path like 'b/%'`,
      [parseId('vulnerability', id)],
    );
    await split(id, formatId('location', found[0].id));
  }
  const teaching = names.map((id) => ({ id, aliases: ['CVE-2019-10744'], package: 'x', version: '1' }));
  await import_('acme/teaches-both', grype(teaching), 2);
  await import_(repository, osvScanner(rows), 3);
  const open = (await openPlaces(repository)).flat().sort();
  assert.deepEqual(open, [
    'main a/package-lock.json',
    'main b/package-lock.json',
    'main b/package-lock.json',
  ]);
});

test('a split must leave a location and may name only locations of the vulnerability', async () => {
  const repository = 'acme/split-all';
  await import_(repository, trivy([lodash]), 1);
  const [id = ''] = [...(await places(repository)).keys()];
  const splitOff = (locations: string[]) =>
    admin.post(`${base}/vulnerabilities/${id}/split`, { locations, reason: 'x' });
  assert.equal((await splitOff([await locationOf(repository, 'package-lock.json')])).status, 422);
  assert.equal((await splitOff([await locationOf('acme/split', 'a/package-lock.json')])).status, 404);
  assert.equal((await splitOff(['loc_nonsense'])).status, 404);
});

test('code that was split stays split when its line and its code change', async () => {
  const repository = 'acme/split-code';
  const at = (path: string, line: number, code: string): CodeResult => ({ rule: 'sql', path, line, code });
  await import_(repository, sarif([at('a.ts', 10, 'query(x)'), at('b.ts', 10, 'query(y)')]), 1);
  const [first = '', second = ''] = [...(await places(repository)).keys()];
  succeeded(await merge(admin, first, second));
  await import_(repository, sarif([at('a.ts', 12, 'query(x)'), at('b.ts', 14, 'query(y, z)')]), 2);
  assert.deepEqual(await openPlaces(repository), [['main a.ts', 'main b.ts']]);
  await assertInvariants(server.owner);
  await split(first, await locationOf(repository, 'b.ts'));
  await import_(repository, sarif([at('a.ts', 12, 'query(x)'), at('b.ts', 20, 'query(y, z)')]), 3);
  await import_(repository, sarif([at('a.ts', 12, 'query(x)'), at('b.ts', 21, 'query(y, z, 1)')]), 4);
  assert.deepEqual(await openPlaces(repository), [['main a.ts'], ['main b.ts']]);
});

test('a merge keeps the decision, the history and the old id', async () => {
  const repository = 'acme/merge';
  await import_(repository, trivy([lodash, { ...lodash, id: 'CVE-2020-0002' }]), 1);
  const [first = '', second = ''] = [...(await places(repository)).keys()];
  await admin.post(`${base}/vulnerabilities/decisions`, {
    action: 'reject',
    reason: 'not reachable',
    vulnerabilities: [{ id: second }],
  });
  const refused = await merge(member, first, second);
  assert.equal(refused.status, 403);
  succeeded(await merge(admin, first, second));
  for (const id of [first, second]) {
    const { body } = await admin.get(`/api/v1/acme/vulnerabilities/${id}`);
    assert.equal(body.id, first);
    assert.equal(body.status, 'rejected');
    const events = (body.history as { event: string }[]).map((event) => event.event);
    assert.deepEqual(events.filter((kind) => kind === 'opened').length, 2);
    assert.ok(events.includes('merged') && events.includes('rejected'));
  }
  assert.deepEqual(await import_(repository, trivy([lodash, { ...lodash, id: 'CVE-2020-0002' }]), 2), {
    read: 2,
    new: 0,
    unchanged: 1,
    reopened: 0,
    fixed: 0,
    suppressed: 0,
    unreadable: 0,
    closing_held: 0,
  });
  await import_(repository, trivy([{ ...lodash, id: 'CVE-2020-0002' }]), 3, 'feature');
  assert.equal((await places(repository)).size, 1);
  const elsewhere = await merge(admin, first, [...(await places('acme/split')).keys()][0] ?? '');
  assert.equal(elsewhere.status, 422);
});

test('a merge needs one kind: a package, a secret and code cannot be merged', async () => {
  const repository = 'acme/kinds';
  await import_(repository, trivy([lodash]), 1);
  await import_(repository, sarif([{ rule: 'sql', path: 'a.ts', line: 1, code: 'query(x)' }]), 1);
  const [dependency = '', code = ''] = [...(await places(repository)).keys()];
  const refused = await merge(admin, code, dependency);
  assert.equal(refused.status, 422, refused.text);
  assert.deepEqual(Object.keys(refused.body.errors as object), ['others']);
  assert.equal((await places(repository)).size, 2);
});

test('crossing merges and splits run one after the other, and each answer shows the result', async () => {
  const repository = 'acme/crossing';
  const advisories = Array.from({ length: 6 }, (_, n) => `CVE-2023-${40_000 + n}`);
  await import_(repository, trivy(advisories.flatMap(inTwoFiles)), 1);
  const known = [...(await places(repository)).keys()];
  const answers = await whileLocked(
    repository,
    known.map((id, i) => () => merge(admin, id, known[(i + 1) % known.length] ?? '')),
  );
  assert.deepEqual(
    fieldOf(answers, 'status'),
    known.map(() => 200),
  );
  const [left = '', ...others] = (await places(repository)).keys();
  assert.deepEqual(others, []);
  for (const id of known) {
    const { body } = await admin.get(`/api/v1/acme/vulnerabilities/${id}`);
    assert.equal(body.id, left);
  }
});

test('a split that waits for the merge of its vulnerability splits the survivor', async () => {
  const repository = 'acme/crossing-split';
  await import_(repository, trivy(['CVE-2023-50001', 'CVE-2023-50002'].flatMap(inTwoFiles)), 1);
  const [first = '', second = ''] = [...(await places(repository)).keys()];
  const location = await locationOf(repository, 'b/package-lock.json');
  const answers = await whileLocked(repository, [
    () => merge(admin, first, second),
    () => admin.post(`${base}/vulnerabilities/${second}/split`, { locations: [location], reason: 'another' }),
  ]);
  assert.deepEqual(fieldOf(answers, 'status'), [200, 200]);
  assert.equal((await places(repository)).size, 2);
});

const inTwoFiles = (id: string): PackageResult[] => [
  { ...lodash, id, path: 'a/package-lock.json' },
  { ...lodash, id, path: 'b/package-lock.json' },
];

// A workspace has two connections for such work at a time. Its further requests wait in a queue.
const share = 2;

/**
 * Starts each when the earlier ones wait. The first two wait for the repository, which is locked until all have
 * started and `meanwhile` has ended.
 */
async function whileLocked<T>(
  repository: string,
  begin: (() => Promise<T>)[],
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<T[]> {
  const begun: Promise<T>[] = [];
  await tenantTx(server.db, tenant.id, async (tx) => {
    await tx.query('select 1 from repository where tenant_id = $1 and full_name = $2 for no key update', [
      tx.tenantId,
      repository,
    ]);
    for (const each of begin) {
      begun.push(each());
      await untilLockWaits(server.owner, Math.min(begun.length, share));
    }
    await meanwhile();
  });
  return Promise.all(begun);
}

const many = Array.from({ length: 30 }, (_, n) => ({ ...lodash, id: `CVE-2022-${10_000 + n}` }));

async function seriesOf(repository: string) {
  const { body } = await admin.get(`${base}/scan-series?repo=${repository}`);
  return body.items as {
    id: string;
    stale: boolean;
    last_scan_id: string | null;
    retired_at: string | null;
    held: { scan_id: string; vulnerabilities: number } | null;
  }[];
}

test('a held closure is released by an admin', async () => {
  const repository = 'acme/held';
  await import_(repository, trivy(many), 1);
  const counts = await import_(repository, trivy(many.slice(0, 2)), 2);
  assert.deepEqual([counts?.fixed, counts?.closing_held], [0, 28]);
  const [series] = await seriesOf(repository);
  assert.equal(series?.held?.vulnerabilities, 28);
  // A partial report closes and holds nothing. The closing of the other scan stays held, but for what this one shows.
  await importAll(server, 'acme', [
    reportInput(trivy(many.slice(0, 3)), { repository, scannedAt: day(3), partial: true }),
  ]);
  assert.deepEqual((await seriesOf(repository))[0]?.held, { ...series?.held, vulnerabilities: 27 });
  const path = `${base}/scan-series/${series?.id}/held-closure`;
  const release = { action: 'release', scan_id: series?.held?.scan_id, reason: 'They are gone.' };
  assert.equal((await member.post(path, release)).status, 403);
  assert.deepEqual((await admin.post(path, release)).body, { fixed: 27 });
  assert.deepEqual(await auditOf('series.release'), { fixed: 27, reason: 'They are gone.' });
  assert.deepEqual((await admin.post(path, release)).body, { fixed: 0 });
  assert.equal((await seriesOf(repository))[0]?.held, null);
  await assertInvariants(server.owner);
  const after = await import_(repository, trivy(many.slice(0, 2)), 4);
  assert.deepEqual([after?.unchanged, after?.fixed, after?.closing_held], [2, 1, 0]);
});

test('a decision about a held closure is refused with 409 for any scan_id but that of the scan that holds one by now', async () => {
  const repository = 'acme/held-again';
  await import_(repository, trivy(many), 1);
  await import_(repository, trivy(many.slice(0, 5)), 2);
  const [reviewed] = await seriesOf(repository);
  await import_(repository, trivy([]), 3);
  const path = `${base}/scan-series/${reviewed?.id}/held-closure`;
  for (const action of ['release', 'discard']) {
    for (const scan_id of [reviewed?.held?.scan_id, reviewed?.id, 'latest']) {
      const { status, body } = await admin.post(path, { action, scan_id });
      assert.deepEqual([status, body.code], [409, 'INVALID_TRANSITION']);
    }
  }
  const [present] = await seriesOf(repository);
  assert.equal(present?.held?.vulnerabilities, 30);
  const release = { action: 'release', scan_id: present.held.scan_id };
  assert.deepEqual((await admin.post(path, release)).body, { fixed: 30 });
});

test('an action that has waited for an import is refused if its key was revoked meanwhile', async () => {
  const repository = 'acme/revoked';
  await import_(repository, trivy(many), 1);
  await import_(repository, trivy([]), 2);
  const [series] = await seriesOf(repository);
  const [first = '', second = ''] = (await places(repository)).keys();
  const { id, key } = await createTestKey(server, {
    userId: people.admin.user.id,
    role: 'admin',
    scopes: ['scans:write', 'vulnerabilities:write'],
  });
  const revoked = clientOf(server.app, key);
  const ofSeries = `${base}/scan-series/${series?.id}`;
  const location = await locationOf(repository, 'package-lock.json');
  const answers = await whileLocked(
    repository,
    [
      () => revoked.post(`${ofSeries}/held-closure`, { action: 'release', scan_id: series?.held?.scan_id }),
      () => revoked.post(`${ofSeries}/retire`, {}),
      () => merge(revoked, first, second),
      () =>
        revoked.post(`${base}/vulnerabilities/${first}/split`, { locations: [location], reason: 'another' }),
    ],
    async () => {
      await server.owner.query('update api_key set disabled_at = now() where id = $1', [id]);
      // The server remembers a key for less than a second.
      await sleep(1_000);
    },
  );
  assert.deepEqual(fieldOf(answers, 'status'), [401, 401, 401, 401]);
  assert.deepEqual(await seriesOf(repository), [series]);
  assert.equal((await places(repository)).size, many.length);
});

test('a discarded held closure keeps the vulnerabilities open, and is held again the next time', async () => {
  const repository = 'acme/discarded';
  await import_(repository, trivy(many), 1);
  await import_(repository, trivy([]), 2);
  const [series] = await seriesOf(repository);
  const path = `${base}/scan-series/${series?.id}/held-closure`;
  const discard = { action: 'discard', scan_id: series?.held?.scan_id };
  assert.deepEqual((await admin.post(path, discard)).body, { fixed: 0 });
  assert.deepEqual(await auditOf('series.discard'), { fixed: 0 });
  const again = await import_(repository, trivy([]), 3);
  assert.deepEqual([again?.fixed, again?.closing_held], [0, 30]);
  const back = await import_(repository, trivy(many), 4);
  assert.deepEqual([back?.unchanged, back?.closing_held], [30, 0]);
  assert.equal((await seriesOf(repository))[0]?.held, null);
});

test('a discard is refused if the next scan has confirmed the closure meanwhile', async () => {
  const repository = 'acme/discarded-late';
  await import_(repository, trivy(many), 1);
  await import_(repository, trivy([]), 2);
  const [series] = await seriesOf(repository);
  const confirming = await import_(repository, trivy([]), 3);
  assert.equal(confirming?.fixed, 30);
  const path = `${base}/scan-series/${series?.id}/held-closure`;
  const refused = await admin.post(path, { action: 'discard', scan_id: series?.held?.scan_id });
  assert.deepEqual([refused.status, refused.body.code], [409, 'INVALID_TRANSITION']);
});

test('the retirement of a series is refused if it has a newer scan than the one that was seen', async () => {
  const repository = 'acme/retired-late';
  await import_(repository, trivy([lodash]), 1);
  const [seen] = await seriesOf(repository);
  await import_(repository, trivy([lodash]), 2);
  const path = `${base}/scan-series/${seen?.id}/retire`;
  for (const last_scan_id of [seen?.last_scan_id, null]) {
    const refused = await admin.post(path, { last_scan_id });
    assert.deepEqual([refused.status, refused.body.code], [409, 'INVALID_TRANSITION']);
  }
  const [present] = await seriesOf(repository);
  assert.equal(present?.retired_at, null);
  assert.deepEqual((await admin.post(path, { last_scan_id: present?.last_scan_id })).body, { fixed: 1 });
});

test('a retired series closes the vulnerabilities that only it saw, and a later report reopens them', async () => {
  const repository = 'acme/retired';
  await import_(repository, trivy([lodash]), 1);
  await import_(repository, sarif([{ rule: 'sql', path: 'a.ts', line: 1, code: 'query(x)' }]), 1);
  const trivySeries = (await seriesOf(repository))[0];
  assert.equal(trivySeries?.stale, true);
  const path = `${base}/scan-series/${trivySeries?.id}/retire`;
  const refused = await send(server.app, { method: 'POST', path, authorization, body: 'null' });
  assert.equal(refused.status, 422, 'null is not the absence of a body');
  assert.deepEqual((await admin.post(path, { reason: 'No longer run.' })).body, { fixed: 1 });
  assert.deepEqual(await auditOf('series.retire'), { fixed: 1, reason: 'No longer run.' });
  assert.notEqual((await seriesOf(repository))[0]?.retired_at, null);
  assert.deepEqual(await openPlaces(repository), [[], ['main a.ts']]);
  const counts = await import_(repository, trivy([lodash]), 2);
  assert.equal(counts?.reopened, 1);
  assert.equal((await seriesOf(repository))[0]?.retired_at, null);
  const bare = await send(server.app, { method: 'POST', path, authorization });
  assert.deepEqual([bare.status, bare.body], [200, { fixed: 1 }], bare.text);
  assert.deepEqual(await auditOf('series.retire'), { fixed: 1 });
});
