import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fieldsOf } from '../../../test/support/fields.ts';
import { emptyFinding, findingsOf, unreadableIn } from '../../../test/support/format-reports.ts';
import { parseReport } from '../parse-report.ts';
import type { Report, ReportFinding } from '../report.ts';

function fixture(name: string): Report {
  return parseReport(readFileSync(new URL(`../../../test/fixtures/trivy/${name}.json`, import.meta.url)));
}

test('the same image gives the same packages in the old list and in schema 2', () => {
  const legacy = fixture('image-legacy');
  const schema2 = fixture('image-schema2');
  const keys = (report: Report): string[] =>
    findingsOf(report)
      .map(({ type, rule, package: named }) => `${type} ${rule} ${named?.purl} ${named?.version}`)
      .filter((key) => !key.includes('CVE-2030-0104'));
  assert.deepEqual(keys(legacy), [
    'container CVE-2030-0100 pkg:deb/debian/libgarden 1.0-1',
    'container CVE-2030-0101 pkg:deb/debian/libsoil%2B%2B 4',
    'dependency CVE-2030-0102 pkg:npm/%40tools/spade 2.0.0',
    'dependency CVE-2030-0103 pkg:pypi/rake-tool 0.9',
  ]);
  assert.deepEqual(keys(schema2), keys(legacy));
  assert.equal(legacy.runs[0]?.category, 'garden/shed');
  assert.equal(schema2.runs[0]?.category, 'garden/shed');
  assert.equal(schema2.runs[0]?.toolVersion, '0.60.0');
});

test('reads a vulnerability with everything it says', () => {
  const [hose, soil, spade, bucket, rake] = findingsOf(fixture('image-schema2'));
  assert.deepEqual(hose, {
    ...emptyFinding,
    pointer: '/Results/0/Vulnerabilities/0',
    type: 'container',
    severity: 'high',
    title: 'garden: hose overflow',
    rule: 'CVE-2030-0100',
    advisories: ['CVE-2030-0100'],
    relatedAdvisories: ['DSA-9999-1'],
    package: { purl: 'pkg:deb/debian/libgarden', name: 'libgarden', version: '1.0-1' },
    fixedVersions: ['1.0-2'],
    cvss: { score: 9.8, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
    cwes: ['CWE-787'],
    path: 'mirror.example/garden/shed:1.3',
    pathIsTarget: true,
    artifact: {
      type: 'package_version',
      name: 'libgarden',
      purl: 'pkg:deb/debian/libgarden@1.0-1',
      digest: null,
    },
    links: ['https://garden.example/1'],
  } satisfies ReportFinding);
  assert.equal(soil?.severity, 'unknown');
  assert.equal(soil?.title, 'CVE-2030-0101 in libsoil++');
  assert.deepEqual(spade?.advisories, ['CVE-2030-0102', 'GHSA-aaaa-bbbb-cccc']);
  assert.deepEqual([spade?.path, spade?.pathIsTarget], ['app/node_modules/@tools/Spade/package.json', false]);
  assert.deepEqual([bucket?.path, bucket?.pathIsTarget], ['Node.js', true]);
  assert.deepEqual([rake?.path, rake?.pathIsTarget], ['app/Pipfile.lock', false]);
});

test('a vulnerability without a fix shows what the vendor says about one', () => {
  const remediation = (Status: string): string | null | undefined => {
    const row = { VulnerabilityID: 'CVE-2030-0001', PkgName: 'spade', Status };
    const report = { SchemaVersion: 2, Results: [{ Target: 'shed', Vulnerabilities: [row] }] };
    return findingsOf(parseReport(Buffer.from(JSON.stringify(report))))[0]?.evidence?.remediation;
  };
  assert.equal(remediation('will_not_fix'), 'The vendor will not fix it in this version.');
  assert.equal(remediation('fixed'), undefined);
  assert.equal(remediation('constructor'), undefined);
});

test('reads a repository: packages, secrets, checks, licenses, what was suppressed', () => {
  const report = fixture('repository');
  const all = findingsOf(report);
  assert.equal(report.read, 11);
  assert.equal(all.length + report.unreadable.length + 1, report.read, 'one check passed');
  assert.deepEqual(unreadableIn(report), ['/Results/0/Vulnerabilities/1', '/Results/0/Vulnerabilities/2']);
  assert.match(report.warnings.join(' '), /passed/);
  assert.equal(report.runs[0]?.category, '');
  const [pot, ignored, fence, masked, unmasked, gate, lock, license] = all;
  assert.equal(pot?.package?.purl, 'pkg:golang/github.com/garden/pot');
  assert.deepEqual(ignored?.suppression, { by: 'file', reason: 'Not reachable', expiresAt: null });
  assert.equal(fence?.package?.purl, 'pkg:maven/org.garden/fence');
  assert.equal(masked?.path, 'deploy.sh');
  assert.deepEqual(masked?.secret, { value: null, maskedLine: 'export TOKEN=**********' });
  assert.deepEqual(unmasked?.secret, { value: null, maskedLine: 'token = "****"' });
  assert.equal(unmasked?.line, null);
  assert.ok(!JSON.stringify(all).includes('gdn-not'));
  assert.deepEqual(
    [gate?.type, gate?.rule, gate?.path, gate?.line, gate?.code],
    ['iac', 'GDN-0001', 'main.tf', 5, '  lock = false'],
  );
  assert.deepEqual([lock?.rule, lock?.code], ['DS-0002', 'Garden/gate']);
  assert.deepEqual(
    [license?.type, license?.rule, license?.package?.purl],
    ['license', 'GPL-3.0', 'pkg:npm/spade'],
  );
});

test('a check of a whole block is located by its resource, and one of a line by the line', () => {
  const codeOf = (...contents: string[]) => {
    const Lines = contents.map((Content, i) => ({ Number: i + 1, Content, IsCause: true }));
    const CauseMetadata = {
      Resource: 'garden_gate.front',
      StartLine: 1,
      EndLine: contents.length,
      Code: { Lines },
    };
    const check = {
      Type: 'Garden',
      ID: 'GDN-0001',
      Title: 'Gate',
      Severity: 'HIGH',
      Status: 'FAIL',
      CauseMetadata,
    };
    const Results = [{ Target: 'main.tf', Class: 'config', Type: 'terraform', Misconfigurations: [check] }];
    const json = { SchemaVersion: 2, ArtifactName: '.', ArtifactType: 'filesystem', Results };
    return findingsOf(parseReport(Buffer.from(JSON.stringify(json))))[0]?.code;
  };
  assert.equal(codeOf('  lock = false'), '  lock = false');
  assert.equal(codeOf('resource "garden_gate" "front" {', '  color = "red"', '}'), 'garden_gate.front');
});

test('evidence shows the lines of a check, masked lines of a secret, and the chain to a package', () => {
  const lines = (...rows: [number, string, boolean][]) => ({
    Lines: rows.map(([line, Content, IsCause]) => ({ Number: line, Content, IsCause })),
  });
  const packages = [
    { ID: 'shed@1', Name: 'shed', Version: '1', Relationship: 'root', DependsOn: ['tools@2', 'rope@3'] },
    { ID: 'tools@2', Name: 'tools', Version: '2', Relationship: 'direct', DependsOn: ['spade@4'] },
    { ID: 'spade@4', Name: 'spade', Version: '4', Relationship: 'indirect', DependsOn: ['tools@2'] },
    { ID: 'rope@3', Name: 'rope', Version: '3', Relationship: 'direct' },
  ];
  const results = [
    {
      Target: 'package-lock.json',
      Class: 'lang-pkgs',
      Type: 'npm',
      Packages: packages,
      Vulnerabilities: [
        { VulnerabilityID: 'CVE-2030-0400', PkgID: 'spade@4', PkgName: 'spade', InstalledVersion: '4' },
        { VulnerabilityID: 'CVE-2030-0401', PkgName: 'spade', InstalledVersion: '4' },
        { VulnerabilityID: 'CVE-2030-0402', PkgID: 'rope@3', PkgName: 'rope', InstalledVersion: '3' },
      ],
    },
    {
      Target: 'main.tf',
      Class: 'config',
      Misconfigurations: [
        {
          ID: 'GDN-0001',
          Resolution: 'Lock the gate.',
          CauseMetadata: { StartLine: 5, Code: lines([4, 'gate {', false], [5, '  lock = false', true]) },
        },
      ],
    },
    {
      Target: 'deploy.sh',
      Class: 'secret',
      Secrets: [
        {
          RuleID: 'garden-token',
          Match: 'TOKEN=****',
          Code: lines(
            [2, 'OTHER="topsecretgate"', false],
            [3, 'TOKEN=****', true],
            [4, 'topsecretspade', true],
          ),
        },
      ],
    },
  ];
  const json = { SchemaVersion: 2, ArtifactName: '.', ArtifactType: 'filesystem', Results: results };
  const all = findingsOf(parseReport(Buffer.from(JSON.stringify(json))));
  const [spade, byName, rope, gate, token] = all;
  const chain = ['tools@2', 'spade@4'];
  assert.deepEqual(
    [spade, byName, rope].map((finding) => finding?.evidence?.dependencyPaths ?? null),
    [[chain], [chain], null],
  );
  assert.deepEqual(gate?.evidence, {
    snippet: { text: 'gate {\n  lock = false', firstLine: 4, markedFrom: 5, markedTo: 5 },
    dataFlow: [],
    help: null,
    remediation: 'Lock the gate.',
    dependencyPaths: [],
  });
  assert.deepEqual(token?.evidence?.snippet, {
    text: 'OTHER="****"\nTOKEN=****\n****',
    firstLine: 2,
    markedFrom: 3,
    markedTo: 4,
  });
  assert.ok(!JSON.stringify(all).includes('topsecret'));
});

test('in a cluster report the resource is the location', () => {
  const report = fixture('cluster');
  assert.equal(report.runs[0]?.category, 'garden');
  assert.deepEqual(fieldsOf(findingsOf(report), 'type', 'rule', 'path', 'pathIsTarget'), [
    ['container', 'CVE-2030-0300', 'default/Deployment/shed', false],
    ['iac', 'KSV-0001', 'default/Deployment/shed', false],
  ]);
});

test('a report without results is a successful run without findings', () => {
  const report = parseReport(
    Buffer.from('{"SchemaVersion":2,"ArtifactName":"x:1","ArtifactType":"container_image"}'),
  );
  assert.deepEqual([report.read, report.runs.length, report.runs[0]?.category], [0, 1, 'x']);
});

test('an id of a check that is a long text is cut', () => {
  const check = { ID: 'DS002', AVDID: `AVD-DS-${'1'.repeat(600)}`, Title: 'Root', Status: 'FAIL' };
  const result = { Target: 'Dockerfile', Class: 'config', Type: 'dockerfile', Misconfigurations: [check] };
  const json = { SchemaVersion: 2, ArtifactName: '.', ArtifactType: 'filesystem', Results: [result] };
  const [finding] = findingsOf(parseReport(Buffer.from(JSON.stringify(json))));
  assert.equal(finding?.rule, `DS-${'1'.repeat(493)}`);
});

test('what was found in a resource that a report of a cluster could not scan stays open', () => {
  const named = { Namespace: 'default', Kind: 'Deployment', Name: 'shed' };
  const report = parseReport(
    Buffer.from(
      JSON.stringify({ ClusterName: 'garden', Resources: [{ ...named, Error: 'no pull access' }] }),
    ),
  );
  assert.deepEqual(report.runs[0]?.gaps, [{ path: 'default/Deployment/shed' }]);
  assert.deepEqual(fixture('cluster').runs[0]?.gaps, []);
});

test('a package in one of several images of a resource has the release of its own image', () => {
  const result = (target: string): object => ({
    Target: target,
    Class: 'os-pkgs',
    Type: 'debian',
    Packages: [{ Name: 'hose', Version: '1', SrcName: 'hose', SrcVersion: '1' }],
  });
  const images = ['12.4', '11.9'].map((Name) => ({ OS: { Family: 'debian', Name } }));
  const cluster = (Results: object[], Metadata: object[]): unknown => {
    const json = { ClusterName: 'garden', Resources: [{ Kind: 'Pod', Name: 'shed', Metadata, Results }] };
    const [run] = parseReport(Buffer.from(JSON.stringify(json))).runs;
    return run?.manifests[0]?.packages[0]?.distribution?.purl;
  };
  assert.equal(cluster([result('hose:1 (debian 11.9)')], images), 'pkg:deb/debian/hose?distro=debian-11');
  assert.equal(cluster([result('hose:1')], images.slice(0, 1)), 'pkg:deb/debian/hose?distro=debian-12');
  assert.equal(cluster([result('hose:1')], images), undefined);
});
