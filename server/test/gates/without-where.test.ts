/**
 * Runs the whole server with `tenant_id = …` removed from every statement. Row-level security alone must still give the
 * same answers. As a role that bypasses it the answers differ, so that this test can fail.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type pg from 'pg';
import { buildApp } from '../../src/app.ts';
import { commitSteps } from '../../src/commit-steps.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { sentBy } from '../../src/doctor/isolation/credentials.ts';
import { homeReads, readsBySession, shown } from '../../src/doctor/isolation/home-reads.ts';
import { knownRoutes } from '../../src/doctor/isolation/known-routes.ts';
import { leaksIn, ownUuids } from '../../src/doctor/isolation/leaks.ts';
import { createSessions } from '../../src/doctor/isolation/sessions.ts';
import type { Server } from '../../src/http/server.ts';
import { send } from '../support/client.ts';
import { createWorld } from '../support/world.ts';

const world = await createWorld();
const { server, home, foreign } = world;
const foreignUuids = await ownUuids(server, foreign, home);

/** The statement keeps the parameter, because PostgreSQL could not infer its type otherwise. */
function withoutTenant(sql: string): string {
  return sql.replaceAll(/(?:\b\w+\.)?\btenant_id = (\$1)(?![0-9])/g, '$1::bigint is not null');
}

let rewritten = 0;

/** Connections that rewrite their statements. */
function careless(url: string): Database {
  const db = openDatabase(url, { commitSteps, maxConnections: 4 });
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

const byKey = `Bearer ${home.people.admin.key}`;
const { admin: bySession } = await createSessions(world);
const requests = [
  ...homeReads(home).map((read) => sentBy(readsBySession(read) ? bySession : byKey, { path: read.path })),
  ...knownRoutes
    .filter((route) => route.route.startsWith('GET '))
    .flatMap((route) => route.names.map((named) => named.call(home, foreign)))
    .map((request) => sentBy(byKey, request)),
];

describe('without the WHERE', () => {
  test('row-level security gives the same answers without conditions on the tenant', async () => {
    for (const request of requests) {
      const right = await send(server.app, request);
      const answer = await send(protectedApp, request);
      assert.deepEqual(shown(answer), shown(right), request.path);
    }
    assert.ok(rewritten > requests.length, `only ${rewritten} statements were rewritten`);
  });

  test('without conditions and row-level security the answers differ', async () => {
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
