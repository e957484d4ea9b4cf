/** Tests deploy/systemd/merlon.service with systemd's own analysis. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from '../server/test/support/process.ts';

const unit = fileURLToPath(new URL('../deploy/systemd/merlon.service', import.meta.url));
const skip = spawnSync('systemd-analyze', ['--version']).status !== 0 && 'systemd-analyze is not installed';

/** Analyzes the unit with an existing program, because the one of the unit is not installed here. */
function analyze(command: string[], change: (text: string) => string = (text) => text) {
  const copy = join(makeDirectory(), 'merlon.service');
  writeFileSync(
    copy,
    change(readFileSync(unit, 'utf8').replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`)),
  );
  return spawnSync('systemd-analyze', [...command, copy], { encoding: 'utf8' });
}

test('systemd finds no mistake in the unit', { skip }, () => {
  const { status, stderr } = analyze(['verify']);
  assert.deepEqual([status, stderr], [0, '']);
  assert.notEqual(analyze(['verify'], (text) => text.replace('PrivateTmp', 'PrivateTemp')).stderr, '');
});

test('systemd rates its exposure below 2 of 10', { skip }, () => {
  const judge = ['security', '--offline=true', '--threshold=20'];
  const { status, stdout } = analyze(judge);
  assert.equal(status, 0, stdout);
  assert.notEqual(analyze(judge, (text) => text.replace(/^(?:Protect|Private|Restrict).*$/gm, '')).status, 0);
});

test('nothing keeps a process for imports from lowering its priority, or Node from its addresses and its compiler', () => {
  const text = readFileSync(unit, 'utf8');
  assert.doesNotMatch(text, /^SystemCallFilter=~.*@resources/m);
  assert.match(text, /^RestrictAddressFamilies=.*AF_NETLINK/m);
  assert.doesNotMatch(text, /^MemoryDenyWriteExecute=yes/m);
});
