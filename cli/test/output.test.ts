/** Output: what comes from reports stays data, and half an export is none. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildProgram, main } from '../src/main.ts';
import { plain } from '../src/output.ts';
import { describeParameters } from '../src/upload/parameters.ts';
import { badServer, type Trick } from './support/bad-server.ts';

const server = await badServer();
Object.assign(process.env, {
  MERLON_URL: server.url,
  MERLON_TOKEN: `mrl_wsk_${'a'.repeat(46)}`,
  MERLON_WORKSPACE: 'acme',
});
const directory = mkdtempSync(join(tmpdir(), 'merlon-output-'));
after(() => rmSync(directory, { recursive: true, force: true }));

test('no control character of a report reaches a terminal', () => {
  assert.equal(plain('a\u001b]0;title\u0007b\r\nc\u009bd'), 'a ]0;title b c d');
  assert.equal(plain('a\u202egpj.\u2066exe\u200f\u061cb'), 'agpj.exeb');
  const told = describeParameters(
    { repo: 'acme/\u001b[31mshop', ref: 'a\u202eb', sha: 'c'.repeat(40) },
    null,
  );
  assert.equal(told, 'acme/ [31mshop ab at cccccccccccc');
});

test('an export without its last line is no export', async () => {
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
});

test('docs/cli.md has every command and every option of an upload', () => {
  const text = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  for (const command of buildProgram().commands)
    assert.ok(text.includes(`merlon ${command.name()}`), command.name());
  const upload = buildProgram().commands.find((command) => command.name() === 'scan')?.commands[0];
  for (const { long } of upload?.options ?? []) assert.ok(long && text.includes(`\`${long}`), long ?? '');
});
