/** Tests of the output: text from reports stays data, and an incomplete export is an error. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { plain } from '@merlon/terminal';
import { runHere } from '../../server/test/support/run-here.ts';
import { buildProgram, main } from '../src/main.ts';
import { describeParameters } from '../src/upload/parameters.ts';
import { badServer, type Trick } from './support/bad-server.ts';

const server = await badServer();
Object.assign(process.env, {
  MERLON_URL: server.url,
  MERLON_TOKEN: `mrl_wsk_${'a'.repeat(46)}`,
  MERLON_WORKSPACE: 'acme',
});
const program = fileURLToPath(new URL('../bin/merlon.js', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'merlon-output-'));
after(() => rmSync(directory, { recursive: true, force: true }));

test('no control character of a report reaches a terminal', () => {
  assert.equal(plain('a\u001b]0;title\u0007b\r\nc\u009bd'), 'a ]0;title b c d');
  assert.equal(plain('a\u202egpj.\u2066exe\u200f\u061cb'), 'agpj.exeb');
  const described = describeParameters(
    { repo: 'acme/\u001b[31mshop', ref: 'a\u202eb', sha: 'c'.repeat(40) },
    null,
  );
  assert.equal(described, 'acme/ [31mshop ab at cccccccccccc');
});

test('an export without its last line is refused as incomplete', async () => {
  const out = join(directory, 'all.ndjson');
  const answer = (body: string): Trick => ({
    status: 200,
    headers: { 'content-type': 'application/x-ndjson' },
    body,
  });
  for (const body of ['{"id":"vc_1"}\n{"id":', '{"id":"vc_1"}\n', '']) {
    server.next([], answer(body));
    assert.equal(await main(['export', '--out', out]), 4);
    assert.deepEqual(readdirSync(directory), []);
  }
  const whole = '{"id":"vc_1"}\n{"cursor":"c1"}\n';
  server.next([], answer(whole));
  assert.equal(await main(['export', '--out', out]), 0);
  assert.equal(readFileSync(out, 'utf8'), whole);
  assert.ok(!existsSync(`${out}.part`));
  const list = '{"id":"vc_1"}\n{"complete":true,"count":1}\n';
  server.next([], answer(list));
  assert.equal(await main(['export', '--state', 'open', '--out', out]), 0, 'a list has no cursor');
  assert.equal(readFileSync(out, 'utf8'), list);
});

test('a VEX document replaces a link, and is not written through it', async () => {
  const out = join(directory, 'shop.json');
  const other = join(directory, 'other');
  writeFileSync(other, 'untouched');
  symlinkSync(other, out);
  server.next([], {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"statements":[]}',
  });
  assert.equal(await main(['vex', '--repo', 'acme/shop', '--out', out]), 0);
  assert.equal(readFileSync(other, 'utf8'), 'untouched');
  assert.deepEqual(JSON.parse(readFileSync(out, 'utf8')), { statements: [] });
});

test('merlon --version prints the version of the root package.json, without a server or a key', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const { code, stdout } = await runHere(main, ['--version'], { env: {} });
  assert.deepEqual([code, stdout], [0, `${version}\n`]);
});

test('docs/cli.md has every command and every option of an upload, a gate and a list of violations', () => {
  const text = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  const { commands } = buildProgram();
  for (const command of commands) {
    const names = command.commands.map((child) => `${command.name()} ${child.name()}`);
    for (const name of names.length > 0 ? names : [command.name()]) {
      assert.ok(text.includes(`merlon ${name}`) || text.includes(`\`${name}\``), name);
    }
  }
  const named = (name: string) => commands.find((command) => command.name() === name);
  const documented = [named('scan')?.commands[0], named('gate'), named('violations')];
  for (const command of documented) {
    assert.ok(command && command.options.length > 5);
    for (const { long } of command.options) assert.ok(long && text.includes(`\`${long}`), long ?? '');
  }
});

test('every command has a help text with an example', async () => {
  const all = (command: ReturnType<typeof buildProgram>): (typeof command)[] =>
    command.commands.flatMap((child) => [child as typeof command, ...all(child as typeof command)]);
  const leaves = all(buildProgram()).filter(
    (command) => command.commands.length === 0 || command.options.length > 0,
  );
  assert.ok(leaves.length > 15);
  for (const command of leaves) {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) });
    command.outputHelp();
    assert.match(help, /\nExamples?:\n {2}\S/, command.name());
  }
});

test('an output that does not fit on the disk is an error and no verdict, and a reader that stops early is neither', async () => {
  const out = join(directory, 'help.txt');
  const run = (command: string) =>
    spawnSync('bash', ['--norc', '-c', command, 'bash', process.execPath, program, out], {
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    });
  // The limit of the size of a file cuts off a write as a full disk does.
  for (const full of ['ulimit -f 1; "$1" "$2" gate --help > "$3"', '"$1" "$2" gate --help > /dev/full']) {
    const { status, stderr } = run(full);
    assert.equal(status, 3, stderr);
    assert.match(stderr, /^The output is not complete: E(?:FBIG|NOSPC): .*\n$/);
  }
  const stopped = run('set -o pipefail; "$1" "$2" whoami 2>&1 | true');
  assert.equal(stopped.status, 2, stopped.stderr);
});
