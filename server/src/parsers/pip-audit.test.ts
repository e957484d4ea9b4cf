import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findingsOf,
  packageKeys,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import { pipAudit } from './pip-audit.ts';

test('the list and the object give the same finding, and one is new', () => {
  assert.deepEqual(packageKeys(readFixture(pipAudit, 'list.json')), [
    'dependency PYSEC-2030-1 pkg:pypi/rake-tool 0.9 -',
  ]);
  assert.deepEqual(packageKeys(readFixture(pipAudit, 'object.json')), [
    'dependency GHSA-7777-8888-9999 pkg:pypi/trowel 2.0 -',
    'dependency PYSEC-2030-1=CVE-2030-0110=GHSA-2222-3333-4444 pkg:pypi/rake-tool 0.9 -',
  ]);
});

test('reads a vulnerability with everything it says', () => {
  const report = readFixture(pipAudit, 'object.json');
  const [rake, trowel] = findingsOf(report);
  assert.deepEqual(
    [rake?.pointer, rake?.severity, rake?.title, rake?.fixedVersions],
    ['/dependencies/0/vulns/0', 'unknown', 'PYSEC-2030-1 in Rake.Tool', ['1.0', '0.9.1']],
  );
  assert.deepEqual([trowel?.title, trowel?.fixedVersions], ['In trowel 2.0 the handle comes off.', []]);
  assert.deepEqual(unreadableIn(report), ['/dependencies/0/vulns/1', '/dependencies/3']);
  assert.equal(report.read, 4);
  assert.match(report.warnings.join(' '), /skipped/);
});

test('all dependencies are the inventory, vulnerable or not', () => {
  const [manifest] = readFixture(pipAudit, 'object.json').runs[0]?.manifests ?? [];
  assert.deepEqual([manifest?.path, manifest?.type], ['.', 'pypi']);
  assert.deepEqual(
    manifest?.packages.map(({ purl, version }) => [purl, version]),
    [
      ['pkg:pypi/rake-tool', '0.9'],
      ['pkg:pypi/shed', null],
      ['pkg:pypi/trowel', '2.0'],
    ],
  );
});

test('an empty report is a successful run, and other lists of dependencies are not recognised', () => {
  assert.equal(readContent(pipAudit, { dependencies: [], fixes: [] }).read, 0);
  assert.equal(recognises(pipAudit, { reportSchema: '1.1', dependencies: [] }), false);
  assert.equal(recognises(pipAudit, { dependencies: [{ fileName: 'a.jar', vulnerabilities: [] }] }), false);
  assert.equal(recognises(pipAudit, []), false);
});
