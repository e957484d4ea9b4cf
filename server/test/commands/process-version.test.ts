/** Test of a process of `serve` whose files are of another version than the supervisor that starts it. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { FromProcess, StartMessage } from '../../src/commands/processes/messages.ts';
import { version } from '../../src/domain/version.ts';
import { createTestServer } from '../support/server.ts';

const program = fileURLToPath(new URL('../../src/commands/processes/process.ts', import.meta.url));
const { appUrl, config } = await createTestServer();

test('a process of another version than the supervisor does not start, and says what to do', async () => {
  const child = fork(program);
  const answered = once(child, 'message');
  const ended = once(child, 'exit');
  const start: StartMessage = {
    type: 'start',
    version: '0.0.0',
    role: 'requests',
    config: { ...config, port: 0 },
    appUrl,
    makesSetupToken: false,
  };
  child.send(start);
  const [message] = (await answered) as [FromProcess];
  assert.equal(message.type, 'failed');
  assert.match(
    message.message,
    new RegExp(`the server is Merlon 0\\.0\\.0, and its files are ${version}\\. Restart the server`),
  );
  const [code] = await ended;
  assert.equal(code, 1);
});
