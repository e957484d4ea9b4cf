import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findingsOf,
  packageKeys,
  readContent,
  readFixture,
  recognises,
} from '../../../test/support/format-reports.ts';
import { govulncheck } from './govulncheck.ts';

const pot =
  'dependency GO-2030-0001=CVE-2030-0120=GHSA-5555-6666-7777 pkg:golang/github.com/garden/pot/v3 3.0.1';
const url = 'dependency GO-2030-0002=CVE-2030-0150 pkg:golang/stdlib 1.24.4 go.mod';

test('moved lines and reordered messages give the same findings', () => {
  assert.deepEqual(packageKeys(readFixture(govulncheck, 'before.jsonl')), [
    `${pot} api/api.go`,
    `${pot} worker/run.go`,
    url,
  ]);
  assert.deepEqual(packageKeys(readFixture(govulncheck, 'after.jsonl')), [
    `${pot} api/api.go`,
    url,
    'dependency GO-2030-0003 pkg:golang/stdlib 1.24.4 go.mod',
  ]);
});

test('messages one after another, one per line or in an array give the same report', () => {
  const streamed = readFixture(govulncheck, 'before.jsonl');
  const listed = readFixture(govulncheck, 'before.json');
  assert.deepEqual(listed, streamed);
  assert.equal(streamed.read, 6);
  assert.match(streamed.warnings.join(' '), /are one finding/);
});

test('a called symbol is exploitable, from the uppermost call of one’s own code', () => {
  const [called, , required] = findingsOf(readFixture(govulncheck, 'before.jsonl'));
  assert.deepEqual([called?.path, called?.line, called?.exploitable], ['api/api.go', 25, true]);
  assert.match(
    called?.description ?? '',
    /^Details of GO-2030-0001\.\n\nCalled: garden\.example\/shed\.main → /,
  );
  assert.deepEqual([called?.severity, called?.fixedVersions], ['unknown', ['3.0.2']]);
  assert.deepEqual(called?.links, ['https://pkg.go.dev/vuln/GO-2030-0001', 'https://garden.example/fix']);
  assert.deepEqual([required?.path, required?.line, required?.exploitable], ['go.mod', null, false]);
  assert.equal(required?.title, 'URLs are read twice in net/url');
});

test('a broken line makes only that line unreadable', () => {
  const report = readFixture(govulncheck, 'after.jsonl');
  assert.deepEqual(report.unreadable, [
    { pointer: '/4', reason: 'The value that begins at line 5 is not JSON.' },
    { pointer: '/12', reason: 'The finding has no OSV id or no module.' },
  ]);
  assert.equal(report.read, 8);
  const several = findingsOf(report).find(({ rule }) => rule === 'GO-2030-0003');
  assert.deepEqual(several?.relatedAdvisories, ['CVE-2030-0151', 'CVE-2030-0152']);
});

test('the SBOM gives the inventory, without the module itself', () => {
  const [run] = readFixture(govulncheck, 'before.jsonl').runs;
  assert.equal(run?.toolVersion, 'v1.1.4');
  assert.deepEqual(
    run?.manifests.map(({ path, type, packages }) => [path, type, packages.map(({ purl }) => purl)]),
    [['go.mod', 'golang', ['pkg:golang/github.com/garden/pot/v3', 'pkg:golang/stdlib']]],
  );
});

test('a scan of a binary has no file names, and a scan of modules has no calls', () => {
  const report = readContent(
    govulncheck,
    `{"config":{"protocol_version":"v1.0.0","scan_level":"module","scan_mode":"binary"}}
     {"finding":{"osv":"GO-2030-1","trace":[{"module":"stdlib","version":"go1.20"}]}}`,
  );
  assert.deepEqual(packageKeys(report), ['dependency GO-2030-1 pkg:golang/stdlib 1.20 -']);
  assert.match(report.warnings.join(' '), /calls/);
});

const config = { config: { protocol_version: 'v1.0.0', scanner_name: 'govulncheck' } };
const sbom = { SBOM: { go_version: 'go1.24.4', modules: [{ path: 'stdlib', version: 'v1.24.4' }] } };
const osv = { osv: { schema_version: '1.3.1', id: 'GO-2030-0001', affected: [] } };
const finding = { finding: { osv: 'GO-2030-0001', trace: [{ module: 'stdlib', version: 'v1.24.4' }] } };
const progress = (message: string): object => ({ progress: { message } });
const fetching = progress('Fetching vulnerabilities from the database...');
const checkingCode = progress('Checking the code against the vulnerabilities...');
const checkingBinary = progress('Checking the binary against the vulnerabilities...');
const scanning = progress(
  'Scanning your code and 62 packages across 3 dependent modules for known vulnerabilities...',
);
const scanningNothing = progress(
  'Scanning your code and 0 packages across 0 dependent modules for known vulnerabilities...',
);
const scanningBinary = progress('Scanning your binary for known vulnerabilities...');

const outcomesOf = (streams: object[][]): unknown[] =>
  streams.map((stream) => readContent(govulncheck, stream).runs[0]?.outcome);

test('a stream that ends before the check has failed', () => {
  const aborted = [
    [config],
    [config, sbom],
    [config, sbom, fetching],
    [config, sbom, fetching, osv],
    [config, scanning, fetching],
    [config, scanningBinary, sbom, fetching],
    [config, sbom, fetching, osv, checkingCode, config, sbom, fetching],
    [config, sbom, fetching, config, sbom, fetching, osv, checkingCode],
    [config, sbom, fetching, osv, checkingCode, finding, config, sbom, fetching],
  ];
  assert.deepEqual(
    outcomesOf(aborted),
    aborted.map(() => 'failed'),
  );
  assert.match(readContent(govulncheck, [config]).warnings.join(), /closes nothing/);
});

test('a stream without a package to scan has scanned nothing', () => {
  const empty = [
    [config, progress('No packages matching the provided pattern.')],
    [config, scanningNothing],
    [config, progress('Looking up vulnerabilities in garden.example/pot at v1.6.5...'), osv],
  ];
  assert.deepEqual(
    outcomesOf(empty),
    empty.map(() => 'scanned_nothing'),
  );
});

test('a clean stream of any version has succeeded, and so has one with a finding', () => {
  const complete = [
    [config, scanning],
    [config, scanningBinary],
    [config, progress('Scanning your code across 0 dependent modules for known vulnerabilities...')],
    [
      config,
      progress('Scanning your code and 10 packages across 0 dependent modules for known vulnerabilities...'),
    ],
    [config, scanning, fetching, osv, checkingCode],
    [config, scanningNothing, fetching, checkingCode],
    [config, sbom, fetching, osv, checkingCode],
    [config, scanningBinary, sbom, fetching, osv, checkingBinary, progress('warning: old binary')],
    // Progress is optional in the protocol.
    [config, sbom, osv],
    [config, finding],
    [config, scanningNothing, config, sbom, fetching, osv, checkingCode, finding],
    [config, sbom, fetching, finding],
  ];
  assert.deepEqual(
    outcomesOf(complete),
    complete.map(() => 'succeeded'),
  );
});

test('another stream of JSON is not recognised as govulncheck', () => {
  assert.equal(recognises(govulncheck, [{ config: { rules: [] } }]), false);
  assert.equal(recognises(govulncheck, '{"SourceMetadata":{}}\n{"config":{"protocol_version":"v1"}}'), false);
  assert.equal(recognises(govulncheck, '[{"config":{"protocol_version":"v1.0.0"}},'), false);
});
