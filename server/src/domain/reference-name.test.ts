import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DomainError } from './domain-error.ts';
import { parseBranch, parseReference, referenceCandidates, shortRef } from './reference-name.ts';

test('short, full and pull request names are parsed', () => {
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

test('names that git does not allow are refused', () => {
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
    'niam\u202e',
    'a\u0085b',
    'x'.repeat(300),
  ]) {
    assert.throws(() => parseReference(name), DomainError, JSON.stringify(name));
  }
  assert.throws(() => parseReference('main', 'pull_request'), DomainError);
});

test('a branch or tag whose short name is the full name of another reference is refused', () => {
  for (const name of [
    'refs/heads/refs/heads/main',
    'refs/tags/refs/heads/main',
    'refs/heads/refs/pull/7/head',
  ]) {
    assert.throws(
      () => parseReference(name),
      { name: 'DomainError', message: /a name without refs\// },
      name,
    );
  }
});

test('names with characters that are never seen are refused, except within an emoji', () => {
  for (const name of [
    'ma\u200bin',
    'refs/heads/ma\u200bin',
    'main\u00ad',
    'main\ufe0f',
    '1\ufe0f',
    '♻\u200d',
  ]) {
    for (const type of ['branch', 'tag'] as const) {
      assert.throws(
        () => parseReference(name, type),
        { name: 'DomainError', message: /never seen/ },
        JSON.stringify(name),
      );
    }
  }
  for (const name of [
    '\u267b\ufe0f/refactor',
    '\u26a1\ufe0f/fast',
    '1\ufe0f\u20e3',
    '🧑\u200d💻/cli',
    'שלום',
  ]) {
    assert.equal(parseReference(name).fullRef, `refs/heads/${name}`);
  }
});

test('HEAD and references of other kinds are refused with the reason', () => {
  const cases: [string, RegExp][] = [
    ['HEAD', /^The name HEAD means whatever is checked out\. Give /],
    ['head', /^The name head means whatever/],
    [' Head ', /means whatever is checked out/],
    ['refs/heads/HEAD', /Must be a name that git allows/],
    [
      'refs/remotes/origin/main',
      /^Must be a branch, tag or pull request \(.*\), not "refs\/remotes\/origin\/main"\.$/,
    ],
    ['refs/stash', /^Must be a branch, tag or pull request/],
    ['refs/notes/commits', /^Must be a branch, tag/],
    ['refs/pull/x/head', /^Must be a branch, tag/],
    ['refs/', /^Must be a branch, tag/],
  ];
  for (const [name, message] of cases) {
    for (const type of ['branch', 'tag', 'pull_request'] as const) {
      assert.throws(() => parseReference(name, type), { name: 'DomainError', message }, `${name} ${type}`);
    }
  }
  // These names only begin with such a prefix.
  for (const name of ['header', 'HEAD-1', 'a/HEAD', 'refs-1', 'refsx/y']) {
    assert.equal(parseReference(name).fullRef, `refs/heads/${name}`);
  }
  assert.equal(parseReference('refs/heads/head').fullRef, 'refs/heads/head');
});

test('a name that is too long is refused with the limit, and characters beyond two bytes count once', () => {
  const prefix = 'refs/heads/';
  for (const letter of ['x', '😀']) {
    const longest = letter.repeat(255 - prefix.length);
    assert.equal(parseReference(longest).fullRef, prefix + longest);
    assert.throws(() => parseReference(longest + letter), {
      name: 'DomainError',
      message: 'Must not be longer than 255 characters, counted with refs/heads/ before it.',
    });
  }
});

test('a branch name gives a branch reference', () => {
  assert.deepEqual(parseBranch('main'), { fullRef: 'refs/heads/main', type: 'branch' });
  assert.deepEqual(parseBranch('refs/heads/x/y').fullRef, 'refs/heads/x/y');
  for (const name of ['refs/tags/v1', 'refs/pull/7/head', 'refs/merge-requests/7/head']) {
    assert.throws(
      () => parseBranch(name),
      { name: 'DomainError', message: /^Must be a branch, not "refs/ },
      name,
    );
  }
  assert.throws(() => parseBranch('HEAD'), DomainError);
});

test('a name in a filter means a branch before a tag', () => {
  assert.deepEqual(referenceCandidates('v1'), ['refs/heads/v1', 'refs/tags/v1', 'refs/v1']);
  assert.deepEqual(referenceCandidates('refs/pull/7/merge'), ['refs/pull/7/head']);
});
