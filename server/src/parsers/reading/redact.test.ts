import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorMs } from '../../../test/support/processor-time.ts';
import { maskCode, maskLine, maskQuoted, maskSecret, redact, valuesIn } from './redact.ts';

// Put together here, so that no line of this file looks like a key to a scanner.
const letters = 'abcdefghijABCDEFGHIJ0123456789abcdef';
const key = ['-----BEGIN RSA PRIVATE', 'KEY-----'].join(' ');
const end = ['-----END RSA PRIVATE', 'KEY-----'].join(' ');

test('text in the form of a secret is removed', () => {
  const secrets = [
    `AKIA${'A1B2C3D4E5F6G7H8'}`,
    `ghp_${letters}`,
    `github_pat_${letters}`,
    `glpat-${letters}`,
    `xoxb-${letters}`,
    `sk_live_${letters}`,
    `eyJ${letters}.eyJ${letters}.${letters}`,
    `${key}\n${letters}${letters}\n${end}`,
  ];
  for (const secret of secrets) {
    const text = redact(`before ${secret}, after`);
    assert.ok(!text.includes(secret.slice(4, 30)), text);
    assert.match(text, /^before .*after$/s);
  }
  assert.equal(redact('db_password = "hunter22" # old'), 'db_password = "[redacted]" # old');
  assert.equal(redact(`{"apiKey": 'abc def'}`), `{"apiKey": '[redacted]'}`);
  assert.equal(redact('postgres://app:hunter22@db/x'), 'postgres://app:[redacted]@db/x');
  assert.ok(!redact(`${key}\n${letters}${letters}`).includes(letters), 'a key cut off');
});

test('other text is unchanged', () => {
  const texts = [
    'password = readPassword()',
    `The header ${key} alone names a format.`,
    'See https://example.com/a?b=c and a@b.example',
    'AKIA is a prefix; eyJ another; ghp_ a third.',
  ];
  for (const text of texts) assert.equal(redact(text), text);
});

test('a line with an unnamed secret is masked, or null', () => {
  assert.equal(maskLine('token: "abc" # x'), 'token: "****" # x');
  assert.equal(maskLine('export KEY=abcd1234'), 'export KEY=****');
  assert.equal(maskLine('curl -H abcdef123456ghij x'), 'curl -H **** x');
  assert.equal(maskLine('just words'), null);
});

test('a short or empty text in quotes leaves the next one masked', () => {
  assert.equal(maskLine('os.getenv("PW", "") or "letmein"'), 'os.getenv("PW", "") or "****"');
  assert.equal(maskLine('u == "" && p == "letmein"'), 'u == "" && p == "****"');
  assert.equal(maskQuoted('"pw" => "letmein please"'), '"pw" => "****"');
  assert.deepEqual(valuesIn('u == "" && p == "letmein"'), ['letmein', 'letmein']);
});

test('an escaped backslash ends no escape, and an apostrophe after a word of code begins a text', () => {
  assert.equal(maskLine(String.raw`open("C:\\", "correct horse")`), 'open("****", "****")');
  assert.deepEqual(valuesIn(String.raw`open("C:\\", "correct horse")`).slice(0, 2), [
    'C:\\\\',
    'correct horse',
  ]);
  assert.equal(maskLine(String.raw`password = "rake\"and rose"`), 'password = "****"');
  assert.equal(maskLine("return'let me in'"), "return'****'");
  assert.equal(maskLine("open('wood') # don't write 'rake and rose'")?.includes('rake'), false);
  assert.equal(maskQuoted("It doesn't hold 'wood'."), "It doesn't hold '****'.");
});

test('a known secret is masked everywhere, line by line', () => {
  const secret = 'first-line-of-it\nsecond-line-of-it';
  assert.equal(maskSecret(`a ${secret} b first-line-of-it c`, secret), 'a **** b **** c');
});

test('masking takes time in proportion to the text', () => {
  const unit = [
    'eyJ',
    'eyJaaaaaaaaaaa.',
    'ghp_',
    'password="',
    "token='",
    `${key}\n`,
    '://a:',
    '"',
    '=',
    '-----BEGIN ',
    '\\n',
    '>',
    'a: ',
    'a:',
    ' ',
    "'\\\\",
  ];
  for (const text of unit) {
    const long = text.repeat(Math.ceil(1_000_000 / text.length));
    const started = processorMs();
    redact(long);
    maskLine(long.slice(0, 100_000));
    maskCode(long.slice(0, 100_000));
    valuesIn(long.slice(0, 100_000));
    assert.ok(processorMs() - started < 1500, `${JSON.stringify(text)} takes ${processorMs() - started} ms`);
  }
});
