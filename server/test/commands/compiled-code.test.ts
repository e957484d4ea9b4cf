/** Tests of compiled code: it is kept in the data directory, and every later start reads it. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createDirectory, merlond } from '../support/process.ts';

test('compiled code is kept in a data directory that only its owner may write to, and in no other', async () => {
  for (const [mode, isKept] of [
    [0o711, true],
    [0o731, false],
    [0o713, false],
  ] as const) {
    const dataDir = createDirectory();
    chmodSync(dataDir, mode);
    const settings = { MERLON_DATA_DIR: dataDir, NODE_COMPILE_CACHE: '' };
    assert.equal((await merlond(['--version'], settings)).code, 0);
    assert.equal(existsSync(join(dataDir, 'compiled')), isKept, mode.toString(8));
  }
});

test('a missing data directory is not created', async () => {
  const dataDir = join(createDirectory(), 'data');
  assert.equal((await merlond(['--version'], { MERLON_DATA_DIR: dataDir, NODE_COMPILE_CACHE: '' })).code, 0);
  assert.equal(existsSync(dataDir), false);
});
