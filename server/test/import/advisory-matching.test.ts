/**
 * Advisories of OSV against the packages of a workspace, from a file to what the API shows: opened without a scan,
 * joined with what scanners report, closed when the advisory or the package goes, and safe from an uploader.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { importTx } from '../../src/db/database.ts';
import { formatId, nilId, type SeriesId } from '../../src/domain/ids.ts';
import { parseReference } from '../../src/domain/reference-name.ts';
import { importOsv } from '../../src/ingest/advisories/import-osv.ts';
import { matchWorkspace, rehearseMatch } from '../../src/ingest/matching/match-workspace.ts';
import { retireSeries } from '../../src/ingest/series/scan-series.ts';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import { type Client, clientOf, succeeded } from '../support/client.ts';
import { fieldOf, fieldsOf } from '../support/fields.ts';
import { assertInvariants } from '../support/invariants.ts';
import { createMatchedWorkspace, sbom } from '../support/matched-workspace.ts';
import { affectedPackage, type OsvOptions, osvRecord } from '../support/osv.ts';
import { applyAndEvaluate } from '../support/policies.ts';
import { createDirectory } from '../support/process.ts';
import { sarif, trivy } from '../support/reports.ts';
import { grype, osvScanner } from '../support/scanner-reports.ts';

test('an advisory that is loaded opens a vulnerability in packages of an earlier SBOM, with its fix', async () => {
  const { server, tenant, load, upload, list, people } = await createMatchedWorkspace();
  await applyAndEvaluate(
    server,
    tenant.id,
    `policies: [{key: severe, target_type: vulnerability, enforcement_mode: block,
       condition: {all: [{fact: severity, operator: '>=', value: high}]}}]`,
  );
  const scan = await upload(sbom('pkg:npm/left@1.0.0', 'pkg:npm/right@1.0.0'));
  assert.equal(scan?.verdict, 'pass');
  const imported = await load(
    ['GHSA-aaaa-bbbb-cccc', { aliases: ['CVE-2031-1001'], ranges: [['0', '1.2.0']] }],
    ['GHSA-dddd-eeee-ffff', { ranges: [['1.1.0', '1.4.0']] }],
  );
  assert.deepEqual(
    [imported.added, imported.packagesToMatch, imported.match],
    [2, 1, { packages: 1, references: 1, counts: { new: 1, reopened: 0, fixed: 0, closing_held: 0 } }],
  );
  const [item, ...others] = await list();
  assert.deepEqual(others, []);
  assert.deepEqual(
    [item?.status, item?.fix_version, item?.tools, item?.title],
    ['open', '1.4.0', ['merlon-osv'], 'The summary of GHSA-aaaa-bbbb-cccc'],
    'the second advisory affects 1.2.0, so the fix is 1.4.0',
  );
  const client = clientOf(server.app, people.viewer.key);
  succeeded(await client.get<{ items: unknown[] }>('/api/v1/acme/policy-violations?repo=acme%2Fshop'));
  const scans = await client.get<{ items: { format: string; verdict: string }[] }>('/api/v1/acme/scans');
  assert.deepEqual(fieldsOf(scans.body.items, 'format', 'verdict'), [
    ['merlon-osv', 'block'],
    ['cyclonedx', 'block'],
  ]);
  await assertInvariants(server.owner);
});

test('a later report of a scanner about the same vulnerability adds a reporter and nothing else', async () => {
  const { server, load, upload, list } = await createMatchedWorkspace();
  await load(
    ['GHSA-aaaa-bbbb-cccc', { aliases: ['CVE-2031-1001'], ranges: [['0', '1.2.0']] }],
    ['PYSEC-2031-1', { aliases: ['CVE-2031-1001'], ranges: [['0', '1.2.0']] }],
    ['GHSA-dddd-eeee-ffff', { ranges: [['0', '1.3.0']] }],
  );
  await upload(sbom('pkg:npm/left@1.0.0'));
  const before = await list();
  assert.deepEqual(
    fieldsOf(before, 'tools', 'status'),
    [
      [['merlon-osv'], 'open'],
      [['merlon-osv'], 'open'],
    ],
    'two records of one CVE are one vulnerability',
  );
  // Trivy knows the CVE, and Grype the other by GitHub's name.
  const row = { name: 'left', version: '1.0.0', severity: 'HIGH' } as const;
  await upload(
    trivy([
      { ...row, id: 'CVE-2031-1001' },
      { ...row, id: 'GHSA-dddd-eeee-ffff' },
    ]),
  );
  await upload(
    grype([
      { id: 'GHSA-aaaa-bbbb-cccc', package: 'left', version: '1.0.0' },
      { id: 'GHSA-dddd-eeee-ffff', package: 'left', version: '1.0.0' },
    ]),
  );
  const after = await list();
  assert.deepEqual(fieldsOf(after, 'id', 'status'), fieldsOf(before, 'id', 'status'));
  for (const { tools } of after) assert.deepEqual(tools, ['grype', 'merlon-osv', 'trivy']);
  await assertInvariants(server.owner);
});

test('a vulnerability that a scanner has reported under a name gets the match as a reporter', async () => {
  const { server, load, upload, short } = await createMatchedWorkspace();
  await upload(grype([{ id: 'GHSA-aaaa-bbbb-cccc', package: 'left', version: '1.0.0' }]));
  await upload(sbom('pkg:npm/left@1.0.0'));
  // The record teaches that GitHub's name is that of the CVE.
  await load(['GHSA-aaaa-bbbb-cccc', { aliases: ['CVE-2031-1001'], ranges: [['0', '1.2.0']] }]);
  assert.deepEqual(await short(), ['open grype+merlon-osv']);
  await assertInvariants(server.owner);
});

test('a withdrawn advisory, a corrected range and a replaced SBOM close; a range that grows again reopens', async () => {
  const { server, load, upload, short, match } = await createMatchedWorkspace();
  const range = (fixed: string, modified: string, more: OsvOptions = {}): [string, OsvOptions] => [
    'GHSA-aaaa-bbbb-cccc',
    { ranges: [['0', fixed]], modified, ...more },
  ];
  await upload(sbom('pkg:npm/left@1.0.0'));
  await load(range('1.2.0', '2026-01-01T00:00:00Z'));
  assert.deepEqual(await short(), ['open merlon-osv']);
  await load(range('0.9.0', '2026-01-02T00:00:00Z'));
  assert.deepEqual(await short(), ['fixed ']);
  const older = await load(range('1.2.0', '2026-01-01T00:00:00Z'));
  assert.deepEqual([older.older, older.updated, await short()], [1, 0, ['fixed ']]);
  await load(range('1.2.0', '2026-01-03T00:00:00Z'));
  assert.deepEqual(await short(), ['open merlon-osv']);
  await load(range('1.2.0', '2026-01-04T00:00:00Z', { withdrawn: '2026-01-04T00:00:00Z' }));
  assert.deepEqual(await short(), ['fixed ']);
  const again = await load(range('1.2.0', '2026-01-05T00:00:00Z'));
  assert.deepEqual([again.match.counts.reopened, await short()], [1, ['open merlon-osv']]);
  await upload(sbom('pkg:npm/left@1.2.0'));
  assert.deepEqual(await short(), ['fixed ']);
  assert.deepEqual((await match()).references, 0, 'nothing is due');
  await assertInvariants(server.owner);
});

test('packages of several series are matched together, and are removed with the series that listed them', async () => {
  const { server, tenant, load, upload, short, match } = await createMatchedWorkspace();
  await load(
    ['GHSA-aaaa-bbbb-cccc', { ranges: [['0', '1.2.0']] }],
    ['GHSA-dddd-eeee-ffff', { package: 'right', ranges: [['0']] }],
  );
  await upload(sbom('pkg:npm/left@1.0.0'), { category: 'one' });
  await upload(sbom('pkg:npm/right@1.0.0'), { category: 'two' });
  assert.deepEqual(await short(), ['open merlon-osv', 'open merlon-osv']);
  const { rows } = await server.owner.query<{ id: SeriesId }>(
    `select id from scan_series where category = 'two'`,
  );
  await importTx(server.db, tenant.id, (tx) =>
    retireSeries(tx, formatId('series', rows[0]?.id ?? nilId), { actorId: null }),
  );
  await match();
  assert.deepEqual(await short(), ['open merlon-osv', 'fixed ']);
  await assertInvariants(server.owner);
});

test('a partial list of packages adds to the known ones, and a dry run changes nothing', async () => {
  const { server, load, upload, short } = await createMatchedWorkspace();
  await load(
    ['GHSA-aaaa-bbbb-cccc', { ranges: [['0', '1.2.0']] }],
    ['GHSA-dddd-eeee-ffff', { package: 'right', ranges: [['0']] }],
  );
  const dry = await upload(sbom('pkg:npm/left@1.0.0'), { dryRun: true });
  assert.deepEqual([dry?.counts?.new, await short()], [1, []]);
  await upload(sbom('pkg:npm/left@1.0.0'));
  const partial = await upload(sbom('pkg:npm/right@1.0.0'), { partial: true });
  assert.equal(partial?.counts?.new, 1);
  assert.deepEqual(await short(), ['open merlon-osv', 'open merlon-osv']);
  await assertInvariants(server.owner);
});

test('a dry run of the match says what it would do, and changes nothing', async () => {
  const { server, tenant, load, upload, short } = await createMatchedWorkspace();
  await setMatching('off');
  async function setMatching(setting: string) {
    await server.owner.query(
      `update tenant set settings = settings || jsonb_build_object('advisory_matching', $1::text)`,
      [setting],
    );
  }
  await upload(sbom('pkg:npm/left@1.0.0', 'pkg:npm/right@2.0.0'));
  const { match } = await load(['GHSA-aaaa-bbbb-cccc', { ranges: [['0', '1.2.0']] }]);
  assert.deepEqual([match.references, await short()], [0, []], 'the workspace has turned the match off');
  const rehearsed = await rehearseMatch(server.db, tenant.id, () => new Date());
  assert.deepEqual(rehearsed, { references: 1, counts: { new: 1, reopened: 0, fixed: 0, closing_held: 0 } });
  const { rows } = await server.owner.query(
    `select (select count(*) from package_advisory)::int + (select count(*) from vulnerability)::int
          + (select count(*) from advisory_alias)::int as count`,
  );
  assert.deepEqual([rows[0]?.count, await short()], [0, []]);
});

/** A report of Trivy about an image of Debian 12: the packages of the source openssl, with vulnerabilities. */
function debianImage(version: string, cves: string[], release = '12.4') {
  const purl = (name: string) => `pkg:deb/debian/${name}@${version}?arch=amd64&distro=debian-${release}`;
  return {
    SchemaVersion: 2,
    ArtifactName: 'acme/shop:1',
    ArtifactType: 'container_image',
    Metadata: { OS: { Family: 'debian', Name: release } },
    Results: [
      {
        Target: `acme/shop:1 (debian ${release})`,
        Class: 'os-pkgs',
        Type: 'debian',
        Packages: ['libssl3', 'openssl'].map((name) => ({
          ID: `${name}@${version}`,
          Name: name,
          Identifier: { PURL: purl(name) },
          Version: version.replace(/-.*/, ''),
          Release: version.replace(/.*-/, ''),
          SrcName: 'openssl',
          SrcVersion: version.replace(/-.*/, ''),
          SrcRelease: version.replace(/.*-/, ''),
        })),
        Vulnerabilities: cves.map((id) => ({
          VulnerabilityID: id,
          PkgName: 'libssl3',
          PkgIdentifier: { PURL: purl('libssl3') },
          InstalledVersion: version,
          FixedVersion: '3.0.11-1~deb12u3',
          Severity: 'HIGH',
        })),
      },
    ],
  };
}

test('an advisory of a release affects the installed packages of its source, and only those of that release', async () => {
  const { server, load, upload, list, short } = await createMatchedWorkspace();
  await upload(debianImage('3.0.11-1~deb12u2', []));
  await load([
    'DEBIAN-CVE-2031-1001',
    {
      upstream: ['CVE-2031-1001'],
      affected: [
        affectedPackage('Debian:11', 'openssl'),
        affectedPackage('Debian:12', 'openssl', '3.0.11-1~deb12u3'),
        affectedPackage('Debian:13', 'openssl', '3.1.4-1'),
      ],
    },
  ]);
  const found = await list();
  assert.deepEqual(
    fieldsOf(found, 'status', 'tools', 'fix_version'),
    Array(2).fill(['open', ['merlon-osv'], '3.0.11-1~deb12u3']),
  );
  const { rows } = await server.owner.query<{
    package: string;
    advisory: string;
    artifact: string;
    type: string;
  }>(
    `select distinct v.package, v.advisory, a.purl as artifact, v.rule from vulnerability v
       join vulnerability_location l on l.vulnerability_id = v.id join artifact a on a.id = l.artifact_id order by 1`,
  );
  assert.deepEqual(
    fieldsOf(rows, 'package', 'advisory', 'artifact'),
    ['libssl3', 'openssl'].map((name) => [
      `pkg:deb/debian/${name}`,
      'CVE-2031-1001',
      `pkg:deb/debian/${name}@3.0.11-1~deb12u2`,
    ]),
    'the installed packages are named, as a scanner names them',
  );
  // A scanner that reports the same adds a reporter and no vulnerability.
  await upload(debianImage('3.0.11-1~deb12u2', ['CVE-2031-1001']));
  const reported = await list();
  assert.deepEqual(
    reported.map(({ id, tools }) => [id, tools.join('+')]),
    [
      [found[0]?.id, 'merlon-osv+trivy'],
      [found[1]?.id, 'merlon-osv'],
    ],
  );
  await assertInvariants(server.owner);
  // The fixed version closes both, and so does an upgrade to a release that the record does not name.
  await upload(debianImage('3.0.11-1~deb12u3', []));
  assert.deepEqual(await short(), ['fixed ', 'fixed ']);
  await upload(debianImage('3.0.11-1~deb12u2', []));
  assert.deepEqual(await short(), ['open merlon-osv', 'open merlon-osv']);
  await upload(debianImage('3.0.11-1~deb12u2', [], '10.13'));
  assert.deepEqual(await short(), ['fixed ', 'fixed ']);
  await assertInvariants(server.owner);
});

test('two releases with one version of a package are told apart', async () => {
  const { server, load, upload, match } = await createMatchedWorkspace();
  const image = (release: string) => sbom(`pkg:deb/debian/tzdata@2031a-1?distro=debian-${release}`);
  await upload(image('12'), { ref: 'main' });
  await upload(image('13'), { ref: 'next' });
  await load(['DEBIAN-CVE-2031-1002', { affected: [affectedPackage('Debian:13', 'tzdata', '2031a-2')] }]);
  const seen = async () => {
    const { rows } = await server.owner.query<{ ref: string }>(
      `select f.full_ref as ref from vulnerability_location l join reference f on f.id = l.reference_id
        where l.fixed_at is null`,
    );
    return rows.map(({ ref }) => ref);
  };
  assert.deepEqual(await seen(), ['refs/heads/next']);
  await load(['DEBIAN-CVE-2031-1002', { modified: '2026-02-01T00:00:00Z', affected: [] }]);
  assert.deepEqual(await seen(), []);
  // A manifest with one version of a package for two releases: the release is unknown.
  await load([
    'DEBIAN-CVE-2031-1002',
    { modified: '2026-03-01T00:00:00Z', affected: [affectedPackage('Debian:12', 'tzdata', '2031a-2')] },
  ]);
  assert.deepEqual(await seen(), ['refs/heads/main']);
  await upload(
    sbom(
      'pkg:deb/debian/tzdata@2031a-1?distro=debian-12',
      'pkg:deb/debian/tzdata@2031a-1?distro=debian-13',
      'pkg:deb/debian/tzdata@2031a-1?arch=all&distro=debian-12',
    ),
  );
  await match();
  assert.deepEqual(await seen(), []);
  await assertInvariants(server.owner);
});

test('two entries of a record about one package are combined, and long versions with the same beginning are distinct', async () => {
  const { server, load, upload, short } = await createMatchedWorkspace();
  const beginning = '2'.repeat(256);
  for (const end of ['a', 'b']) {
    const long = `pkg:deb/debian/openssl@${beginning}${end}?distro=debian-12&upstream=openssl%402`;
    await upload(sbom('pkg:deb/debian/openssl@2?distro=debian-12', long), { ref: end });
  }
  const entry = { package: { ecosystem: 'Debian:12', name: 'openssl' }, versions: ['2'] };
  await load(['DEBIAN-CVE-2031-1003', { affected: [affectedPackage('Debian:12', 'openssl', '1'), entry] }]);
  assert.deepEqual(await short(), ['open merlon-osv']);
  const { rows } = await server.owner.query('select from vulnerability_location');
  assert.equal(rows.length, 4, 'each version on its reference');
  await assertInvariants(server.owner);
});

test('a package matches nothing if its release or stream is unknown, and an entry of no supported release is left out', async () => {
  const { server, tenant, load, upload, short } = await createMatchedWorkspace();
  const report = sbom(
    'pkg:deb/debian/openssl@1',
    'pkg:deb/debian/curl@1?distro=debian-sid',
    'pkg:deb/ubuntu/openssl@1?distro=ubuntu-18.04',
    'pkg:rpm/redhat/openssl@1?distro=rhel-9.4',
    'pkg:deb/openssl@1?distro=debian-12',
    'pkg:rpm/rocky/nodejs@1:16.1-1.module%2Bel9?distro=rocky-9.3',
  );
  await upload(report);
  const imported = await load([
    'TEST-2031-1',
    {
      affected: [
        affectedPackage('Debian:12', 'openssl', '3'),
        affectedPackage('Debian', 'openssl', '3'),
        affectedPackage('Debian:12', 'curl', '3', { ecosystem_specific: { urgency: 'unimportant' } }),
        affectedPackage('Ubuntu:Pro:18.04:LTS', 'openssl', '3'),
        affectedPackage('Red Hat:enterprise_linux:9::baseos', 'openssl', '3'),
        affectedPackage('Rocky Linux:9', 'nodejs', '1:18.1-1.el9'),
        affectedPackage('Rocky Linux:9', 'nodejs', '1:18.1-1.module+el9'),
        affectedPackage('Some Distribution:1', 'openssl', '3'),
      ],
    },
  ]);
  assert.deepEqual([imported.skippedPackages, await short()], [6, []]);
  const { rows } = await server.owner.query('select purl from osv_package order by purl');
  assert.deepEqual(fieldOf(rows, 'purl'), [
    'pkg:deb/debian/openssl?distro=debian-12',
    'pkg:rpm/rocky/nodejs?distro=rocky-9',
  ]);
  const rehearsed = await rehearseMatch(server.db, tenant.id, () => new Date());
  assert.deepEqual(rehearsed.counts.new, 0);
  const scan = await upload(report, { sha: 'b'.repeat(40) });
  assert.match(scan?.warnings.join(' ') ?? '', /No advisory is matched with 5 packages of a distribution/);
  const foreign = await upload(
    sbom(
      'pkg:deb/debian/openssl@1?distro=debian-99',
      'pkg:deb/debian/curl@1?distro=debian-12',
      'pkg:npm/left-pad@1',
    ),
    { sha: 'c'.repeat(40) },
  );
  assert.deepEqual(
    foreign?.warnings.filter((text) => text.includes('none is loaded')),
    [
      'No advisory is matched with these packages, because none is loaded for them: 1 of npm, 1 of debian-99.',
    ],
  );
});

test('a package whose version is no version is matched by no range of versions, and the scan says how many there are', async () => {
  const { load, upload, list } = await createMatchedWorkspace();
  await load(
    ['GHSA-aaaa-bbbb-cccc', { ranges: [['0', '9.0.0']] }],
    ['GHSA-dddd-eeee-ffff', { package: 'right', ranges: [['0']] }],
    ['GHSA-2222-3333-4444', { package: 'up', ranges: [['0', '9.0.0']], versions: ['latest'] }],
  );
  const about = (versions: Record<string, string>): object => ({
    spdxVersion: 'SPDX-2.3',
    name: 'shop',
    packages: Object.entries(versions).map(([name, versionInfo]) => ({
      SPDXID: name,
      name,
      versionInfo,
      externalRefs: [{ referenceType: 'purl', referenceLocator: `pkg:npm/${name}` }],
    })),
  });
  for (const left of ['^1.2.0', 'NOASSERTION', 'git+ssh://git@example.com/left.git']) {
    const scan = await upload(about({ left, down: '1.0.0' }));
    assert.deepEqual(await list(), [], left);
    assert.match(
      scan?.warnings.join(' ') ?? '',
      /not matched with 1 packages, because the report gives no version for them, or a text such as `latest`\./,
    );
  }
  const scan = await upload(about({ left: '1.2.3.4', right: 'latest', up: 'latest' }));
  assert.match(scan?.warnings.join(' ') ?? '', /not matched with 2 packages/);
  assert.deepEqual(fieldsOf(await list(), 'title', 'fix_version'), [
    ['The summary of GHSA-2222-3333-4444', null],
    ['The summary of GHSA-aaaa-bbbb-cccc', '9.0.0'],
    ['The summary of GHSA-dddd-eeee-ffff', null],
  ]);
  const known = await upload(about({ left: '9.0.0', right: '=1.2.3' }));
  assert.doesNotMatch(known?.warnings.join(' ') ?? '', /gives no version/);
});

test('an advisory of a distribution about several CVEs is one vulnerability for each, joined with records of one CVE', async () => {
  const { server, people, load, upload, list } = await createMatchedWorkspace();
  await upload(
    sbom(
      'pkg:rpm/almalinux/openssl-libs@3.0.7-16.el9_2?epoch=1&distro=almalinux-9.2&upstream=openssl-3.0.7-16.el9_2.src.rpm',
      'pkg:deb/debian/libssl3@3.0.9-1?distro=debian-12&upstream=openssl',
    ),
  );
  await load(
    [
      'ALSA-2031:1000',
      {
        summary: 'Important: openssl security update',
        severity: '',
        related: ['CVE-2031-1001', 'CVE-2031-1002'],
        affected: [affectedPackage('AlmaLinux:9', 'openssl-libs', '1:3.0.7-17.el9_2')],
      },
    ],
    ['ALBA-2031:1001', { affected: [affectedPackage('AlmaLinux:9', 'openssl-libs', '1:3.0.7-18.el9_2')] }],
    [
      'DSA-9000-1',
      {
        upstream: ['CVE-2031-1001', 'CVE-2031-1003'],
        affected: [affectedPackage('Debian:12', 'openssl', '3.0.10-1')],
      },
    ],
    [
      'DEBIAN-CVE-2031-1001',
      { upstream: ['CVE-2031-1001'], affected: [affectedPackage('Debian:12', 'openssl', '3.0.10-1')] },
    ],
  );
  const found = await list();
  const { rows } = await server.owner.query<{ row: string }>(
    `select advisory || ' ' || package as row from vulnerability order by 1`,
  );
  assert.deepEqual(fieldOf(rows, 'row'), [
    'CVE-2031-1001 pkg:deb/debian/libssl3',
    'CVE-2031-1001 pkg:rpm/alma/openssl-libs',
    'CVE-2031-1002 pkg:rpm/alma/openssl-libs',
    'CVE-2031-1003 pkg:deb/debian/libssl3',
  ]);
  assert.equal(found[0]?.title, 'The summary of DEBIAN-CVE-2031-1001');
  const { body } = await clientOf(server.app, people.viewer.key).get<{
    items: { title: string; severity: string }[];
  }>('/api/v1/acme/vulnerabilities?repo=acme%2Fshop&q=CVE-2031-1002');
  assert.deepEqual(
    fieldsOf(body.items, 'title', 'severity'),
    [['CVE-2031-1002: openssl security update', 'high']],
    'the label before the summary is the severity',
  );
  await assertInvariants(server.owner);
});

test('a package that one of several joined advisories calls malware is blocked as malware', async () => {
  const { server, tenant, load, upload, short } = await createMatchedWorkspace();
  await applyAndEvaluate(
    server,
    tenant.id,
    `policies: [{key: malicious, target_type: vulnerability, enforcement_mode: block,
       condition: {all: [{fact: type, operator: '==', value: malware}]}}]`,
  );
  await load(
    ['GHSA-aaaa-bbbb-cccc', { aliases: ['CVE-2031-1001'], versions: ['1.0.0'] }],
    ['MAL-2031-1', { aliases: ['CVE-2031-1001', 'GHSA-aaaa-bbbb-cccc'], versions: ['1.0.0'] }],
    ['GHSA-dddd-eeee-ffff', { package: 'right', aliases: ['MAL-2031-2'], versions: ['1.0.0'] }],
  );
  for (const name of ['left', 'right']) {
    const scan = await upload(sbom(`pkg:npm/${name}@1.0.0`), { category: name, ref: name });
    assert.equal(scan?.verdict, 'block', name);
  }
  const kit = { package: 'kit', version: '1.0.0', aliases: ['CVE-2031-1002'] };
  const scan = await upload(
    osvScanner([
      { id: 'GHSA-gggg-hhhh-jjjj', ...kit },
      { id: 'MAL-2031-3', ...kit },
    ]),
    { ref: 'scanner' },
  );
  assert.equal(scan?.verdict, 'block', 'by a scanner');
  const later = { package: 'kit', version: '2.0.0', aliases: ['CVE-2031-1003'] };
  for (const [id, verdict] of [
    ['GHSA-kkkk-mmmm-nnnn', 'pass'],
    ['MAL-2031-4', 'block'],
  ] as const) {
    const one = await upload(osvScanner([{ id, ...later }]), { ref: 'later', category: id });
    assert.equal(one?.verdict, verdict, id);
  }
  assert.equal((await short()).length, 4);
  const known = ['CVE-2031-1005', 'GHSA-pppp-qqqq-rrrr'];
  await load(['GHSA-pppp-qqqq-rrrr', { package: 'top', aliases: ['CVE-2031-1005'], versions: ['1.0.0'] }]);
  const top = await upload(sbom('pkg:npm/top@1.0.0'), { category: 'top', ref: 'top' });
  assert.equal(top?.verdict, 'pass');
  await load(['MAL-2031-5', { package: 'top', aliases: known, versions: ['1.0.0'] }]);
  const again = await upload(sbom('pkg:npm/top@1.0.0'), { category: 'top', ref: 'top' });
  assert.equal(again?.verdict, 'block', 'an advisory that was loaded later');
  await assertInvariants(server.owner);
});

test('an admin turns the match off, which closes what it found, and on again', async () => {
  const { server, people, load, upload, short, match } = await createMatchedWorkspace();
  const admin = clientOf(server.app, people.admin.key);
  await load(['GHSA-aaaa-bbbb-cccc', { ranges: [['0', '1.2.0']] }]);
  await upload(sbom('pkg:npm/left@1.0.0'));
  for (const [setting, expected] of [
    ['off', ['fixed ']],
    ['on', ['open merlon-osv']],
  ] as const) {
    succeeded(await admin.patch('/manage/v1/acme/settings', { advisory_matching: setting }));
    await match();
    assert.deepEqual(await short(), expected, setting);
    await assertInvariants(server.owner);
  }
  const refused = await clientOf(server.app, people.member.key).patch('/manage/v1/acme/settings', {
    advisory_matching: 'off',
  });
  assert.equal(refused.status, 403);
});

for (const [report, shown, options] of [
  ['another report', sarif([], { tool: 'other' }), {}],
  ['the same report as before', sarif([]), {}],
  [
    'a report that makes it the default branch',
    sarif([], { tool: 'other' }),
    { defaultBranch: parseReference('feature') },
  ],
] as const) {
  test(`a quiet branch that ${report} makes active has the advisories that were loaded meanwhile`, async () => {
    const { server, tenant, load, upload, short } = await createMatchedWorkspace();
    await applyAndEvaluate(
      server,
      tenant.id,
      `policies: [{key: severe, target_type: vulnerability, enforcement_mode: block,
         condition: {all: [{fact: severity, operator: '>=', value: high}]}}]`,
    );
    const scannedAt = new Date(Date.now() - 40 * 24 * 3_600_000);
    await load(['GHSA-dddd-eeee-ffff', { package: 'right', ranges: [['0']] }]);
    await upload(sarif([]), { ref: 'main' });
    await upload(sbom('pkg:npm/left@1.0.0'), { ref: 'feature', scannedAt });
    await upload(sarif([]), { ref: 'feature', scannedAt });
    await sweepTenant(server.db, tenant.id, new Date(), 30);
    await load(['GHSA-aaaa-bbbb-cccc', { ranges: [['0', '1.2.0']] }]);
    assert.deepEqual(await short(), [], 'nothing is matched on a quiet branch');
    const scan = await upload(shown, { ref: 'feature', ...options });
    assert.equal(scan?.verdict, 'block');
    assert.equal((await short()).length, 1);
    await assertInvariants(server.owner);
  });
}

for (const [becomes, activate] of [
  [
    'the default',
    (admin: Client, repository: string) => admin.patch(repository, { default_branch: 'feature' }),
  ],
  [
    'tracked',
    (admin: Client, repository: string) => admin.put(`${repository}/tracked-branches`, { own: ['feature'] }),
  ],
] as const) {
  test(`a quiet branch that becomes ${becomes} has the advisories that were loaded meanwhile`, async () => {
    const { server, tenant, people, load, upload, short, match } = await createMatchedWorkspace();
    const scannedAt = new Date(Date.now() - 40 * 24 * 3_600_000);
    await load(['GHSA-dddd-eeee-ffff', { package: 'right', ranges: [['0']] }]);
    const main = await upload(sarif([]), { ref: 'main' });
    await upload(sbom('pkg:npm/left@1.0.0'), { ref: 'feature', scannedAt });
    const sweep = () => sweepTenant(server.db, tenant.id, new Date(), 30);
    await sweep();
    await load(['GHSA-aaaa-bbbb-cccc', { ranges: [['0', '1.2.0']] }]);
    assert.deepEqual(await short(), [], 'nothing is matched on a quiet branch');
    const repository = `/manage/v1/acme/repositories/${formatId('repository', main?.repository_id ?? nilId)}`;
    const { status } = await activate(clientOf(server.app, people.admin.key), repository);
    assert.equal(status, 200);
    await sweep();
    await match();
    assert.equal((await short()).length, 1);
    await assertInvariants(server.owner);
  });
}

test('a report in the name of the match closes none of its vulnerabilities', async () => {
  const { server, load, upload, short } = await createMatchedWorkspace();
  await load(['GHSA-aaaa-bbbb-cccc', { ranges: [['0', '1.2.0']] }]);
  await upload(sbom('pkg:npm/left@1.0.0'));
  const forged = sarif([]) as unknown as { runs: { tool: { driver: { name: string } } }[] };
  for (const run of forged.runs) run.tool.driver.name = 'merlon-osv';
  const scan = await upload(forged, { mayDecide: false, mayOverridePolicy: false });
  assert.deepEqual([scan?.tools, scan?.warnings.length], [['merlon-osv-report'], 1]);
  assert.deepEqual(await short(), ['open merlon-osv']);
  await assertInvariants(server.owner);
});

test('a match does not count as a scan of dependencies for a policy', async () => {
  const { server, load, upload } = await createMatchedWorkspace();
  await load(['GHSA-aaaa-bbbb-cccc', { ranges: [['0', '1.2.0']] }]);
  await upload(sbom('pkg:npm/left@1.0.0'));
  const { rows } = await server.owner.query(
    'select analysis_types::text[] from scan_series where tool = $1',
    ['merlon-osv'],
  );
  assert.deepEqual(rows, [{ analysis_types: [] }]);
});

test('a reference that fails stays due, and those after it are matched', async () => {
  const { server, tenant, upload, list, match } = await createMatchedWorkspace();
  for (const ref of ['main', 'next']) {
    await upload(sbom('pkg:npm/left@1.0.0'), { ref });
  }
  const folder = createDirectory();
  const record = osvRecord('GHSA-aaaa-bbbb-cccc', { ranges: [['0']] });
  writeFileSync(join(folder, '1.json'), JSON.stringify(record));
  await importOsv(server.db, { paths: [folder], force: false }, new Date());
  await server.owner.query(`
    create function refuse_match() returns trigger language plpgsql as $$ begin
      if new.format = 'merlon-osv' and new.reference_id = (select id from reference order by id limit 1)
      then raise exception 'refused'; end if;
      return new; end $$;
    create trigger refuse_match before insert on scan for each row execute function refuse_match()`);
  const errors: string[] = [];
  const failed = (error: unknown): void => {
    errors.push((error as Error).message);
  };
  const { references } = await matchWorkspace(server.db, tenant.id, () => new Date(), { failed });
  assert.deepEqual([references, errors, (await list()).length], [1, ['refused'], 1]);
  await server.owner.query('drop trigger refuse_match on scan');
  assert.equal((await match()).references, 1);
  await assertInvariants(server.owner);
});
