import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  advisoryOf,
  indexTermsOf,
  prefixEnd,
  searchKey,
  searchRowsOf,
  searchTermsOf,
} from './search-terms.ts';

test('a text gives lower-case terms of three or more characters, and a compound is one term', () => {
  assert.deepEqual(searchTermsOf('SQL injection in spring-beans (CVE-2021-44228)'), [
    'sql',
    'injection',
    'spring-beans',
    'cve-2021-44228',
  ]);
  assert.deepEqual(searchTermsOf('a an !? --'), []);
  assert.deepEqual(searchTermsOf('Ünïcode Straße'), ['ünïcode', 'straße']);
  assert.deepEqual(searchTermsOf('सुरक्षा में'), ['सुरक्षा', 'में'], 'a vowel sign belongs to its word');
});

test('the index finds a compound by each of its later parts, and the package', () => {
  assert.deepEqual(indexTermsOf('nodejs-shell-quote (CVE-2021-44228)'), [
    'nodejs-shell-quote',
    'shell-quote',
    'quote',
    'cve-2021-44228',
    '2021-44228',
    '44228',
  ]);
  assert.deepEqual(indexTermsOf('pkg:npm/%40acme/ui-kit'), [
    'npm/@acme/ui-kit',
    'acme/ui-kit',
    'ui-kit',
    'kit',
  ]);
});

test('a name at the end of a long path is found, and no term is longer than 64 characters', () => {
  const path = `github.com/${'organization/'.repeat(6)}`;
  const terms = indexTermsOf(`pkg:golang/${path}endpoint-discovery`);
  for (const term of ['endpoint-discovery', 'discovery']) assert.ok(terms.includes(term), term);
  assert.ok(terms.every((term) => [...term].length <= 64));
});

test('a term that is the id of an advisory gives that advisory, another term gives null', () => {
  assert.equal(advisoryOf('cve-2021-44228'), 'CVE-2021-44228');
  assert.equal(advisoryOf('ghsa-jfh8-c2jp-5v3q'), 'GHSA-jfh8-c2jp-5v3q');
  assert.equal(advisoryOf('rustsec-2021-0001'), 'RUSTSEC-2021-0001');
  assert.equal(advisoryOf('snyk-js-lodash-1018905'), 'SNYK-JS-LODASH-1018905');
  for (const term of ['shell-quote', 'cve-2021', 'fix-cve-2021-44228', 'utf-8', '2021-44228']) {
    assert.equal(advisoryOf(term), null, term);
  }
});

test('a prefix is a range of terms', () => {
  for (const term of ['sql', 'sqli', 'sql\u{1f600}']) assert.ok(term >= 'sql' && term < prefixEnd('sql'));
  assert.equal('sqm' < prefixEnd('sql'), false);
});

test('a text that several vulnerabilities have gets its terms once, and leads to all of them', () => {
  const found = ['pkg:npy/x', 'pkg:npm/abc', null].map((purl) => ({ title: 'Overflow', package: purl }));
  const { texts, terms } = searchRowsOf([...found, ...found]);
  assert.deepEqual(terms.map(({ term }) => term).toSorted(), ['abc', 'npm/abc', 'npy/x', 'overflow']);
  const overflow = terms.find(({ term }) => term === 'overflow')?.text_key;
  const keys = texts.filter(({ text_key }) => text_key === overflow).map(({ search_key }) => search_key);
  assert.deepEqual(keys, found.map(searchKey));
  assert.equal(new Set(keys).size, 3);
});
