import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContent, readFixture, recognises } from '../../../test/support/format-reports.ts';
import { processorMs } from '../../../test/support/processor-time.ts';
import { type Report, ReportError } from '../report.ts';
import { spdx } from './spdx.ts';

function inventory(report: Report): unknown[] {
  return report.runs.flatMap(({ manifests }) =>
    manifests.map(({ path, type, packages }) => [
      path,
      type,
      ...packages.map(
        ({ purl, version, licenses, direct }) => `${purl} ${version} ${licenses.join()} ${direct}`,
      ),
    ]),
  );
}

test('an image is one manifest of its packages, without itself', () => {
  const report = readFixture(spdx, 'shed-2.3.json');
  assert.deepEqual(inventory(report), [
    [
      'green/shed',
      'image',
      'pkg:deb/debian/libgarden 1.0-1 MIT null',
      'pkg:npm/%40tools/spade 2.0.0 MIT OR Apache-2.0 true',
      'pkg:npm/handle 0.1.0  false',
    ],
  ]);
  const [run] = report.runs;
  assert.deepEqual([report.read, run?.tool, run?.category, run?.findings], [0, 'spdx', 'green/shed', []]);
  assert.deepEqual(run?.gaps, [{}], 'it closes nothing');
  assert.deepEqual(report.warnings, ['Packages without a package URL were left out of the inventory.']);
});

test('the document of a dependency graph is read inside of its wrapper', () => {
  assert.deepEqual(inventory(readFixture(spdx, 'github-2.3.json')), [
    ['com.github.green/shed', 'npm', 'pkg:npm/%40tools/spade 2.0.0 MIT null'],
  ]);
});

test('invalid rows are left out, and the others are read', () => {
  const purl = { referenceType: 'purl', referenceLocator: 'pkg:cargo/rake@1' };
  const report = readContent(spdx, {
    spdxVersion: 'SPDX-2.2',
    documentDescribes: ['a', 'b'],
    packages: [
      null,
      1,
      { externalRefs: null },
      { SPDXID: 'a', externalRefs: [null, purl] },
      { externalRefs: [purl] },
    ],
    relationships: [
      null,
      {},
      { spdxElementId: 'a', relationshipType: 'DEPENDS_ON', relatedSpdxElement: 'a' },
    ],
  });
  assert.deepEqual(inventory(report), [['sbom', 'cargo', 'pkg:cargo/rake 1  null']]);
  assert.deepEqual(inventory(readContent(spdx, { spdxVersion: 'SPDX-2.2', packages: null })), []);
});

test('a word that stands for an unknown version is no version', () => {
  const purl = { referenceType: 'purl', referenceLocator: 'pkg:npm/rake' };
  const words = ['NOASSERTION', 'NONE', 'unknown', ' ', '1.0-NONE'];
  const packages = words.map((versionInfo) => ({ name: 'rake', versionInfo, externalRefs: [purl] }));
  const graph = words.map((version) => ({
    type: 'software_Package',
    spdxId: version,
    software_packageUrl: 'pkg:npm/rake',
    software_packageVersion: version,
  }));
  for (const document of [
    { spdxVersion: 'SPDX-2.3', packages },
    { '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld', '@graph': graph },
  ]) {
    assert.deepEqual(inventory(readContent(spdx, document)), [
      ['sbom', 'npm', 'pkg:npm/rake null  null', 'pkg:npm/rake 1.0-NONE  null'],
    ]);
  }
});

test('other versions are recognised and refused by name', () => {
  for (const content of [{ spdxVersion: 'SPDX-1.2' }, 'SPDXVersion: SPDX-1.2\nDataLicense: CC0-1.0\n']) {
    assert.ok(recognises(spdx, content));
    assert.throws(
      () => readContent(spdx, content),
      (error) =>
        error instanceof ReportError &&
        error.code === 'UNKNOWN_FORMAT' &&
        error.pointer === '/spdxVersion' &&
        /version 2 or 3/.test(error.message),
    );
  }
  assert.ok(!recognises(spdx, { spdxVersion: 2.3, packages: [] }));
  assert.ok(!recognises(spdx, { '@context': 'https://openvex.dev/ns' }));
  assert.ok(!recognises(spdx, 'Shed: SPDXVersion: SPDX-2.3'));
});

test('a reference to an advisory is a finding without a severity, and other references give no finding', () => {
  const reference = (referenceType: string, referenceLocator: string) => ({
    referenceCategory: 'SECURITY',
    referenceType,
    referenceLocator,
  });
  const report = readContent(spdx, {
    spdxVersion: 'SPDX-2.3',
    packages: [
      {
        SPDXID: 'SPDXRef-1',
        versionInfo: '1.2',
        externalRefs: [
          { referenceType: 'purl', referenceLocator: 'pkg:npm/rake@1.2' },
          reference('advisory', 'https://nvd.example/vuln/detail/CVE-2031-0001'),
          reference('fix', 'https://forge.example/rake/commit/CVE-2031-0002'),
          reference('cpe23Type', 'cpe:2.3:a:garden:rake:1.2:*:*:*:*:*:*:*'),
          reference('advisory', 'https://rake.example/news'),
        ],
      },
    ],
  });
  assert.equal(report.read, 2);
  assert.deepEqual(
    report.runs[0]?.findings.map(({ type, advisories, severity, package: named }) => [
      type,
      advisories,
      severity,
      named?.purl,
      named?.version,
    ]),
    [['dependency', ['CVE-2031-0001'], 'unknown', 'pkg:npm/rake', '1.2']],
  );
});

test('tag-value gives what the JSON gives, and texts of several lines hold no tags', () => {
  const report = readFixture(spdx, 'shed-2.3.spdx');
  assert.deepEqual(inventory(report), [
    [
      'green/shed',
      'image',
      'pkg:deb/debian/libgarden 1.0-1 MIT null',
      'pkg:npm/%40tools/spade 2.0.0 MIT OR Apache-2.0 true',
    ],
  ]);
  const [run] = report.runs;
  assert.deepEqual(
    [report.read, run?.category, run?.image],
    [2, 'green/shed', { name: 'registry.example/green/shed', tag: '1.0' }],
  );
  assert.deepEqual(
    run?.findings.map(({ pointer, rule, description, package: named }) => [
      pointer,
      rule,
      description,
      `${named?.purl} ${named?.version}`,
    ]),
    [
      ['/packages/2/externalRefs/1', 'CVE-2031-0001', 'Spades\nrust.', 'pkg:npm/%40tools/spade 2.0.0'],
      ['/packages/3/externalRefs/0', 'CVE-2031-0002', null, 'pkg:generic/rake 0.9'],
    ],
  );
  const unclosed = `SPDXVersion: SPDX-2.3\n${'PackageName: rake\nPackageComment: <text>\n'.repeat(50_000)}`;
  const started = processorMs();
  assert.equal(readContent(spdx, unclosed).read, 0);
  assert.ok(processorMs() - started < 3000, `it takes ${processorMs() - started} ms`);
});
