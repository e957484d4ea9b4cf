import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  emptyFinding,
  findingsOf,
  packageKeys,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import { grype } from './grype.ts';
import type { ReportFinding } from './report.ts';

test('the same image gives the same packages in both shapes, one gone and one new', () => {
  const old = readFixture(grype, 'image-0.7.json');
  const current = readFixture(grype, 'image-0.94.json');
  assert.deepEqual(packageKeys(old), [
    'container CVE-2030-0100 pkg:deb/debian/libgarden 1.0-1 target',
    'container CVE-2030-0109 pkg:deb/debian/old-hose 3-1 target',
    'dependency GHSA-2222-3333-4444 pkg:pypi/rake-tool 0.9 usr/lib/python3/site-packages/rake_tool/METADATA',
  ]);
  assert.deepEqual(packageKeys(current), [
    'container CVE-2030-0100 pkg:deb/debian/libgarden 1.0-1 target',
    'container CVE-2030-0112 pkg:deb/debian/libgarden 1.0-1 target',
    'dependency CVE-2030-0111 pkg:generic/shed go1.20 bin/shed',
    'dependency GHSA-2222-3333-4444=CVE-2030-0110 pkg:pypi/rake-tool 0.9 usr/lib/python3/site-packages/rake_tool/METADATA',
  ]);
  for (const [report, version] of [
    [old, '0.7.0'],
    [current, '0.94.0'],
  ] as const) {
    const [run] = report.runs;
    assert.deepEqual([run?.category, run?.toolVersion], ['garden/shed', version]);
    assert.equal(report.unreadable.length, 0);
  }
});

test('reads a match with everything it says', () => {
  const [rake, garden, shed] = findingsOf(readFixture(grype, 'image-0.94.json'));
  assert.deepEqual(garden, {
    ...emptyFinding,
    pointer: '/matches/1',
    type: 'container',
    severity: 'info',
    title: 'The hose in libgarden before 1.0-2 bursts.',
    description: 'The hose in libgarden before 1.0-2 bursts.',
    rule: 'CVE-2030-0100',
    advisories: ['CVE-2030-0100'],
    relatedAdvisories: ['DSA-9999-1'],
    package: { purl: 'pkg:deb/debian/libgarden', name: 'libgarden', version: '1.0-1' },
    fixedVersions: ['1.0-2'],
    cvss: { score: 7.8, vector: 'CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H' },
    path: 'registry.example/garden/shed:1.3',
    pathIsTarget: true,
    artifact: {
      type: 'package_version',
      name: 'libgarden',
      purl: 'pkg:deb/debian/libgarden@1.0-1',
      digest: null,
    },
    links: ['https://garden.example/CVE-2030-0100', 'https://nvd.example/CVE-2030-0100'],
  } satisfies ReportFinding);
  assert.deepEqual([rake?.severity, rake?.cvss?.score], ['high', 8.6]);
  // If the word has no meaning, the score is used. If the first sentence introduces the package, its name is used.
  assert.deepEqual([shed?.severity, shed?.title], ['critical', 'CVE-2030-0111 in shed']);
});

test('of several fixed versions the next one is the remedy', () => {
  const report = readContent(grype, {
    matches: [
      {
        vulnerability: { id: 'CVE-2030-0600', fix: { versions: ['1.9', '2.3'], state: 'fixed' } },
        matchDetails: [{ type: 'exact-direct-match' }, { fix: { suggestedVersion: '2.3' } }],
        artifact: { name: 'spade', version: '2.0', type: 'npm', purl: 'pkg:npm/spade@2.0' },
      },
    ],
    descriptor: { name: 'grype', version: '1.0' },
  });
  const [spade] = findingsOf(report);
  assert.deepEqual(
    [spade?.fixedVersions, spade?.evidence?.remediation],
    [['1.9', '2.3'], 'Update spade to 2.3.'],
  );
});

test('a match shows the weaknesses of its records, and that the vendor will not fix it', () => {
  const [finding] = findingsOf(
    readContent(grype, {
      matches: [
        {
          vulnerability: { id: 'CVE-2030-0001', fix: { versions: [], state: 'wont-fix' } },
          relatedVulnerabilities: [
            {
              id: 'CVE-2030-0001',
              cwes: [{ cve: 'CVE-2030-0001', cwe: 'CWE-79' }, { cwe: 'NVD-CWE-noinfo' }],
            },
          ],
          artifact: { name: 'libgarden', version: '1.0-1', purl: 'pkg:deb/debian/libgarden@1.0-1' },
        },
      ],
    }),
  );
  assert.deepEqual(finding?.cwes, ['CWE-79']);
  assert.equal(finding?.evidence?.remediation, 'The vendor will not fix it in this version of libgarden.');
});

test('an ignored match is suppressed if its rule names it, and left out if the rule leaves out a kind', () => {
  const report = readFixture(grype, 'image-0.94.json');
  assert.equal(report.read, 5);
  assert.deepEqual(
    findingsOf(report).flatMap(({ rule, suppression }) =>
      suppression === null ? [] : [[rule, suppression]],
    ),
    [['CVE-2030-0112', { by: 'file', reason: 'vulnerable_code_not_present', expiresAt: null }]],
  );
  assert.match(report.warnings.join(' '), /general ignore rule/);
});

/** The suppressions of the findings of a report with one ignored match, to which these rules were applied. */
function suppressionsBy(...appliedIgnoreRules: object[]): ReportFinding['suppression'][] {
  const artifact = { name: 'spade', version: '2.0', type: 'npm', purl: 'pkg:npm/spade@2.0' };
  const report = readContent(grype, {
    matches: [],
    ignoredMatches: [{ vulnerability: { id: 'CVE-2030-0600' }, artifact, appliedIgnoreRules }],
    descriptor: { name: 'grype', version: '0.116.0' },
  });
  assert.deepEqual([report.read, report.runs[0]?.gaps], [1, []]);
  return findingsOf(report).map(({ suppression }) => suppression);
}

const byFile = (reason: string | null) => ({ by: 'file', reason, expiresAt: null });

test('an ignored match that Grype itself dismisses is left out', () => {
  const rule = { vulnerability: 'CVE-2030-0600', namespace: '' };
  for (const reason of ['distro-fixed', 'distro-nak', 'Distro Not Vulnerable', 'UnaffectedPackageEntry']) {
    assert.deepEqual(suppressionsBy({ ...rule, reason }), [], reason);
  }
  assert.deepEqual(suppressionsBy({ ...rule, reason: 'Not reachable' }), [byFile('Not reachable')]);
  assert.equal(suppressionsBy({ ...rule, reason: 'distro-fixed', 'vex-status': 'fixed' }).length, 1);
});

test('an ignored match is suppressed by a rule about its package, and not by a rule about a kind of match', () => {
  const rule = { namespace: '', package: { name: 'spade', language: '' } };
  assert.deepEqual(suppressionsBy(rule), [byFile(null)]);
  assert.deepEqual(suppressionsBy({ ...rule, reason: 'Tests only' }), [byFile('Tests only')]);
  assert.deepEqual(suppressionsBy({ ...rule, 'match-type': 'exact-indirect-match' }), []);
  assert.deepEqual(suppressionsBy({ namespace: 'github:language:javascript' }), []);
});

test('a scan of a directory gives paths below it, whole names of Go modules and names of distributions', () => {
  const report = readFixture(grype, 'directory.json');
  assert.equal(report.read, 5);
  assert.deepEqual(packageKeys(report), [
    'container ELSA-2030-1 pkg:rpm/oracle/hose 1.2-3.el9 services/rootfs/var/lib/rpm/rpmdb.sqlite',
    'dependency GHSA-5555-6666-7777=CVE-2030-0120 pkg:golang/github.com/garden/pot/v3 3.0.1 services/go.mod',
  ]);
  assert.deepEqual(findingsOf(report)[1]?.relatedAdvisories, ['CVE-2030-0121', 'CVE-2030-0122']);
  assert.deepEqual(unreadableIn(report), ['/matches/2', '/matches/3', '/matches/4']);
  assert.equal(report.runs[0]?.category, '');
});

test('the scanned directory is part of a path only if it is inside the repository', () => {
  const pathIn = (target: string): string | null | undefined =>
    findingsOf(
      readContent(grype, {
        matches: [
          {
            vulnerability: { id: 'CVE-2030-1' },
            artifact: { name: 'a', type: 'npm', locations: [{ path: '/package-lock.json' }] },
          },
        ],
        source: { type: 'directory', target },
      }),
    )[0]?.path;
  assert.equal(pathIn('.'), 'package-lock.json');
  assert.equal(pathIn('/home/me/project'), 'package-lock.json');
  assert.equal(pathIn('../elsewhere'), 'package-lock.json');
  assert.equal(pathIn('/github/workspace/web'), 'web/package-lock.json');
  assert.equal(pathIn('D:\\a\\shed\\shed\\web'), 'web/package-lock.json');
});

test('another report is not recognised as Grype', () => {
  assert.ok(recognises(grype, { matches: null, descriptor: { name: 'grype' } }));
  assert.equal(recognises(grype, { matches: [], source: {} }), false);
  assert.equal(recognises(grype, { results: [] }), false);
});
