import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorMs } from '../../../test/support/processor-time.ts';
import { defaultLimits, ParseContext } from './limits.ts';
import { assignedSecret, secretLine, wholeSecret, withoutSecrets } from './secrets.ts';

test('masks, headers of keys and short words are no secrets', () => {
  for (const text of [
    null,
    '',
    'short',
    'REDACTED',
    '[redacted]',
    '********',
    'gdn_****',
    'gdn_Zx81...',
    'gdn_Zx81…',
    '-----BEGIN RSA PRIVATE KEY-----',
    'x'.repeat(70_000),
  ]) {
    assert.equal(wholeSecret(text), null, String(text).slice(0, 40));
  }
  assert.equal(wholeSecret('  with a space in it '), 'with a space in it');
  const key = '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----';
  assert.equal(wholeSecret(key), key);
  for (const end of ['\r\n', '\r']) assert.equal(wholeSecret(key.replaceAll('\n', end)), key);
  assert.equal(withoutSecrets(`in ${key.replaceAll('\n', '\r\n')} there`, [key]), 'in **** there');
});

test('the value is taken from an assignment', () => {
  for (const [text, value] of [
    ['KEY="gdn_Zx81Yw72"', 'gdn_Zx81Yw72'],
    ['key: gdn_Zx81Yw72', 'gdn_Zx81Yw72'],
    ['Password" : "gdn_Zx81Yw72', 'gdn_Zx81Yw72'],
    ["key => 'gdn_Zx81Yw72',", 'gdn_Zx81Yw72'],
    ['key := `gdn_Zx81Yw72`', 'gdn_Zx81Yw72'],
    ['gdn_Zx81Yw72', 'gdn_Zx81Yw72'],
    ['Z2RuX1p4ODFZdw==', 'Z2RuX1p4ODFZdw=='],
    ['https://gate:keeper@gate.example', 'https://gate:keeper@gate.example'],
    ['several words without a sign', null],
    ['key: ******', null],
  ] as const) {
    assert.equal(assignedSecret(text), value, text);
  }
});

test('no secret stays in a line, whole or in part', () => {
  const line = (text: string, secrets: string[]): string | null =>
    secretLine(text, secrets, new ParseContext(defaultLimits));
  assert.equal(line('a gdn_Zx81Yw72 b gdn_Zx81', ['gdn_Zx81', 'gdn_Zx81Yw72']), 'a **** b ****');
  assert.equal(line('key = gdn_Zx****', []), 'key = ****');
  assert.equal(line('key = gdn_Zx81Yw72', []), 'key = ****');
  assert.equal(line('plain words', []), null);
  // Stars of a comment are no mask.
  for (const text of [
    '/**** local settings ****/ db.connect(url, "gdn_Zx81Yw72")',
    'export PGPASSWORD=gdn_Zx81Yw72 # *** change me',
  ]) {
    assert.doesNotMatch(line(text, []) ?? '', /gdn_/, text);
  }
  assert.equal(
    line(
      'a b',
      Array.from({ length: 30 }, (_, index) => `secret${index}`),
    ),
    null,
  );
  assert.equal(
    line(`${'- '.repeat(495)}gdn_Zx81Yw72Vu63Ts54`, ['gdn_Zx81Yw72Vu63Ts54'])?.includes('gdn'),
    false,
  );
  assert.equal(withoutSecrets('one\ntwo-two-two', ['first-line\ntwo-two-two']), 'one\n****');
});

test('masking takes time in proportion to the text', () => {
  for (const unit of ['a', '*', '=', ' ', '"', 'a=', 'a*', '**** ', '-----BEGIN ']) {
    const long = unit.repeat(300_000 / unit.length);
    const started = processorMs();
    wholeSecret(long);
    assignedSecret(long.slice(0, 60_000));
    secretLine(long, [long.slice(0, 60_000)], new ParseContext(defaultLimits));
    assert.ok(processorMs() - started < 1000, unit);
  }
});
