/** Tests of `merlon team`. */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { runHere } from '../../server/test/support/run-here.ts';
import { createTestServer } from '../../server/test/support/server.ts';
import { createTestWorkspace } from '../../server/test/support/workspace.ts';
import { main } from '../src/main.ts';

const server = await createTestServer();
const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
const { people } = await createTestWorkspace(server, 'acme');

async function team(args: string[], code = 0, role: 'admin' | 'viewer' = 'admin') {
  const env = { MERLON_URL: url, MERLON_TOKEN: people[role].key, MERLON_WORKSPACE: 'acme' };
  const run = await runHere(main, ['team', ...args], { cwd: tmpdir(), env });
  assert.equal(run.code, code, `${args.join(' ')}\n${run.stdout}${run.stderr}`);
  return code === 0 ? run.stdout : run.stderr;
}

test('an admin creates, changes, shows and deletes a team, and a viewer lists it', async () => {
  const { email } = people.member.user;
  const fields = ['--owner-name', '@acme/payments', '--owner-name', '@acme/billing', '--member', email];
  const made = JSON.parse(await team(['create', 'Payments', ...fields, '--json']));
  assert.deepEqual(made.owner_names, ['@acme/billing', '@acme/payments']);
  assert.match(await team(['list'], 0, 'viewer'), /Payments +1 +@acme\/billing @acme\/payments +team_/);
  assert.match(await team(['show', made.id]), new RegExp(`${email}`));
  await team(['change', made.id, '--name', 'Money'], 3, 'viewer');
  assert.match(await team(['change', made.id, '--name', 'Money']), /"Money" is changed/);
  assert.match(await team(['show', made.id]), new RegExp(email), 'what is not named stays');
  assert.match(await team(['delete', made.id]), /is deleted/);
  assert.deepEqual(JSON.parse(await team(['list', '--json'])), { items: [] });
  const gone = await team(['show', made.id], 3);
  assert.equal(gone, `merlon: Nothing was found for ${made.id}. See "merlon team list".\n`);
});
