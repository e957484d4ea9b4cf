/**
 * Runs the same refusals against every route of the server, in the order that the API promises. A route that
 * `known-routes.ts` does not know fails here.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { buildApp } from '../../src/app.ts';
import {
  type Credential,
  denied,
  type ExpectedRefusal,
  lacking,
  unauthenticated,
  wrongTenant,
} from '../../src/doctor/isolation/credentials.ts';
import { createKeys } from '../../src/doctor/isolation/keys.ts';
import { unknownRoutes } from '../../src/doctor/isolation/known-registered.ts';
import {
  isForSessions,
  type KnownRoute,
  type Request,
  takesBoth,
} from '../../src/doctor/isolation/known-route.ts';
import { walkedRoutes } from '../../src/doctor/isolation/known-routes.ts';
import { ownUuids } from '../../src/doctor/isolation/leaks.ts';
import { collectRoutes } from '../../src/doctor/isolation/self-test.ts';
import { createSessions } from '../../src/doctor/isolation/sessions.ts';
import type { Role } from '../../src/http/principal.ts';
import { send } from '../support/client.ts';
import { createWorld } from '../support/world.ts';
import { checksOf, unknownTenant } from './checks.ts';

const { made: world, registered } = await collectRoutes(createWorld);
const { server, home, foreign } = world;
const foreignUuids = await ownUuids(server, foreign, home);
const keys = await createKeys(world);
/** The same server with a limit of one request per minute. */
const limited = await buildApp({
  config: { ...server.config, rateLimitPerMinute: 1, uploadsPerMinute: 1 },
  db: server.db,
  secret: server.secret,
  log: false,
});
server.beforeClose(() => limited.close());

const { refused, succeeds } = checksOf(world, foreignUuids);

/** The credentials for a route: keys for the API, sessions for the console. */
interface Credentials {
  /** An admin of home. */
  admin: Credential;
  /** Valid in home, with any permissions. */
  anyone: Credential;
  foreignAdmin: Credential;
  invalid: Record<string, Credential>;
  elsewhere: Record<string, Credential>;
  below: Record<Role, Record<string, Credential>>;
}

async function credentialsFor(route: KnownRoute): Promise<Credentials> {
  if (!isForSessions(route)) {
    return { ...keys, anyone: keys.scopeless, foreignAdmin: foreign.people.admin.key };
  }
  const sessions = await createSessions(world);
  return { ...sessions, anyone: sessions.admin };
}

/** The refusals of every route. */
async function runRefusals(route: KnownRoute): Promise<void> {
  const underWorkspace = route.route.includes(':tenant_slug');
  const good = route.call(home.slug, home);
  const who = await credentialsFor(route);
  await succeeds(who.admin, good, 'a right request', route.success);
  const before = await traces();

  // Everything is wrong with this request, so the first check decides.
  const worst: Request = {
    ...route.call(home.slug, foreign),
    ...(good.body === undefined ? {} : { headers: { 'content-type': 'text/plain' } }),
  };
  const bad = (slug: string): Request => ({ ...worst, path: withUnknown(route.call(slug, foreign).path) });

  for (const [what, key] of Object.entries(who.invalid)) {
    await refused(server.app, key, bad('nowhere'), unauthenticated, what);
    await refused(server.app, key, good, unauthenticated, what);
  }
  if (!isForSessions(route)) {
    await spendMinute();
    await refused(limited, keys.spent, bad('nowhere'), { status: 429, code: 'RATE_LIMIT_EXCEEDED' }, 'limit');
  }

  if (underWorkspace) {
    for (const slug of [
      'nowhere',
      'HOME',
      'tenants',
      '-home',
      'h'.repeat(41),
      'home%00',
      'home%2f..',
      '%20',
    ]) {
      await refused(server.app, who.admin, bad(slug), unknownTenant, `workspace ${slug}`);
      await refused(server.app, who.anyone, route.call(slug, home), unknownTenant, `workspace ${slug}`);
    }
    await refused(server.app, who.admin, bad(foreign.slug), wrongTenant, 'foreign workspace');
    await refused(server.app, who.admin, route.call(foreign.slug, foreign), wrongTenant, 'foreign workspace');
    for (const [what, key] of Object.entries(who.elsewhere)) {
      await refused(server.app, key, bad(home.slug), wrongTenant, what);
      await refused(server.app, key, good, wrongTenant, what);
    }
  }
  await runAbilities(route, who, good, bad(home.slug));
  if (good.body !== undefined && !route.takesReport) await runBodies(route, who.admin, good);
  await refused(
    server.app,
    who.admin,
    { ...route.call(home.slug, foreign), path: withUnknown(route.call(home.slug, foreign).path) },
    { status: 422, code: 'VALIDATION_FAILED', field: 'no_such_parameter' },
    'unknown parameter',
  );
  await runSessions(route, good, bad(home.slug));
  if (route.conflict) {
    const conflict = route.conflict(home.slug, home);
    await refused(server.app, who.admin, conflict, { status: 409, code: 'STATUS_VERSION_CONFLICT' }, 'stale');
  }
  assert.deepEqual(await traces(), before, 'a refusal left something behind');
}

async function runAbilities(route: KnownRoute, who: Credentials, good: Request, bad: Request): Promise<void> {
  const { access } = route;
  if (access === 'key') {
    await succeeds(who.anyone, good, 'no scope is needed');
    return;
  }
  if ('scopes' in access && !isForSessions(route)) {
    for (const scope of access.scopes) {
      const key = keys.without[scope];
      await refused(server.app, key, bad, denied(route), `without ${scope}`);
      await refused(server.app, key, good, denied(route), `without ${scope}`);
    }
  }
  if (access.role !== undefined) {
    const refusal = isForSessions(route) ? lacking : { ...denied(route), challenge: /role/ };
    for (const [what, credential] of Object.entries(who.below[access.role])) {
      await refused(server.app, credential, bad, refusal, what);
      await refused(server.app, credential, good, refusal, what);
    }
  }
}

/** Console sessions: some routes accept nothing else, and others also accept keys. */
async function runSessions(route: KnownRoute, good: Request, bad: Request): Promise<void> {
  if (!isForSessions(route) && !takesBoth(route)) return;
  const sessions = await createSessions(world);
  const { access } = route;
  if (route.route.includes(' /console/')) {
    // Keys are not checked on these routes.
    await refused(server.app, keys.admin, bad, unauthenticated, 'an API key');
    await refused(server.app, keys.admin, good, unauthenticated, 'an API key');
  } else if (isForSessions(route)) {
    const person = { ...denied(route), challenge: /Only a person/ };
    await refused(server.app, keys.admin, good, person, 'an API key');
    await refused(server.app, keys.admin, bad, person, 'an API key');
  } else {
    for (const [what, session] of Object.entries(sessions.invalid)) {
      await refused(server.app, session, bad, unauthenticated, what);
    }
    for (const [what, session] of Object.entries(sessions.elsewhere)) {
      await refused(server.app, session, bad, wrongTenant, what);
    }
    const role = access !== 'key' ? access.role : undefined;
    const below: Record<string, Credential> = role === undefined ? {} : sessions.below[role];
    for (const [what, session] of Object.entries(below)) {
      await refused(server.app, session, bad, lacking, what);
    }
  }
  if (good.method !== undefined && good.method !== 'GET') {
    for (const [what, stray] of Object.entries(sessions.strays)) {
      await refused(server.app, stray, good, { status: 403, code: 'ORIGIN_REFUSED' }, what);
      await refused(server.app, stray, bad, { status: 403, code: 'ORIGIN_REFUSED' }, what);
    }
  }
  if (access !== 'key' && ('session' in access ? access.session === 'recent' : access.recent)) {
    await refused(server.app, sessions.old, good, { status: 403, code: 'SIGN_IN_AGAIN' }, 'an old sign-in');
    await refused(server.app, sessions.old, bad, { status: 403, code: 'SIGN_IN_AGAIN' }, 'an old sign-in');
  }
}

async function runBodies(route: KnownRoute, admin: Credential, good: Request): Promise<void> {
  const path = withUnknown(route.call(home.slug, foreign).path);
  const wrong = (body: string, contentType: string): Request => ({
    ...good,
    path,
    body,
    headers: { 'content-type': contentType },
  });
  const mediaType: ExpectedRefusal = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' };
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'nonsense']) {
    await refused(server.app, admin, wrong('{}', type), mediaType, type);
  }
  const malformed: ExpectedRefusal = { status: 400, code: 'MALFORMED_REQUEST' };
  await refused(server.app, admin, wrong('{"a":', 'application/json'), malformed, 'broken JSON');
  const tooLarge: ExpectedRefusal = { status: 413, code: 'PAYLOAD_TOO_LARGE' };
  const large = JSON.stringify({ large: 'x'.repeat(1024 * 1024) });
  await refused(server.app, admin, wrong(large, 'application/json'), tooLarge, 'large body');
  const unknownField = { ...(good.body as object), no_such_field: 1 };
  await refused(
    server.app,
    admin,
    { ...route.call(home.slug, foreign), body: unknownField },
    { status: 422, code: 'VALIDATION_FAILED', field: 'no_such_field' },
    'unknown field',
  );
}

function withUnknown(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}no_such_parameter=1`;
}

/** Uses the only request and the only upload that this key has in its minute. The test ends within the minute. */
async function spendMinute(): Promise<void> {
  const authorization = `Bearer ${keys.spent}`;
  await send(limited, { path: '/api/v1/home/whoami', authorization });
  await send(limited, { method: 'POST', path: '/ingest/v1/home/scans', authorization });
}

/** Returns the traces of a write in both workspaces. */
async function traces(): Promise<unknown> {
  const { rows } = await server.owner.query(
    `select (select count(*)::int from audit_event) as audits, (select count(*)::int from vulnerability_event) as events,
            (select sum(status_version)::int from vulnerability) as versions,
            (select sum(revision)::int from policy) as policies, (select string_agg(status, ' ' order by id) from policy_exception) as exceptions,
            (select sum(snooze_count)::int from policy_violation) as snoozes,
            (select count(*)::int from api_key where disabled_at is null) as keys,
            (select count(*)::int from member) as members, (select count(*)::int from tenant) as workspaces,
            (select count(*)::int from invitation where withdrawn_at is null) as invitations,
            (select count(*)::int from application) + (select count(*)::int from application_repository) as applications`,
  );
  return rows[0];
}

describe('refusals', () => {
  before(async () => {
    await limited.ready();
  });

  test('every route is known, and declares the promised access', () => {
    assert.deepEqual(unknownRoutes(registered), []);
  });

  for (const route of walkedRoutes) test(route.route, () => runRefusals(route));
});
