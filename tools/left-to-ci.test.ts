/** Tests of the list of files that `npm test` leaves to CI. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { leftToCi } from './left-to-ci.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

test('each pattern matches existing files, and CI runs them', () => {
  for (const pattern of Object.keys(leftToCi)) {
    assert.ok(globSync(pattern, { cwd: root }).length > 0, `${pattern} names no file`);
  }
  assert.match(readFileSync(`${root}.ci/run`, 'utf8'), /^npm test -- --ci$/m);
});
