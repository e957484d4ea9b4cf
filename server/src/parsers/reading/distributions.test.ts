import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseReport } from '../parse-report.ts';
import { advisoryPurl, distributionOf, qualifiersOf } from './distributions.ts';
import { defaultLimits, ParseContext } from './limits.ts';
import { packageOfPurl } from './packages.ts';

/**
 * Returns the name by which advisories know the package of this URL, with its version; null if the release is not
 * known.
 */
function known(purl: string, system: string | null = null): string | null {
  const named = packageOfPurl(purl, null, null, new ParseContext(defaultLimits));
  assert.ok(named !== null, purl);
  const { distribution } = distributionOf(named, qualifiersOf(purl), system);
  return !distribution ? null : `${distribution.purl} ${distribution.version}`;
}

test('a release is known by each of its spellings, and joined with the one of OSV', () => {
  for (const [ecosystem, name, ...purls] of [
    ['Debian:12', 'pkg:deb/debian/curl', 'debian-12', 'debian-12.4', '12.4', 'bookworm', 'debian-bookworm'],
    ['Ubuntu:22.04:LTS', 'pkg:deb/ubuntu/curl', 'ubuntu-22.04', '22.04', 'jammy'],
    ['Ubuntu:23.10', 'pkg:deb/ubuntu/curl', 'ubuntu-23.10'],
    ['Alpine:v3.18', 'pkg:apk/alpine/curl', 'alpine-3.18', 'alpine-3.18.4', '3.18.4'],
    ['AlmaLinux:9', 'pkg:rpm/alma/curl', 'almalinux-9.3', 'alma-9.3', 'almalinux-9'],
    ['Rocky Linux:9', 'pkg:rpm/rocky/curl', 'rocky-9.3', 'rocky-linux-9'],
    ['openSUSE:Leap 15.5', 'pkg:rpm/opensuse/curl', 'opensuse-leap-15.5', 'opensuse.leap-15.5'],
    [
      'openSUSE:Tumbleweed',
      'pkg:rpm/opensuse/curl',
      'opensuse-tumbleweed-20310101',
      'opensuse.tumbleweed-20310101',
    ],
    ['Mageia:9', 'pkg:rpm/mageia/curl', 'mageia-9'],
    ['Azure Linux:3', 'pkg:rpm/azurelinux/curl', 'azurelinux-3.0'],
  ] as const) {
    const listed = advisoryPurl(name, ecosystem);
    assert.match(listed ?? '', /\?distro=/, ecosystem);
    for (const distro of purls) assert.equal(known(`${name}@1-1?distro=${distro}`), `${listed} 1-1`, distro);
  }
});

test('a text that is not surely a release of the distribution gives no release', () => {
  for (const purl of [
    'pkg:deb/debian/curl@1',
    'pkg:deb/debian/curl@1?distro=debian-sid',
    'pkg:deb/debian/curl@1?distro=ubuntu-22.04',
    'pkg:deb/ubuntu/curl@1?distro=ubuntu-22',
    'pkg:apk/alpine/curl@1?distro=edge',
    'pkg:apk/alpine/curl@1?distro=alpine-3.21_alpha20310101',
    'pkg:rpm/redhat/curl@1?distro=rhel-9.4',
    'pkg:rpm/fedora/curl@1?distro=fedora-39',
    'pkg:rpm/suse/curl@1?distro=sles-15.5',
    'pkg:rpm/rocky/curl@1-1.module+el9?distro=rocky-9.3',
    'pkg:npm/curl@1?distro=debian-12',
  ]) {
    assert.equal(known(purl), null, purl);
  }
  for (const [purl, ecosystem] of [
    ['pkg:deb/debian/curl', 'Debian'],
    ['pkg:deb/ubuntu/curl', 'Ubuntu:Pro:18.04:LTS'],
    ['pkg:deb/ubuntu/curl', 'Ubuntu:22.04:LTS:for:NVIDIA:BlueField'],
    ['pkg:rpm/redhat/curl', 'Red Hat:enterprise_linux:9::baseos'],
    ['pkg:rpm/suse/curl', 'SUSE:Linux Enterprise Server 15 SP5'],
    ['pkg:rpm/openeuler/curl', 'openEuler:24.03-LTS-SP1'],
    ['pkg:apk/wolfi/curl', 'Wolfi:1'],
    ['pkg:generic/curl', 'TuxCare:Debian:12'],
  ] as const) {
    assert.equal(advisoryPurl(purl, ecosystem), null, ecosystem);
  }
  assert.equal(advisoryPurl('pkg:apk/wolfi/curl', 'Wolfi'), 'pkg:apk/wolfi/curl');
  assert.equal(advisoryPurl('pkg:npm/curl', 'npm'), 'pkg:npm/curl');
});

test('the system of the report speaks for a package that does not name its own', () => {
  assert.equal(known('pkg:deb/debian/curl@1', 'debian-12.4'), 'pkg:deb/debian/curl?distro=debian-12 1');
  assert.equal(
    known('pkg:deb/debian/curl@1?distro=debian-11', 'debian-12'),
    'pkg:deb/debian/curl?distro=debian-11 1',
  );
  assert.equal(known('pkg:deb/debian/curl@1', 'ubuntu-22.04'), null);
});

test('a source that no database can store is left out', () => {
  const named = { purl: 'pkg:deb/debian/curl', name: 'curl', version: '1' };
  for (const [name, version] of [
    ['curl', '1\0'],
    ['curl', '1 2'],
    ['curl', '1'.repeat(300)],
    ['', '1'],
  ] as const) {
    const facts = { distro: '12', source: { name, version } };
    assert.deepEqual(distributionOf(named, facts), {}, name);
  }
  assert.deepEqual(distributionOf(named, { distro: '1'.repeat(100_000), source: null }), {});
});

test('the source is compared where advisories name sources', () => {
  for (const [purl, expected] of [
    [
      'pkg:deb/debian/libssl3@3.0-1?distro=debian-12&upstream=openssl',
      'pkg:deb/debian/openssl?distro=debian-12 3.0-1',
    ],
    [
      'pkg:deb/debian/bsdutils@1:2.38-5?distro=debian-12&upstream=util-linux%402.38-5',
      'pkg:deb/debian/util-linux?distro=debian-12 2.38-5',
    ],
    [
      'pkg:deb/debian/libstdc%2B%2B6@12-1?distro=debian-12&upstream=gcc-12',
      'pkg:deb/debian/gcc-12?distro=debian-12 12-1',
    ],
    [
      'pkg:deb/debian/a@1-1%2Bb1?distro=debian-12&upstream=c++@1-1',
      'pkg:deb/debian/c%2B%2B?distro=debian-12 1-1',
    ],
    [
      'pkg:deb/ubuntu/diffutils@3.8-0?distro=ubuntu-22.04&epoch=1',
      'pkg:deb/ubuntu/diffutils?distro=ubuntu-22.04 1:3.8-0',
    ],
    [
      'pkg:apk/alpine/libssl3@3.1.4-r0?distro=3.18.4&upstream=openssl',
      'pkg:apk/alpine/openssl?distro=alpine-3.18 3.1.4-r0',
    ],
    [
      'pkg:rpm/rocky/openssl-libs@3.0.7-24.el9?epoch=1&distro=rocky-9.3&upstream=openssl-3.0.7-24.el9.src.rpm',
      'pkg:rpm/rocky/openssl?distro=rocky-9 1:3.0.7-24.el9',
    ],
    // The source has another version, and the name of its file has no epoch.
    ['pkg:rpm/rocky/perl-Carp@1.50-439.el8?distro=rocky-8.9&upstream=perl-5.26.3-420.el8.src.rpm', null],
    [
      'pkg:rpm/almalinux/openssl-libs@3.0.7-24.el9?epoch=1&distro=almalinux-9.3&upstream=openssl-3.0.7-24.el9.src.rpm',
      'pkg:rpm/alma/openssl-libs?distro=alma-9 1:3.0.7-24.el9',
    ],
  ] as const) {
    assert.equal(known(purl), expected, purl);
  }
});

/** Lists the names by which advisories know the packages of a report. */
function listedIn(report: unknown): (string | null)[] {
  const { runs } = parseReport(Buffer.from(typeof report === 'string' ? report : JSON.stringify(report)));
  return runs.flatMap(({ manifests }) =>
    manifests.flatMap(({ packages }) =>
      packages.map(({ distribution }) => distribution && `${distribution.purl} ${distribution.version}`),
    ),
  ) as (string | null)[];
}

test('each format with a list of packages gives release and source', () => {
  const openssl = 'pkg:rpm/rocky/openssl?distro=rocky-9 1:3.0.7-24.el9';
  const trivyPackage = {
    Name: 'openssl-libs',
    Version: '3.0.7',
    Release: '24.el9',
    Epoch: 1,
    SrcName: 'openssl',
    SrcVersion: '3.0.7',
    SrcRelease: '24.el9',
    SrcEpoch: 1,
  };
  const property = (name: string, value: string) => ({ name: `aquasecurity:trivy:${name}`, value });
  const reports: [string, unknown][] = [
    [
      'Trivy, with the system of the report',
      {
        SchemaVersion: 2,
        ArtifactName: 'shed:1',
        ArtifactType: 'container_image',
        Metadata: { OS: { Family: 'rocky', Name: '9.3' } },
        Results: [
          { Target: 'shed:1 (rocky 9.3)', Class: 'os-pkgs', Type: 'rocky', Packages: [trivyPackage] },
        ],
      },
    ],
    [
      'Trivy, with the system in brackets',
      [{ Target: 'shed:1 (rocky 9.3)', Type: 'rocky', Packages: [trivyPackage], Vulnerabilities: null }],
    ],
    [
      'CycloneDX of Trivy, with the system as a component',
      {
        bomFormat: 'CycloneDX',
        specVersion: '1.5',
        components: [
          { type: 'operating-system', name: 'rocky', version: '9.3' },
          {
            type: 'library',
            purl: 'pkg:rpm/rocky/openssl-libs@3.0.7-24.el9?epoch=1',
            properties: [
              property('SrcName', 'openssl'),
              property('SrcVersion', '3.0.7'),
              property('SrcRelease', '24.el9'),
              property('SrcEpoch', '1'),
            ],
          },
        ],
      },
    ],
    [
      'CycloneDX of Syft',
      {
        bomFormat: 'CycloneDX',
        specVersion: '1.5',
        components: [
          {
            type: 'library',
            purl: 'pkg:rpm/rocky/openssl-libs@3.0.7-24.el9?arch=x86_64&distro=rocky-9.3&epoch=1&upstream=openssl-3.0.7-24.el9.src.rpm',
          },
        ],
      },
    ],
    [
      'SPDX of Trivy',
      {
        spdxVersion: 'SPDX-2.3',
        SPDXID: 'SPDXRef-DOCUMENT',
        name: 'shed',
        packages: [
          {
            SPDXID: 'SPDXRef-1',
            name: 'openssl-libs',
            versionInfo: '1:3.0.7-24.el9',
            sourceInfo: 'built package from: openssl 1:3.0.7-24.el9',
            externalRefs: [
              {
                referenceCategory: 'PACKAGE-MANAGER',
                referenceType: 'purl',
                referenceLocator: 'pkg:rpm/rocky/openssl-libs@3.0.7-24.el9?distro=rocky-9.3&epoch=1',
              },
            ],
          },
        ],
      },
    ],
    [
      'OSV-Scanner with all packages',
      {
        results: [
          {
            source: { path: 'shed.tar', type: 'docker' },
            packages: [
              { package: { name: 'openssl', version: '1:3.0.7-24.el9', ecosystem: 'Rocky Linux:9' } },
            ],
          },
        ],
      },
    ],
  ];
  for (const [name, report] of reports) assert.deepEqual(listedIn(report), [openssl], name);
});

test('the packages of real images have a release', (t) => {
  const shared = new URL('../../../../../shared/', import.meta.url);
  const counts: [string, number][] = [
    ['samples/cyclonedx-json/cyclonedx-1.5-trivy-0.48.1-with-vulns.json', 101],
    ['samples/cyclonedx-json/cyclonedx-1.7-trivy-fluentd.json', 2],
    ['samples-more/spdx-json/secobserve-multiple_observations.json', 61],
    ['samples-more/spdx-tag-value/spdx_one_vuln.spdx', 2],
  ];
  if (!existsSync(new URL(counts[0]?.[0] ?? '', shared))) return t.skip('the samples are not at hand');
  for (const [path, count] of counts) {
    const listed = listedIn(readFileSync(new URL(path, shared), 'utf8'));
    assert.equal(listed.filter((one) => one != null).length, count, path);
  }
});
