/** The units of deploy/systemd, as systemd itself reads and judges them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createDirectory } from '../server/test/support/process.ts';

const folder = fileURLToPath(new URL('../deploy/systemd', import.meta.url));
const units = readdirSync(folder);
const services = units.filter((name) => name.endsWith('.service'));
const skip = spawnSync('systemd-analyze', ['--version']).status !== 0 && 'systemd-analyze is not installed';

type Change = (text: string) => string;

/** Analyzes a unit together with the others. An installed program replaces `merlond`, which is not installed here. */
function analyze(command: string[], unit: string, change: Change = (text) => text) {
  const copies = createDirectory();
  for (const name of units) {
    const text = readFileSync(join(folder, name), 'utf8').replaceAll(
      '/opt/merlon/node_modules/.bin/merlond',
      process.execPath,
    );
    writeFileSync(join(copies, name), name === unit ? change(text) : text);
  }
  return spawnSync('systemd-analyze', [...command, join(copies, unit)], { encoding: 'utf8' });
}

for (const unit of units) {
  test(`systemd finds no mistake in ${unit}`, { skip }, () => {
    const { status, stderr } = analyze(['verify'], unit);
    assert.deepEqual([status, stderr], [0, '']);
    const misspelt: Change = (text) => text.replace(/^(?:PrivateTmp|Persistent)/m, 'Mistake');
    assert.notEqual(analyze(['verify'], unit, misspelt).stderr, '');
  });
}

for (const unit of services) {
  test(`systemd rates the exposure of ${unit} below 2 of 10`, { skip }, () => {
    const judge = ['security', '--offline=true', '--threshold=20'];
    const { status, stdout } = analyze(judge, unit);
    assert.equal(status, 0, stdout);
    const open: Change = (text) => text.replace(/^(?:Protect|Private|Restrict).*$/gm, '');
    assert.notEqual(analyze(judge, unit, open).status, 0);
  });

  test(`${unit} lets a process for imports lower its priority, and Node use its addresses and its compiler`, () => {
    const text = readFileSync(join(folder, unit), 'utf8');
    assert.doesNotMatch(text, /^SystemCallFilter=~.*@resources/m);
    assert.match(text, /^RestrictAddressFamilies=.*AF_NETLINK/m);
    assert.doesNotMatch(text, /^MemoryDenyWriteExecute=yes/m);
  });
}

test('each timer starts a service that exists', () => {
  const timers = units.filter((name) => name.endsWith('.timer'));
  assert.deepEqual(timers, ['merlon-backup.timer', 'merlon-prune.timer']);
  for (const timer of timers) assert.ok(services.includes(timer.replace('.timer', '.service')), timer);
});
