import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packageTermsOf, searchedTerm } from './package-terms.ts';

test('a package is found from each part of its name on, however long the name is', () => {
  assert.deepEqual(packageTermsOf({ namespace: '@acme', name: 'shell-quote' }), [
    'shell-quote',
    'acme/shell-quote',
    'quote',
  ]);
  const namespace = `github.com/${'organization/'.repeat(6)}internal`;
  const terms = packageTermsOf({ namespace, name: 'endpoint-discovery' });
  for (const text of ['endpoint-discovery', 'discovery', 'internal/endpoint', 'github.com/organization']) {
    assert.ok(
      terms.some((term) => term.startsWith(searchedTerm(text))),
      text,
    );
  }
  assert.ok(terms.every((term) => term.length <= 64));
});
