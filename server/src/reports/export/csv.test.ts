/** Tests of CSV cells: they are quoted as RFC 4180 says, and are never a formula. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvRow } from '../../http/csv-row.ts';

test('quotes, commas and line ends are quoted, and null is empty', () => {
  assert.equal(
    csvRow(['plain', 'a,b', 'say "so"', 'two\nlines', null, undefined, '', 7, true]),
    'plain,"a,b","say ""so""","two\nlines",,,,7,true\r\n',
  );
});

test('a value that a spreadsheet would run begins with an apostrophe', () => {
  for (const start of ['=', '+', '-', '@', '\t']) {
    assert.equal(csvRow([`${start}1+1`]), `'${start}1+1\r\n`);
  }
  assert.equal(csvRow(['\r=1']), `"'\r'=1"\r\n`);
  assert.equal(csvRow(['=HYPERLINK("http://x","y")']), `"'=HYPERLINK(""http://x"",""y"")"\r\n`);
  for (const sign of ['\uff1d', '\uff0b', '\uff0d', '\uff20', '\ufe66', '\ufe62', '\ufe63', '\ufe6b']) {
    assert.equal(csvRow([`${sign}1+1`]), `'${sign}1+1\r\n`, 'of full width, and small');
  }
  for (const before of [' ', '   ', '\u00a0', '\u3000', '\ufeff', '\u200b', '\u202e', '\u0000']) {
    assert.equal(csvRow([`${before}=1+1`]), `'${before}=1+1\r\n`, JSON.stringify(before));
  }
  assert.equal(csvRow([' \n=1']), `"' \n'=1"\r\n`);
  assert.equal(csvRow([' \t=1']), `' \t'=1\r\n`);
  assert.equal(csvRow([' a', ' a =1', '１+1']), ' a, a =1,１+1\r\n', 'blank before what is no sign');
  assert.equal(csvRow([-1, 'a=b']), '-1,a=b\r\n', 'numbers and texts that begin otherwise stay');
});

test('no value is a formula where a spreadsheet separates cells at semicolons and sees no quotes', () => {
  const row = csvRow([
    'id',
    "a;=cmd|' /C calc'!A0;b",
    'say "so"; +1',
    'text\n- item\r\n@SUM(A1)',
    'x\t =1',
    'a;"=1+1',
    'a\n" "@SUM(A1)',
    'a;b=c',
  ]);
  for (const cell of row.split(/[;\t\r\n]/)) assert.doesNotMatch(cell, /^["\s]*[=+\-@]/, cell);
  assert.match(row, /a;b=c/);
  const long = '\n'.repeat(500_000);
  assert.equal(csvRow([long]), `"'${long}"\r\n`, 'in time');
});
