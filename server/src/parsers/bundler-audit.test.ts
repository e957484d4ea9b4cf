import assert from 'node:assert/strict';
import { test } from 'node:test';
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
import { bundlerAudit } from './bundler-audit.ts';
import type { ReportFinding } from './report.ts';

test('reads a vulnerable gem with everything it says', () => {
  const report = readFixture(bundlerAudit, 'before.json');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/results/0',
    type: 'dependency',
    severity: 'high',
    title: 'Rake digs outside of its bed',
    description: 'The rake digs anywhere.',
    rule: 'CVE-2031-8161',
    advisories: ['CVE-2031-8161', 'GHSA-5f9h-9pjv-v6j7'],
    package: { purl: 'pkg:gem/rake', name: 'rake', version: '1.6.13' },
    fixedVersions: ['2.1.3', '2.2.0'],
    cvss: { score: 8.6, vector: null },
    artifact: { type: 'package_version', name: 'rake', purl: 'pkg:gem/rake@1.6.13', digest: null },
    links: ['https://advisories.example/8161'],
    evidence: {
      ...emptyEvidence,
      remediation: 'upgrade to ~> 2.1.3, < 3.0.0, >= 2.2.0',
    },
  } satisfies ReportFinding);
  assert.equal(report.read, 4);
  assert.deepEqual(unreadableIn(report), ['/results/2', '/results/3']);
  assert.equal(report.runs[0]?.toolVersion, '0.9.2');
});

test('the text of both versions gives the same gem', () => {
  const gems = (name: string): string[] =>
    packageKeys(readFixture(bundlerAudit, name)).filter((key) => key.includes('pkg:'));
  const own = gems('before.json');
  assert.deepEqual(gems('version-0.9.txt'), own);
  assert.deepEqual(gems('version-0.6.txt'), ['dependency CVE-2031-8161 pkg:gem/rake 1.6.13 -']);
  const newer = readFixture(bundlerAudit, 'version-0.9.txt');
  assert.equal(newer.read, 3);
  assert.deepEqual(unreadableIn(newer), ['/2'], 'a gem without an id');
  const [source, rake] = findingsOf(newer);
  assert.deepEqual([source?.rule, source?.code], ['insecure-source', 'http://gems.garden.example/']);
  assert.deepEqual([rake?.severity, rake?.fixedVersions], ['high', ['2.1.3', '2.2.0']]);
  const [old] = findingsOf(readFixture(bundlerAudit, 'version-0.6.txt'));
  assert.deepEqual(
    [old?.severity, old?.description, old?.fixedVersions],
    ['unknown', 'The rake digs\nanywhere.', ['2.1.3', '2.2.0']],
  );
});

test('a source with a password does not show it', () => {
  const report = readContent(
    bundlerAudit,
    'Insecure Source URI found: http://ada:opensesame@gems.garden.example/\n',
  );
  assert.ok(!JSON.stringify(report).includes('opensesame'));
});

test('reports without a finding are recognised, and other texts are not', () => {
  assert.equal(readFixture(bundlerAudit, 'empty.json').read, 0);
  assert.equal(readFixture(bundlerAudit, 'empty.txt').read, 0);
  const quoted = 'Name: rake\nVersion: 1\nCVE: CVE-2031-8161';
  const others = ['No vulnerabilities found.', 'Name: rake', 'found 0 vulnerabilities'];
  for (const text of [...others, 'Name: rules\nVersion: 1\nSKU: 2', `<Text>\n${quoted}\n</Text>`]) {
    assert.equal(recognises(bundlerAudit, `${text} `), false, text);
  }
});

test('a bound that another one narrows is no fixed version', () => {
  const fixes = (...patched_versions: string[]): unknown => {
    const advisory = { id: 'CVE-2031-0001', patched_versions };
    const results = [{ type: 'unpatched_gem', gem: { name: 'rake', version: '5.2.4.1' }, advisory }];
    return findingsOf(readContent(bundlerAudit, { version: '0.9', results }))[0]?.fixedVersions;
  };
  assert.deepEqual(fixes('~> 5.2.4, >= 5.2.4.3', '>= 6.0.3.1'), ['5.2.4.3', '6.0.3.1']);
  assert.deepEqual(fixes('~> 1.6.11', '>= 2.0.6'), ['1.6.11', '2.0.6']);
});
