import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { authenticationLimiter } from './rate-limit.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a limit in memory keeps nothing of the request that it counts', async () => {
  const limiter = authenticationLimiter('memory');
  const request = new AsyncLocalStorage<object>();
  const kept = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      const reply = { body: 'x'.repeat(1_000) };
      await request.run(reply, () => limiter.failed(`198.51.100.${n}`));
      return new WeakRef(reply);
    }),
  );
  for (let n = 0; n < 5; n++) {
    await turn();
    collectGarbage();
  }
  assert.ok(kept.filter((reply) => reply.deref() !== undefined).length <= 1);
});
