/** Checkov writes the same scan as SARIF and as its own JSON, and both must give the same findings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf } from '../../../test/support/fields.ts';
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
