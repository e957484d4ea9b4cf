/** Tests the records of sign-ins: events in the audit logs of a person's workspaces, and lines in the server's log. */
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { pino } from 'pino';
import { addMember } from '../../src/access/members/service.ts';
import { createUser } from '../../src/access/users/service.ts';
import { buildApp } from '../../src/app.ts';
import { installTx, tenantReadTx, tenantTx } from '../../src/db/database.ts';
import { formatId, type TenantId, type UserId } from '../../src/domain/ids.ts';
import { logSerializers } from '../../src/http/request-context.ts';
import { fieldsOf } from '../support/fields.ts';
import { createTestServer } from '../support/server.ts';
import { signInWith } from '../support/session.ts';
import { until } from '../support/until.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const silent = await createTestServer();
const { db, config, secret } = silent;
let logged = '';
const stream = new Writable({
  write: (chunk, _encoding, done) => {
    logged += String(chunk);
    done();
  },
});
const app = await buildApp({
  config,
  db,
  secret,
  log: pino({ level: 'info', serializers: logSerializers }, stream),
});
await app.ready();
silent.beforeClose(() => app.close());
const server = { ...silent, app };
const home = { origin: 'http://localhost', host: 'localhost' };
const password = 'correct horse battery';

const [acme, globex, initech] = [
  await createTestWorkspace(server, 'acme'),
  await createTestWorkspace(server, 'globex'),
  await createTestWorkspace(server, 'initech'),
];

/** A member of two of the three workspaces. */
async function person(name: string) {
  const user = await installTx(db, (tx) => createUser(tx, `${name}@acme.example`, name, password));
  for (const { tenant } of [acme, globex]) {
    await tenantTx(db, tenant.id, (tx) => addMember(tx, user.id, 'viewer'));
  }
  return user;
}

const signIn = (email: string, secretWord: string, address: string) =>
  app.inject({
    method: 'POST',
    url: '/console/session',
    remoteAddress: address,
    headers: home,
    payload: { email, password: secretWord },
  });

const linesOf = (userId: UserId) =>
  logged
    .split('\n')
    .filter((line) => line.includes(formatId('user', userId)))
    .map((line) => JSON.parse(line) as { level: number; event: string; method?: string; reqId?: string });
const eventsOf = (tenantId: TenantId, userId: string) =>
  tenantReadTx(db, tenantId, (tx) =>
    tx.query<{ action: string; actor_id: string | null; request_id: string | null; data: object }>(
      `select action, actor_id, request_id, data from audit_event
        where tenant_id = $1 and target_id = $2 and action like 'user.%' order by id`,
      [tenantId, userId],
    ),
  );

test('a sign-in, a new password and signing out everywhere are logged, and the password change is in each audit log', async () => {
  const kim = await person('kim');
  const client = await signInWith(server, kim.email, password);
  const changed = await client.put('/console/password', { current: password, new: 'another long password' });
  assert.equal(changed.status, 204, changed.text);
  const again = await signInWith(server, kim.email, 'another long password');
  assert.equal((await again.delete('/console/sessions')).status, 204);
  assert.deepEqual(fieldsOf(linesOf(kim.id), 'level', 'event', 'method'), [
    [30, 'signed-in', 'password'],
    [30, 'password-changed', undefined],
    [30, 'signed-in', 'password'],
    [30, 'signed-in', 'password'],
    [30, 'signed-out-everywhere', undefined],
  ]);
  assert.ok(linesOf(kim.id).every(({ reqId }) => reqId !== undefined));
  for (const { tenant } of [acme, globex]) {
    assert.deepEqual(await eventsOf(tenant.id, kim.id), [
      { action: 'user.password', actor_id: kim.id, request_id: changed.headers['x-request-id'], data: {} },
    ]);
  }
  assert.deepEqual(await eventsOf(initech.tenant.id, kim.id), []);
});

test('a refused password change is not recorded', async () => {
  const kim = await person('kim-2');
  const client = await signInWith(server, kim.email, password);
  const change = (current: string, next: string) => client.put('/console/password', { current, new: next });
  assert.equal((await change('not the password', 'another long password')).status, 422);
  const short = await change(password, 'short');
  assert.equal(short.status, 422);
  assert.match(short.text, /"new":\["The password must have 12 to 256 characters/);
  assert.deepEqual(await eventsOf(acme.tenant.id, kim.id), []);
});

test('a lock-out is recorded once in the log and in each audit log; guesses at unknown accounts are not', async () => {
  const kim = await person('kim-3');
  for (let i = 0; i < 8; i++) {
    const status = (await signIn(kim.email, `guess ${i}`, '192.0.2.40')).statusCode;
    assert.equal(status, i < 5 ? 401 : 429);
    await signIn('nobody@acme.example', `guess ${i}`, '192.0.2.40');
  }
  // Guesses from another address are not recorded again.
  for (let i = 0; i < 7; i++) await signIn(kim.email, `guess ${i}`, '192.0.2.41');
  await until(() => linesOf(kim.id).length > 0, 'the lock-out in the log');
  const locked = { action: 'user.lock_out', actor_id: null, request_id: null, data: {} };
  for (const { tenant } of [acme, globex]) {
    for (let i = 0; i < 100 && (await eventsOf(tenant.id, kim.id)).length === 0; i++);
    assert.deepEqual(await eventsOf(tenant.id, kim.id), [locked]);
  }
  assert.deepEqual(fieldsOf(linesOf(kim.id), 'level', 'event'), [[40, 'locked-out']]);
  assert.deepEqual(await eventsOf(initech.tenant.id, kim.id), []);
  assert.doesNotMatch(logged, /nobody@|kim-3@|guess \d|correct horse/, 'no address and no password');
});
