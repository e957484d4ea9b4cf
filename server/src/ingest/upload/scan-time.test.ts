/** Tests of the time of a scan: it is exact, or refused with the reason. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseScanTime } from './scan-time.ts';

const now = new Date('2026-06-01T12:00:00Z');

test('RFC 3339 with an offset', () => {
  for (const [text, expected] of [
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31t12:00:00.123456789z', '2026-01-31T12:00:00.123Z'],
    ['2026-01-31T00:30:00+05:30', '2026-01-30T19:00:00.000Z'],
    ['2024-02-29T23:59:59-23:59', '2024-03-01T23:58:59.000Z'],
    ['1990-01-01T00:00:00Z', '1990-01-01T00:00:00.000Z'],
    ['2026-06-01T12:04:59Z', '2026-06-01T12:04:59.000Z'],
  ] as const) {
    assert.equal(parseScanTime(text, 'scanned_at', now).toISOString(), expected, text);
  }
});

test('anything else is refused, and says why', () => {
  const cases: [string, RegExp][] = [
    ['2026-01-01T00:00', /RFC 3339 time with seconds and offset/],
    ['2026-01-01T00:00:00', /RFC 3339/],
    ['2026-01-01T00:00Z', /RFC 3339/],
    ['2026-01-01', /RFC 3339/],
    ['2026-01-01T00:00:00 02:00', /%2B/],
    ['2026-01-01T00:00:00+24:00', /RFC 3339/],
    ['2026-01-01T00:00:00+0200', /RFC 3339/],
    ['2026-01-01T00:00:00Z ', /RFC 3339/],
    ['+002026-01-01T00:00:00Z', /RFC 3339/],
    ['2026-02-30T00:00:00Z', /2026-02-30 00:00:00 is none/],
    ['2025-02-29T00:00:00Z', /is none/],
    ['2026-01-31T24:00:00Z', /is none/],
    ['2026-13-01T00:00:00Z', /is none/],
    ['0000-01-01T00:00:00Z', /years 1 to 9999/],
    ['0001-01-01T00:00:00Z', /before 1990/],
    ['1970-01-01T00:00:00Z', /before 1990/],
    ['1990-01-01T00:00:00+00:01', /before 1990/],
    ['2026-06-01T12:05:01Z', /future/],
  ];
  for (const [text, message] of cases) {
    assert.throws(() => parseScanTime(text, 'scanned_at', now), { name: 'DomainError', message }, text);
  }
});
