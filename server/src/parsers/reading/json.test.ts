import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringAt } from './json.ts';

test('a text of white space and control characters alone counts as missing', () => {
  for (const text of ['', ' \n', '\0', ' \u0000\u0007\t']) assert.equal(stringAt({ text }, 'text'), null);
  assert.equal(stringAt({ text: '\0a' }, 'text'), '\0a');
  assert.equal(stringAt({ text: 7 }, 'text'), '7');
});

test('an integer that is too large to be exact counts as missing, because two of them may be read as one', () => {
  const { first, second, largest } = JSON.parse(
    '{ "first": 12345678901234567890, "second": 12345678901234567891, "largest": 9007199254740991 }',
  );
  assert.equal(first, second);
  assert.equal(stringAt({ id: first }, 'id'), null);
  assert.equal(stringAt({ id: largest }, 'id'), '9007199254740991');
  assert.equal(stringAt({ id: 0.1 }, 'id'), '0.1');
});
