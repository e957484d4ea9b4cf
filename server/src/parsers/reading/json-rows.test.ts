import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseDocument } from '../parse-report.ts';
import { ReportError } from '../report.ts';
import { decodeReport } from './decode.ts';
import { defaultLimits } from './limits.ts';

const fixtures = new URL('../../../test/fixtures/', import.meta.url);
const texts = ['sarif', 'trivy', 'semgrep', 'osv-scanner'].flatMap((format) =>
  readdirSync(new URL(format, fixtures)).map((name) =>
    readFileSync(new URL(`${format}/${name}`, fixtures), 'utf8'),
  ),
);

/** The report, or why it is refused. */
function outcomeOf(text: string, batchLength: number): unknown {
  try {
    return parseDocument(decodeReport(Buffer.from(text), defaultLimits, batchLength));
  } catch (error) {
    assert.ok(error instanceof ReportError);
    return error.message.includes('is not valid at line') ? 'no JSON' : error.message;
  }
}

test('a list of rows that is read in pieces gives the same report as one that is read whole', () => {
  for (const text of texts) {
    const whole = outcomeOf(text, Number.MAX_SAFE_INTEGER);
    for (const length of [1, 300]) assert.deepEqual(outcomeOf(text, length), whole);
  }
});

test('a document that is broken anywhere is no JSON, in pieces as well', () => {
  const rows = '{"ruleId":"a","message":{"text":"x, [y] \\" {z}"}}';
  const text = `{"version":"2.1.0","runs":[{"results":[${rows},${rows} , ${rows}],"tool":{"driver":{"name":"t"}}}]}`;
  assert.notEqual(outcomeOf(text, 1), 'no JSON');
  for (let at = 0; at < text.length; at++) {
    for (const other of ['', ',', ']', '}', '"', '\\', '[', '{']) {
      const broken = text.slice(0, at) + other + text.slice(at + 1);
      assert.deepEqual(outcomeOf(broken, 1), outcomeOf(broken, Number.MAX_SAFE_INTEGER), broken);
    }
  }
});

test('of two lists with one key the last one counts, as JSON says', () => {
  const list = (rule: string): string => `[{"ruleId":"${rule}"},{"ruleId":"${rule}"}]`;
  for (const last of [list('b'), '[]', 'null', '"b"']) {
    const text = `{"version":"2.1.0","runs":[{"results":${list('a')},"results":${last}}]}`;
    assert.deepEqual(outcomeOf(text, 1), outcomeOf(text, Number.MAX_SAFE_INTEGER), last);
  }
});

test('rows are decoded as the whole report is: UTF-16, a byte-order mark, a byte that is no UTF-8', () => {
  const row = '{"ruleId":"größe","message":{"text":"naïve – 𝄞"}}';
  const text = `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t"}},"results":[${row},${row}]}]}`;
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  const latin1 = Buffer.from(text.replaceAll('–', '-').replaceAll('𝄞', 'x'), 'latin1');
  const encodings = [Buffer.from(`\ufeff${text}`), utf16, Buffer.from(utf16).swap16(), latin1];
  for (const bytes of encodings) {
    const [inPieces, whole] = [1, Number.MAX_SAFE_INTEGER].map((length) =>
      parseDocument(decodeReport(bytes, defaultLimits, length)),
    );
    assert.equal(inPieces?.read, 2);
    assert.deepEqual(inPieces, whole);
  }
});
