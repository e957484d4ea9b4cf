/** Trivy writes the same scan as SARIF and as its own JSON, and both must identify its findings alike. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../../test/support/fields.ts';
import { findingsOf, readContent, shownText } from '../../../test/support/format-reports.ts';
import { githubCodeScanning } from '../github/code-scanning.ts';
import type { Report } from '../report.ts';
import { trivy } from '../trivy/trivy.ts';
import { sarif } from './sarif.ts';

const leaks = [
  { line: 3, match: '$env = "GATE_KEY=********************"' },
  { line: 8, match: '  [gate](1) {{ "GATE_KEY=********************" }}' },
  { line: 8, match: 'Binary file "shed.pyc" matches a rule "Gate key"' },
  { line: 9, match: 'gate_key = "gdn-not-masked-1"' },
];
const maskedLines = [
  leaks[0]?.match,
  leaks[1]?.match,
  'Binary file "****" matches a rule "****"',
  'gate_key = "****"',
];

function messageOf(match: string): string {
  return `Artifact: deploy.sh\nType: \nSecret Gate key\nSeverity: CRITICAL\nMatch: ${match}`;
}

function secretsAsSarif(found: typeof leaks): Report {
  const rule = {
    id: 'gate-key',
    name: 'Secret',
    shortDescription: { text: 'Gate key' },
    fullDescription: { text: found[0]?.match },
    help: { text: `Secret Gate key\nSeverity: CRITICAL\nMatch: ${found[0]?.match}` },
    defaultConfiguration: { level: 'error' },
    properties: { 'security-severity': '9.5', tags: ['secret', 'security', 'CRITICAL'] },
  };
  const results = found.map(({ line, match }) => ({
    ruleId: 'gate-key',
    ruleIndex: 0,
    level: 'error',
    message: { text: messageOf(match) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'deploy.sh', uriBaseId: 'ROOTPATH' },
          region: { startLine: line, startColumn: 1, endLine: line, endColumn: 1 },
        },
      },
    ],
  }));
  return readContent(sarif, {
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Trivy', version: '0.70.0', rules: [rule] } }, results }],
  });
}

function secretsAsJson(found: typeof leaks): Report {
  return readContent(trivy, {
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'repository',
    Results: [
      {
        Target: 'deploy.sh',
        Class: 'secret',
        Secrets: found.map(({ line, match }) => ({
          RuleID: 'gate-key',
          Category: 'Garden',
          Severity: 'CRITICAL',
          Title: 'Gate key',
          StartLine: line,
          EndLine: line,
          Match: match,
        })),
      },
    ],
  });
}

test('secrets of one rule in one file differ by their masked lines, which are those of the JSON', () => {
  const secretsOf = (report: Report) =>
    fieldsOf(findingsOf(report), 'type', 'severity', 'rule', 'path', 'line', 'secret');
  assert.deepEqual(secretsOf(secretsAsSarif(leaks)), secretsOf(secretsAsJson(leaks)));
  assert.deepEqual(
    findingsOf(secretsAsSarif(leaks)).map(({ secret }) => secret),
    maskedLines.map((maskedLine) => ({ value: null, maskedLine })),
  );
});

test('a secret that Trivy left unmasked is masked in the finding', () => {
  const shown = shownText(secretsAsSarif([{ line: 9, match: 'gate_key = "gdn-not-masked-1"' }]));
  assert.ok(!shown.includes('gdn-not-masked'));
  assert.match(shown, /gate_key = \\"\*{4}\\"/);
});

test('an alert of code scanning about a secret of Trivy has its masked line', () => {
  const alerts = leaks.slice(0, 2).map(({ line, match }, index) => ({
    number: index + 1,
    state: 'open',
    rule: { id: 'gate-key', name: 'Secret', severity: 'error', description: 'Gate key' },
    tool: { name: 'Trivy', version: '0.70.0' },
    most_recent_instance: {
      category: '',
      message: { text: messageOf(match) },
      location: { path: 'deploy.sh', start_line: line, end_line: line },
    },
    instances_url: 'https://api.example/instances',
  }));
  assert.deepEqual(
    findingsOf(readContent(githubCodeScanning, alerts)).map(({ secret }) => secret?.maskedLine),
    maskedLines.slice(0, 2),
  );
});

test('a check has one id in all versions of Trivy', () => {
  const ruleOf = (id: string, name = 'Misconfiguration') => {
    const rules = [{ id, name, shortDescription: { text: 'The gate is open' } }];
    const results = [{ ruleId: id, ruleIndex: 0, message: { text: `Vulnerability ${id}\nSeverity: HIGH` } }];
    const report = readContent(sarif, {
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'Trivy', rules } }, results }],
    });
    return findingsOf(report)[0]?.rule;
  };
  const rulesOf = (...ids: string[]) => ids.map((id) => ruleOf(id));
  assert.deepEqual(rulesOf('DS002', 'AVD-DS-0002', 'DS-0002'), ['DS-0002', 'DS-0002', 'DS-0002']);
  assert.deepEqual(rulesOf('KCV0001', 'KCV-0001'), ['KCV-0001', 'KCV-0001']);
  assert.deepEqual(rulesOf('AVD-AWS-0086', 'AWS-0086'), ['AWS-0086', 'AWS-0086']);
  assert.equal(ruleOf('KEY002', 'Secret'), 'KEY002');
});
