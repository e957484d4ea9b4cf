import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barePurl, packagePurl } from './purl.ts';

test('one package has one spelling, whatever type and case a tool writes', () => {
  assert.equal(packagePurl('javascript', null, 'rake'), 'pkg:npm/rake');
  assert.equal(barePurl('pkg:javascript/rake@1.2')?.purl, 'pkg:npm/rake');
  assert.equal(barePurl('pkg:nuget/Garden.Rake@1.2')?.purl, barePurl('pkg:nuget/garden.rake@1.2')?.purl);
});

test('the epoch of an RPM stands before its version, as scanners write it', () => {
  const versionOf = (purl: string): string | null | undefined => barePurl(purl)?.version;
  assert.equal(versionOf('pkg:rpm/redhat/rake@1.2-3.el9?arch=src&epoch=1'), '1:1.2-3.el9');
  assert.equal(versionOf('pkg:rpm/redhat/rake@1:1.2-3.el9?epoch=1'), '1:1.2-3.el9');
  assert.equal(versionOf('pkg:rpm/redhat/rake@1.2-3.el9?epoch=0'), '1.2-3.el9');
  assert.equal(versionOf('pkg:deb/debian/rake@1.2?epoch=1'), '1.2');
});
