import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packageFilterOf } from './package-filter.ts';

test('a package URL is compared whole, in the spelling that reports are stored in', () => {
  const purl = (text: string) => packageFilterOf(text).purl;
  assert.deepEqual(packageFilterOf('pkg:npm/%40acme/ui'), {
    names: ['ui'],
    purl: 'pkg:npm/%40acme/ui',
    endings: [],
  });
  assert.equal(purl('pkg:npm/@acme/UI'), 'pkg:npm/%40acme/ui');
  assert.equal(purl('PKG:pypi/Foo_Bar'), 'pkg:pypi/foo-bar');
  assert.equal(purl('pkg:deb/debian/libc6?arch=amd64'), 'pkg:deb/debian/libc6');
  for (const wrong of ['pkg:npm/lodash@4.17.20', 'pkg:', 'pkg:npm', 'pkg:/x']) {
    assert.throws(() => packageFilterOf(wrong), { name: 'DomainError' }, wrong);
  }
});

test('a name is the last part of a package URL, and a namespace must be there too', () => {
  assert.deepEqual(packageFilterOf('lodash'), { names: ['lodash'], purl: null, endings: [] });
  assert.deepEqual(packageFilterOf('libstdc++').names, ['libstdc%2B%2B']);
  assert.deepEqual(packageFilterOf('Newtonsoft.Json').names, ['Newtonsoft.Json', 'newtonsoft.json']);
  const scoped = packageFilterOf('@acme/ui');
  assert.deepEqual([scoped.names, scoped.endings], [['ui'], ['/%40acme/ui']]);
  const maven = packageFilterOf('org.acme:core');
  assert.deepEqual([maven.names, maven.endings], [['core'], ['/org.acme/core']]);
  const long = packageFilterOf('x'.repeat(300));
  assert.deepEqual([long.names, long.endings], [['x'.repeat(255)], [`/${'x'.repeat(300)}`]]);
});
