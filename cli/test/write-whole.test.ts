import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
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
import { writeWhole } from '@merlon/terminal';

const directory = mkdtempSync(join(tmpdir(), 'write-whole-'));
after(() => rmSync(directory, { recursive: true }));
const at = (name: string): string => join(directory, name);
const write = (file: string, text: string) => writeWhole(file, (path) => writeFile(path, text));

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
