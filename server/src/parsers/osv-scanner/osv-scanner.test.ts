import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findingsOf,
  packageKeys,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import { parseReport } from '../parse-report.ts';
import { ReportError } from '../report.ts';
import { osvScanner } from './osv-scanner.ts';

const rake = 'pkg:pypi/rake-tool 0.9 api/requirements.txt';

test('reordered rows give the same findings', () => {
  const before = readFixture(osvScanner, 'before.json');
  const after = readFixture(osvScanner, 'after-all-packages.json');
  const stays = [
    `dependency GHSA-2222-3333-4444=CVE-2030-0110=PYSEC-2030-1 ${rake}`,
    `dependency PYSEC-2030-1=CVE-2030-0110=GHSA-2222-3333-4444 ${rake}`,
  ];
  assert.deepEqual(packageKeys(before), [
    ...stays.slice(0, 1),
    'dependency GO-2030-0001=CVE-2030-0120=GHSA-5555-6666-7777 pkg:golang/github.com/garden/pot/v3 3.0.1 go.mod',
    ...stays.slice(1),
  ]);
  assert.deepEqual(packageKeys(after), [
    'container DEBIAN-CVE-2030-0130=CVE-2030-0130 pkg:deb/debian/hose 1.0 lib/dpkg/status',
    'dependency CVE-2030-0140 pkg:github/garden/shed 0123456789abcdef vendor/shed',
    ...stays,
    'license license:GPL-3.0 pkg:pypi/trowel 2.0 api/requirements.txt',
  ]);
});

test('the severity is the record’s label, else its score, else that of its group', () => {
  const [named, grouped, called] = findingsOf(readFixture(osvScanner, 'before.json'));
  assert.deepEqual(
    [named?.severity, named?.cvss?.score, named?.cwes, named?.fixedVersions],
    ['medium', 9.8, ['CWE-22'], ['1.0']],
  );
  assert.deepEqual([grouped?.severity, grouped?.relatedAdvisories], ['medium', ['GHSA-9999-9999-9999']]);
  assert.deepEqual([called?.severity, called?.exploitable, called?.cvss], ['high', true, null]);
  assert.equal(named?.exploitable, false);
  assert.deepEqual(named?.links, ['https://garden.example/GHSA-2222-3333-4444']);
});

test('fixed versions are those of the same release of the distribution', () => {
  const hose = findingsOf(readFixture(osvScanner, 'after-all-packages.json')).find(
    ({ type }) => type === 'container',
  );
  assert.deepEqual(hose?.fixedVersions, ['1.2']);
});

test('a report without harmless packages is no inventory', () => {
  assert.deepEqual(readFixture(osvScanner, 'before.json').runs[0]?.manifests, []);
  const manifests = readFixture(osvScanner, 'after-all-packages.json').runs[0]?.manifests ?? [];
  assert.deepEqual(
    manifests.map(({ path, type, packages }) => [path, type, packages.map(({ purl }) => purl)]),
    [
      ['api/requirements.txt', 'pypi', ['pkg:pypi/rake-tool', 'pkg:pypi/trowel']],
      ['lib/dpkg/status', 'deb', ['pkg:deb/debian/hose']],
    ],
  );
  assert.deepEqual(manifests[0]?.packages[1]?.licenses, ['MIT', 'GPL-3.0']);
});

test('broken rows are unreadable and counted', () => {
  const report = readFixture(osvScanner, 'after-all-packages.json');
  assert.deepEqual(unreadableIn(report), [
    '/results/1/packages/0/vulnerabilities/1',
    '/results/1/packages/0/vulnerabilities/2',
    '/results/1/packages/1',
  ]);
  assert.equal(report.read, findingsOf(report).length + report.unreadable.length);
});

test('several CVEs of one record are not aliases of it', () => {
  const [finding] = findingsOf(
    readContent(osvScanner, {
      results: [
        {
          source: { path: 'alpine:3.10', type: 'docker' },
          packages: [
            {
              package: { name: 'hose', version: '1', ecosystem: 'Alpine:v3.10' },
              vulnerabilities: [{ id: 'GHSA-a', aliases: ['CVE-2030-1', 'CVE-2030-2'] }],
              groups: null,
            },
          ],
        },
      ],
    }),
  );
  assert.deepEqual(finding?.advisories, ['GHSA-a']);
  assert.deepEqual(finding?.relatedAdvisories, ['CVE-2030-1', 'CVE-2030-2']);
  assert.deepEqual([finding?.package?.purl, finding?.pathIsTarget], ['pkg:apk/alpine/hose', true]);
});

test('an image that version 2 does not name has the category of images without a name', () => {
  const packages = [{ package: { name: 'hose', version: '1', ecosystem: 'Debian:12' }, vulnerabilities: [] }];
  const system = [{ source: { path: '/var/lib/dpkg/status', type: 'os' }, packages }];
  const binary = [{ source: { path: '/usr/bin/rake', type: 'artifact' }, packages }];
  const image = { os: 'Debian GNU/Linux 12', layer_metadata: [], base_images: [] };
  const imageOf = (report: object): unknown => {
    const [run] = readContent(osvScanner, report).runs;
    return [run?.category, run?.image, run?.analysisTypes];
  };
  const nameless = ['sha256', null, ['dependency', 'container']];
  for (const results of [system, binary, []]) {
    assert.deepEqual(imageOf({ results, image_metadata: image }), nameless);
  }
  const lockfile = [{ source: { path: '/src/package-lock.json', type: 'lockfile' }, packages }];
  assert.deepEqual(imageOf({ results: lockfile }), ['', null, ['dependency']]);
  const named = [{ source: { path: 'garden/shed:1', type: 'docker' }, packages }];
  assert.deepEqual(imageOf({ results: named }), [
    'garden/shed',
    { name: 'garden/shed', tag: '1' },
    ['dependency', 'container'],
  ]);
});

test('findings of detectors are not read, and a report with nothing else is empty', () => {
  const report = readContent(osvScanner, {
    results: [],
    experimental_config: {},
    experimental_generic_findings: [{ Adv: { Title: 'A weak password' } }],
  });
  assert.deepEqual([report.runs.length, report.read], [1, 0]);
  assert.match(report.warnings.join(), /experimental_generic_findings/);
});

test('an empty report is a successful run without findings, and Semgrep’s results are not recognised', () => {
  assert.equal(readContent(osvScanner, { results: [], experimental_config: {} }).runs.length, 1);
  assert.equal(recognises(osvScanner, { results: [] }), false, 'tfsec and others write the same');
  assert.equal(parseReport(Buffer.from('{"results":[]}'), { format: 'osv-scanner' }).runs.length, 1);
  assert.throws(() => parseReport(Buffer.from('{}'), { format: 'osv-scanner' }), ReportError);
  assert.equal(recognises(osvScanner, { results: [], errors: [], paths: {}, version: '1' }), false);
  assert.equal(recognises(osvScanner, { results: [{ check_id: 'x', path: 'y' }] }), false);
});

test('a malicious package is malware, and its weaknesses stand with what it affects', () => {
  const vulnerability = {
    id: 'MAL-2031-1',
    affected: [{ database_specific: { cwes: [{ cweId: 'CWE-506', name: 'Embedded Malicious Code' }] } }],
  };
  const packages = [
    {
      package: { name: 'rake', version: '1.0', ecosystem: 'npm' },
      vulnerabilities: [vulnerability],
      groups: [],
    },
  ];
  const report = readContent(osvScanner, { results: [{ source: { path: 'package-lock.json' }, packages }] });
  assert.deepEqual([findingsOf(report)[0]?.type, findingsOf(report)[0]?.cwes], ['malware', ['CWE-506']]);
});

test('a severity may be a word, or stand with the affected package', () => {
  const hose = { ecosystem: 'Ubuntu:24.04:LTS', name: 'hose' };
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  const severities = (record: object): unknown => {
    const vulnerabilities = [{ id: 'UBUNTU-CVE-2031-0001', ...record }];
    const packages = [{ package: { ...hose, version: '1' }, vulnerabilities }];
    return findingsOf(readContent(osvScanner, { results: [{ source: {}, packages }] }))[0]?.severity;
  };
  assert.equal(severities({ severity: [{ type: 'Ubuntu', score: 'high' }] }), 'high');
  const affected = (name: string): object => ({
    affected: [{ package: { ...hose, name }, severity: [{ type: 'CVSS_V3', score: vector }] }],
  });
  assert.deepEqual([severities(affected('hose')), severities(affected('rake'))], ['critical', 'unknown']);
});
