import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { alignLines } from './align-lines.ts';

const inLines = (...lines: number[]) => lines.map((line) => ({ line }));
const linesOf = (pairs: [{ line: number }, { line: number }][]) => pairs.map(([a, b]) => [a.line, b.line]);

test('lines that have not moved stay together, whichever is removed or added', () => {
  assert.deepEqual(linesOf(alignLines(inLines(61, 82, 124), inLines(42, 61, 82, 124))), [
    [61, 61],
    [82, 82],
    [124, 124],
  ]);
  assert.deepEqual(linesOf(alignLines(inLines(5, 10, 50), inLines(10, 50))), [
    [10, 10],
    [50, 50],
  ]);
});

test('lines that have moved together stay in order, although one is where another was', () => {
  assert.deepEqual(linesOf(alignLines(inLines(13, 16, 60), inLines(10, 13))), [
    [13, 10],
    [16, 13],
  ]);
});

test('the pairs have the least distance of all that keep the order', () => {
  const lines = fc.array(fc.nat(60), { maxLength: 5 }).map((list) => inLines(...list.sort((a, b) => a - b)));
  fc.assert(
    fc.property(lines, lines, fc.func(fc.boolean()), (findings, known, may) => {
      const pairs = alignLines(findings, known, may);
      for (const [finding, location] of pairs) assert.ok(may(finding, location));
      const score = pairs.length * 1000 - pairs.reduce((sum, [a, b]) => sum + Math.abs(a.line - b.line), 0);
      assert.equal(score, bestScore(findings, known, may));
    }),
  );
});

type InLine = ReturnType<typeof inLines>[number];

function bestScore(findings: InLine[], known: InLine[], may: (a: InLine, b: InLine) => boolean): number {
  const [first, ...rest] = findings;
  if (first === undefined) return 0;
  const paired = known.map((location, i) =>
    may(first, location)
      ? 1000 - Math.abs(first.line - location.line) + bestScore(rest, known.slice(i + 1), may)
      : 0,
  );
  return Math.max(bestScore(rest, known, may), ...paired);
}
