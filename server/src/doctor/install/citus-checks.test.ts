import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkBalance } from './citus-checks.ts';

const gigabyte = 1024 ** 3;

test('nodes of which one has more than twice as much are a warning that names them', () => {
  const result = checkBalance([
    { node: 'worker1:5432', shards: 32, bytes: 5 * gigabyte },
    { node: 'worker2:5432', shards: 32, bytes: 2 * gigabyte },
  ]);
  assert.equal(result.result, 'warning');
  assert.match(result.found, /worker1:5432: 32 shards, 5\.0 GiB; worker2:5432: 32 shards, 2\.0 GiB/);
});

test('nodes that are about equally full, or nearly empty, are in order', () => {
  for (const sizes of [
    [3, 2],
    [0.4, 0.1],
  ]) {
    const nodes = sizes.map((size, i) => ({ node: `worker${i}:5432`, shards: 32, bytes: size * gigabyte }));
    assert.equal(checkBalance(nodes).result, 'ok');
  }
});
