/** Tests of the README: its commands, typed exactly, leave a person who can sign in, with a key that works. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createSetupToken } from '../../src/access/sign-in/setup.ts';
import { clientOf } from '../support/client.ts';
import { fieldsOf } from '../support/fields.ts';
import { merlondHere } from '../support/merlond-here.ts';
import { merlond } from '../support/process.ts';
import { createTestServer } from '../support/server.ts';
import { nodeSettings } from '../support/serving.ts';
import { signInWith } from '../support/session.ts';

const root = new URL('../../../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');
const packageOf = (folder: string) =>
  JSON.parse(readFileSync(new URL(`${folder}package.json`, root), 'utf8'));

/** The arguments of every `npx merlond` of the README's blocks. */
function commandsOf(text: string): string[][] {
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) =>
    block.replaceAll('\\\n', ' '),
  );
  return blocks.flatMap((block) =>
    [...block.matchAll(/npx merlond ([^)\n]*)/g)].map(([, line = '']) =>
      [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
    ),
  );
}

test('the commands of the README make an operator who signs in to the console, and a key that opens the workspace', async () => {
  const server = await createTestServer();
  const settings = nodeSettings(server);
  await createSetupToken(server.db, { passwords: true });
  const password = 'correct horse battery';
  const commands = commandsOf(readme);
  assert.ok(commands.length >= 4, readme);
  let said = '';
  let key = '';
  for (const args of commands) {
    const { code, stdout, stderr } = await merlond(args, settings, `${password}\n`);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    said += stderr;
    if (args[0] === 'key') key = stdout.trim();
  }
  assert.match(said, /the setup link that the server printed is no longer valid/);
  const person = await signInWith(server, 'ada@example.com', password);
  const { body } = await person.get<{ items: { slug: string; role: string }[] }>('/console/workspaces');
  assert.deepEqual(fieldsOf(body.items, 'slug', 'role'), [['acme', 'admin']]);
  assert.equal((await clientOf(server.app, key).get('/api/v1/acme/vulnerabilities')).status, 200);

  const without = await merlondHere(['user', 'create', 'b@example.com', '--name', 'B'], settings);
  assert.match(
    without.stderr,
    /to sign in to the console, b@example\.com needs a password: merlond user password/,
  );
  assert.doesNotMatch(without.stderr, /the link/);
});

test('the README names the versions of Node.js that package.json does, and all workspaces name the same one', () => {
  const { engines, devDependencies, workspaces } = packageOf('');
  const major = devDependencies.node.split('.')[0];
  assert.ok(readme.includes(`Node.js ${engines.node.replace('>=', '')} or later`), engines.node);
  assert.ok(readme.includes(`the Node.js ${major} that Merlon runs on`), major);
  const needed = new Set(workspaces.flatMap((folder: string) => packageOf(`${folder}/`).engines?.node ?? []));
  assert.deepEqual([...needed], ['>=24.12']);
  assert.ok(readme.includes('24.12'));
});

test('merlond --version prints the version of the root package.json', async () => {
  const { code, stdout } = await merlondHere(['--version'], {});
  assert.deepEqual([code, stdout], [0, `${packageOf('').version}\n`]);
});
