import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashKey, isKeyString, newKeyString } from './key-string.ts';
import { expiryOf } from './service.ts';

test('a key has the documented form and a valid checksum', () => {
  for (const kind of ['personal', 'workspace'] as const) {
    const key = newKeyString(kind);
    assert.match(key, kind === 'personal' ? /^mrl_pat_[0-9A-Za-z]{46}$/ : /^mrl_wsk_[0-9A-Za-z]{46}$/);
    assert.ok(isKeyString(key));
    assert.notEqual(key, newKeyString(kind));
    const other = key[20] === 'a' ? 'b' : 'a';
    assert.equal(isKeyString(key.slice(0, 20) + other + key.slice(21)), false, 'one character off');
    assert.equal(isKeyString(`${key}x`), false);
    assert.equal(hashKey(key).length, 32);
  }
});

test('every digit occurs about equally often', () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 500; i++) {
    for (const digit of newKeyString('personal').slice(8, 48))
      counts.set(digit, (counts.get(digit) ?? 0) + 1);
  }
  assert.equal(counts.size, 62);
  // 20,000 draws, 323 expected for each: six standard deviations are 108.
  for (const [digit, n] of counts) assert.ok(n > 215 && n < 431, `${digit}: ${n}`);
});

test('an expiry is an offered duration, the last second of a date, or never', () => {
  const now = new Date('2026-06-01T12:00:00Z');
  assert.equal(expiryOf('90d', now)?.toISOString(), '2026-08-30T12:00:00.000Z');
  assert.equal(expiryOf('2026-06-01', now)?.toISOString(), '2026-06-01T23:59:59.000Z');
  assert.equal(expiryOf('never', now), null);
  for (const text of ['91d', '0d', '', '2026-05-31', '2026-02-31', '31.12.2026', '1h']) {
    assert.throws(() => expiryOf(text, now), { message: /^Must be one of|is in the past\.$/ }, text);
  }
});
