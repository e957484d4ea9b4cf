import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringAt } from './json.ts';

test('a text of white space and control characters alone counts as missing', () => {
  for (const text of ['', ' \n', '\0', ' \u0000\u0007\t']) assert.equal(stringAt({ text }, 'text'), null);
  assert.equal(stringAt({ text: '\0a' }, 'text'), '\0a');
  assert.equal(stringAt({ text: 7 }, 'text'), '7');
});
