import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseReference, referenceCandidates, shortRef } from './reference-name.ts';

test('short, full and pull request names', () => {
  assert.deepEqual(parseReference('main'), { fullRef: 'refs/heads/main', type: 'branch' });
  assert.deepEqual(parseReference('refs/tags/v1', 'branch'), { fullRef: 'refs/tags/v1', type: 'tag' });
  assert.deepEqual(parseReference('v1', 'tag'), { fullRef: 'refs/tags/v1', type: 'tag' });
  const pull = { fullRef: 'refs/pull/7/head', type: 'pull_request' };
  assert.deepEqual(parseReference('7', 'pull_request'), pull);
  assert.deepEqual(parseReference('refs/pull/7/merge'), pull);
  assert.deepEqual(parseReference('refs/merge-requests/7/head').fullRef, 'refs/merge-requests/7/head');
  assert.equal(shortRef('refs/heads/feature/x'), 'feature/x');
  assert.equal(shortRef('refs/pull/7/head'), 'refs/pull/7/head');
});

test('names that git would not take', () => {
  for (const name of [
    '',
    'a..b',
    'a b',
    'a~1',
    'x/',
    '/x',
    'a.lock',
    '-x',
    'a\u0000b',
    'x@{1}',
    'x'.repeat(300),
  ]) {
    assert.throws(() => parseReference(name), RangeError, JSON.stringify(name));
  }
  assert.throws(() => parseReference('main', 'pull_request'), RangeError);
});

test('what a filter may mean: a branch before a tag', () => {
  assert.deepEqual(referenceCandidates('v1'), ['refs/heads/v1', 'refs/tags/v1', 'refs/v1']);
  assert.deepEqual(referenceCandidates('refs/pull/7/merge'), ['refs/pull/7/head']);
});
