/** Tests of keyless CI: which runs get a key by a trust rule, what the key opens, and each way to get more. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, describe, test } from 'node:test';
import { sweepSignIns } from '../../src/access/sign-in/sweep.ts';
import { tokenVerifier } from '../../src/actions/ci-tokens/verify-token.ts';
import { ciRunOf } from '../../src/domain/ci-providers.ts';
import { type RunToken, startCiProvider } from '../support/ci-provider.ts';
import { type Answer, type Json, type Schemas, send, succeeded } from '../support/client.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { applyAndEvaluate, factIs, policyOf } from '../support/policies.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs } from '../support/session.ts';
import { createTestKey, createTestWorkspace } from '../support/workspace.ts';

const provider = await startCiProvider();
const otherServer = 'https://gitlab.other.example';
const server = await createTestServer({ MERLON_CI_ISSUERS: `${provider.issuer},${otherServer}` });
server.beforeClose(() => provider.close());
const { app } = server;
const acme = await createTestWorkspace(server, 'acme');
await createTestWorkspace(server, 'other');
let admin: SessionClient;

before(async () => {
  admin = await signInAs(server, acme.people.admin.user.id);
  await createRule({ provider: 'github', claims: { repository_owner_id: '77' } });
});

type RunKey = Schemas['RunKey'];

const rulesPath = '/manage/v1/acme/trust-rules';
const rule = (fields: Json): Json => ({
  name: 'our organization',
  issuer: provider.issuer,
  audience: provider.audience,
  ...fields,
});

async function createRule(fields: Json): Promise<string> {
  const body = succeeded(await admin.post<{ id: string }>(rulesPath, rule(fields)), 201);
  return body.id;
}

const exchange = (token: string, slug = 'acme') =>
  send<RunKey>(app, { method: 'POST', path: `/ingest/v1/${slug}/key`, body: { token } });

async function keyOf(changes: RunToken = {}): Promise<RunKey> {
  return succeeded(await exchange(await provider.github(changes)), 201);
}

const report = { SchemaVersion: 2, ArtifactName: '.', Results: [] };
const upload = (key: string, query: string) =>
  send<Json>(app, {
    method: 'POST',
    path: `/ingest/v1/acme/scans?${query}`,
    authorization: `Bearer ${key}`,
    body: report,
  });
const sendRequest = (key: string, path: string) => send<Json>(app, { path, authorization: `Bearer ${key}` });

function refusedOn(answer: Answer<unknown>, field: string): void {
  assert.equal(answer.status, 422, answer.text);
  assert.deepEqual(Object.keys((answer.body as { errors: object }).errors), [field]);
}

const lastRefusal = async (): Promise<string> => {
  const { body } = await admin.get<{ items: { last_refusal: string | null }[] }>(rulesPath);
  return body.items.map(({ last_refusal }) => last_refusal ?? '').join(' ');
};

test('a run gets a key of fifteen minutes for its repository, uploads, and reads scan, status and gate', async () => {
  const { key, expires_at, scopes, repository, reference } = await keyOf();
  assert.deepEqual(scopes, ['scans:read', 'scans:write']);
  assert.equal(repository.full_name, 'acme/shop');
  assert.equal(reference, 'refs/heads/main');
  const minutes = (Date.parse(expires_at) - Date.now()) / 60_000;
  assert.ok(minutes > 14 && minutes <= 15, `${minutes} minutes`);
  const taken = succeeded(await upload(key, 'repo=acme/shop&ref=main'), 202);
  const paths = [
    `/api/v1/acme/scans/${taken.id}`,
    '/api/v1/acme/scans/status?repo=acme%2Fshop&ref=main',
    `/api/v1/acme/gate?repo=${repository.id}&ref=main`,
    '/api/v1/acme/whoami',
  ];
  for (const path of paths) assert.equal((await sendRequest(key, path)).status, 200, path);
  const { body } = await sendRequest(key, '/api/v1/acme/whoami');
  assert.deepEqual(body.token, {
    id: (body.token as Json).id,
    name: 'GitHub Actions: acme/shop, run 4711',
    scopes: ['scans:read', 'scans:write'],
    expires_at,
  });
});

test('the key opens no other route, no other repository and no other workspace', async () => {
  const { key } = await keyOf();
  const other = await keyOf({ claims: { repository: 'acme/blog', repository_id: '1002' } });
  const taken = await upload(other.key, 'repo=acme/blog&ref=main');
  const forbidden = ['/api/v1/acme/scans', '/api/v1/acme/repositories', '/api/v1/tenants'];
  for (const path of forbidden) assert.equal((await sendRequest(key, path)).status, 403, path);
  const foreign = [
    `/api/v1/acme/scans/${taken.body.id}`,
    '/api/v1/acme/scans/status?repo=acme%2Fblog&ref=main',
    `/api/v1/acme/gate?repo=${other.repository.id}&ref=main`,
    '/api/v1/acme/gate?repo=acme%2Fnowhere&ref=main',
  ];
  for (const path of foreign) assert.equal((await sendRequest(key, path)).status, 404, path);
  assert.equal((await sendRequest(key, '/api/v1/other/whoami')).body.code, 'TOKEN_INVALID_FOR_TENANT');
  refusedOn(await upload(key, 'repo=acme/blog&ref=main'), 'repo');
});

test('ids of another repository beside the own name, or a foreign name beside the own ids, are refused or ignored', async () => {
  const { key, repository } = await keyOf();
  const other = await keyOf({ claims: { repository: 'acme/blog', repository_id: '1002' } });
  const ids = (id: string) => `repo_source=ghe&repo_external_id=${id}`;
  refusedOn(await upload(key, `repo=acme/blog&ref=main&${ids('1001')}`), 'repo');
  const taken = succeeded(await upload(key, `repo=acme/shop&ref=main&${ids('1002')}`), 202);
  assert.equal((taken.repository as Json).id, repository.id);
  const { body } = await sendRequest(
    acme.people.admin.key,
    `/api/v1/acme/repositories/${other.repository.id}`,
  );
  assert.equal(body.full_name, 'acme/blog');
});

test('a run reports about its own branch, tag or pull request only', async () => {
  const branch = await keyOf({ claims: { ref: 'refs/heads/feature' } });
  for (const ref of ['main', 'refs/tags/v1', 'refs/pull/7/head']) {
    refusedOn(await upload(branch.key, `repo=acme/shop&ref=${ref}`), 'ref');
  }
  refusedOn(await upload(branch.key, 'repo=acme/shop'), 'ref');
  assert.equal((await upload(branch.key, 'repo=acme/shop&ref=feature')).status, 202);
  const pull = await keyOf({ claims: { ref: 'refs/pull/7/merge', event_name: 'pull_request' } });
  assert.equal(pull.reference, 'refs/pull/7/head');
  refusedOn(await upload(pull.key, 'repo=acme/shop&ref=refs/pull/8/head'), 'ref');
  refusedOn(await upload(pull.key, 'repo=acme/shop&ref=main'), 'ref');
  const ofPull = 'repo=acme/shop&ref=refs/pull/7/head&base_ref=main';
  assert.equal((await upload(pull.key, ofPull)).status, 202);
  const eventsOfDefaultBranch = [
    'pull_request_target',
    'workflow_run',
    'issue_comment',
    'check_suite',
    'status',
    '',
  ];
  for (const event of eventsOfDefaultBranch) {
    const target = await keyOf({ claims: { event_name: event } });
    assert.equal(target.reference, 'pull_requests', event);
    refusedOn(await upload(target.key, 'repo=acme/shop&ref=main'), 'ref');
  }
});

test('a child pipeline of GitLab reports about its branch only if that is protected, because it may be one of a merge request', async () => {
  await createRule({ provider: 'gitlab', claims: { namespace_id: '88' } });
  const referenceOf = async (claims: RunToken['claims']) => {
    const token = await provider.gitlab({ claims: { pipeline_source: 'parent_pipeline', ...claims } });
    return (await exchange(token)).body.reference;
  };
  assert.equal(await referenceOf({ ref_protected: 'false' }), 'pull_requests');
  assert.equal(await referenceOf({}), 'pull_requests');
  assert.equal(await referenceOf({ ref_protected: 'true' }), 'refs/heads/main');
  assert.equal(await referenceOf({ ref_path: 'refs/tags/v1', ref_protected: 'false' }), 'refs/tags/v1');
});

test('a token is exchanged once', async () => {
  const token = await provider.github();
  const answers = await Promise.all([exchange(token), exchange(token), exchange(token)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 401, 401]);
  const again = await exchange(token);
  assert.equal(again.status, 401);
  assert.match(again.headers['www-authenticate'] ?? '', /exchanged before/);
});

test('a token is exchanged once, also while the clocks of the nodes differ by hours', async () => {
  const token = await provider.github();
  succeeded(await exchange(token), 201);
  const age = (hours: number) =>
    server.owner.query('update exchanged_token set expires_at = now() - make_interval(hours => $1)', [hours]);
  await age(23);
  await keyOf();
  assert.equal((await exchange(token)).status, 401);
  await age(25);
  await keyOf();
  const { rows } = await server.owner.query('select count(*)::int as n from exchanged_token');
  assert.equal(rows[0].n, 1, 'older digests are deleted');
});

test('a forged, expired, foreign, endless or unsigned token is refused with 401', async () => {
  const good = await provider.github();
  const [head = '', payload = ''] = good.split('.');
  const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
  const bad = {
    forged: await provider.github({ forged: true }),
    expired: await provider.github({ expiresIn: -60 }),
    endless: await provider.github({ expiresIn: 7 * 24 * 3600 }),
    'without an end': await provider.github({ expiresIn: null }),
    unsigned: `${none}.${payload}.`,
    changed: `${head}.${Buffer.from('{"iss":"https://gitlab.com"}').toString('base64url')}.x`,
    'without an id': await provider.github({ claims: { jti: '' } }),
    garbage: 'mrl_pat_x',
  };
  for (const [what, token] of Object.entries(bad)) {
    const { status, body } = await exchange(token);
    assert.equal(status, 401, what);
    assert.equal((body as unknown as Json).code, 'AUTHENTICATION_REQUIRED', what);
  }
});

test('another audience, a fork, a foreign owner and a workspace without a rule are refused with 403', async () => {
  const foreign = {
    audience: { audience: 'https://other.example' },
    fork: { claims: { repository: 'mallory/shop', repository_id: '666', repository_owner_id: '13' } },
    'taken name': { claims: { repository_id: '667', repository_owner_id: '13' } },
  } satisfies Record<string, RunToken>;
  for (const [what, changes] of Object.entries(foreign)) {
    // A rule shows one reason of strangers in ten minutes.
    await server.owner.query('update trust_rule set last_refused_at = null');
    const { status, body } = await exchange(await provider.github(changes));
    assert.equal(status, 403, what);
    assert.equal((body as unknown as Json).code, 'TOKEN_INVALID_FOR_TENANT', what);
  }
  assert.match(await lastRefusal(), /repository_owner_id 13; the rule says 77/);
  const elsewhere = await exchange(await provider.github(), 'other');
  const nowhere = await exchange(await provider.github(), 'nowhere');
  for (const { status, text } of [elsewhere, nowhere]) {
    assert.equal(status, 403);
    assert.equal(text, elsewhere.text, 'an unknown workspace cannot be told from one without a rule');
  }
});

test('a renamed repository is refused by a rule that names it, and renamed by one that does not', async () => {
  const claims = { repository_id: '3003', repository_owner_id: '99' };
  const named = await createRule({
    provider: 'github',
    claims: { repository_id: '3003', repository: 'acme/mail' },
  });
  const before = await keyOf({ claims: { ...claims, repository: 'acme/mail' } });
  const renamed = { ...claims, repository: 'acme/letters' };
  assert.equal((await exchange(await provider.github({ claims: renamed }))).status, 403);
  assert.match(await lastRefusal(), /repository acme\/letters; the rule says acme\/mail/);
  assert.equal((await admin.delete(`${rulesPath}/${named}`)).status, 204);
  await createRule({ provider: 'github', claims: { repository_id: '3003' } });
  const after = await keyOf({ claims: renamed });
  assert.equal(after.repository.id, before.repository.id);
  assert.equal(after.repository.full_name, 'acme/letters');
});

describe('a repository that the workspace knows by its name alone', () => {
  const payments = { repository: 'acme/payments', repository_id: '9001' };
  const refusal = async (claims: Json): Promise<string> => {
    // A rule shows one reason of its own jobs in a second.
    await server.owner.query('update trust_rule set last_refused_at = null');
    assert.equal((await exchange(await provider.github({ claims }))).status, 403);
    return lastRefusal();
  };
  let id: string;

  before(async () => {
    const taken = await upload(acme.people.admin.key, 'repo=acme/payments&ref=main');
    id = String((taken.body.repository as Json).id);
  });

  test('gives no key and no id to a run whose repository has that name', async () => {
    assert.match(
      await refusal(payments),
      /knows acme\/payments by its name alone.*gives it its id: ghe, 9001/,
    );
    const { body } = await sendRequest(acme.people.admin.key, `/api/v1/acme/repositories/${id}`);
    assert.equal(body.source, 'local');
  });

  test('gives no key to a run whose repository has taken that name, also where a policy blocks', async () => {
    const policy = (mode: string) => policyOf('severe', factIs('severity', 'critical'), { mode });
    await applyAndEvaluate(server, acme.tenant.id, policy('block'));
    const own = { repository: 'acme/mine', repository_id: '9001' };
    const mine = await keyOf({ claims: own });
    assert.notEqual(mine.repository.id, id);
    assert.match(await refusal(payments), /acme\/payments by its name alone, and acme\/mine has the id 9001/);
    await applyAndEvaluate(server, acme.tenant.id, policy('warn'));
    assert.equal((await keyOf({ claims: payments })).repository.id, mine.repository.id);
  });

  test('gives a key after an admin has set its id', async () => {
    const claims = { ...payments, repository_id: '9002' };
    const fields = { source: 'ghe', external_id: '9002' };
    assert.equal((await admin.patch(`/manage/v1/acme/repositories/${id}`, fields)).status, 200);
    assert.equal((await keyOf({ claims })).repository.id, id);
  });
});

test('a run uploads also after its repository gave its name to one of another VCS', async () => {
  await createRule({ provider: 'gitlab', claims: { project_id: '9009' } });
  const ofGitlab = async (): Promise<RunKey> => {
    const claims = { project_path: 'acme/web', project_id: '9009' };
    return succeeded(await exchange(await provider.gitlab({ claims })), 201);
  };
  const { repository } = await ofGitlab();
  const other = await keyOf({ claims: { repository: 'acme/web', repository_id: '9010' } });
  assert.notEqual(other.repository.id, repository.id);
  const { key } = await ofGitlab();
  const taken = succeeded(await upload(key, 'repo=acme/web&ref=main'), 202);
  assert.equal((taken.repository as Json).id, repository.id);
});

test('a merged pull request reports about its base, and an event without a reference about nothing', async () => {
  const merged = await keyOf({ claims: { event_name: 'pull_request', ref: 'refs/heads/main' } });
  assert.equal(merged.reference, 'refs/heads/main');
  const claims = { event_name: 'deployment', ref: '' };
  assert.equal((await exchange(await provider.github({ claims }))).status, 403);
});

test('deleting a rule ends its keys at once, and expired keys are deleted after a week', async () => {
  const id = await createRule({ provider: 'gitlab', claims: { project_id: '2002' } });
  const body = succeeded(await exchange(await provider.gitlab()), 201);
  assert.equal((await sendRequest(body.key, '/api/v1/acme/whoami')).status, 200);
  const review = await exchange(
    await provider.gitlab({ claims: { pipeline_source: 'merge_request_event' } }),
  );
  assert.equal(review.body.reference, 'pull_requests');
  assert.equal((await admin.delete(`${rulesPath}/${id}`)).status, 204);
  // A valid key is remembered for less than a second.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  assert.equal((await sendRequest(body.key, '/api/v1/acme/whoami')).status, 401);
  const keysOfRuns = 'select count(*)::int as n from api_key where trust_rule_id is not null';
  const count = async () => (await server.owner.query<{ n: number }>(keysOfRuns)).rows[0]?.n;
  const all = await count();
  await sweepSignIns(server.db);
  assert.equal(await count(), all, 'young keys stay');
  await server.owner.query(
    `update api_key set expires_at = now() - interval '8 days' where trust_rule_id is not null`,
  );
  await sweepSignIns(server.db);
  assert.equal(await count(), 0);
});

test('a rule needs an id, known claims and an allowed issuer, and only admins with a fresh session make it', async () => {
  const wrong: [string, Json][] = [
    ['claims', { claims: { repository: 'acme/shop' } }],
    ['claims', { claims: { repository_id: 'acme/shop' } }],
    ['claims', { claims: { repository_id: '1', refs: 'main' } }],
    ['claims', { claims: { project_id: '1' } }],
    ['issuer', { claims: { repository_id: '1' }, issuer: 'https://evil.example' }],
    ['audience', { claims: { repository_id: '1' }, audience: ' ' }],
  ];
  for (const [field, fields] of wrong) {
    refusedOn(await admin.post(rulesPath, rule({ provider: 'github', ...fields })), field);
  }
  const member = await signInAs(server, acme.people.member.user.id);
  const stale = await signInAs(server, acme.people.admin.user.id, {
    signedInAt: new Date(Date.now() - 2 * 3600_000),
  });
  const right = rule({ provider: 'github', claims: { repository_id: '1' } });
  assert.equal((await member.post(rulesPath, right)).status, 403);
  assert.equal((await stale.post<Json>(rulesPath, right)).body.code, 'SIGN_IN_AGAIN');
  const key = await createTestKey(server, {
    userId: acme.people.admin.user.id,
    role: 'admin',
    scopes: ['workspace:admin'],
  });
  assert.equal((await sendRequest(key.key, rulesPath)).status, 403);
});

test('keys of runs are in no list of keys, and do not count as keys of the workspace', async () => {
  const { key } = await keyOf();
  const keys = await admin.get<{ items: Json[] }>('/manage/v1/acme/keys');
  assert.deepEqual(keys.body.items, []);
  const { body } = await admin.get<{ items: { last_used_at: string | null }[] }>(rulesPath);
  assert.ok(body.items.some(({ last_used_at }) => last_used_at !== null));
  assert.equal((await sendRequest(key, '/api/v1/acme/whoami')).status, 200);
});

test('the published keys of the provider are read once for many tokens', () => {
  assert.equal(provider.keyReads(), 1);
});

test('tokens of strangers do not hide why a job of the workspace was refused, and are not written for each request', async () => {
  const id = await createRule({
    provider: 'github',
    claims: { repository_id: '5005', ref: 'refs/heads/main' },
  });
  const own = { claims: { repository_id: '5005', repository_owner_id: '1', ref: 'refs/heads/topic' } };
  const stranger = {
    audience: 'look at evil\u0000\u202e',
    claims: { repository_id: '6', repository_owner_id: '6' },
  };
  const shown = async () => {
    const { body } = await admin.get<{ items: { id: string; last_refusal: string | null }[] }>(rulesPath);
    return body.items.find((item) => item.id === id)?.last_refusal;
  };
  assert.equal(
    (await exchange(await provider.github(stranger))).status,
    403,
    'a NUL is no error of the server',
  );
  assert.doesNotMatch((await shown()) ?? '', /\p{Cc}|\u202e/u);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  assert.equal((await exchange(await provider.github(own))).status, 403);
  const reason = /ref refs\/heads\/topic; the rule says refs\/heads\/main/;
  assert.match((await shown()) ?? '', reason);
  await server.owner.query(`update trust_rule set last_refused_at = now() - interval '5 minutes'`);
  assert.equal((await exchange(await provider.github(stranger))).status, 403);
  assert.match((await shown()) ?? '', reason, 'the reason of the own job stays');
});

test('a stranger who sends many signed tokens takes none of the connections of the workspace', async () => {
  const claims = { repository: 'mallory/shop', repository_id: '666', repository_owner_id: '13' };
  const token = await provider.github({ claims });
  const client = await server.owner.connect();
  await client.query('begin; lock table trust_rule in access exclusive mode');
  // More than the share and the queue of a workspace together.
  const flood = Array.from({ length: 300 }, () =>
    app.inject({
      method: 'POST',
      url: '/ingest/v1/acme/key',
      remoteAddress: '192.0.2.66',
      payload: { token },
    }),
  );
  const refused = await Promise.race(flood);
  assert.equal(refused.statusCode, 503, 'the queue of the stranger is full');
  const list = await sendRequest(acme.people.viewer.key, '/api/v1/acme/scans');
  await client.query('rollback');
  client.release();
  assert.equal(list.status, 200, list.text);
  for (const { statusCode } of await Promise.all(flood)) assert.ok([403, 429, 503].includes(statusCode));
});

test('an Idempotency-Key that looks like that of a run does not refuse the upload of the run', async () => {
  const send = (key: string, name: string) =>
    app.inject({
      method: 'POST',
      url: '/ingest/v1/acme/scans?repo=acme/alike&ref=main',
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': name },
      payload: report,
    });
  const claims = { repository: 'acme/alike', repository_id: '9010' };
  const first = await send((await keyOf({ claims })).key, 'run-1');
  assert.equal(first.statusCode, 202, first.body);
  const { rows } = await server.owner.query(`select id from repository where full_name = 'acme/alike'`);
  const taken = await send(acme.people.member.key, `${rows[0].id} refs/heads/main run-4712`);
  assert.equal(taken.statusCode, 202, taken.body);
  const run = await send((await keyOf({ claims })).key, 'run-4712');
  assert.equal(run.statusCode, 202, run.body);
});

test('an Idempotency-Key of one run does not refuse the upload of a run of another branch', async () => {
  const send = (key: string, ref: string) =>
    app.inject({
      method: 'POST',
      url: `/ingest/v1/acme/scans?repo=acme/once&ref=${ref}`,
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'run-4712' },
      payload: report,
    });
  const claims = { repository: 'acme/once', repository_id: '9009' };
  const branch = await keyOf({ claims: { ...claims, ref: 'refs/heads/feature' } });
  const main = await keyOf({ claims });
  const other = await send(branch.key, 'feature');
  assert.equal(other.statusCode, 202, other.body);
  const first = await send(main.key, 'main');
  assert.equal(first.statusCode, 202, first.body);
  const again = await send((await keyOf({ claims })).key, 'main');
  assert.deepEqual([again.json().id, again.json().repeated], [first.json().id, true]);
});

test('an exchange during the deletion of its rule leaves no valid key', async () => {
  const id = await createRule({ provider: 'gitlab', claims: { project_id: '7007' } });
  const token = await provider.gitlab({ claims: { project_id: '7007', project_path: 'acme/seven' } });
  const client = await server.owner.connect();
  await client.query('begin');
  await client.query(`delete from trust_rule where claims ->> 'project_id' = '7007'`);
  const exchanging = exchange(token);
  await untilLockWaits(server.owner);
  await client.query('commit');
  client.release();
  assert.equal((await exchanging).status, 403, id);
});

test('a job on a branch does not make its branch the default one', async () => {
  const claims = { repository: 'acme/default', repository_id: '8008' };
  const { repository } = await keyOf({ claims });
  const change = await admin.patch(`/manage/v1/acme/repositories/${repository.id}`, {
    default_branch: 'main',
  });
  assert.equal(change.status, 200, change.text);
  const { key } = await keyOf({ claims: { ...claims, ref: 'refs/heads/topic' } });
  const told = async (branch: string): Promise<string | null> => {
    succeeded(await upload(key, `repo=acme/default&ref=topic&default_branch=${branch}`), 202);
    const { rows } = await server.owner.query('select default_branch from scan order by id desc limit 1');
    return rows[0].default_branch;
  };
  assert.equal(await told('topic'), null);
  assert.equal(await told('main'), 'refs/heads/main');
});

test('the server asks a failing provider once for many tokens, and reads no endless document', async () => {
  let requestCount = 0;
  let isEndless = false;
  const failing = createServer((_request, response) => {
    requestCount++;
    if (!isEndless) return response.writeHead(500).end();
    response.writeHead(200);
    const more = (): void => {
      if (response.destroyed) return;
      response.write(Buffer.alloc(65_536, ' '));
      setTimeout(more, 1);
    };
    more();
    return undefined;
  });
  await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`;
  const part = (json: Json): string => Buffer.from(JSON.stringify(json)).toString('base64url');
  const token = `${part({ alg: 'RS256', kid: 'x' })}.${part({ iss: issuer })}.x`;
  const verify = tokenVerifier([issuer]);
  for (let i = 0; i < 5; i++) await assert.rejects(verify(token), { code: 'SERVICE_UNAVAILABLE' });
  assert.equal(requestCount, 1);
  isEndless = true;
  const start = performance.now();
  await assert.rejects(tokenVerifier([issuer])(token), { code: 'SERVICE_UNAVAILABLE' });
  assert.ok(performance.now() - start < 4_000, 'it ends by the size and not by the time');
  failing.closeAllConnections();
  await new Promise((resolve) => failing.close(resolve));
});

test('a provider that describes another issuer, or keys elsewhere, or sends the server elsewhere is not trusted', async (t) => {
  const keys = await (await fetch(`${provider.issuer}/keys`)).text();
  let lie = '';
  const odd = createServer((request, response) => {
    const own = `http://${request.headers.host}`;
    if (request.url === '/keys') return response.writeHead(200).end(keys);
    if (lie === 'redirect' && request.url !== '/document')
      return response.writeHead(302, { location: `${own}/document` }).end();
    const document = {
      issuer: lie === 'issuer' ? provider.issuer : own,
      jwks_uri: lie === 'keys' ? `${provider.issuer}/keys` : `${own}/keys`,
    };
    return response.writeHead(200).end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
  t.after(() => odd.close());
  const iss = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`;
  const token = await provider.github({ claims: { iss } });
  assert.equal((await tokenVerifier([iss])(token)).issuer, iss);
  for (lie of ['issuer', 'keys', 'redirect'])
    await assert.rejects(tokenVerifier([iss])(token), { code: 'SERVICE_UNAVAILABLE' }, lie);
});

test('an enterprise of github.com with an issuer of its own has repositories of github.com', () => {
  const claims = { repository: 'acme/shop', repository_id: '1', ref: 'refs/heads/main' };
  const sourceOf = (issuer: string) => ciRunOf('github', claims, issuer)?.source;
  assert.equal(sourceOf('https://token.actions.githubusercontent.com/acme'), 'ghc');
  assert.equal(sourceOf('https://token.actions.githubusercontent.com.evil.example'), 'ghe');
});

test('a rule for a second GitLab server is refused, because its ids may be those of the first', async () => {
  const id = await createRule({ provider: 'gitlab', claims: { namespace_id: '1' } });
  const second = { provider: 'gitlab', issuer: otherServer, claims: { namespace_id: '1' } };
  refusedOn(await admin.post(rulesPath, rule(second)), 'issuer');
  assert.equal((await admin.delete(`${rulesPath}/${id}`)).status, 204);
  // If rules for two servers are made at the same time, those for one of them remain.
  const first = { ...second, issuer: provider.issuer };
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      admin.post<{ issuer: string }>(rulesPath, rule(i % 2 === 0 ? first : second)),
    ),
  );
  const issuers = made.filter(({ status }) => status === 201).map(({ body }) => body.issuer);
  assert.equal(new Set(issuers).size, 1, issuers.join(' '));
});

test('the keys of the runs of a repository share a limit, and those of another repository have one of their own', async () => {
  const limited = await createTestServer({
    MERLON_CI_ISSUERS: provider.issuer,
    MERLON_UPLOADS_PER_MINUTE: '1',
  });
  const { people } = await createTestWorkspace(limited, 'acme');
  const adminThere = await signInAs(limited, people.admin.user.id);
  const fields = rule({ provider: 'github', claims: { repository_owner_id: '77' } });
  succeeded(await adminThere.post(rulesPath, fields), 201);
  const uploadAsRun = async (claims: Json = {}): Promise<number> => {
    const body = { token: await provider.github({ claims }) };
    const made = await send<RunKey>(limited.app, { method: 'POST', path: '/ingest/v1/acme/key', body });
    const { status } = await send(limited.app, {
      method: 'POST',
      path: `/ingest/v1/acme/scans?repo=${made.body.repository.full_name}&ref=main`,
      authorization: `Bearer ${made.body.key}`,
      body: report,
    });
    return status;
  };
  // As many as the keys of a person together.
  for (let run = 1; run <= 10; run++) assert.equal(await uploadAsRun(), 202, `run ${run}`);
  assert.equal(await uploadAsRun(), 429);
  assert.equal(await uploadAsRun({ repository: 'acme/blog', repository_id: '1002' }), 202);
});
