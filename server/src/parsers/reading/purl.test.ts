import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barePurl, packagePurl } from './purl.ts';

test('one package has one spelling, whatever type and case a tool writes', () => {
  assert.equal(packagePurl('javascript', null, 'rake'), 'pkg:npm/rake');
  assert.equal(barePurl('pkg:javascript/rake@1.2')?.purl, 'pkg:npm/rake');
  assert.deepEqual(barePurl('PKG:npm/rake@1.2'), barePurl('pkg:npm/rake@1.2'));
  assert.equal(barePurl('pkg:nuget/Garden.Rake@1.2')?.purl, barePurl('pkg:nuget/garden.rake@1.2')?.purl);
});

test('a package with a long name keeps its type and has one short URL, and a long type is none', () => {
  const name = '\u4e00'.repeat(200);
  const purl = packagePurl('npm', null, name) ?? '';
  assert.match(purl, /^pkg:npm\/[0-9a-f]{64}$/);
  assert.notEqual(packagePurl('npm', null, `${name}\u4e00`), purl);
  assert.equal(barePurl(`pkg:npm/${name}@1.2`)?.purl, purl);
  assert.equal(barePurl(purl)?.purl, purl);
  assert.equal(barePurl(`pkg:${'a'.repeat(65)}/rake@1.2`), null);
});

test('the epoch of an RPM stands before its version, as scanners write it', () => {
  const versionOf = (purl: string): string | null | undefined => barePurl(purl)?.version;
  assert.equal(versionOf('pkg:rpm/redhat/rake@1.2-3.el9?arch=src&epoch=1'), '1:1.2-3.el9');
  assert.equal(versionOf('pkg:rpm/redhat/rake@1:1.2-3.el9?epoch=1'), '1:1.2-3.el9');
  assert.equal(versionOf('pkg:rpm/redhat/rake@1.2-3.el9?epoch=0'), '1.2-3.el9');
  assert.equal(versionOf('pkg:deb/debian/rake@1.2?epoch=1'), '1.2');
});
