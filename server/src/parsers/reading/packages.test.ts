import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContent } from '../../../test/support/format-reports.ts';
import { csaf } from '../csaf/csaf.ts';
import { cyclonedx } from '../cyclonedx/cyclonedx.ts';
import { dependencyTrack } from '../dependency-track.ts';
import type { Format } from '../format.ts';
import { grype } from '../grype.ts';
import { openvex } from '../openvex.ts';
import { spdx } from '../spdx/spdx.ts';
import { newManifest } from './packages.ts';

test('a manifest stays inside of the repository, whatever the report names it', () => {
  const paths = ['../../garden/shed', 'C:\\garden\\shed', '..', ''].map((path) => newManifest(path, []).path);
  assert.deepEqual(paths, ['garden/shed', 'C:/garden/shed', '.', '.']);
});

test('a Go module has its whole name in every format, where the package URL has a part of it as its path', () => {
  const version = 'v4.5.0';
  const graph = (...rows: object[]): object => ({
    '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
    '@graph': rows,
  });
  const relationship = {
    type: 'security_VexFixedVulnAssessmentRelationship',
    spdxId: 'r',
    relationshipType: 'fixedIn',
    from: 'urn:CVE-2031-0001',
  };
  const listed: [Format, (name: string, purl: string) => object][] = [
    [
      cyclonedx,
      (name, purl) => ({
        bomFormat: 'CycloneDX',
        specVersion: '1.5',
        components: [{ type: 'library', name, version, purl }],
      }),
    ],
    [
      spdx,
      (name, purl) => ({
        spdxVersion: 'SPDX-2.3',
        packages: [
          {
            SPDXID: 'a',
            name,
            versionInfo: version,
            externalRefs: [{ referenceType: 'purl', referenceLocator: purl }],
          },
        ],
      }),
    ],
    [
      spdx,
      (name, purl) =>
        graph({
          type: 'software_Package',
          spdxId: 'a',
          name,
          software_packageVersion: version,
          software_packageUrl: purl,
        }),
    ],
    [
      dependencyTrack,
      (name, purl) => ({
        meta: { application: 'Dependency-Track' },
        findings: [
          { component: { name, version, purl }, vulnerability: { vulnId: 'CVE-2031-0001' }, matrix: 'a' },
        ],
      }),
    ],
    [
      grype,
      (name, purl) => ({
        descriptor: { name: 'grype' },
        matches: [
          {
            vulnerability: { id: 'CVE-2031-0001' },
            matchDetails: [],
            artifact: { name, version, purl, type: 'go-module' },
          },
        ],
      }),
    ],
  ];
  const affects = (ref: string): object => ({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    vulnerabilities: [{ id: 'CVE-2031-0001', analysis: { state: 'resolved' }, affects: [{ ref }] }],
  });
  const about = (product: object): object => ({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    statements: [{ vulnerability: { name: 'CVE-2031-0001' }, status: 'fixed', products: [product] }],
  });
  const named: [Format, (purl: string) => object][] = [
    [cyclonedx, affects],
    [spdx, (purl) => graph({ ...relationship, to: [purl] })],
    [openvex, (purl) => about({ '@id': purl })],
    [openvex, (purl) => about({ '@id': 'shed', subcomponents: [{ '@id': purl }] })],
    [
      csaf,
      (purl) => ({
        document: { category: 'csaf_vex', csaf_version: '2.0' },
        product_tree: {
          full_product_names: [{ product_id: 'a', name: 'a', product_identification_helper: { purl } }],
        },
        vulnerabilities: [{ cve: 'CVE-2031-0001', product_status: { fixed: ['a'] } }],
      }),
    ],
  ];
  const packagesOf = (format: Format, content: object): unknown[] => {
    const { runs, statements } = readContent(format, content);
    const rows = [
      ...runs.flatMap(({ findings, manifests }) => [
        ...findings.map((finding) => finding.package),
        ...manifests.flatMap(({ packages }) => packages),
      ]),
      ...statements.map((statement) => statement.package),
    ];
    return rows.map((row) => `${row?.purl} ${row?.name} ${row?.version}`);
  };
  for (const [prefix, path] of [
    ['github.com/garden/pot', 'v4'],
    ['github.com/garden/pot', 'v10'],
    ['github.com/garden/pot', 'api'],
    ['github.com/garden/pot', 'api/v4'],
  ] as const) {
    const [name, purl] = [`${prefix}/${path}`, `pkg:golang/${prefix}@${version}#${path}`];
    for (const [format, contentOf] of listed) {
      const expected = [`pkg:golang/${name} ${name} 4.5.0`];
      assert.deepEqual(packagesOf(format, contentOf(name, purl)), expected, `${format.name} ${path}`);
      const plain = `pkg:golang/${name}@${version}`;
      assert.deepEqual(packagesOf(format, contentOf(name, plain)), expected, `${format.name} ${plain}`);
    }
    // Without a name, only a major version is known to belong to the module and not to a part of its code.
    const module = /^v\d+$/.test(path) ? name : prefix;
    for (const [format, contentOf] of named) {
      const expected = [`pkg:golang/${module} ${module} 4.5.0`];
      assert.deepEqual(packagesOf(format, contentOf(purl)), expected, `${format.name} ${path}`);
    }
  }
});
