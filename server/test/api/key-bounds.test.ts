/** Tests of the maximum number of active keys of a person and of a workspace. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestServer } from '../support/server.ts';
import { signInAs } from '../support/session.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const server = await createTestServer();
const acme = await createTestWorkspace(server, 'acme');
const own = { name: 'laptop', scopes: ['tenants:read'], workspaces: null };
const ci = { name: 'ci', scopes: ['scans:read'] };

test('a person has 50 active keys at most, however many are requested at once; a revoked one makes room', async () => {
  const session = await signInAs(server, acme.people.member.user.id);
  const make = () =>
    session.post<{ code: string; message: string; key: { id: string } }>('/console/keys', own);
  // One key already exists. More at once would wait too long for a connection where each takes long.
  const answers: Awaited<ReturnType<typeof make>>[] = [];
  for (const length of [20, 20, 20]) answers.push(...(await Promise.all(Array.from({ length }, make))));
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 201).length, 49);
  const refused = answers.find(({ status }) => status !== 201);
  assert.deepEqual([refused?.status, refused?.body.code], [409, 'INVALID_TRANSITION']);
  assert.match(refused?.body.message ?? '', /50 active keys, which is the limit: revoke one/);
  const made = answers.find(({ status }) => status === 201);
  await session.delete(`/console/keys/${made?.body.key.id}`);
  assert.equal((await make()).status, 201);
  assert.equal((await make()).status, 409);
  await server.owner.query(
    `update api_key set expires_at = now() - interval '1 second'
      where id = (select id from api_key where user_id = $1 and disabled_at is null limit 1)`,
    [acme.people.member.user.id],
  );
  assert.equal((await make()).status, 201, 'an expired key is not counted');
});

test('a workspace has 500 active keys at most', async () => {
  const session = await signInAs(server, acme.people.admin.user.id);
  const make = () => session.post<{ message: string }>('/manage/v1/acme/keys', ci);
  assert.equal((await make()).status, 201);
  await server.owner.query(
    `insert into api_key (id, kind, user_id, tenant_id, role, name, secret_sha256, last_four, scopes)
       select gen_random_uuid(), kind, user_id, tenant_id, role, name, sha256(n::text::bytea), last_four, scopes
         from api_key, generate_series(1, 498) n where kind = 'workspace' and tenant_id = $1`,
    [acme.tenant.id],
  );
  const answers = await Promise.all([make(), make(), make()]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  assert.equal((await make()).status, 409);
});
