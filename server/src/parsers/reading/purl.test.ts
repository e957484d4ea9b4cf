import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barePurl, packagePurl } from './purl.ts';

test('one package has one spelling, whatever type and case a tool writes', () => {
  assert.equal(packagePurl('javascript', null, 'rake'), 'pkg:npm/rake');
  assert.equal(barePurl('pkg:javascript/rake@1.2')?.purl, 'pkg:npm/rake');
  assert.equal(barePurl('pkg:nuget/Garden.Rake@1.2')?.purl, barePurl('pkg:nuget/garden.rake@1.2')?.purl);
});
