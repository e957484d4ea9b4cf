import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf, fieldsOf } from '../../../test/support/fields.ts';
import { processorMs } from '../../../test/support/processor-time.ts';
import { ReportError } from '../report.ts';
import { decodeReport } from './decode.ts';
import { firstJsonRecord, type JsonValue, readJsonValues } from './json-lines.ts';
import { defaultLimits, ParseContext } from './limits.ts';

function read(text: string, context = new ParseContext(defaultLimits)): JsonValue[] {
  return readJsonValues(decodeReport(Buffer.from(text), defaultLimits), context);
}

function valuesOf(text: string): unknown[] {
  return read(text).map(({ value }) => value);
}

test('reads lines, indented values one after another, several in a line, an array, a single one', () => {
  const all = [{ a: { b: '}\n{' } }, { a: [{ c: '"\\' }] }];
  assert.deepEqual(valuesOf(all.map((value) => JSON.stringify(value)).join('\n')), all);
  assert.deepEqual(valuesOf(all.map((value) => JSON.stringify(value)).join('\r\n')), all);
  assert.deepEqual(valuesOf(all.map((value) => JSON.stringify(value, null, 2)).join('\n')), all);
  assert.deepEqual(valuesOf(all.map((value) => JSON.stringify(value)).join('')), all);
  assert.deepEqual(valuesOf(JSON.stringify(all)), all);
  assert.deepEqual(valuesOf('{"a":1}'), [{ a: 1 }]);
  assert.deepEqual(read('{"a":1}')[0]?.pointer, '');
});

test('a broken value makes only itself unreadable and is counted', () => {
  const context = new ParseContext(defaultLimits);
  const values = read('{"a":1}\n{"a":"x\n{"a":2,\n{"a":3}\n{"a": tru}\n{"a":4}', context);
  assert.deepEqual(fieldsOf(values, 'value', 'pointer'), [
    [{ a: 1 }, '/0'],
    [{ a: 3 }, '/3'],
    [{ a: 4 }, '/5'],
  ]);
  assert.deepEqual(
    context.unreadable.map(({ pointer, reason }) => `${pointer} ${reason}`),
    [
      '/1 The value that begins at line 2 is not JSON.',
      '/2 The value that begins at line 3 is not JSON.',
      '/4 The value that begins at line 5 is not JSON.',
    ],
  );
  assert.equal(context.rows, 3);
});

test('a report that ends in the middle of a value is broken, as its last findings are missing', () => {
  for (const text of [
    '{"a":1}\n{"a":2,',
    '{"a":1}\n{"a":"x',
    '{"a":1}\n{"a":2,\nno space left on device\n',
  ]) {
    assert.throws(
      () => read(text),
      (error) => error instanceof ReportError && error.code === 'MALFORMED_REPORT' && error.line === 2,
    );
  }
});

test('text that a tool prints around its values is skipped with a warning', () => {
  const context = new ParseContext(defaultLimits);
  assert.deepEqual(fieldOf(read('starting …\n{"a":1}\ndone\n{"a":2} bye', context), 'value'), [
    { a: 1 },
    { a: 2 },
  ]);
  assert.equal(context.warnings.length, 1);
});

test('the first object is found, and none in a broken array', () => {
  const first = (text: string) => firstJsonRecord(decodeReport(Buffer.from(text), defaultLimits));
  assert.deepEqual(first('noise\n{"a":\n{"b":1}\n{"c":1}'), { b: 1 });
  assert.deepEqual(first('[null,{"a":1}]'), { a: 1 });
  assert.equal(first('[{"a":1},'), null);
  assert.equal(first('{"a":'), null);
});

test('reading takes time in proportion to the text, and keeps no more values than findings', () => {
  for (const unit of ['{\n}', '{}', '{"a\n', 'x{"a":1}', '}\n', '{"a":1}\n', '{"\\']) {
    const text = unit.repeat(Math.ceil(600_000 / unit.length));
    const started = processorMs();
    try {
      read(text);
      firstJsonRecord(decodeReport(Buffer.from(text), defaultLimits));
    } catch (error) {
      assert.ok(error instanceof ReportError && error.code === 'LIMIT_EXCEEDED', String(error));
    }
    const took = processorMs() - started;
    assert.ok(took < 3000, `${JSON.stringify(unit)} takes ${took} ms`);
  }
});
