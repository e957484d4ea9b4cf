/**
 * Tests of the start of `merlond`: compiled code is kept in the data directory, and a Node that is too old is refused.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
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

// The Node of the machine. That of the checkout comes before it in the path, and is new enough.
const ofMachine = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((directory) => !directory.includes('node_modules'))
  .map((directory) => join(directory, 'node'))
  .find(existsSync);
const version = ofMachine === undefined ? '' : String(spawnSync(ofMachine, ['--version']).stdout).trim();
const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
const isOld = major > 0 && (major < 24 || (major === 24 && minor < 12));

test('a Node that is too old is refused with what to do', {
  skip: isOld ? false : 'the machine has no old Node',
}, () => {
  const program = fileURLToPath(new URL('../../bin/merlond.js', import.meta.url));
  const { status, stderr } = spawnSync(ofMachine ?? '', [program, '--version'], { encoding: 'utf8' });
  assert.equal(status, 2, stderr);
  assert.match(
    stderr,
    new RegExp(`^Merlon needs Node 24\\.12 or later and runs on ${version.slice(1)}\\.\\n`),
  );
});
