import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorMs } from '../../../test/support/processor-time.ts';
import { isAboutSecret, secretMask } from './secret-mask.ts';

test('rules about credentials are known by their weakness or their name', () => {
  for (const cwe of ['CWE-259', 'CWE-321', 'CWE-798']) assert.ok(isAboutSecret('roses', ['CWE-79', cwe]));
  for (const rule of [
    'G101',
    'bed.generic.secrets.key',
    'android_hardcoded',
    'NoHardcodedPasswords',
    'hard-coded-key',
  ])
    assert.ok(isAboutSecret(rule, []), rule);
  for (const rule of [
    'avoid_hardcoded_config_TESTING',
    'hardcoded-conditional',
    'DMI_HARDCODED_ABSOLUTE_FILENAME',
  ])
    assert.equal(isAboutSecret(rule, []), false, rule);
  assert.ok(isAboutSecret('android_kotlin_hardcoded', ['CWE-798']));
  assert.equal(isAboutSecret('G1011', ['CWE-79', 'CWE-7981']), false);
});

test('code loses its values, and messages the same values and what they quote', () => {
  const code = `key: ROSEANDRAKEROSEANDRAKE\nhash('sha9', "it's wood\\"work")`;
  const mask = secretMask('G101', [], [code, null]);
  assert.equal(mask.code(code), `key: ****\nhash('****', "****")`);
  assert.equal(mask.code('open shed'), '****', 'without a value, all of it may be the secret');
  assert.equal(
    mask.message(`The key ROSEANDRAKEROSEANDRAKE doesn't hold 'wood' and isn't for sha9.`),
    `The key **** doesn't hold '****' and isn't for ****.`,
  );
  assert.equal(mask.code(null), null);
  assert.equal(secretMask('G102', ['CWE-79'], [code]).code(code), code);
});

test('stars of code are no mask, and texts of XML and YAML are masked', () => {
  const maskOf = (code: string): [string, string] => {
    const mask = secretMask('G101', [], [code]);
    return [mask.code(code), mask.message('It is rakeandrose or correct horse battery.')];
  };
  for (const code of ['f(**kwargs)', '/** shed', '2 ** 8', '/****/', '<a>\n   </a>'])
    assert.equal(maskOf(code)[0], '****', code);
  assert.deepEqual(maskOf('<string name="gate_password">rakeandrose</string>'), [
    '<string name="****">****</string>',
    'It is **** or correct horse battery.',
  ]);
  assert.deepEqual(maskOf('password: correct horse battery\n'), [
    'password: ****\n',
    'It is rakeandrose or ****.',
  ]);
  assert.equal(
    maskOf('password: ****\nuser = "****"')[0],
    'password: ****\nuser = "****"',
    'a mask of the tool',
  );
});

test('a word of the code stays in a message', () => {
  const mask = secretMask('G101', [], ['password = "password"']);
  assert.equal(mask.message('A password in the code'), 'A password in the code');
});

test('a value that another one begins with leaves nothing of the longer one', () => {
  const mask = secretMask('G101', [], ['user = "admin1", password = "admin1-roses"']);
  assert.equal(mask.message('Do not write admin1-roses here.'), 'Do not write **** here.');
});

test('a message takes little time, however many values the code has and however long it is', () => {
  const code = Array.from({ length: 20_000 }, (_, i) => `x = "rose${i}"`).join('\n');
  const started = processorMs();
  const many = secretMask('G101', [], [code]);
  assert.equal(many.message('The key is rose19999 there.'), 'The key is **** there.');
  assert.equal(many.message('Open shed.'), '****');
  for (let i = 0; i < 10; i++) many.message('wood '.repeat(100_000));
  const some = secretMask('G101', [], [code.slice(0, 1000)]);
  for (let i = 0; i < 100; i++) some.message('wood '.repeat(100_000));
  assert.ok(processorMs() - started < 3000, `${processorMs() - started} ms`);
});
