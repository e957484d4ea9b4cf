/**
 * Tests every command against a server whose every text attacks the log of a CI job: the output holds no workflow
 * command, adds no line and moves no cursor, and JSON keeps its values.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runHere } from '../../server/test/support/run-here.ts';
import { buildProgram, main } from '../src/main.ts';
import { type Run, runMerlon } from './support/run-merlon.ts';

type Json = Record<string, unknown>;
type Schema = Json & {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
};

const openapi = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));

const attacks =
  '##vso[task.setvariable variable=x]y ##[command]x ##teamcity[buildStatus] #\u200b#vso[x] #\u00ad#[error]x' +
  '\n::error::lf\r::warning::cr\u2028::notice::ls\u001b]0;title\u0007\u001b[31m\u009b2J\u202e\u2066 ###[x';
const beginnings = [
  '::error::',
  '  ::set-output name=a::',
  '\u200b::add-mask::',
  '\u001b[1m::stop-commands::',
];
const gatePath = '/api/v1/{tenant_slug}/gate';

/** A value of the schema in which every text is hostile. Of several forms it takes the first that is not null. */
function hostileValue(schema: Schema, text: string): unknown {
  if (schema.$ref) return hostileValue(openapi.components.schemas[schema.$ref.split('/').at(-1) ?? ''], text);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => hostileValue(part, text)));
  const form = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null');
  if (form) return hostileValue(form, text);
  const type = [schema.type].flat().find((one) => one !== 'null');
  if (schema.enum?.length === 1) return schema.enum[0];
  if (type === 'object' || schema.properties) {
    const fields = Object.entries(schema.properties ?? {});
    return Object.fromEntries(fields.map(([name, field]) => [name, hostileValue(field, text)]));
  }
  if (type === 'array') return schema.items ? [1, 2].map(() => hostileValue(schema.items ?? {}, text)) : [];
  if (type === 'integer' || type === 'number') return 1;
  return type === 'boolean' ? true : text;
}

let answer: { text: string; refusal: 'none' | 'fields' | 'message' } = { text: '', refusal: 'none' };

function bodyOf(method: string, path: string): { status: number; body: string } {
  const { text, refusal } = answer;
  if (refusal === 'message') return { status: 409, body: JSON.stringify({ code: text, message: text }) };
  if (refusal === 'fields') {
    const details = { errors: { [text]: [text], report: [text] } };
    return { status: 422, body: JSON.stringify({ code: 'VALIDATION_FAILED', message: text, details }) };
  }
  if (path.endsWith('/vex')) return { status: 200, body: JSON.stringify({ statements: [{ notes: text }] }) };
  if (path.startsWith('/export/')) {
    return {
      status: 200,
      body: `${JSON.stringify({ title: text }).replaceAll('\\n', '\\n')}\n{"cursor":"c1"}\n`,
    };
  }
  const [template, operations] = Object.entries<Json>(openapi.paths).find(
    ([name, { [method.toLowerCase()]: operation }]) =>
      operation && new RegExp(`^${name.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path),
  ) ?? ['', {}];
  const operation = operations[method.toLowerCase()] as Json | undefined;
  assert.ok(operation, `${method} ${path}`);
  const [status, { content }] = Object.entries<Json>(
    operation.responses as Json as Record<string, Json>,
  ).find(([name]) => name.startsWith('2')) as [string, Record<string, Record<string, { schema: Schema }>>];
  if (status === '204') return { status: 204, body: '' };
  const schema = content?.['application/json']?.schema;
  const body = hostileValue(schema ?? {}, text) as Json;
  if (template === gatePath) body.verdict = 'block';
  if (template.endsWith('/scans/{scan}') || template.endsWith('/scans')) {
    Object.assign(body, { status: 'completed', error: text.startsWith(' ') ? body.error : null });
  }
  if ('next_cursor' in body) body.next_cursor = null;
  return { status: Number(status), body: JSON.stringify(body) };
}

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const { pathname } = new URL(request.url ?? '', 'http://x');
    const { status, body } = bodyOf(request.method ?? '', pathname);
    const type = pathname.startsWith('/export/') ? 'application/x-ndjson' : 'application/json';
    response.writeHead(status, { 'content-type': type }).end(body);
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());
const directory = mkdtempSync(join(tmpdir(), 'merlon-hostile-'));
after(() => rmSync(directory, { recursive: true, force: true }));
writeFileSync(join(directory, 'report.json'), '{}');
writeFileSync(join(directory, 'policy.yaml'), '{}');

const env = {
  MERLON_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  MERLON_TOKEN: `mrl_wsk_${'a'.repeat(46)}`,
  MERLON_WORKSPACE: 'acme',
};
const spawn = (args: string[], more: Record<string, string> = {}) =>
  runMerlon(args, { cwd: directory, env: { ...env, ...more } });

const run = (argv: string[]): Promise<Run> => runHere(main, argv, { cwd: directory, env });

const at = ['--repo', 'acme/shop', '--ref', 'refs/heads/main'];
/** One call of each command: the arguments after `merlon`. */
const calls: Record<string, string[]> = {
  'scan upload': [...at, 'report.json', '--gate', '--sarif', 'gate.sarif', '--junit', 'gate.xml'],
  gate: at,
  vulns: [],
  triage: ['confirm', 'vc_1'],
  assign: ['vc_1', 'me'],
  'issue list': ['vc_1'],
  'issue create': ['vc_1', '--tracker', 'trk_1'],
  violations: ['--repo', 'acme/shop'],
  'violations show': ['pvl_1'],
  'violations snooze': ['pvl_1', '--until', '7d', '--reason', 'x'],
  'violations wake': ['pvl_1', '--reason', 'x'],
  'exception request': ['pvl_1', '--reason', 'x'],
  'exception list': [],
  'exception approve': ['ovr_1', '--reason', 'x'],
  'exception refuse': ['ovr_1', '--reason', 'x'],
  'exception withdraw': ['ovr_1', '--reason', 'x'],
  'policy plan': ['policy.yaml'],
  'policy apply': ['policy.yaml'],
  repos: [],
  references: ['--repo', 'acme/shop'],
  'references delete': ['release/1', '--repo', 'acme/shop'],
  'references sync': ['--repo', 'acme/shop'],
  series: [],
  'series retire': ['ser_1'],
  export: [],
  vex: ['--repo', 'acme/shop'],
  'team list': [],
  'team show': ['team_1'],
  'team create': ['Payments'],
  'team change': ['team_1', '--name', 'Payments'],
  'team delete': ['team_1'],
  'webhook list': [],
  'webhook deliveries': ['whk_1'],
  'webhook replay': ['whk_1', '--failed'],
  whoami: [],
};

/**
 * The answers of these contain only numbers and no text of the server. The last two print the table of `references`,
 * but only of references whose name is given, or that a remote of git lacks.
 */
const numbersOnly = new Set([
  ...['series retire', 'webhook replay', 'issue create', 'team delete'],
  ...['references delete', 'references sync'],
]);

/** Finds all parts of an output that a CI runner or a terminal would execute. */
function obeyed(printed: string): string[] {
  const lines = printed.split(/\n|\r|\u2028/);
  // Compares as a locale does, which ignores format characters.
  const seen = lines.map((line) => line.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, ''));
  return [
    ...seen.filter((line) => /##/.test(line) || /^\s*::/.test(line)),
    ...(printed.match(/[^\P{Cc}\n]|[\p{Bidi_Control}\u2028]/gu) ?? []).map((found) => JSON.stringify(found)),
  ];
}

// An export is written as bytes.
const callOf = (argv: string[]): Promise<Run> => (argv[0] === 'export' ? spawn : run)(argv);

test('every command of the CLI has a call here', () => {
  const names = buildProgram().commands.flatMap((command) => [
    ...(command.commands.length === 0 || command.options.length > 0 ? [command.name()] : []),
    ...command.commands.map((child) => `${command.name()} ${child.name()}`),
  ]);
  assert.deepEqual(names.sort(), Object.keys(calls).sort());
});

for (const [name, args] of Object.entries(calls)) {
  const argv = [...name.split(' '), ...args];
  test(`merlon ${name} prints no command and no line of the server's texts`, async () => {
    const counts = new Set<number>();
    for (const beginning of beginnings) {
      answer = { text: beginning + attacks, refusal: 'none' };
      const { stdout, stderr } = await callOf(argv);
      assert.deepEqual([obeyed(stdout), obeyed(stderr)], [[], []], stdout + stderr);
      if (!numbersOnly.has(name)) assert.match(stdout, /error|set-output|add-mask|stop-commands/);
      if (name !== 'scan upload') counts.add(stdout.split('\n').length);
    }
    assert.ok(counts.size <= 1, 'no text makes lines of its own');
  });

  test(`merlon ${name} prints a refusal without a workflow command in it`, async () => {
    for (const refusal of ['fields', 'message'] as const) {
      answer = { text: beginnings[0] + attacks, refusal };
      const { stdout, stderr, code } = await callOf(argv);
      assert.deepEqual([obeyed(stdout), obeyed(stderr)], [[], []], stdout + stderr);
      assert.ok(code !== 0 && /error/.test(stdout + stderr), stderr);
    }
  });

  if (name === 'export' || numbersOnly.has(name)) continue;
  test(`merlon ${name} --json prints JSON with the same values and no workflow command`, async () => {
    answer = { text: beginnings[0] + attacks, refusal: 'none' };
    const { stdout } = await run([...argv, '--json']);
    assert.deepEqual(obeyed(stdout), []);
    assert.doesNotMatch(stdout, /::/);
    assert.ok(JSON.stringify(JSON.parse(stdout)).includes(JSON.stringify(answer.text)));
  });
}

test('an export to standard output keeps its values, and CSV breaks workflow commands by blanks', async () => {
  answer = { text: beginnings[0] + attacks, refusal: 'none' };
  const [line = ''] = (await spawn(['export'])).stdout.split('\n');
  assert.equal(JSON.parse(line).title, answer.text);
  const { stdout } = await spawn(['export', '--format', 'csv']);
  assert.doesNotMatch(stdout, /##|::/);
});

test('SARIF and JUnit of a gate hold no workflow command', async () => {
  answer = { text: beginnings[0] + attacks, refusal: 'none' };
  await run(['gate', ...at, '--sarif', 'gate.sarif', '--junit', 'gate.xml']);
  for (const file of ['gate.sarif', 'gate.xml']) {
    assert.deepEqual(obeyed(readFileSync(join(directory, file), 'utf8')), [], file);
  }
});

test('only our own output has colours', async () => {
  answer = { text: beginnings[3] + attacks, refusal: 'none' };
  const { stdout } = await spawn(['violations', 'show', 'pvl_1'], { FORCE_COLOR: '1' });
  assert.ok(stdout.startsWith('\u001b[1mtarget'));
  const styles = stdout.split('\u001b').slice(1);
  assert.deepEqual([...new Set(styles.map((style) => style.slice(0, style.indexOf('m'))))], ['[1', '[22']);
});

test('a foreign text as an argument makes no workflow command in a message', async () => {
  for (const args of [
    ['gate', '--timeout', 'x\n::error::y ##[error]z'],
    ['::error::x'],
    ['vulns', '--q\n::x'],
  ]) {
    const { stderr, code } = await run(args);
    assert.equal(code, 2);
    assert.deepEqual(obeyed(stderr), [], stderr);
  }
});
