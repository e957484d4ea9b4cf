/** Tests of the digest of what a report shows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { seedOf } from '../../../test/support/form.ts';
import { ReportDigest } from './report-digest.ts';

const fields = ['CreatedAt', 'duration'];

/** The digest of the text, which arrives in pieces of these sizes, in turns. */
function digestOf(text: string, sizes = [1024], beginningBytes = 16): string {
  const content = new ReportDigest(beginningBytes, () => fields);
  const bytes = Buffer.from(text);
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    content.add(bytes.subarray(at, at + size));
    at += size;
  }
  return content.end()?.toString('hex') ?? 'all bytes';
}

const report = (time: string, title = 'Hose', indent = 0): string =>
  JSON.stringify({ CreatedAt: time, duration: 1.5, rows: [{ title }] }, null, indent);

test('the time of the run makes no difference, anything else does', () => {
  const digest = digestOf(report('2031-01-01T00:00:00Z'));
  assert.equal(digestOf(report('2031-01-02T11:22:33.456+02:00')), digest);
  assert.equal(digestOf(report('2031-01-01T00:00:00Z').replace('1.5', '-2.25e+3')), digest);
  for (const other of [
    report('2031-01-01T00:00:00Z', 'Rake'),
    report('2031-01-01T00:00:00Z', '"CreatedAt":"2031"'),
    report('2031-01-01T00:00:00Z', '', 2),
    report('x'.repeat(65)),
    report('a "quoted" time'),
    report('2031\u0000'),
    report('2031-01-01T00:00:00Z').replace('"2031-01-01T00:00:00Z"', 'null'),
    report('2031-01-01T00:00:00Z').replace('CreatedAt', 'createdAt'),
    ...['1.5e', '01.5', '1-5', '+1'].map((number) => report('2031-01-01T00:00:00Z').replace('1.5', number)),
  ]) {
    assert.notEqual(digestOf(other), digest, other);
  }
  assert.equal(
    digestOf(report('2031-01-01', 'Hose', 2)),
    digestOf(report('2031-01-02', 'Hose', 2)),
    'with white space',
  );
});

test('the pieces in which a report arrives make no difference', () => {
  const piece = fc.constantFrom(
    '"CreatedAt"',
    ':',
    ' ',
    '"',
    '2031-01-01',
    '1.5',
    ',',
    '{',
    '}',
    '"duration"',
    '\\',
    'é',
  );
  const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 400 }), sizes, (pieces, given) => {
      const text = pieces.join('');
      assert.equal(digestOf(text, given), digestOf(text, [100_000]));
    }),
    { numRuns: 300, seed: seedOf(20_260_101) },
  );
});

test('the fields are asked for once, with the beginning or all of a short report', () => {
  const asked: [string, boolean][] = [];
  const digest = (pieces: string[]): void => {
    const content = new ReportDigest(4, (beginning, isWhole) => {
      asked.push([beginning.toString(), isWhole]);
      return [];
    });
    for (const piece of pieces) content.add(Buffer.from(piece));
    content.end();
  };
  digest(['ab', 'cdef', 'gh', 'ij']);
  digest(['abc']);
  digest([]);
  assert.deepEqual(asked, [
    ['abcd', false],
    ['abc', true],
    ['', true],
  ]);
});
