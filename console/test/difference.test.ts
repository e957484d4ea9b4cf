/** Tests of the difference in a policy's editor: complete, in order, and as short as possible. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceOf } from '../src/pages/policies/difference.ts';

function sidesOf(before: string, after: string) {
  const lines = differenceOf(before, after);
  const side = (gone: string) =>
    lines
      .filter(({ change }) => change !== gone)
      .map(({ text }) => `${text}\n`)
      .join('');
  return { lines, old: side('added'), now: side('removed') };
}

test('both texts can be rebuilt from the difference of random texts', () => {
  let seed = 20_261_121;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const text = (): string => Array.from({ length: next(12) }, () => `${'abc'[next(3)]}\n`).join('');
  for (let round = 0; round < 500; round++) {
    const [before, after] = [text(), text()];
    const { old, now } = sidesOf(before, after);
    assert.equal(old, before);
    assert.equal(now, after);
  }
});

test('unchanged lines are not shown as changed', () => {
  const { lines } = sidesOf('a\nb\nc\nd\n', 'a\nx\nc\nd\ne\n');
  assert.deepEqual(
    lines.map(({ change, text }) => `${change} ${text}`),
    ['same a', 'removed b', 'added x', 'same c', 'same d', 'added e'],
  );
  assert.deepEqual(differenceOf('', 'one\n'), [{ change: 'added', text: 'one' }]);
  assert.deepEqual(differenceOf('one\n', 'one\n'), [{ change: 'same', text: 'one' }]);
});

test('with more than a thousand edits all old lines are removed and all new ones added', () => {
  const many = (mark: string) => Array.from({ length: 600 }, (_, i) => `${mark}${i}\n`).join('');
  const before = `same\n${many('a')}common\n${many('b')}`;
  const after = `same\n${many('c')}common\n${many('d')}`;
  const { lines, old, now } = sidesOf(before, after);
  assert.deepEqual(
    lines.filter(({ change }) => change === 'same').map(({ text }) => text),
    ['same'],
  );
  assert.equal(old, before);
  assert.equal(now, after);
});
