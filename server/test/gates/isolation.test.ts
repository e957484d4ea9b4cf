/**
 * Tests of two workspaces: a lost key, membership or account ends access at once, and no data of one workspace is
 * found, counted or named in the other.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { disableKeyOf } from '../../src/access/api-keys/store.ts';
import { addMember } from '../../src/access/members/service.ts';
import { createUser } from '../../src/access/users/service.ts';
import { buildApp } from '../../src/app.ts';
import { installTx, tenantTx } from '../../src/db/database.ts';
import { sharedSha } from '../../src/doctor/isolation/canary-reports.ts';
import {
  type Credential,
  sentBy,
  unauthenticated,
  wrongTenant,
} from '../../src/doctor/isolation/credentials.ts';
import { createKeys } from '../../src/doctor/isolation/keys.ts';
import { isForSessions, type KnownRoute, takesBoth } from '../../src/doctor/isolation/known-route.ts';
import { knownRoutes } from '../../src/doctor/isolation/known-routes.ts';
import { leaksIn, ownUuids } from '../../src/doctor/isolation/leaks.ts';
import { createSessions } from '../../src/doctor/isolation/sessions.ts';
import { send } from '../support/client.ts';
import { signInAs } from '../support/session.ts';
import { createTestKey } from '../support/workspace.ts';
import { createWorld } from '../support/world.ts';
import { checksOf } from './checks.ts';

const world = await createWorld();
const { server, home, foreign } = world;
const foreignUuids = await ownUuids(server, foreign, home);
const keys = await createKeys(world);
const sessions = await createSessions(world);
/** Routes that a key opens. */
const keyRoutes = knownRoutes.filter((route) => !isForSessions(route));
const adminFor = (route: KnownRoute): Credential => (isForSessions(route) ? sessions.admin : keys.admin);
const { refused, succeeds } = checksOf(world, foreignUuids);
/** Another node on the same database. */
const node = await buildApp({ config: server.config, db: server.db, secret: server.secret, log: false });
server.beforeClose(() => node.close());

describe('isolation', () => {
  test('HEAD requires a key as GET does', async () => {
    for (const route of knownRoutes.filter((known) => known.route.startsWith('GET '))) {
      const request = { ...route.call(home.slug, home), method: 'HEAD' as const };
      assert.equal((await send(server.app, request)).status, 401, route.route);
      const answer = await send(server.app, sentBy(adminFor(route), request));
      assert.deepEqual([answer.status, answer.text], [200, ''], route.route);
    }
  });

  test('a key is refused everywhere within a second of its end', async () => {
    const { user } = home.people.admin;
    const revoked = await createTestKey(server, { userId: user.id, role: 'admin' });
    const expired = await createTestKey(server, { userId: user.id, role: 'admin' });
    const leaver = await installTx(server.db, (tx) => createUser(tx, 'leaver@home.example', 'Leaver', null));
    await tenantTx(server.db, home.tenant.id, (tx) => addMember(tx, leaver.id, 'admin'));
    const disabled = await createTestKey(server, { userId: leaver.id, role: 'admin' });
    const all = [revoked, expired, disabled];
    for (const { key } of all) {
      await succeeds(key, { path: '/api/v1/home/whoami' }, 'before the end');
      const other = await send(node, {
        path: '/api/v1/home/whoami',
        authorization: `Bearer ${key}`,
      });
      assert.equal(other.status, 200, 'on another node');
    }
    await installTx(server.db, (tx) => disableKeyOf(tx, { userId: user.id }, revoked.id));
    await server.owner.query('update api_key set expires_at = now() where id = $1', [expired.id]);
    await server.owner.query('update user_account set disabled_at = now() where id = $1', [leaver.id]);
    await sleep(1000);
    for (const route of knownRoutes) {
      for (const { key } of all) {
        await refused(server.app, key, route.call(home.slug, home), unauthenticated, 'after the end');
        await refused(node, key, route.call(home.slug, home), unauthenticated, 'on another node');
      }
    }
  });

  test('a removed member is refused at the next request, with every key', async () => {
    const user = await installTx(server.db, (tx) => createUser(tx, 'goer@home.example', 'Goer', null));
    await tenantTx(server.db, home.tenant.id, (tx) => addMember(tx, user.id, 'admin'));
    const { key } = await createTestKey(server, { userId: user.id, role: 'admin' });
    const session = await signInAs(server, user.id);
    for (const route of keyRoutes) {
      await succeeds(key, route.call(home.slug, home), 'a member', route.success);
    }
    await server.owner.query('delete from member where user_id = $1', [user.id]);
    for (const route of knownRoutes.filter((known) => known.route.includes(':tenant_slug'))) {
      const request = route.call(home.slug, home);
      if (!isForSessions(route)) {
        await refused(server.app, key, request, wrongTenant, 'no member any more');
      }
      if (isForSessions(route) || takesBoth(route)) {
        await refused(server.app, session, request, wrongTenant, 'no member any more');
      }
    }
    const { body } = await succeeds(key, { path: '/api/v1/tenants' }, 'the list of workspaces');
    assert.deepEqual(body, { items: [], next_cursor: null });
  });

  test('/tenants lists the workspaces of the key only', async () => {
    const shown = async (key: string): Promise<string[]> => {
      const { body } = await send<{ items: { slug: string }[] }>(server.app, {
        path: '/api/v1/tenants',
        authorization: `Bearer ${key}`,
      });
      return body.items.map((item) => item.slug);
    };
    assert.deepEqual(await shown(keys.admin), ['home']);
    assert.deepEqual(await shown(keys.both), ['home', 'foreign']);
    assert.deepEqual(await shown(keys.elsewhere['restricted to another workspace']), ['foreign']);
    assert.deepEqual(await shown(keys.elsewhere['restricted, and the list emptied']), []);
    assert.deepEqual(await shown(keys.elsewhere['of another workspace']), ['foreign']);
  });

  test('the search for leaks finds a planted text', async () => {
    const { key } = foreign.people.admin;
    for (const route of knownRoutes.filter((one) => !one.showsNothing)) {
      const credential = isForSessions(route) ? sessions.foreignAdmin : key;
      const { text } = await send(server.app, sentBy(credential, route.call(foreign.slug, foreign)));
      assert.notDeepEqual(leaksIn(text, foreignUuids, foreign), [], route.route);
    }
  });

  test('data of the foreign workspace alone is neither found nor counted at home', async () => {
    const numbers = async (path: string): Promise<unknown> => {
      // The echoed filter is the caller's own text, so it is not searched for leaks.
      const { body } = await send(server.app, { path, authorization: `Bearer ${keys.admin}` });
      const { summary, items } = body as { summary?: { total: number }; items: unknown[] };
      return [summary?.total, items.length];
    };
    const list = '/api/v1/home/vulnerabilities';
    const { rows } = await server.owner.query<{ n: number }>(
      'select count(*)::int as n from vulnerability where tenant_id = $1',
      [home.tenant.id],
    );
    const n = rows[0]?.n;
    assert.deepEqual(await numbers(`${list}?per_page=200`), [n, n]);
    assert.deepEqual(await numbers(`${list}?ref=${foreign.mark}`), [0, 0]);
    assert.deepEqual(await numbers(`${list}?q=${foreign.mark}`), [0, 0]);
    assert.deepEqual(await numbers(`${list}?sha=${sharedSha}`), [3, 3]);
    assert.deepEqual(await numbers(`${list}?ref=main&repo=acme/shop`), [3, 3]);
    assert.deepEqual(await numbers(`${list}?assignee=me`), [0, 0]);
    assert.deepEqual(await numbers('/api/v1/home/repositories?source=ghe'), [undefined, 1]);
    assert.deepEqual(await numbers('/api/v1/home/organizations'), [undefined, 3]);
    assert.deepEqual(await numbers(`/api/v1/home/scans?sha=${sharedSha}`), [undefined, 3]);
    const violations = '/api/v1/home/policy-violations?repo=acme/shop';
    // The policy "severe" matches lodash, "any" matches lodash and minimist. The branch is not protected, and no scan
    // covers its code.
    assert.deepEqual(await numbers(`${violations}&policy=severe`), [1, 1]);
    assert.deepEqual(await numbers(`${violations}&policy=any`), [2, 2]);
    assert.deepEqual(await numbers(`${violations}&policy=severe&ref=feature/a`), [1, 1]);
    assert.deepEqual(await numbers(`${violations}&target_type=provider`), [1, 1]);
    const ofHome = async (table: string): Promise<number | undefined> => {
      const counted = await server.owner.query<{ n: number }>(
        `select count(*)::int as n from ${table} where tenant_id = $1`,
        [home.tenant.id],
      );
      return counted.rows[0]?.n;
    };
    const policies = await ofHome('policy');
    assert.deepEqual(await numbers('/manage/v1/home/policies'), [undefined, policies]);
    for (const [path, table] of [
      ['/api/v1/home/applications?per_page=200', 'application'],
      ['/manage/v1/home/members', 'member'],
      [
        '/manage/v1/home/invitations',
        '(select * from invitation where accepted_at is null and withdrawn_at is null) open',
      ],
    ] as const) {
      assert.deepEqual(await numbers(path), [undefined, await ofHome(table)], path);
    }
    assert.deepEqual(await numbers('/manage/v1/home/exceptions?per_page=200'), [
      undefined,
      await ofHome('policy_exception'),
    ]);
  });
});
