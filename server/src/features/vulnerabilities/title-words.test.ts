import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefixEnd, titleKey, titleWords } from './title-words.ts';

test('words of three characters, lower case, compounds whole and in parts', () => {
  assert.deepEqual(titleWords('SQL injection in spring-beans (CVE-2021-44228)').sort(), [
    '2021',
    '44228',
    'beans',
    'cve',
    'cve-2021-44228',
    'injection',
    'spring',
    'spring-beans',
    'sql',
  ]);
  assert.deepEqual(titleWords('a an !? --'), []);
  assert.deepEqual(titleWords('Ünïcode Straße'), ['ünïcode', 'straße']);
});

test('a prefix is a range', () => {
  for (const word of ['sql', 'sqli', 'sql\u{1f600}']) assert.ok(word >= 'sql' && word < prefixEnd('sql'));
  assert.equal('sqm' < prefixEnd('sql'), false);
  assert.equal(titleKey('x').length, 32);
});
