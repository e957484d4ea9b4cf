import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchesByWeight } from './batches.ts';

test('batches by weight hold every item once, in order, within both limits', () => {
  const divided = (weights: number[]): number[][] => [...batchesByWeight(weights, 3, 10, (weight) => weight)];
  assert.deepEqual(divided([]), []);
  assert.deepEqual(divided([4, 6, 1]), [[4, 6], [1]]);
  assert.deepEqual(divided([0, 0, 0, 0]), [[0, 0, 0], [0]]);
  assert.deepEqual(divided([1, 25, 1, 9, 1]), [[1], [25], [1, 9], [1]]);
});
