import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReportError } from '../report.ts';
import { readCsv, readCsvHeader } from './csv.ts';
import { defaultLimits, ParseContext } from './limits.ts';

function rowsOf(text: string, maxFindings = 100): [string, Record<string, unknown>][] {
  const rows: [string, Record<string, unknown>][] = [];
  readCsv(text, new ParseContext({ ...defaultLimits, maxFindings }), (row, pointer) => {
    rows.push([pointer, { ...row }]);
  });
  return rows;
}

function refusalOf(text: string, maxFindings?: number): ReportError {
  try {
    rowsOf(text, maxFindings);
  } catch (error) {
    assert.ok(error instanceof ReportError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'the text was taken' });
}

test('rows are records by header, with quotes, line breaks and any line end', () => {
  const expected = [
    ['/1', { bed: 'north', crops: 'peas, "sweet"' }],
    ['/2', { bed: 'south', crops: 'two\nlines' }],
  ];
  assert.deepEqual(rowsOf('Bed , CROPS\nnorth,"peas, ""sweet"""\nsouth,"two\nlines"'), expected);
  assert.deepEqual(rowsOf('Bed,Crops\r\nnorth,"peas, ""sweet"""\r\nsouth,"two\r\nlines"\r\n'), expected);
  assert.deepEqual(rowsOf('Bed,Crops\nnorth,"peas, ""sweet"""\r\nsouth,"two\r\nlines"\n'), expected);
});

test('the header shows whether commas, semicolons or tabs separate the cells', () => {
  assert.deepEqual(rowsOf('"a,b";c;d\n1,5;2;3'), [['/1', { 'a,b': '1,5', c: '2', d: '3' }]]);
  assert.deepEqual(rowsOf('a\tb\n1;2\t3'), [['/1', { a: '1;2', b: '3' }]]);
  assert.deepEqual(readCsvHeader('"Bed\nname",Crops\n1,2')?.header, ['bed\nname', 'crops']);
  for (const text of ['', 'one line of words', '{"a":1,"b":2}', '<a b="1,2,3"/>', 'a"b,c', '"a,b,c']) {
    assert.equal(readCsvHeader(text), null, text);
  }
});

test('empty rows are skipped but keep their number, and short and long rows are read', () => {
  assert.deepEqual(rowsOf('\n\na,b,,a\n\n,,\n1\n1,2,3,4,5\n'), [
    ['/3', { a: '1' }],
    ['/4', { a: '1', b: '2' }],
  ]);
});

test('a column may have the name of a property of objects', () => {
  const [[, row] = ['', {}]] = rowsOf('__proto__,constructor\nx,y');
  assert.deepEqual(Object.entries(row), [
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
});

test('a broken quote is refused with its line and without the text', () => {
  const cases: [string, number, RegExp][] = [
    ['a,b\r\n"1\r\n2","hunter2"x\r\n', 3, /broken quote at line 3/],
    ['\na,b\n1,2\n3,hunter2"x"\n', 4, /broken quote at line 4/],
    ['a,b\n"1\n2","hunter2\n\n3,4\n', 3, /quote at line 3 that is not closed/],
  ];
  for (const [text, line, message] of cases) {
    const error = refusalOf(text);
    assert.deepEqual([error.code, error.line], ['MALFORMED_REPORT', line], text);
    assert.match(error.message, message);
    assert.ok(!error.message.includes('hunter2'));
  }
});

test('the number of rows and of cells is limited, also of empty ones', () => {
  assert.equal(rowsOf(`a,b\n${'1,2\n'.repeat(3)}`, 3).length, 3);
  assert.equal(refusalOf(`a,b\n${'1,2\n'.repeat(4)}`, 3).pointer, '/4');
  assert.equal(refusalOf(`a,b\n${'\n'.repeat(4)}`, 3).code, 'LIMIT_EXCEEDED');
  const [[, wide] = ['', {}]] = rowsOf(`a,b\n1,2${','.repeat(1_000_000)}`);
  assert.deepEqual(wide, { a: '1', b: '2' });
});
