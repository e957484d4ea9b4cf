import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFixture } from '../../../test/support/format-reports.ts';
import { trivy } from './trivy.ts';

test('in a repository each lock file and archive brings its packages', () => {
  const report = readFixture(trivy, 'packages.json');
  assert.equal(report.read, 0, 'packages are no rows');
  assert.deepEqual(report.runs[0]?.manifests, [
    {
      path: 'web/package-lock.json',
      type: 'npm',
      packages: [
        {
          purl: 'pkg:npm/%40tools/spade',
          name: '@tools/spade',
          version: '1.2.0',
          licenses: ['MIT'],
          direct: true,
        },
        { purl: 'pkg:npm/rope', name: 'rope', version: '2.0.0', licenses: ['GPL-3.0-only'], direct: false },
      ],
    },
    {
      path: 'go.mod',
      type: 'golang',
      packages: [
        {
          purl: 'pkg:golang/github.com/garden/pot/v3',
          name: 'github.com/garden/pot/v3',
          version: '3.0.1',
          licenses: [],
          direct: false,
        },
      ],
    },
    {
      path: 'lib/fence.jar',
      type: 'maven',
      packages: [
        {
          purl: 'pkg:maven/org.garden/fence',
          name: 'org.garden:fence',
          version: '1.0',
          licenses: [],
          direct: null,
        },
      ],
    },
  ]);
  assert.match(report.warnings.join(' '), /without a name/);
});

test('an image is one manifest, named without registry and tag', () => {
  const [manifest, ...more] = readFixture(trivy, 'image-packages.json').runs[0]?.manifests ?? [];
  assert.equal(more.length, 0);
  assert.deepEqual([manifest?.path, manifest?.type], ['garden/shed', 'image']);
  assert.deepEqual(
    manifest?.packages.map(({ purl, version }) => [purl, version]),
    [
      ['pkg:deb/debian/libgarden', '2:1.0-1'],
      ['pkg:pypi/rake-tool', '0.9'],
    ],
  );
});
