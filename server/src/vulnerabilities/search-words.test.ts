import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advisoryOf, prefixEnd, searchKey, searchWords, wordsOf } from './search-words.ts';

const untitled = { title: '', package: null };

test('words of three characters, lower case, compounds whole', () => {
  assert.deepEqual(wordsOf('SQL injection in spring-beans (CVE-2021-44228)'), [
    'sql',
    'injection',
    'spring-beans',
    'cve-2021-44228',
  ]);
  assert.deepEqual(wordsOf('a an !? --'), []);
  assert.deepEqual(wordsOf('Ünïcode Straße'), ['ünïcode', 'straße']);
});

test('what is stored finds a compound from each of its parts on, and the package', () => {
  assert.deepEqual(searchWords({ ...untitled, title: 'nodejs-shell-quote (CVE-2021-44228)' }), [
    'nodejs-shell-quote',
    'shell-quote',
    'quote',
    'cve-2021-44228',
    '2021-44228',
    '44228',
  ]);
  assert.deepEqual(searchWords({ ...untitled, package: 'pkg:npm/%40acme/ui-kit' }), [
    'npm/@acme/ui-kit',
    'acme/ui-kit',
    'ui-kit',
    'kit',
  ]);
});

test('a word may be the id of an advisory', () => {
  assert.equal(advisoryOf('cve-2021-44228'), 'CVE-2021-44228');
  assert.equal(advisoryOf('ghsa-jfh8-c2jp-5v3q'), 'GHSA-jfh8-c2jp-5v3q');
  assert.equal(advisoryOf('rustsec-2021-0001'), 'RUSTSEC-2021-0001');
  assert.equal(advisoryOf('snyk-js-lodash-1018905'), 'SNYK-JS-LODASH-1018905');
  for (const word of ['shell-quote', 'cve-2021', 'fix-cve-2021-44228', 'utf-8', '2021-44228']) {
    assert.equal(advisoryOf(word), null, word);
  }
});

test('a prefix is a range', () => {
  for (const word of ['sql', 'sqli', 'sql\u{1f600}']) assert.ok(word >= 'sql' && word < prefixEnd('sql'));
  assert.equal('sqm' < prefixEnd('sql'), false);
});

test('found by the same, the same key', () => {
  assert.equal(searchKey({ title: 'x', package: null }).length, 32);
  assert.notEqual(searchKey({ title: 'x', package: null }), searchKey({ title: 'x', package: 'pkg:npm/y' }));
});
