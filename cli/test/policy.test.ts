/** Tests of `merlon policy` over the API: the plan, the changes, mistakes with file and line, and permissions. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { clientOf } from '../../server/test/support/client.ts';
import { fieldOf, fieldsOf } from '../../server/test/support/fields.ts';
import { importAll } from '../../server/test/support/import.ts';
import { createDirectory } from '../../server/test/support/process.ts';
import { runHere } from '../../server/test/support/run-here.ts';
import { createTestServer } from '../../server/test/support/server.ts';
import { trivyReport } from '../../server/test/support/tool-reports.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { main } from '../src/main.ts';

const server = await createTestServer();
const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
const { people } = await createTestWorkspace(server, 'acme');
const packages = [1, 2].map((n) => ({
  id: `CVE-2030-${n}`,
  package: `package-${n}`,
  severity: 'CRITICAL' as const,
}));
await importAll(server, 'acme', [reportInput(trivyReport({ packages }))]);
const directory = createDirectory();

async function merlon(args: string[], code = 0, role: 'admin' | 'member' = 'admin') {
  const env = { MERLON_URL: url, MERLON_TOKEN: people[role].key, MERLON_WORKSPACE: 'acme' };
  const run = await runHere(main, ['policy', ...args], { cwd: directory, env });
  assert.equal(run.code, code, `${args.join(' ')}\n${run.stdout}${run.stderr}`);
  return run;
}

function write(name: string, content: string): string {
  writeFileSync(join(directory, name), content);
  return name;
}

const admin = clientOf(server.app, people.admin.key);

async function stored() {
  const { body } = await admin.get<{
    items: { key: string; enforcement_mode: string; updated_at: string }[];
  }>('/manage/v1/acme/policies');
  return body.items;
}

const policy = (key: string, mode: string, rest = '') => `key: ${key}
target_type: vulnerability
enforcement_mode: ${mode}
condition:
  all:
    - {fact: severity, operator: '==', value: critical}
${rest}`;

test('plan shows and counts what apply then does once, from a directory of files in each form', async () => {
  mkdirSync(join(directory, 'policies'));
  const indented = policy('many', 'warn', 'rules: [{type: repo, id: acme/shop}]').replaceAll('\n', '\n    ');
  write('policies/a.yaml', policy('alone', 'block'));
  write('policies/b.yml', `policies:\n  - ${indented}\n`);
  const inJson = { key: 'json', status: 'draft', target_type: 'vulnerability', enforcement_mode: 'block' };
  write(
    'policies/c.json',
    JSON.stringify({ ...inJson, condition: { not: { fact: 'triaged', operator: '==', value: true } } }),
  );
  write('policies/notes.txt', 'no policy');
  const before = await stored();
  const planned = await merlon(['plan', 'policies']);
  assert.equal(
    planned.stdout,
    '+ alone\n    would have 2 violations in 1 repositories, and block 1 references\n' +
      '+ many\n    would have 2 violations in 1 repositories, and block 0 references\n+ json\n',
  );
  assert.match(planned.stderr, /^3 to create, 0 to change, 0 the same$/m);
  await merlon(['plan', 'policies', '--exit-code', '--no-counts'], 1);
  assert.deepEqual(await stored(), before);

  assert.match((await merlon(['apply', 'policies'])).stdout, /^\+ alone\n\+ many\n\+ json\n$/);
  const applied = await stored();
  assert.deepEqual(
    fieldOf(applied, 'key'),
    [...before.map(({ key }) => key), 'alone', 'json', 'many'].sort(),
  );
  assert.match((await merlon(['apply', 'policies'])).stdout, /^= alone\n= many\n= json\n$/);
  await merlon(['plan', 'policies', '--exit-code']);
  assert.deepEqual(await stored(), applied);

  write(
    'policies/b.yml',
    `policies:\n  - ${indented.replace('id: acme/shop', 'id: acme/shop, action: exclude')}\n`,
  );
  assert.match(
    (await merlon(['plan', 'policies', '--no-counts'])).stdout,
    /~ many\n {4}rules: \[\{"type":"repo","id":"acme\/shop"\}\] -> \[\{"type":"repo","id":"acme\/shop","action":"exclude"\}\]\n/,
  );
  const { policies } = JSON.parse((await merlon(['plan', 'policies', '--json'])).stdout);
  assert.deepEqual(fieldsOf(policies, 'key', 'change', 'matches'), [
    ['alone', 'same', undefined],
    ['many', 'changed', 0],
    ['json', 'same', undefined],
  ]);
});

test('an applied policy is in the audit log with the key and the person who applied it', async () => {
  await merlon(['apply', write('audited.yaml', policy('audited', 'warn'))]);
  const { body } = await admin.get<{ items: { key: object | null; data: { key: string } }[] }>(
    '/manage/v1/acme/audit?action=policy.create&actor=me',
  );
  const [event] = body.items;
  assert.equal(event?.data.key, 'audited');
  assert.notEqual(event?.key, null);
});

test('every mistake is named with file and line, and nothing of any file is applied', async () => {
  const before = await stored();
  const good = write('good.yaml', policy('good', 'warn'));
  const bad: [string, RegExp][] = [
    [
      policy('bad', 'warn').replace('severity,', 'severty,'),
      /^merlon: bad\.yaml:6: condition\.all\[0\]\.fact: .*severity/m,
    ],
    [
      policy('bad', 'warm'),
      /^merlon: bad\.yaml:3: enforcement_mode: Must be one of monitor, warn, block\.$/m,
    ],
    [
      policy('bad', 'warn', 'rules:\n  - type: repo\n    id: acme/none\n'),
      /^merlon: bad\.yaml:9: rules\[0\]\.id: No such repo/m,
    ],
    [
      `policies:\n  - {key: one}\n  - ${policy('good', 'block').replaceAll('\n', '\n    ')}`,
      /^merlon: bad\.yaml:2: policies\[0\]\.target_type: Is required\.$/m,
    ],
    [policy('good', 'block'), /^merlon: bad\.yaml:1: key: Occurs twice: good\.$/m],
    [policy('bad', 'warn', 'name: [open'), /^merlon: bad\.yaml:\d: /m],
    [policy('bad', 'warn', 'key: bad'), /^merlon: bad\.yaml:7: The key key occurs twice$/m],
    ['policies: []\nversion: 1\n', /^merlon: bad\.yaml:2: version: a file has policies$/m],
    ['# nothing\n', /^merlon: bad\.yaml:1: Must be an object\.$/m],
  ];
  for (const [text, message] of bad) {
    write('bad.yaml', text);
    for (const act of ['plan', 'apply']) {
      const { stderr, stdout } = await merlon([act, good, 'bad.yaml'], 2);
      assert.match(stderr, message);
      assert.equal(stdout, '');
    }
  }
  assert.match(
    (await merlon(['apply', 'none.yaml'], 3)).stderr,
    /none\.yaml cannot be read: it does not exist\./,
  );
  mkdirSync(join(directory, 'empty'));
  assert.match((await merlon(['apply', 'empty'], 2)).stderr, /There are no policies in empty/);
  assert.deepEqual(await stored(), before);
});

test('a member applies nothing, and is told the role that is needed', async () => {
  const file = write('member.yaml', policy('member', 'warn'));
  const { stderr } = await merlon(['apply', file], 3, 'member');
  assert.match(stderr, /may not do this\. It needs the scope /);
  assert.ok(!(await stored()).some(({ key }) => key === 'member'));
});
