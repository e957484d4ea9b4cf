/**
 * Tests that the page of a list does not compile without every filter, and every value, of its list. The compiler, in
 * `npm run check`, fails where a marked line compiles.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list, listSearchOf, notOffered, oneOf, someOf, text } from '../src/search.ts';

interface Query {
  q?: string;
  state?: 'held' | 'stale';
  status?: ('open' | 'resolved')[];
  policy?: string[];
  cursor?: string;
  per_page?: number;
}

const searchOf = listSearchOf<Query>();
const whole = {
  q: text,
  state: oneOf('held', 'stale'),
  status: someOf('open', 'resolved'),
  policy: list,
};

test('a search with every filter reads each of them, and its page', () => {
  const read = searchOf({ ...whole, cursor: text });
  assert.deepEqual(read({ status: 'open,resolved', state: 'held', cursor: 'c' }), {
    state: 'held',
    status: ['open', 'resolved'],
    cursor: 'c',
  });
});

test('a filter that is not offered is not read', () => {
  const read = searchOf({ ...whole, state: notOffered('Each state has a page of its own.') });
  assert.deepEqual(read({ state: 'held', q: 'a' }), { q: 'a' });
});

test('a search that lacks a filter, or a value of one, does not compile', () => {
  const { q: _, ...withoutText } = whole;
  // @ts-expect-error it lacks the filter `q`
  searchOf(withoutText);
  // @ts-expect-error it lacks the value `stale`
  searchOf({ ...whole, state: oneOf('held') });
  // @ts-expect-error it lacks the value `resolved`
  searchOf({ ...whole, status: someOf('open') });
});
