/** Tests of live scan events over a socket: their content, their receivers, and their end. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addMember } from '../../src/access/members/service.ts';
import { createUser } from '../../src/access/users/service.ts';
import { buildApp } from '../../src/app.ts';
import { installTx, tenantTx } from '../../src/db/database.ts';
import { parseId, type UserId } from '../../src/domain/ids.ts';
import { scanEvents } from '../../src/ingest/events/scan-events.ts';
import { processRepository } from '../../src/ingest/import/process-scan.ts';
import { clientOf, type Json, send } from '../support/client.ts';
import { type EventStream, openEvents } from '../support/event-stream.ts';
import { onlyInCi } from '../support/form.ts';
import { importAll } from '../support/import.ts';
import { applyAndEvaluate, policyOf } from '../support/policies.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs } from '../support/session.ts';
import { until } from '../support/until.ts';
import { createTestWorkspace, reportInput, type TestWorkspace } from '../support/workspace.ts';

const server = await createTestServer({ MERLON_UPLOADS_PER_MINUTE: '0' });
const { tenant, people } = await createTestWorkspace(server, 'acme');
const elsewhere = await createTestWorkspace(server, 'elsewhere');
await server.app.listen({ port: 0, host: '127.0.0.1' });
const { port } = server.app.server.address() as AddressInfo;
const viewer = await signInAs(server, people.viewer.user.id);
const path = '/console/api/v1/acme/scans/events';

interface Item {
  id: string;
  status: string;
  verdict: string | null;
  progress: Json | null;
  counts: { new: number } | null;
  repository: { full_name: string };
  reference: { ref: string };
}

const streams: EventStream[] = [];
after(() => {
  for (const stream of streams) stream.hangUp();
});

async function listen(session: SessionClient = viewer, to = path, at = port): Promise<EventStream> {
  const stream = await openEvents(at, to, session.headers);
  streams.push(stream);
  return stream;
}

const received = ({ events }: EventStream, id: string): Item[] =>
  events.map((event) => event.data as Item).filter((item) => item.id === id);

const untilReceived = (stream: EventStream, id: string, is: (item: Item) => boolean, what: string) =>
  until(() => received(stream, id).find(is), what, 8_000);

/** The report waits in the queue, because only this test works here. */
async function upload(repo: string, { people: who }: TestWorkspace, slug: string): Promise<string> {
  const answer = await send<{ id: string }>(server.app, {
    method: 'POST',
    path: `/ingest/v1/${slug}/scans?repo=${repo}&ref=main`,
    authorization: `Bearer ${who.member.key}`,
    body: trivy([{ id: 'CVE-2030-1', name: repo, version: '1.0.0', severity: 'HIGH' }]),
  });
  assert.equal(answer.status, 202, answer.text);
  return answer.body.id;
}

const uploadHere = (repo: string): Promise<string> => upload(repo, { tenant, people }, 'acme');

async function work(repo: string): Promise<void> {
  const { rows } = await server.owner.query(
    'select id from repository where tenant_id = $1 and full_name = $2',
    [tenant.id, repo],
  );
  await processRepository(server, tenant.id, rows[0].id);
}

async function shown(id: string): Promise<unknown> {
  const { body } = await clientOf(server.app, people.viewer.key).get<{ items: Item[] }>(
    '/api/v1/acme/scans?per_page=200',
  );
  return body.items.find((item) => item.id === id);
}

async function newMember(email: string): Promise<{ userId: UserId; session: SessionClient }> {
  const user = await installTx(server.db, (tx) => createUser(tx, email, 'Somebody', null));
  await tenantTx(server.db, tenant.id, (tx) => addMember(tx, user.id, 'viewer'));
  return { userId: user.id, session: await signInAs(server, user.id) };
}

describe('what is sent', { concurrency: true }, () => {
  test('scans that are not final come first, then each change, in the form of the list', async () => {
    const id = await uploadHere('acme/first');
    const stream = await listen();
    assert.equal(stream.status, 200);
    assert.match(String(stream.headers['content-type']), /^text\/event-stream/);
    assert.match(String(stream.headers['cache-control']), /no-store/);
    const queued = await untilReceived(stream, id, ({ status }) => status === 'queued', 'the waiting scan');
    assert.deepEqual(queued, await shown(id));
    assert.deepEqual([queued.repository.full_name, queued.reference.ref], ['acme/first', 'main']);
    await work('acme/first');
    const done = await untilReceived(stream, id, ({ status }) => status === 'completed', 'its end');
    assert.deepEqual(done, await shown(id));
    assert.deepEqual([done.counts?.new, done.verdict], [1, 'pass']);
    assert.deepEqual(
      stream.events.filter(({ event }) => event !== 'scan'),
      [],
    );
    stream.hangUp();
  });

  test('a scan that was final before is not sent, nor one that starts and ends between two checks', async () => {
    const [old] = await importAll(server, 'acme', [reportInput(trivy([]), { repository: 'acme/old' })]);
    // The others still listen. The poll that finds their end is over when this one begins.
    await sleep(1_500);
    const stream = await listen();
    await sleep(1_500);
    const [quick] = await importAll(server, 'acme', [reportInput(trivy([]), { repository: 'acme/quick' })]);
    const idOf = (uuid: string | undefined): string | undefined =>
      stream.events.map(({ data }) => (data as Item).id).find((id) => parseId('scan', id) === uuid);
    await until(() => idOf(quick?.id), 'the quick scan');
    assert.equal(idOf(old?.id), undefined);
    stream.hangUp();
  });

  test('progress is sent step by step, and never the same twice', async () => {
    const id = await uploadHere('acme/progress');
    const stream = await listen();
    await untilReceived(stream, id, () => true, 'the scan');
    const advance = (done: number) =>
      server.owner.query(
        `update scan set status = 'running', progress = $2, updated_at = now() where id = $1`,
        [parseId('scan', id), JSON.stringify({ step: 'compare', done, total: 90 })],
      );
    for (const done of [10, 60]) {
      await advance(done);
      const item = await untilReceived(
        stream,
        id,
        ({ progress }) => progress?.done === done,
        `${done} of 90`,
      );
      assert.deepEqual(item.progress, { step: 'compare', done, total: 90 });
    }
    // Only a heartbeat is sent.
    await advance(60);
    await sleep(1_500);
    assert.equal(received(stream, id).filter(({ progress }) => progress?.done === 60).length, 1);
    await server.owner.query("update scan set status = 'queued', progress = null where id = $1", [
      parseId('scan', id),
    ]);
    stream.hangUp();
  });

  test('a verdict that a decision has changed is sent', async () => {
    await applyAndEvaluate(
      server,
      tenant.id,
      policyOf('blocks', "{fact: repository.full_name, operator: '==', value: acme/verdict}"),
    );
    const id = await uploadHere('acme/verdict');
    const stream = await listen();
    await work('acme/verdict');
    await untilReceived(stream, id, ({ verdict }) => verdict === 'block', 'that it blocks');
    const admin = clientOf(server.app, people.admin.key);
    const list = await admin.get<{ items: { id: string }[] }>(
      '/api/v1/acme/vulnerabilities?repo=acme/verdict',
    );
    const decided = await admin.post('/manage/v1/acme/vulnerabilities/decisions', {
      action: 'accept',
      reason: 'Known.',
      vulnerabilities: list.body.items.map((item) => ({ id: item.id })),
    });
    assert.equal(decided.status, 200, decided.text);
    await untilReceived(stream, id, ({ verdict }) => verdict === 'pass', 'that it passes');
    stream.hangUp();
  });

  test('no event of another workspace is sent', async () => {
    const stream = await listen();
    const foreign = await upload('acme/foreign', elsewhere, 'elsewhere');
    const theirs = await listen(
      await signInAs(server, elsewhere.people.viewer.user.id),
      path.replace('acme', 'elsewhere'),
    );
    await untilReceived(theirs, foreign, () => true, 'the scan, in its own workspace');
    const own = await uploadHere('acme/own');
    await untilReceived(stream, own, () => true, 'the scan of this workspace');
    assert.deepEqual(received(stream, foreign), []);
    assert.deepEqual(received(theirs, own), []);
    for (const each of [stream, theirs]) each.hangUp();
  });

  test('a heartbeat is sent when nothing happens', { skip: onlyInCi }, async () => {
    const stream = await listen();
    await until(() => /^:\n\n/m.test(stream.text()), 'a comment', 17_000);
    assert.equal(stream.endedAt(), null);
    stream.hangUp();
  });
});

describe('who may listen', { concurrency: true }, () => {
  const refused = async (headers: Record<string, string>, to = path): Promise<[number, unknown]> => {
    const response = await fetch(`http://127.0.0.1:${port}${to}`, { headers });
    return [response.status, ((await response.json()) as Json).code];
  };

  test('only a session of a member may listen', async () => {
    const stranger = await signInAs(server, elsewhere.people.admin.user.id);
    assert.deepEqual(await refused({}), [401, 'AUTHENTICATION_REQUIRED']);
    assert.deepEqual(await refused({ authorization: `Bearer ${people.admin.key}` }), [
      401,
      'AUTHENTICATION_REQUIRED',
    ]);
    const cookie = stranger.headers.cookie ?? '';
    assert.deepEqual(await refused({ cookie }), [403, 'TOKEN_INVALID_FOR_TENANT']);
    assert.deepEqual(await refused({ cookie }, path.replace('acme', 'nowhere')), [404, 'TENANT_NOT_FOUND']);
    const own = viewer.headers.cookie ?? '';
    assert.deepEqual(await refused({ cookie: own }, `${path}?since=1`), [422, 'VALIDATION_FAILED']);
    const head = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'HEAD', headers: { cookie: own } });
    assert.ok([404, 405].includes(head.status), 'a HEAD would never end');
  });

  test('a person who is removed, signs out or is disabled gets no event after the next check', async () => {
    const ends: [string, (userId: string) => Promise<unknown>, number][] = [
      ['removed', (id) => server.owner.query('delete from member where user_id = $1', [id]), 403],
      ['signed-out', (id) => server.owner.query('delete from user_session where user_id = $1', [id]), 401],
      [
        'expired',
        (id) => server.owner.query('update user_session set expires_at = now() where user_id = $1', [id]),
        401,
      ],
      [
        'disabled',
        (id) => server.owner.query('update user_account set disabled_at = now() where id = $1', [id]),
        401,
      ],
    ];
    const stays = await listen();
    await Promise.all(
      ends.map(async ([how, end, status]) => {
        const { userId, session } = await newMember(`${how}@acme.example`);
        const stream = await listen(session);
        const before = await uploadHere(`acme/${how}-before`);
        await untilReceived(stream, before, () => true, `${how}: told while a member`);
        await end(userId);
        const at = Date.now();
        await until(() => stream.endedAt(), `${how}: the end`, 7_000);
        assert.ok((stream.endedAt() ?? 0) - at < 6_500, how);
        const afterwards = await uploadHere(`acme/${how}-after`);
        await untilReceived(stays, afterwards, () => true, `${how}: told to others`);
        assert.deepEqual(received(stream, afterwards), [], how);
        assert.equal((await refused({ cookie: session.headers.cookie ?? '' }))[0], status, how);
      }),
    );
    assert.equal(stays.endedAt(), null);
    stays.hangUp();
  });

  test('one session may have ten streams at once, and a new one after some have ended', async () => {
    const { session } = await newMember('many@acme.example');
    const many = await Promise.all(Array.from({ length: 10 }, () => listen(session)));
    const cookie = session.headers.cookie ?? '';
    assert.deepEqual(await refused({ cookie }), [429, 'RATE_LIMIT_EXCEEDED']);
    many[0]?.hangUp();
    await sleep(300);
    const again = await listen(session);
    assert.equal(again.status, 200);
    for (const stream of [...many, again]) stream.hangUp();
  });

  test('one person may have twenty streams at once, in however many sessions', async () => {
    const { userId, session } = await newMember('sessions@acme.example');
    const sessions = [session, await signInAs(server, userId), await signInAs(server, userId)];
    const many = await Promise.all(
      sessions.slice(0, 2).flatMap((each) => Array.from({ length: 10 }, () => listen(each))),
    );
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: sessions[2]?.headers ?? {} });
    assert.equal(response.status, 429);
    assert.match(
      await response.text(),
      /This person has 20 open streams of events, which is the limit\. Close other pages/,
    );
    for (const stream of many) stream.hangUp();
  });
});

test('a workspace is checked once a second, however many listen, and not at all without listeners', async () => {
  let looks = 0;
  const pool = new Proxy(server.db.pool, {
    get: (target, name) => {
      if (name === 'connect') looks++;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const events = scanEvents({ ...server.db, pool }, (error) => assert.fail(String(error)));
  let ended = 0;
  const stops = Array.from({ length: 20 }, () =>
    events.listen(tenant.id, { scans: () => {}, end: () => ended++ }),
  );
  const other = events.listen(elsewhere.tenant.id, { scans: () => {}, end: () => ended++ });
  await sleep(2_500);
  assert.ok(looks >= 4 && looks <= 6, `${looks} looks in 2.5 seconds of two workspaces`);
  for (const stop of stops.slice(1)) stop();
  other();
  await sleep(1_200);
  const before = looks;
  await sleep(2_200);
  assert.ok(looks - before >= 1 && looks - before <= 3, `${looks - before} looks in 2.2 seconds of one`);
  events.end();
  assert.equal(ended, 1, 'who had left is not told');
  const none = looks;
  await sleep(1_500);
  assert.equal(looks, none);
  events.listen(tenant.id, { scans: () => {}, end: () => ended++ });
  assert.equal(ended, 2, 'nobody listens any more');
});

test('a server that closes ends the streams without waiting', async () => {
  const { config, db, secret } = server;
  const node = await buildApp({ config, db, secret, log: false });
  await node.listen({ port: 0, host: '127.0.0.1' });
  const address = node.server.address() as AddressInfo;
  const stream = await listen(viewer, path, address.port);
  await until(() => stream.text().length > 0, 'the first bytes');
  const started = Date.now();
  await node.close();
  assert.ok(Date.now() - started < 10_000);
  await until(() => stream.endedAt(), 'the end');
});
