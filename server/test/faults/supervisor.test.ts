/** Test of the supervisor of `serve`, which must outlive its processes, also while it answers them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDirectory } from '../support/process.ts';
import { get, processIds, startServing, stop } from '../support/serving.ts';

const processes = 2;
const settings = {
  // With an embedded database the supervisor keeps the counts of limits, and the processes request them.
  MERLON_DATA_DIR: join(createDirectory(), 'data'),
  MERLON_PORT: '0',
  MERLON_LOG_LEVEL: 'info',
  MERLON_RATE_LIMIT_PER_MINUTE: '60',
  MERLON_PROCESSES: String(processes),
};

test('a process that dies while it waits for an answer of the supervisor is replaced', async (t) => {
  const server = await startServing(settings);
  t.after(() => stop(server.child));
  const untilReady = async (count: number): Promise<number[]> => {
    for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(50)) {
      assert.equal(server.child.exitCode, null, server.said().slice(-2_000));
      const ids = processIds(server, 'requests');
      if (ids.length >= count) return ids;
    }
    throw new Error(`not ${count} processes: ${server.said()}`);
  };
  const sendSome = () =>
    Promise.allSettled(
      Array.from({ length: 12 }, () => get(server.url, '/api/v1/acme/whoami', 'mrl_pat_nonsense')),
    );
  const [victim = 0] = await untilReady(processes);
  // The connections stay open, so that the processes get the next requests without the supervisor.
  await sendSome();
  server.child.kill('SIGSTOP');
  const sent = sendSome();
  await sleep(300);
  process.kill(victim, 'SIGKILL');
  await sleep(100);
  server.child.kill('SIGCONT');
  await sent;
  await untilReady(processes + 1);
  assert.equal((await get(server.url, '/readyz')).status, 200);
});
