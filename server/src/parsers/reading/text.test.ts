/** Tests of the times in reports: they are read alike on every server, and the database can store them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTimestamp } from './text.ts';

test('a time without a zone is read as UTC, whatever the zone of the server', (t) => {
  const { TZ } = process.env;
  t.after(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
  const cases: [string, string | null][] = [
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T12:00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.123456789', '2026-01-31T12:00:00.123Z'],
    ['2026-01-31 12:00:00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31t12:00:00z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00-05:00', '2026-01-31T17:00:00.000Z'],
    ['2026-01-31T12:00:00+0100', '2026-01-31T11:00:00.000Z'],
    ['2026-01-31 12:00:00 +0000 UTC', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31 12:00:00 GMT', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31 12:00:00 EST', '2026-01-31T17:00:00.000Z'],
    ['2026-01-31 12:00:00 PM', null],
  ];
  for (const zone of ['UTC', 'America/New_York', 'Asia/Tokyo']) {
    process.env.TZ = zone;
    for (const [text, time] of cases) assert.equal(readTimestamp(text), time, `${text} in ${zone}`);
  }
});

test('a time before 1970 or after the year 9999 in UTC is no time', () => {
  for (const text of [
    '0001-01-01T00:00:00Z',
    '9999-12-31T19:00:00-05:00',
    '9999-12-31T24:00:00Z',
    '2026-31-01',
  ]) {
    assert.equal(readTimestamp(text), null, text);
  }
  assert.equal(readTimestamp('9999-12-31T23:59:59Z'), '9999-12-31T23:59:59.000Z');
});
