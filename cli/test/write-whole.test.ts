import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isWrittenDirectly, writeWhole } from '@merlon/terminal';

const directory = mkdtempSync(join(tmpdir(), 'write-whole-'));
after(() => rmSync(directory, { recursive: true }));
const at = (name: string): string => join(directory, name);
const write = (file: string, text: string) =>
  writeWhole(file, (path, flag) => writeFile(path, text, { flag }));

test('a file is replaced whole, or stays as it was', async () => {
  await write(at('a'), 'one');
  await write(at('a'), 'two');
  await assert.rejects(
    writeWhole(at('a'), async (path) => {
      await writeFile(path, 'half');
      throw new Error('the connection broke');
    }),
    /connection/,
  );
  assert.equal(readFileSync(at('a'), 'utf8'), 'two');
  assert.deepEqual(readdirSync(directory), ['a']);
});

test('links lead to no other file, a pipe is written to, and a folder stays', async () => {
  writeFileSync(at('other'), 'untouched');
  for (const link of ['b', 'b.part']) symlinkSync(at('other'), at(link));
  await write(at('b'), 'mine');
  assert.equal(readFileSync(at('other'), 'utf8'), 'untouched');
  assert.equal(readFileSync(at('b'), 'utf8'), 'mine');
  // The path is absolute, because no package provides the program.
  execFileSync('/usr/bin/mkfifo', [at('pipe')]);
  const [read] = await Promise.all([readFile(at('pipe'), 'utf8'), write(at('pipe'), 'through')]);
  assert.equal(read, 'through');
  assert.ok(lstatSync(at('pipe')).isFIFO());
  mkdirSync(at('folder'));
  await assert.rejects(write(at('folder'), 'x'), { code: 'EISDIR' });
});

test('an open file keeps what it has, also under the name of standard output', async () => {
  const open = openSync(at('log'), 'w');
  writeFileSync(open, 'begun, ');
  await write(`/proc/self/fd/${open}`, 'and ended');
  closeSync(open);
  assert.equal(readFileSync(at('log'), 'utf8'), 'begun, and ended');
  for (const path of ['/dev/stdout', '/dev/fd/1', '/dev/null'])
    assert.ok(await isWrittenDirectly(path), path);
  for (const path of [at('log'), at('missing'), '/proc/self/cwd/package.json', '/dev/shm/missing']) {
    assert.ok(!(await isWrittenDirectly(path)), path);
  }
});
