import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isWrittenDirectly } from './write-whole.ts';

test('a device and an open file are written directly, and other files are replaced', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'merlon-write-'));
  const file = join(folder, 'gate.sarif');
  writeFileSync(file, '');
  symlinkSync('/dev/null', join(folder, 'device'));
  const open = openSync(file, 'w');
  t.after(() => {
    closeSync(open);
    rmSync(folder, { recursive: true });
  });
  for (const path of ['/dev/stdout', '/dev/fd/1', `/proc/self/fd/${open}`, join(folder, 'device')]) {
    assert.equal(await isWrittenDirectly(path), true, path);
  }
  for (const path of [file, join(folder, 'missing'), folder]) {
    assert.equal(await isWrittenDirectly(path), false, path);
  }
});
