/** Unit tests of the comparison of a file with those that have come beside it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareWithOthers } from './series-of-file.ts';

/** Commits on the reference of the scan, the newest first: `b: api web` is the commit b with two files. */
function compare(
  file: string,
  now: string,
  here: string[],
  { alone = [] as string[], elsewhere = [] as string[] } = {},
) {
  const commitsOf = (lines: string[], is_here: boolean) =>
    lines.map((line) => {
      const [commit = '', ...files] = line.split(/:? /);
      return { is_here, commit: commit === '-' ? null : commit, files };
    });
  const commits = [...commitsOf(here, true), ...commitsOf(elsewhere, false)];
  return compareWithOthers(file, now, commits, new Set(alone));
}
const stays = { isTogether: false, awaited: null };
const leaves = { isTogether: true, awaited: null };

test('a file that comes alone has nothing to do with others', () => {
  assert.deepEqual(compare('api', 'b', []), stays);
  assert.deepEqual(compare('api', 'b', ['a: api']), stays);
});

test('a file leaves when it comes beside another one for the second commit', () => {
  assert.deepEqual(compare('web', 'a', ['a: api']), stays);
  assert.deepEqual(compare('web', 'b', ['b: api', 'a: api web']), leaves);
  assert.deepEqual(compare('web', 'b', ['b: api'], { elsewhere: ['a: api web'] }), leaves);
  assert.deepEqual(compare('web', 'b', ['b: api', 'a: api web'], { alone: ['api'] }), stays);
});

test('scans without a commit do not count', () => {
  assert.deepEqual(compare('web', 'a', ['a: api', '-: api web']), stays);
});

test('a file that comes again for the same commit stays in its series', () => {
  assert.deepEqual(compare('web', 'b', ['b: api web'], { elsewhere: ['a: api web'] }), stays);
});

test('a file awaits one that came for the commit before, once', () => {
  assert.deepEqual(compare('api', 'b', ['a: api web']), { isTogether: false, awaited: 'web' });
  assert.deepEqual(compare('api', 'c', ['b: api web', 'a: api']), { isTogether: false, awaited: 'web' });
  assert.deepEqual(compare('api', 'c', ['b: api', 'a: api web']), stays);
  assert.deepEqual(compare('api', 'c', ['b: web', 'a: api web']), { isTogether: false, awaited: 'web' });
  assert.deepEqual(compare('api', 'c', ['b: api web', 'a: api web']), { isTogether: true, awaited: 'web' });
  assert.equal(compare('api', 'd', ['c: api web', 'b: api web', 'a: api web']).awaited, null);
  assert.deepEqual(compare('api', 'b', ['a: api web'], { alone: ['web'] }), stays);
});

test('a file with a new name awaits one that always comes, and not one whose name changes each time', () => {
  assert.deepEqual(compare('new', 'c', ['b: api', 'a: api']), { isTogether: false, awaited: 'api' });
  assert.deepEqual(compare('new', 'd', ['c: api old', 'b: api older', 'a: api']).awaited, 'api');
  assert.deepEqual(compare('third', 'c', ['b: second', 'a: first']), stays);
  assert.equal(compare('second', 'b', ['a: first']).awaited, null);
  assert.equal(compare('second', 'b', ['a: first'], { elsewhere: ['9: ninth'] }).awaited, null);
  assert.equal(compare('second', 'b', ['a: first'], { elsewhere: ['9: first'] }).awaited, 'first');
  assert.deepEqual(compare('api', 'c', ['b: api second', 'a: api first']), stays);
});
