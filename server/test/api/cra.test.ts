/**
 * Tests of the Cyber Resilience Act: which vulnerabilities of which products are listed, the clocks of each step, what
 * people record, and the documents.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { reEvaluateIntel } from '../../src/actions/intel/re-evaluate.ts';
import { clientOf, type Json, type Schemas, succeeded } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { markKevLoaded } from '../support/kev.ts';
import { trivy } from '../support/reports.ts';
import { osvScanner } from '../support/scanner-reports.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs } from '../support/session.ts';
import { createTestKey, createTestWorkspace, reportInput } from '../support/workspace.ts';

type Notification = Schemas['CraNotification'];

const hour = 3_600_000;
const now = Math.floor(Date.now() / 1000) * 1000;
const at = (hoursAgo: number): string => `${new Date(now - hoursAgo * hour).toISOString().slice(0, 19)}Z`;
const cves = ['CVE-2031-1001', 'CVE-2031-1002', 'CVE-2031-1003'] as const;
const [exploited, second, harmless] = cves;

const server = await createTestServer();
const acme = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'other');
const client = clientOf(server.app, acme.people.viewer.key);
const foreign = clientOf(server.app, other.people.viewer.key);
await server.owner.query(
  `insert into kev (cve, added_on, vendor, product, name, ransomware)
   select v, '2026-01-01', 'Apache', 'Struts', '<b>Injection</b>', true from unnest($1::text[]) v`,
  [[exploited, second]],
);
const found = (id: string, name: string) => ({
  id,
  name,
  version: '1.0.0',
  fixed: '1.0.1',
  severity: 'HIGH',
});
const report = (repository: string, ids: readonly string[], hoursAgo: number, ref = 'main') => {
  const content = trivy(ids.map((id, i) => found(id, `library-${i}`)));
  for (const row of content.Results.flatMap(({ Vulnerabilities: rows }) => rows))
    Object.assign(row, { CweIDs: ['CWE-79', 'CWE-89'] });
  return reportInput(content, { repository, ref, scannedAt: new Date(now - hoursAgo * hour) });
};
await importAll(server, 'acme', [
  report('acme/shop', [exploited, harmless], 30),
  report('acme/api', [exploited], 20),
  report('acme/internal', [exploited, second], 20),
]);
await importAll(server, 'other', [report('other/theirs', cves, 20)]);

let admin: SessionClient;
let shop: string;

before(async () => {
  admin = await signInAs(server, acme.people.admin.user.id);
  shop = await product('Shop <b>', ['acme/shop', 'acme/api']);
});

async function product(name: string, repositories: string[], client = admin, slug = 'acme'): Promise<string> {
  const base = `/manage/v1/${slug}/applications`;
  const made = await client.post<{ id: string }>(base, { name, product: true });
  assert.equal(made.status, 201, made.text);
  const listed = await client.get<{ items: { id: string; full_name: string }[] }>(
    `/console/api/v1/${slug}/repositories`,
  );
  const ids = listed.body.items.filter((one) => repositories.includes(one.full_name)).map(({ id }) => id);
  assert.equal(ids.length, repositories.length);
  const grouped = await client.put(`${base}/${made.body.id}/repositories`, { repositories: ids });
  assert.equal(grouped.status, 200, grouped.text);
  return made.body.id;
}

async function list(query = '', of = client, slug = 'acme'): Promise<Notification[]> {
  const answer = await of.get<{ items: Notification[] }>(`/api/v1/${slug}/cra-notifications${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.items;
}

const pathOf = (application: string, cve: string, slug = 'acme') =>
  `/manage/v1/${slug}/applications/${application}/cra-notifications/${cve}`;
const record = (cve: string, body: Json) => admin.patch<Notification>(pathOf(shop, cve), body as object);

test('a product has each of its CVEs that CISA lists once, since the first finding, with the clocks of 24 and 72 hours', async () => {
  assert.deepEqual(await list(), [
    {
      application: { id: shop, name: 'Shop <b>' },
      cve: exploited,
      title: `library-0: ${exploited}`,
      severity: 'high',
      known_at: at(30),
      repositories: 2,
      present_repositories: 2,
      state: 'overdue',
      aware_at: at(30),
      early_warning: { due_at: at(6), sent_at: null, state: 'overdue' },
      notification: { due_at: at(-42), sent_at: null, state: 'due' },
      measure_at: null,
      final_report: { due_at: null, sent_at: null, state: 'waiting' },
      not_reportable_reason: null,
      version: 0,
      changed_by: null,
      changed_at: null,
    },
  ]);
});

test('the list says whether the catalogue is loaded and whether an application is a product', async () => {
  const stateOf = async (of: typeof client, slug: string) => {
    const { body } = await of.get<Schemas['CraNotificationPage']>(`/api/v1/${slug}/cra-notifications`);
    return [body.kev_loaded, body.has_products];
  };
  assert.deepEqual(await stateOf(client, 'acme'), [false, true]);
  await markKevLoaded(server);
  assert.deepEqual(await stateOf(client, 'acme'), [true, true]);
  assert.deepEqual(await stateOf(foreign, 'other'), [true, false]);
});

test('another workspace, and an application that is no product, have no row', async () => {
  const theirs = await signInAs(server, other.people.admin.user.id);
  assert.deepEqual(await list('', foreign, 'other'), []);
  const plain = await theirs.post<{ id: string; is_product: boolean }>('/manage/v1/other/applications', {
    name: 'Plain',
  });
  assert.equal(plain.body.is_product, false);
  const own = await theirs.patch(pathOf(plain.body.id, exploited, 'other'), { version: 0, aware_at: at(1) });
  assert.equal(own.status, 409, own.text);
  const refused = await admin.patch(pathOf(plain.body.id, exploited), { version: 0, aware_at: at(1) });
  assert.equal(refused.status, 404, refused.text);
  assert.equal((await client.get(`/api/v1/acme/cra-notifications?application=${plain.body.id}`)).status, 404);
  const document = `application=${shop}&cve=${exploited}&step=notification`;
  assert.equal((await foreign.get(`/export/v1/other/cra-document?${document}`)).status, 404);
});

test('recorded steps stop their clocks, and the fourteen days begin with the measure', async () => {
  const [before] = await list();
  const sent = await record(exploited, {
    version: before?.version,
    early_warning_at: at(8),
    measure_at: at(2),
  });
  assert.equal(sent.status, 200, sent.text);
  assert.equal(sent.body.state, 'open');
  assert.deepEqual(sent.body.early_warning, { due_at: at(6), sent_at: at(8), state: 'sent' });
  assert.deepEqual(sent.body.final_report, { due_at: at(2 - 14 * 24), sent_at: null, state: 'due' });
  assert.equal(sent.body.aware_at, at(30));
  assert.equal(sent.body.version, 1);
  assert.notEqual(sent.body.changed_by, null);

  const old = await record(exploited, { version: 0, notification_at: at(1) });
  assert.equal(old.status, 409, old.text);
  assert.match(old.text, /Another person has recorded a step/);

  const done = await record(exploited, { version: 1, notification_at: at(1), final_report_at: at(0) });
  assert.equal(done.body.state, 'complete', done.text);
  assert.deepEqual(await list('?state=open'), []);
  assert.deepEqual(fieldOf(await list('?state=complete'), 'cve'), [exploited]);

  const { rows } = await server.owner.query(
    `select data->>'cve' as cve, data->'to'->>'final_report_at' as final from audit_event
      where action = 'application.cra_notification' order by id desc limit 1`,
  );
  assert.deepEqual(rows, [{ cve: exploited, final: new Date(now).toISOString() }]);
});

test('a fix does not end the duty to report, and a rejection of the finding does', async () => {
  const sold = await product('Sold', ['acme/internal']);
  const ofSold = async () => (await list(`?application=${sold}`)).map(({ cve, state }) => [cve, state]);
  assert.deepEqual(await ofSold(), [
    [exploited, 'open'],
    [second, 'open'],
  ]);
  await importAll(server, 'acme', [report('acme/internal', [exploited], 1)]);
  assert.deepEqual(await ofSold(), [
    [exploited, 'open'],
    [second, 'open'],
  ]);
  const listed = await client.get<{ items: { id: string; repository: { full_name: string } }[] }>(
    '/api/v1/acme/vulnerabilities?q=library-0&per_page=50',
  );
  const { id } =
    listed.body.items.find((one) => one.repository.full_name === 'acme/internal') ?? assert.fail();
  const rejected = await admin.post('/manage/v1/acme/vulnerabilities/decisions', {
    vulnerabilities: [{ id }],
    action: 'reject',
    reason: 'The code is not called.',
    resolution: 'false_positive',
  });
  assert.equal(rejected.status, 200, rejected.text);
  assert.deepEqual(await ofSold(), [[second, 'open']]);

  // The catalogue lists it after it was found, and the clocks begin then.
  const { rows: added } = await server.owner.query<{ on: string }>(
    `update kev set added_on = (now() at time zone 'utc')::date where cve = $1 returning added_on::text as on`,
    [second],
  );
  const midnight = `${added[0]?.on}T00:00:00Z`;
  const [late] = await list(`?application=${sold}`);
  assert.equal(late?.known_at, [at(20), midnight].sort().at(-1));
});

test('a CVE that the catalogue lists after its fix is listed, and one that only a late report has found', async () => {
  const fixed = 'CVE-2031-2001';
  const late = 'CVE-2031-2002';
  await importAll(server, 'acme', [
    report('acme/field', [fixed], 10),
    report('acme/field', [], 5),
    report('acme/field', [late], 8),
  ]);
  const sold = await product('In the field', ['acme/field']);
  assert.deepEqual(await list(`?application=${sold}`), []);
  await server.owner.query(
    `insert into kev (cve, added_on, vendor, product, name, ransomware)
     select v, '2026-02-01', 'Apache', 'Struts', 'Injection', false from unnest($1::text[]) v`,
    [[fixed, late]],
  );
  await server.owner.query(
    'insert into intel_change (tenant_id, cve, created_at) select $1, v, now() from unnest($2::text[]) v',
    [acme.tenant.id, [fixed, late]],
  );
  await reEvaluateIntel(server.db, acme.tenant.id, new Date());
  assert.deepEqual(
    (await list(`?application=${sold}`)).map(({ cve, state }) => [cve, state]),
    [
      [fixed, 'open'],
      [late, 'open'],
    ],
  );
});

test('a rejection does not end the duty for a CVE whose name was joined later', async () => {
  const row = { id: 'GHSA-aaaa-bbbb-cccc', package: 'left', version: '1.0.0', severity: 'high' as const };
  const input = (aliases: string[]) =>
    reportInput(osvScanner([{ ...row, aliases }]), { repository: 'acme/named' });
  await importAll(server, 'acme', [input([])]);
  const sold = await product('Named', ['acme/named']);
  const ofSold = async () => (await list(`?application=${sold}`)).map(({ cve, state }) => [cve, state]);
  const query = '/api/v1/acme/vulnerabilities?repo=acme%2Fnamed';
  const reject = async (): Promise<void> => {
    const { body } = await client.get<{ items: { id: string }[] }>(query);
    const decision = { vulnerabilities: body.items.map(({ id }) => ({ id })), action: 'reject' };
    succeeded(
      await admin.post('/manage/v1/acme/vulnerabilities/decisions', {
        ...decision,
        reason: 'The code is not called.',
        resolution: 'false_positive',
      }),
    );
  };
  await reject();
  await importAll(server, 'acme', [input([exploited])]);
  assert.deepEqual(await ofSold(), [[exploited, 'open']]);
  await reject();
  assert.deepEqual(await ofSold(), []);
});

test('steps that contradict each other are refused with the field, and nothing is recorded', async () => {
  const [before] = await list('?state=complete');
  const { version } = before ?? assert.fail();
  for (const [body, field, message] of [
    [{ early_warning_at: at(31) }, 'early_warning_at', /before the company became aware/],
    [{ notification_at: at(-1) }, 'notification_at', /in the future/],
    [{ measure_at: null }, 'final_report_at', /follows a corrective or mitigating measure/],
    [{ aware_at: 'yesterday' }, 'aware_at', /RFC 3339/],
    [{ not_reportable_reason: 'x\u202ey' }, 'not_reportable_reason', /direction of text/],
  ] as const) {
    const answer = await record(exploited, { version, ...body });
    assert.equal(answer.status, 422, answer.text);
    const { errors } = answer.body as unknown as { errors: Record<string, string[]> };
    assert.deepEqual(Object.keys(errors), [field]);
    assert.match(errors[field]?.[0] ?? '', message);
  }
  const unknown = await record('CVE-2031-9999', { version: 0 });
  assert.equal(unknown.status, 422, unknown.text);
  assert.match(unknown.text, /aware_at/);
  assert.deepEqual((await list('?state=complete'))[0], before);
});

test('a person adds a CVE that no report has found, and says why another needs no report', async () => {
  const added = await record('CVE-2031-9998', { version: 0, aware_at: at(80) });
  assert.equal(added.status, 200, added.text);
  assert.deepEqual(
    [added.body.known_at, added.body.repositories, added.body.state, added.body.notification.state],
    [null, 0, 'overdue', 'overdue'],
  );
  assert.equal((await list('?state=overdue')).length, 1);
  const reason = 'The product does not contain the component.';
  const closed = await record('CVE-2031-9998', { version: 1, not_reportable_reason: reason });
  assert.equal(closed.body.state, 'not_reportable', closed.text);
  assert.deepEqual(await list('?state=overdue'), []);
});

test('only an admin records; a key needs workspace:admin', async () => {
  const member = await signInAs(server, acme.people.member.user.id);
  const body = { version: 0, aware_at: at(1) };
  assert.equal((await member.patch(pathOf(shop, second), body)).status, 403);
  const { key } = await createTestKey(server, {
    userId: acme.people.admin.user.id,
    role: 'admin',
    scopes: ['vulnerabilities:read', 'applications:read'],
  });
  assert.equal((await clientOf(server.app, key).patch(pathOf(shop, second), body)).status, 403);
});

test('the pages of the list join to the whole, in the order of what is due next', async () => {
  const all = await list();
  assert.ok(all.length >= 3);
  const joined: Notification[] = [];
  for (let cursor: string | null = null; ; ) {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const answer = await client.get<{ items: Notification[]; next_cursor: string | null }>(
      `/api/v1/acme/cra-notifications?per_page=1${query}`,
    );
    joined.push(...answer.body.items);
    cursor = answer.body.next_cursor;
    if (cursor === null) break;
  }
  assert.deepEqual(joined, all);
  const done = all.map(({ state }) => ['complete', 'not_reportable'].includes(state));
  assert.deepEqual(done, done.toSorted());
});

test('a document has what is known, says what the company must complete, and is safe to open', async () => {
  const document = async (step: string) => {
    const path = `/export/v1/acme/cra-document?application=${shop}&cve=${exploited}&step=${step}`;
    const answer = await client.get(path);
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.headers['content-type'] ?? '', /^text\/html/);
    assert.match(answer.headers['content-disposition'] ?? '', /^attachment; filename="CVE-2031-1001-/);
    return answer.text;
  };
  const warning = await document('early_warning');
  assert.match(warning, /Article 14\(2\)\(a\)/);
  assert.match(
    warning,
    /Member States where the product is available<\/th><td><span class="missing">To be completed/,
  );
  assert.match(warning, /since 2026-01-01: &#60;b&#62;Injection/);
  assert.doesNotMatch(warning, /<b>/);
  assert.doesNotMatch(warning, /Measures that users can take/);
  assert.match(await document('notification'), /library-0: 1\.0\.1/);
  const final = await document('final_report');
  assert.match(final, /ransomware campaigns/);
  assert.match(final, /CWE-79, CWE-89/);
  assert.match(final, /acme\/shop[\s\S]*acme\/api|acme\/api[\s\S]*acme\/shop/);
});

test('list and document say that an accepted vulnerability is present, until a scan no longer shows it', async () => {
  await importAll(server, 'acme', [report('acme/kept', [exploited], 9)]);
  const sold = await product('Kept', ['acme/kept']);
  const shown = async () => {
    const [row] = await list(`?application=${sold}`);
    const query = `application=${sold}&cve=${exploited}&step=early_warning`;
    const { text } = await client.get(`/export/v1/acme/cra-document?${query}`);
    return [
      row?.present_repositories,
      row?.repositories,
      /<td class="date">([^<]*)<\/td><\/tr>/.exec(text)?.[1],
    ];
  };
  const { body } = await client.get<{ items: { id: string }[] }>(
    '/api/v1/acme/vulnerabilities?repo=acme%2Fkept',
  );
  const decide = async (action: string) => {
    const vulnerabilities = body.items.map(({ id }) => ({ id }));
    const decision = { vulnerabilities, action, reason: 'The gateway filters it.' };
    succeeded(await admin.post('/manage/v1/acme/vulnerabilities/decisions', decision));
  };
  assert.deepEqual(await shown(), [1, 1, 'open']);
  await decide('accept');
  assert.deepEqual(await shown(), [1, 1, 'present, risk accepted']);
  await decide('ignore');
  assert.deepEqual(await shown(), [1, 1, 'present, will not be fixed']);
  await importAll(server, 'acme', [report('acme/kept', [], 8)]);
  assert.deepEqual(await shown(), [0, 1, 'not present any more']);
});

test('a CVE that only an unmerged branch has starts no clock', async () => {
  await importAll(server, 'acme', [
    report('acme/branched', [harmless], 9),
    report('acme/branched', [exploited], 8, 'feature/x'),
    report('acme/branched', [exploited], 8, 'refs/pull/3/head'),
  ]);
  const sold = await product('Branched', ['acme/branched']);
  assert.deepEqual(await list(`?application=${sold}`), []);
  await importAll(server, 'acme', [report('acme/branched', [exploited], 2)]);
  assert.deepEqual(
    (await list(`?application=${sold}`)).map(({ cve, present_repositories: n }) => [cve, n]),
    [[exploited, 1]],
  );
});

test('the final report has the highest score, and no vector stands beside a score that is not its own', async () => {
  const [low, high] = [
    { V3Score: 5.3, V3Vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N' },
    { V3Score: 9.8, V3Vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
  ];
  const scored = (repository: string, nvd: object, category: string) => {
    const content = trivy([found(exploited, 'library-0')]);
    for (const row of content.Results.flatMap(({ Vulnerabilities: rows }) => rows))
      Object.assign(row, { CVSS: { nvd } });
    return reportInput(content, { repository: `acme/${repository}`, category });
  };
  const shown = async (name: string, repositories: string[]) => {
    const sold = await product(name, repositories);
    const query = `application=${sold}&cve=${exploited}&step=final_report`;
    const { text } = await client.get(`/export/v1/acme/cra-document?${query}`);
    return /high, CVSS ([^<]*)/.exec(text)?.[1];
  };
  await importAll(server, 'acme', [scored('a-low', low, 'one'), scored('b-high', high, 'one')]);
  assert.equal(await shown('Scored', ['acme/a-low', 'acme/b-high']), `9.8 (${high.V3Vector})`);
  // The newest report of the repository has another rating, and the highest score of all reports is shown.
  await importAll(server, 'acme', [scored('b-high', low, 'two')]);
  assert.equal(await shown('Scored twice', ['acme/b-high']), '9.8');
  const { body } = await client.get<{ items: { id: string }[] }>(
    '/api/v1/acme/vulnerabilities?repo=acme%2Fb-high',
  );
  const detail = await client.get<{ cvss: object }>(`/api/v1/acme/vulnerabilities/${body.items[0]?.id}`);
  assert.deepEqual(detail.body.cvss, { score: 9.8, vector: null });
});
