/**
 * Tests `npm run demo` as a process of its own: it fills a database beside the real one, serves, and says how to sign
 * in. The first start takes a minute or two, so it runs in the full form only. Tests of lists and pages use the same
 * reports.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { onlyInFull } from '../../server/test/support/form.ts';
import { createDirectory, exitOf, untilSays } from '../../server/test/support/process.ts';
import { get } from '../../server/test/support/serving.ts';

const program = fileURLToPath(new URL('../bin/demo.js', import.meta.url));
const { PATH, HOME } = process.env;

test('the demo serves its reports, its policies and its people, and ends with a signal', {
  skip: onlyInFull,
}, async () => {
  const dataDir = join(createDirectory(), 'data');
  const settings = { PATH, HOME, MERLON_DATA_DIR: dataDir };
  const child = spawn(process.execPath, [program, '--port', '0', '--json'], { env: settings, stdio: 'pipe' });
  const exit = exitOf(child);
  try {
    const [text] = await untilSays(child, /^\{.*^\}/ms);
    const { url, workspace, key, email, password } = JSON.parse(text);
    assert.match(password, /^kestrel-/);
    assert.deepEqual(readdirSync(dataDir), ['demo'], 'the demo has a directory of its own');
    assert.ok(existsSync(join(dataDir, 'demo', 'postgres')));
    const ask = async (path: string) => {
      const { status, body } = await get(url, `/api/v1/${workspace}/${path}`, key);
      assert.equal(status, 200, path);
      return body;
    };
    assert.equal((await ask('whoami')).actor.email, email);
    const list = await ask('vulnerabilities?ref=HEAD&state=open&severity=critical,high&per_page=5');
    assert.equal(list.items.length, 5);
    const gate = await ask('gate?repo=kestrel-freight/storefront&ref=main');
    assert.equal(typeof gate.verdict, 'string');
  } finally {
    child.kill('SIGTERM');
  }
  assert.equal(await exit, 0);
});

test('a wrong option ends with the exit code of usage', async () => {
  const child = spawn(process.execPath, [program, '--port', 'x'], { env: { PATH, HOME }, stdio: 'pipe' });
  const exit = exitOf(child);
  await untilSays(child, /demo: --port: Must be an integer/);
  assert.equal(await exit, 2);
});
