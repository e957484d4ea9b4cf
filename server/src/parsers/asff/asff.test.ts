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
} from '../../../test/support/format-reports.ts';
import type { ReportFinding } from '../report.ts';
import { trivy } from '../trivy/trivy.ts';
import { asff } from './asff.ts';

test('reads a control with everything it says', () => {
  const report = readFixture(asff, 'before.json');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/Findings/0',
    type: 'iac',
    severity: 'high',
    title: 'Garden.1 Gates have locks',
    description: 'A description.',
    rule: 'Garden.1',
    path: 'arn:aws:s3:::gate',
    code: 'arn:aws:s3:::gate',
    links: ['https://docs.example/close'],
    evidence: { ...emptyEvidence, remediation: 'Close it.' },
  } satisfies ReportFinding);
  assert.equal(report.read, 13);
  assert.deepEqual(unreadableIn(report), ['/Findings/11', '/Findings/12']);
});

test('each product is a run, and rows with one id are all read', () => {
  const report = readFixture(asff, 'before.json');
  assert.deepEqual(
    report.runs.map(({ tool, toolVersion, category, findings }) => [
      tool,
      toolVersion,
      category,
      findings.length,
    ]),
    [
      ['aws-security-hub', null, 'aws/000000000031', 4],
      ['aws-guardduty', null, 'aws/000000000031', 1],
      ['prowler', '5.4.0', 'aws/000000000031', 2],
      ['aws-inspector', null, 'aws/000000000031', 2],
    ],
  );
  const [, here, there, wall, digging] = findingsOf(report);
  assert.deepEqual([here?.rule, here?.severity], ['garden/v/1.0.0/rule/2', 'low']);
  assert.notEqual(here?.code, there?.code, 'one account in two regions');
  assert.deepEqual([wall?.rule, wall?.suppression?.reason], ['Garden.6', 'The wall is for looks.']);
  assert.deepEqual([digging?.type, digging?.rule], ['other', 'Backdoor:Garden-Digging']);
});

test('passed, archived and resolved rows are no findings, and each says so', () => {
  const { warnings } = readFixture(asff, 'before.json');
  assert.deepEqual(
    ['passed', 'archived', 'resolved'].filter((word) => warnings.some((text) => text.includes(word))),
    ['passed', 'archived', 'resolved'],
  );
});

test('a control that could not be checked is no finding, and its earlier finding stays open', () => {
  const report = (Status: string, Workflow = 'NEW') =>
    readContent(asff, [
      {
        SchemaVersion: '2018-10-08',
        AwsAccountId: '000000000031',
        Title: 'Garden.1 Gates have locks',
        ProductFields: { 'aws/securityhub/ProductName': 'Security Hub' },
        Resources: [{ Id: 'arn:aws:s3:::gate', Region: 'eu-garden-1' }],
        Workflow: { Status: Workflow },
        Compliance: { Status, SecurityControlId: 'Garden.1' },
      },
    ]);
  const [failed] = findingsOf(report('FAILED'));
  const { runs, read } = report('NOT_AVAILABLE');
  assert.deepEqual([runs[0]?.findings, read], [[], 1]);
  assert.deepEqual(runs[0]?.gaps, [{ rule: failed?.rule, path: failed?.path }]);
  assert.deepEqual(report('NOT_AVAILABLE', 'RESOLVED').runs[0]?.gaps, [], 'a resolved one may be closed');
});

test("Trivy's template gives the findings of Trivy's JSON", () => {
  const report = readFixture(asff, 'trivy.json');
  const row = (PkgName: string, VulnerabilityID: string): unknown => ({
    VulnerabilityID,
    PkgName,
    InstalledVersion: '1.1.1c-r0',
    FixedVersion: '1.1.1d-r0',
    Severity: 'MEDIUM',
    Title: 'Spade digs',
  });
  const own = readContent(trivy, {
    SchemaVersion: 2,
    ArtifactName: 'shed:1.2',
    ArtifactType: 'container_image',
    Metadata: { OS: { Family: 'alpine' } },
    Results: [
      {
        Target: 'shed:1.2 (alpine 3.20.1)',
        Class: 'os-pkgs',
        Type: 'alpine',
        Vulnerabilities: [row('libspade', 'CVE-2031-0001'), row('libspade-dev', 'CVE-2031-0001')],
      },
      {
        Target: 'package-lock.json',
        Class: 'lang-pkgs',
        Type: 'npm',
        Vulnerabilities: [row('rope', 'CVE-2031-0002')],
      },
    ],
  });
  assert.deepEqual(
    packageKeys(report).filter((key) => key.includes('pkg:')),
    packageKeys(own),
  );
  const run = report.runs[0];
  assert.deepEqual(
    [run?.tool, run?.category, run?.image],
    [own.runs[0]?.tool, own.runs[0]?.category, own.runs[0]?.image],
  );
  const [spade, , , gate, key] = findingsOf(report);
  assert.deepEqual([spade?.cvss?.score, spade?.title, spade?.severity], [5.3, 'Spade digs', 'medium']);
  assert.deepEqual(
    [gate?.type, gate?.rule, gate?.title, gate?.path, gate?.line],
    ['iac', 'GDN-0001', 'Gates are closed', 'Dockerfile', 3],
  );
  assert.deepEqual([key?.type, key?.rule, key?.path], ['secret', 'Garden key', 'shed/key.py']);
});

test('reads an array, one object a line, a bare object and an event', () => {
  const row = {
    SchemaVersion: '2018-10-08',
    ProductArn: 'a',
    GeneratorId: 'g',
    Title: 't',
    Resources: [{ Id: 'r' }],
  };
  const text = JSON.stringify(row);
  for (const content of [
    [row],
    `${text}\n${text}`,
    row,
    { detail: { findings: [row] } },
    { findings: [row] },
  ]) {
    assert.equal(findingsOf(readContent(asff, content))[0]?.title, 't');
  }
  assert.equal(readFixture(asff, 'empty.json').read, 0);
  assert.equal(recognises(asff, { SchemaVersion: 2, ArtifactName: 'x' }), false);
});

test('a page with the name of the next one closes nothing, and joined pages are complete', () => {
  const page = (more: object): object => ({
    Findings: [{ SchemaVersion: '2018-10-08', ProductArn: 'a', GeneratorId: 'g', Title: 't' }],
    ...more,
  });
  const outcome = (content: unknown): unknown => readContent(asff, content).runs[0]?.outcome;
  assert.equal(outcome(page({ NextToken: 'b2' })), 'failed');
  assert.equal(outcome(page({ nextToken: null })), 'succeeded');
  assert.equal(outcome([page({ NextToken: 'b2' }), page({})]), 'succeeded');
});
