import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packageName, packageVersion, withoutVersion } from './package-name.ts';

test('the name and the version of a package URL are those that people write', () => {
  const cases: [purl: string, name: string, version: string | null][] = [
    ['pkg:npm/lodash', 'lodash', null],
    ['pkg:npm/%40acme/ui', '@acme/ui', null],
    ['pkg:maven/org.acme/core', 'org.acme/core', null],
    ['pkg:npm/%E0%A4%A', '%E0%A4%A', null],
    ['no package URL', 'no package URL', null],
  ];
  for (const [purl, name, version] of cases) {
    assert.deepEqual([packageName(purl), packageVersion(purl)], [name, version], purl);
    assert.equal(withoutVersion(purl), purl);
  }
  assert.equal(packageVersion('pkg:npm/%40acme/ui@1.2.3'), '1.2.3');
  assert.equal(withoutVersion('pkg:npm/%40acme/ui@1.2.3'), 'pkg:npm/%40acme/ui');
  assert.equal(packageVersion('pkg:deb/debian/libx@1:2.3%2Bdfsg-1?arch=amd64'), '1:2.3+dfsg-1');
  assert.equal(packageVersion('pkg:npm/a@%E0%A4%A'), '%E0%A4%A');
});
