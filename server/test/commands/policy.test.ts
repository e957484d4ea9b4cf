/**
 * Tests of `merlond policy`: a file is applied twice, with its difference and counts before, and mistakes are refused.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { merlondHere } from '../support/merlond-here.ts';
import { createDirectory } from '../support/process.ts';
import { trivy } from '../support/reports.ts';
import { nodeSettings } from '../support/serving.ts';

const directory = createDirectory();
const settings = nodeSettings(await createTestDatabase());

async function run(args: string[], expected = 0) {
  const outcome = await merlondHere(args, settings);
  assert.equal(outcome.code, expected, `${args.join(' ')}: ${outcome.stdout}${outcome.stderr}`);
  return outcome;
}

function write(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

const critical = (mode: string) => `policies:
  - key: critical
    target_type: vulnerability
    enforcement_mode: ${mode}
    condition: {all: [{fact: severity, operator: '==', value: critical}]}
    actions: {sla: {window: 7d}}
    rules: [{type: org, id: acme}]
`;

describe('merlond policy', () => {
  before(async () => {
    await run(['workspace', 'create', 'acme', '--name', 'Acme']);
    const problems = ['a', 'b'].map((name, i) => ({
      id: `CVE-2031-000${i}`,
      name,
      version: '1.0.0',
      severity: 'CRITICAL',
    }));
    const report = write('trivy.json', JSON.stringify(trivy(problems)));
    await run(['scan', 'import', report, '--workspace', 'acme', '--repo', 'acme/shop']);
  });

  test('a scope that does not exist yet is refused with what makes it', async () => {
    const rules = (type: string, id: string) =>
      write(
        'unknown-scope.yaml',
        critical('block').replace('{type: org, id: acme}', `{type: ${type}, id: ${id}}`),
      );
    for (const [type, id, made] of [
      ['org', 'none', 'The first report makes it, or merlond inventory apply.'],
      ['repo', 'none/shop', 'The first report makes it, or merlond inventory apply.'],
      ['application', 'none', 'An admin makes it, or merlond inventory apply.'],
    ] as const) {
      const { stderr } = await run(['policy', 'apply', rules(type, id), '--workspace', 'acme'], 2);
      assert.ok(stderr.includes(`No such ${type}: ${id}. ${made}`), stderr);
    }
  });

  test('apply shows what it would do, does it, and does nothing the second time', async () => {
    const file = write('policies.yaml', critical('block'));
    const apply = ['policy', 'apply', file, '--workspace', 'acme'];
    const dry = JSON.parse((await run([...apply, '--dry-run', '--json'])).stdout);
    assert.deepEqual(dry, {
      applied: false,
      policies: [
        {
          key: 'critical',
          change: 'created',
          fields: {},
          matches: 2,
          repositories: 1,
          blocked_references: 1,
          complete: true,
        },
      ],
    });
    assert.doesNotMatch((await run(['policy', 'list', '--workspace', 'acme'])).stdout, /^critical/m);
    assert.match((await run(apply)).stdout, /^\+ critical$/m);
    assert.match((await run(apply)).stdout, /^= critical$/m);
    const listed = JSON.parse((await run(['policy', 'list', '--workspace', 'acme', '--json'])).stdout);
    const [policy] = listed.filter((one: { key: string }) => one.key === 'critical');
    assert.deepEqual(
      [policy.status, policy.enforcement_mode, policy.rules[0].type],
      ['active', 'block', 'org'],
    );
    const softer = ['policy', 'apply', write('softer.yaml', critical('warn')), '--workspace', 'acme'];
    assert.match((await run(softer)).stdout, /~ critical\n {4}enforcement_mode: "block" -> "warn"/);
  });

  test('apply refuses a file with mistakes, names each with its path, and stores nothing', async () => {
    const before = (await run(['policy', 'list', '--workspace', 'acme', '--json'])).stdout;
    const deep = `${'{not: '.repeat(9)}{fact: type, operator: '==', value: sast}${'}'.repeat(9)}`;
    const wide = Array.from({ length: 101 }, () => `{fact: type, operator: '==', value: sast}`).join(', ');
    const policy = (key: string, condition: string) =>
      `  - {key: ${key}, target_type: vulnerability, enforcement_mode: block, condition: ${condition}}\n`;
    const bad: [string, RegExp][] = [
      [
        policy('a', `{all: [{fact: severty, operator: '==', value: high}]}`),
        /policies\[1\]\.condition\.all\[0\]\.fact: .*severity/,
      ],
      [
        policy('a', `{all: [{fact: severity, operator: '==', value: 3}]}`),
        /policies\[1\]\.condition\.all\[0\]\.value/,
      ],
      [
        policy('a', `{all: [{fact: confirmed, operator: '>', value: true}]}`),
        /policies\[1\]\.condition\.all\[0\]\.operator/,
      ],
      [policy('a', deep), /policies\[1\]\.condition(\.not){8}: .*8/],
      [policy('a', `{all: [${wide}]}`), /policies\[1\]\.condition\.all\[100\]: .*100/],
      [
        policy('a', `{all: [{fact: path, operator: matches, value: '${'a*'.repeat(20)}'}]}`),
        /policies\[1\]\.condition\.all\[0\]\.value: .*wildcards/,
      ],
      [policy('a', '{all: []}'), /policies\[1\]\.condition\.all/],
      [
        `  - {key: a, target_type: house, enforcement_mode: block, condition: {}}\n`,
        /policies\[1\]\.target_type/,
      ],
      [
        policy('a', '{all: [{fact: type, operator: "==", value: sast}]}').replace(
          '}\n',
          ', rules: [{type: repo, id: acme/none}]}\n',
        ),
        /policies\[1\]\.rules\[0\]\.id: .*acme\/none/,
      ],
    ];
    for (const [text, message] of bad) {
      const file = write(
        'bad.yaml',
        `policies:\n${policy('good', `{all: [{fact: type, operator: '==', value: sast}]}`)}${text}`,
      );
      const { stderr } = await run(['policy', 'apply', file, '--workspace', 'acme'], 2);
      assert.match(stderr, message);
    }
    assert.equal((await run(['policy', 'list', '--workspace', 'acme', '--json'])).stdout, before);
    await run(['policy', 'apply', join(directory, 'none.yaml'), '--workspace', 'acme'], 3);
    await run(['policy', 'apply', write('policies.yaml', critical('block')), '--workspace', 'none'], 3);
  });

  test('a text of the file prints no workflow command, and the same value in JSON', async () => {
    const name = '::error::##vso[task.setvariable variable=x]y ##teamcity[x]';
    const file = write(
      'hostile.yaml',
      critical('monitor').replace('target_type', `name: '${name}'\n    target_type`),
    );
    const apply = ['policy', 'apply', file, '--workspace', 'acme'];
    const list = ['policy', 'list', '--workspace', 'acme'];
    const bad = write('bad.yaml', 'policies: [{key: "##vso[x]\\n::error::y\\e[31m"}]');
    const printed = [
      await run([...apply, '--dry-run']),
      await run(apply),
      await run([...list, '--json']),
      await run(['policy', 'apply', bad, '--workspace', 'acme'], 2),
      await run(['key', '##[error]x\n::error::y'], 2),
    ];
    for (const { stdout, stderr } of printed) {
      assert.doesNotMatch(stdout + stderr, /##|^\s*::|\u009b/m);
    }
    const shown = JSON.parse(printed[2]?.stdout ?? '') as { key: string; name: string }[];
    assert.equal(shown.find(({ key }) => key === 'critical')?.name, name);
  });
});
