import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorMs } from '../../../test/support/processor-time.ts';
import { DependencyChains } from './dependency-chains.ts';

test('the shortest chain is given, in any order of the report, and circles end', () => {
  const edges: [string, string[]][] = [
    ['tools', ['rope', 'spade']],
    ['spade', ['rope', 'tools']],
    ['rope', ['hemp']],
    ['hemp', ['rope']],
    ['shed', ['rope']],
  ];
  for (const list of [edges, edges.map(([id, on]) => [id, on.toReversed()] as const).reverse()]) {
    const chains = new DependencyChains(new Map(list), ['tools', 'shed']);
    assert.deepEqual(chains.to('hemp'), ['shed', 'rope', 'hemp']);
    assert.deepEqual(chains.to('tools'), ['tools']);
    assert.deepEqual(chains.to('gate'), []);
  }
});

test('a graph of many packages takes linear time, and a chain that is too long is left out', () => {
  const count = 200_000;
  const edges = new Map(Array.from({ length: count }, (_, index) => [`p${index}`, [`p${index + 1}`, 'p0']]));
  const started = processorMs();
  const chains = new DependencyChains(edges, ['p0']);
  for (let index = 0; index < count; index++) chains.to(`p${index}`);
  assert.deepEqual([chains.to('p2'), chains.to('p5000')], [['p0', 'p1', 'p2'], []]);
  assert.ok(processorMs() - started < 3000);
});
