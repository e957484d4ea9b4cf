/** Checkov writes the same scan as SARIF and as its own JSON, and both must give the same findings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf, fieldsOf } from '../../../test/support/fields.ts';
import { findingsOf, readContent } from '../../../test/support/format-reports.ts';
import { checkov } from '../checkov/checkov.ts';
import { githubCodeScanning } from '../github/code-scanning.ts';
import type { ReportFinding } from '../report.ts';
import { sarif } from './sarif.ts';

interface Result {
  id: string;
  level?: string;
  score?: string;
  help?: string;
  path?: string;
}

function sarifFindings(...results: Result[]): ReportFinding[] {
  const rules = results.map(({ id, score, help = 'The gate is open' }) => ({
    id,
    name: 'The gate is open',
    shortDescription: { text: 'The gate is open' },
    help: { text: help },
    defaultConfiguration: { level: 'error' },
    ...(score === undefined ? {} : { properties: { 'security-severity': score } }),
  }));
  const rows = results.map(({ id, level = 'error', path = 'gate.tf' }, ruleIndex) => ({
    ruleId: id,
    ruleIndex,
    level,
    message: { text: 'The gate is open' },
    locations: [{ physicalLocation: { artifactLocation: { uri: path }, region: { startLine: 3 } } }],
  }));
  const runs = [{ tool: { driver: { name: 'Checkov', version: '3.2.0', rules } }, results: rows }];
  return findingsOf(readContent(sarif, { version: '2.1.0', runs }));
}

function jsonFindings(framework: string, ...failed: object[]): ReportFinding[] {
  return findingsOf(
    readContent(checkov, {
      check_type: framework,
      results: { failed_checks: failed },
      summary: { failed: failed.length, checkov_version: '3.2.0' },
    }),
  );
}

test('a result without a score is medium and a secret high, as in the JSON without an account', () => {
  const [check] = jsonFindings('terraform', { check_id: 'CKV_GDN_1', severity: null });
  const [secret] = jsonFindings('secrets', { check_id: 'CKV_SECRET_6', severity: null });
  const findings = sarifFindings(
    { id: 'CKV_GDN_1' },
    { id: 'CKV_SECRET_6' },
    { id: 'CKV_SECRET_7', level: 'warning' },
    { id: 'CKV_GDN_2', score: '8.9' },
    { id: 'CKV_GDN_3', level: 'note' },
  );
  assert.deepEqual([check?.severity, secret?.severity], ['medium', 'high']);
  assert.deepEqual(fieldOf(findings, 'severity'), ['medium', 'high', 'high', 'high', 'low']);
});

test('an alert of code scanning without a score has the severity of the SARIF', () => {
  const alert = (id: string, level: string, score: string | null) => ({
    number: 1,
    state: 'open',
    rule: { id, name: id, severity: level, security_severity_level: score, description: 'Gate' },
    tool: { name: 'checkov', version: '3.2.0' },
    most_recent_instance: { category: '', location: { path: 'gate.tf', start_line: 3 } },
    instances_url: 'https://api.example/instances',
  });
  const alerts = [
    alert('CKV_GDN_1', 'error', null),
    alert('CKV_SECRET_6', 'error', null),
    alert('CKV_GDN_2', 'error', 'critical'),
    alert('CKV_GDN_3', 'note', null),
  ];
  assert.deepEqual(fieldOf(findingsOf(readContent(githubCodeScanning, alerts)), 'severity'), [
    'medium',
    'high',
    'critical',
    'low',
  ]);
});

test('the package in the id of a rule gives the same finding as the JSON', () => {
  const cases = [
    ['CVE-2031-7774', 'spade', '4.0.0', 'web/package-lock.json', 'nodejs'],
    ['GHSA-aaaa-bbbb-cccc', '@garden/rake_tool', '1.0.0', 'web/package-lock.json', 'nodejs'],
    ['PRISMA-2031-0120', 'Garden_Rake', '1.2.2', 'requirements.txt', 'python'],
  ] as const;
  const factsOf = (findings: ReportFinding[]) =>
    fieldsOf(findings, 'type', 'severity', 'rule', 'advisories', 'package', 'fixedVersions', 'cvss', 'path');
  const fromSarif = sarifFindings(
    ...cases.map(([id, name, version, path]) => ({
      id: `${id}_${name}@${version}`,
      help: `SCA package scan\nResource: ${path}.${name}\nStatus: fixed in 5.0.5, 4.0.1`,
      score: '7.5',
      path,
    })),
  );
  const fromJson = jsonFindings(
    'sca_package',
    ...cases.map(([id, name, version, path, type]) => ({
      check_id: `BC_VUL_${name}`,
      file_path: `/${path}`,
      vulnerability_details: {
        id,
        package_name: name,
        package_version: version,
        package_type: type,
        status: 'fixed in 5.0.5, 4.0.1',
        severity: 'high',
        cvss: 7.5,
      },
    })),
  );
  assert.deepEqual(factsOf(fromSarif), factsOf(fromJson));
  assert.deepEqual(fieldOf(fromSarif, 'package'), [
    { purl: 'pkg:npm/spade', name: 'spade', version: '4.0.0' },
    { purl: 'pkg:npm/%40garden/rake_tool', name: '@garden/rake_tool', version: '1.0.0' },
    { purl: 'pkg:pypi/garden-rake', name: 'Garden_Rake', version: '1.2.2' },
  ]);
});

test('a rule that names no package keeps its id', () => {
  const [check, license] = sarifFindings({ id: 'CKV_GDN_1' }, { id: 'MIT_spade@4.0.0' });
  assert.deepEqual(
    [check?.type, check?.rule, license?.type, license?.rule],
    ['iac', 'CKV_GDN_1', 'iac', 'MIT_spade@4.0.0'],
  );
});
