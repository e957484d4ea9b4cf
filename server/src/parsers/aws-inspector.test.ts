import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../test/support/fields.ts';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  packageKeys,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import { asff } from './asff/asff.ts';
import { awsInspector } from './aws-inspector.ts';
import { parseReport } from './parse-report.ts';
import { type Report, ReportError, type ReportFinding } from './report.ts';

const fixture = (name: string): Report => readFixture(awsInspector, `${name}.json`);

test('reads a vulnerable package with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/findings/0',
    type: 'container',
    severity: 'high',
    title: 'CVE-2031-0001 - libspade',
    description: 'A description.',
    rule: 'CVE-2031-0001',
    advisories: ['CVE-2031-0001'],
    package: { purl: 'pkg:deb/debian/libspade', name: 'libspade', version: '2.9.4-7' },
    fixedVersions: ['2.9.4-8'],
    cvss: { score: 7.5, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H' },
    path: 'eu-garden-1/tools/shed',
    artifact: {
      type: 'package_version',
      name: 'libspade',
      purl: 'pkg:deb/debian/libspade@2.9.4-7',
      digest: null,
    },
    links: ['https://advisories.example/CVE-2031-0001'],
    sharedRow: '/findings/0',
    evidence: {
      ...emptyEvidence,
      remediation: 'apt-get upgrade',
    },
  } satisfies ReportFinding);
  assert.equal(report.read, 8);
  assert.deepEqual(unreadableIn(report), ['/findings/6', '/findings/7']);
  assert.deepEqual(fieldsOf(report.runs, 'tool', 'category'), [['aws-inspector', 'aws/000000000031']]);
});

test('a package is the same in another build of the image', () => {
  const before = packageKeys(fixture('before')).filter((key) => key.includes('libspade'));
  assert.equal(before.length, 2);
  assert.deepEqual(packageKeys(fixture('after-image')), before);
  assert.deepEqual(fixture('after-image').runs[0]?.image, { name: 'tools/shed', tag: '1.2' });
});

test("the same scan by Security Hub's format gives the same packages", () => {
  const hub = findingsOf(readFixture(asff, 'before.json')).filter(({ rule }) => rule === 'CVE-2031-0001');
  const own = findingsOf(fixture('before')).filter(({ rule }) => rule === 'CVE-2031-0001');
  const keys = (findings: readonly ReportFinding[]): string[] =>
    findings.map(({ type, severity, path, package: named }) =>
      [type, severity, path, named?.purl, named?.version].join(' '),
    );
  assert.deepEqual(keys(hub), keys(own));
});

test('code of functions, open ports, suppressed and closed findings', () => {
  const report = fixture('before');
  const [, , stdlib, code, port, rope] = findingsOf(report);
  assert.deepEqual([stdlib?.package?.purl, stdlib?.severity], ['pkg:golang/stdlib', 'high']);
  assert.deepEqual(
    [code?.type, code?.rule, code?.path, code?.line, code?.cwes],
    ['sast', 'python-log-injection', 'eu-garden-1/water/src/water.py', 26, ['CWE-117']],
  );
  assert.deepEqual(
    [port?.type, port?.path, port?.code],
    ['iac', 'i-00000000000000031', 'i-00000000000000031 eu-garden-1 TCP 22 22'],
  );
  assert.equal(rope?.suppression?.by, 'file');
  assert.match(report.warnings.join(' '), /closed/);
  assert.equal(findingsOf(report).length, 6);
});

test('an empty list needs the name of the format', () => {
  const bytes = Buffer.from('{"findings": []}');
  assert.throws(() => parseReport(bytes), ReportError);
  assert.equal(parseReport(bytes, { format: 'aws-inspector' }).runs[0]?.tool, 'aws-inspector');
  assert.equal(recognises(awsInspector, { findings: [{ title: 't', severity: 'High' }] }), false);
});

test('the newest version of CVSS counts, and within it the score of NVD', () => {
  const score = (source: string, version: string, baseScore: number) => ({ source, version, baseScore });
  const scoreOf = (...cvss: object[]) => {
    const vulnerable = { name: 'rake', version: '1.0', packageManager: 'NPM' };
    const finding = {
      awsAccountId: '000000000031',
      findingArn: 'arn:aws:inspector2:eu-garden-1:000000000031:finding/0001',
      type: 'PACKAGE_VULNERABILITY',
      title: 'CVE-2031-0001 - rake',
      severity: 'HIGH',
      status: 'ACTIVE',
      resources: [],
      packageVulnerabilityDetails: {
        vulnerabilityId: 'CVE-2031-0001',
        cvss,
        vulnerablePackages: [vulnerable],
      },
    };
    const report = readContent(awsInspector, { findings: [finding] });
    return findingsOf(report)[0]?.cvss?.score;
  };
  assert.equal(scoreOf(score('NVD', '3.0', 5), score('REDHAT', '3.1', 6)), 6);
  assert.equal(scoreOf(score('REDHAT', '3.1', 6), score('NVD', '3.1', 7)), 7);
});
