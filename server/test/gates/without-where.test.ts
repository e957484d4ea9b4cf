/**
 * The whole server, with `tenant_id = …` taken out of every statement it sends: row-level security alone must
 * still give the same answers. As a role that bypasses it they differ, so that this test can fail.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type pg from 'pg';
import { buildApp } from '../../src/app.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import type { Server } from '../../src/http/server.ts';
import { type Answer, send } from '../support/client.ts';
import { sentBy } from './checks.ts';
import { isForSessions } from './known-route.ts';
import { knownRoutes } from './known-routes.ts';
import { makeSessions } from './sessions.ts';
import { createWorld, leaksIn, ownUuids, sharedSha } from './two-workspaces.ts';

const world = await createWorld();
const { server, home, foreign } = world;
const foreignUuids = await ownUuids(server, foreign, home);

/** Still mentions its parameter, or PostgreSQL would not know the parameter's type. */
function withoutTenant(sql: string): string {
  return sql.replaceAll(/(?:\b\w+\.)?\btenant_id = (\$1)(?![0-9])/g, '$1::uuid is not null');
}

/** What must be the same: all of it, but for what the clock says: the end of an export's cursor, and what is left. */
function shown({ status, text }: Answer): unknown[] {
  return [
    status,
    text
      .replace(/^\{"cursor":.*\n$/m, '')
      .replaceAll(/"remaining_seconds":-?\d+/g, '"remaining_seconds":0')
      // Written behind the requests.
      .replaceAll(/"last_(?:seen|used)_at":(?:null|"[^"]*")/g, ''),
  ];
}

let rewritten = 0;

/** Connections that rewrite what they are given. */
function careless(url: string): Database {
  const db = openDatabase(url, { maxConnections: 4 });
  db.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (config: unknown, ...rest: unknown[]) => unknown;
    const replaced = (config: string | pg.QueryConfig, ...rest: unknown[]): unknown => {
      const text = typeof config === 'string' ? config : config.text;
      const changed = withoutTenant(text);
      if (changed !== text) rewritten++;
      return query(typeof config === 'string' ? changed : { ...config, text: changed }, ...rest);
    };
    Object.assign(client, { query: replaced });
  });
  return db;
}

async function serverOn(url: string): Promise<Server> {
  const db = careless(url);
  const app = await buildApp({ config: server.config, db, secret: server.secret, log: false });
  server.beforeClose(async () => {
    await app.close();
    await db.close();
  });
  return app;
}

const protectedApp = await serverOn(server.appUrl);
const bypassingApp = await serverOn(server.ownerUrl);

const list = '/api/v1/home/vulnerabilities';
const violations = '/api/v1/home/policy-violations?repo=acme/shop';
const reads = knownRoutes.filter((route) => route.route.startsWith('GET '));
const paths = [
  ...reads
    .filter((route) => !isForSessions(route))
    .flatMap((route) => [
      route.call(home.slug, home).path,
      ...route.names.map((named) => named.call(home, home).path),
      ...route.names.map((named) => named.call(home, foreign).path),
    ]),
  ...['newest', 'oldest', 'severity'].flatMap((sort) => [
    `${list}?sort=${sort}`,
    `${list}?sort=${sort}&per_page=1`,
    `${list}?sort=${sort}&state=open&severity=high,low`,
    `${list}?sort=${sort}&ref=main`,
    `${list}?sort=${sort}&ref=HEAD`,
    `${list}?sort=${sort}&repo=acme/shop`,
    `${list}?sort=${sort}&repo=acme/shop&ref=main`,
    `${list}?sort=${sort}&sha=${sharedSha}`,
    `${list}?sort=${sort}&q=pollution`,
    `${list}?sort=${sort}&assignee=me`,
  ]),
  `${list}?q=${foreign.mark}`,
  `${list}?ref=${foreign.mark}`,
  '/api/v1/home/repositories?source=ghc,ghe,gitlab',
  '/api/v1/home/repositories?org=acme',
  `/api/v1/home/scans?sha=${sharedSha}&tool=trivy`,
  ...['', '&ref=main', '&status=open&enforcement=block', '&policy=severe', '&target_type=provider'].flatMap(
    (query) => [`${violations}${query}`, `${violations}${query}&per_page=1`],
  ),
  '/api/v1/home/gate?repo=acme/shop&ref=feature/a&base_ref=main',
  '/manage/v1/home/exceptions?status=requested',
  '/manage/v1/home/policies/severe',
];

const byKey = `Bearer ${home.people.admin.key}`;
const { admin: bySession } = await makeSessions(world);
const requests = [
  ...paths.map((path) => sentBy(byKey, { path })),
  ...reads.filter(isForSessions).map((route) => sentBy(bySession, route.call(home.slug, home))),
];

describe('without the WHERE', () => {
  test('row-level security gives the same answers', async () => {
    for (const request of requests) {
      const right = await send(server.app, request);
      const answer = await send(protectedApp, request);
      assert.deepEqual(shown(answer), shown(right), request.path);
    }
    assert.ok(rewritten > paths.length, `only ${rewritten} statements were rewritten`);
  });

  test('and without it too, they would not be the same', async () => {
    const leaking: string[] = [];
    for (const request of requests) {
      const { text } = await send(bypassingApp, request);
      if (leaksIn(text, foreignUuids, foreign).length > 0) leaking.push(request.path.split('?')[0] ?? '');
    }
    for (const name of [
      ...[
        'organizations',
        'repositories',
        'applications',
        'vulnerabilities',
        'scans',
        'policy-violations',
      ].map((list) => `/api/v1/home/${list}`),
      '/manage/v1/home/policies',
      '/manage/v1/home/exceptions',
      '/manage/v1/home/members',
      '/manage/v1/home/invitations',
      '/manage/v1/home/audit',
      '/manage/v1/home/audit/export',
    ]) {
      assert.ok(leaking.includes(name), `${name} would not have leaked`);
    }
  });
});
