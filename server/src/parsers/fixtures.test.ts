/**
 * The fixtures of all formats: each is recognised by its own format alone, and the order of its rows changes nothing.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findingsOf } from '../../test/support/format-reports.ts';
import { shuffledReport } from '../../test/support/shuffle.ts';
import { formats } from './formats.ts';
import { parseReport } from './parse-report.ts';
import { decodeReport } from './reading/decode.ts';
import { defaultLimits, ParseContext } from './reading/limits.ts';

const folder = new URL('../../test/fixtures/', import.meta.url);
const fixtures = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`)
  .map((path) => ({ name: path.split('/').slice(-2).join('/'), bytes: readFileSync(path) }));

test('every format has a fixture in a folder with its name', () => {
  const named = new Set(fixtures.map(({ name }) => name.split('/')[0]));
  assert.deepEqual(
    formats.map(({ name }) => name).filter((name) => !named.has(name)),
    [],
  );
});

for (const { name, bytes } of fixtures) {
  test(`${name} is recognised by its own format alone`, () => {
    const document = decodeReport(bytes, defaultLimits);
    const recognised = formats.filter((format) => format.recognises(document)).map((format) => format.name);
    assert.deepEqual(recognised, [name.split('/')[0]]);
  });
}

for (const { name, runFields = [] } of formats) {
  if (runFields.length === 0) continue;
  test(`${name} gives the same report for another run: ${runFields.join(', ')}`, () => {
    const values = new RegExp(`("(?:${runFields.join('|')})"\\s*:\\s*)(?:"[^"]*"|[0-9.]+)`, 'g');
    const seen = new Set<string>();
    for (const fixture of fixtures.filter((one) => one.name.startsWith(`${name}/`))) {
      const text = fixture.bytes.toString();
      const other = text.replace(values, (_, head: string) => {
        seen.add(head);
        return `${head}"2033-07-08T09:10:11Z"`;
      });
      if (other === text) continue;
      assert.deepEqual(parseReport(Buffer.from(other)), parseReport(fixture.bytes), fixture.name);
    }
    const unseen = runFields.filter((field) => ![...seen].some((head) => head.startsWith(`"${field}"`)));
    assert.deepEqual(unseen, [], 'no fixture has these fields');
  });
}

test('a report has the same findings with its rows in another order', () => {
  const compared = fixtures.filter(({ name, bytes }) => {
    const shuffled = shuffledOrNull(bytes);
    if (shuffled === null) return false;
    assert.deepEqual(findingsIn(name, shuffled), findingsIn(name, bytes), name);
    return true;
  });
  assert.ok(compared.length > fixtures.length * 0.8, `${compared.length} of ${fixtures.length} compared`);
});

/** Null for a fixture with a line that is no JSON. */
function shuffledOrNull(bytes: Buffer): Buffer | null {
  try {
    return shuffledReport(bytes);
  } catch {
    return null;
  }
}

/** The findings in an order of their own, without the pointers, which follow the order of the report. */
function findingsIn(name: string, bytes: Uint8Array): string[] {
  const format = formats.find((one) => one.name === name.split('/')[0]);
  assert.ok(format);
  const report = format.parse(decodeReport(bytes, defaultLimits), new ParseContext(defaultLimits));
  return findingsOf(report)
    .map((finding) => JSON.stringify({ ...finding, pointer: null, sharedRow: finding.sharedRow !== null }))
    .sort();
}
