/** Tests of FIRST's file: it is read in pieces of any size, or refused with the number of the line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../../test/support/fields.ts';
import { type EpssRow, readEpss } from './epss.ts';

const head = '#model_version:v2026.06.15,score_date:2026-08-15T12:00:00Z\ncve,epss,percentile\n';

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function read(text: string, size = 7) {
  const { rows, ...release } = await readEpss(inPieces(text, size));
  const all: EpssRow[] = [];
  for await (const batch of rows) all.push(...batch);
  return { ...release, rows: all };
}

test('release and rows are the same, wherever the file is split into chunks', async () => {
  const text = `${head}CVE-1999-0001,0.0142,0.79799\nCVE-1999-0002,1,0\nCVE-2026-1234567,8e-05,0.5\n`;
  const expected = {
    version: 'v2026.06.15',
    publishedAt: new Date('2026-08-15T12:00:00Z'),
    rows: [
      { cve: 'CVE-1999-0001', score: 0.0142, percentile: 0.79799 },
      { cve: 'CVE-1999-0002', score: 1, percentile: 0 },
      { cve: 'CVE-2026-1234567', score: 0.00008, percentile: 0.5 },
    ],
  };
  const tiny = await read(`${head}CVE-1999-0001,1e-300,1e-46\nCVE-1999-0002,1e-45,-0\n`);
  assert.deepEqual(
    fieldsOf(tiny.rows, 'score', 'percentile'),
    [
      [0, 0],
      [1e-45, 0],
    ],
    'what the column cannot hold is 0',
  );
  for (const size of [1, 7, 60, 10_000]) assert.deepEqual(await read(text, size), expected);
  assert.deepEqual(await read(`${text}\n`), expected, 'with an empty line at the end');
  assert.deepEqual(await read(text.replaceAll('\n', '\r\n')), expected, 'with line ends of Windows');
  const older = await read(text.replace('2026-08-15T12:00:00Z', '2025-03-20T00:00:00+0000'));
  assert.equal(older.publishedAt.toISOString(), '2025-03-20T00:00:00.000Z');
});

test('an invalid file is refused with its line', async () => {
  const row = 'CVE-1999-0001,0.0142,0.79799\n';
  const cases: [string, RegExp][] = [
    ['', /^Line 1 is wrong\. In FIRST's file/],
    ['cve,epss,percentile\n', /^Line 1/],
    ['{"a": 1}\n', /^Line 1/],
    ['{"a": 1}', /^Line 1 is wrong\. The file is cut off in it/],
    ['x'.repeat(5000), /^Line 1 is wrong\. Must not be longer/],
    [`${head.split('\n')[0]}\n`, /^Line 2/],
    [head.replace('cve,epss', 'cve,score'), /^Line 2 is wrong\. .*cve,epss,percentile/],
    [head.replace('2026-08-15T12:00:00Z', '2026-99-15T12:00:00Z'), /^Line 1 is wrong\. The score_date/],
    [`${head}${row}CVE-1999-0002,1.5,0.1\n`, /^Line 4 is wrong\. The score 1\.5 is not between 0 and 1/],
    [`${head}CVE-1999-0002,-0.1,0.1\n`, /^Line 3 is wrong\. The score -0\.1/],
    [`${head}CVE-1999-0002,0.1,2\n`, /^Line 3 is wrong\. The percentile 2/],
    [`${head}CVE-1999-0002,e,0.1\n`, /^Line 3 is wrong\. The score e/],
    [`${head}CVE-1999-0002,0.1\n`, /^Line 3 is wrong\. It must be a CVE id/],
    [`${head}GHSA-1,0.1,0.1\n`, /^Line 3 is wrong\. It must be a CVE id/],
    [`${head}${row}\n${row}`, /^Line 5 is wrong\. The id CVE-1999-0001 is in the file twice/],
    [`${head}${row}CVE-1999-0002,0.9`, /^Line 4 is wrong\. The file is cut off in it/],
    [`${head}${row}CVE-1999-0002,0.9,0.99`, /^Line 4 is wrong\. The file is cut off in it/],
    [`${head}${row}${'y'.repeat(5000)}`, /^Line 4 is wrong\. Must not be longer/],
  ];
  for (const [text, message] of cases) {
    await assert.rejects(
      read(text, 512),
      { name: 'DomainError', code: 'VALIDATION_FAILED', message },
      text.slice(0, 200),
    );
  }
});
