import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsOf, readFixture, recognises } from '../../test/support/format-reports.ts';
import { nessus } from './nessus.ts';
import type { Report, ReportFinding } from './report.ts';

const fixture = (name: string): Report => readFixture(nessus, `${name}.xml`);
const keysOf = (report: Report): string[] =>
  findingsOf(report).map(({ type, rule, path, code }) => `${type} ${rule} ${path} ${code}`);

test('reads an item with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    pointer: '/NessusClientData_v2/Report[1]/ReportHost[1]/ReportItem[1]',
    type: 'other',
    severity: 'medium',
    title: 'Rusty Lock on the Gate',
    description: 'The gate has a weak lock.\n\nThe lock of the gate is older\nthan the garden.',
    rule: '900001',
    advisories: [],
    relatedAdvisories: ['CVE-2031-0001', 'CVE-2031-0002'],
    package: null,
    fixedVersions: ['1.2.3'],
    cvss: { score: 7.5, vector: 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' },
    cwes: ['CWE-326', 'CWE-327'],
    path: 'shed.garden.example:443',
    pathIsTarget: false,
    line: null,
    artifact: null,
    fingerprint: null,
    code: null,
    secret: null,
    links: ['https://lock.example/a', 'https://lock.example/b'],
    suppression: null,
    verified: false,
    exploitable: false,
    committedAt: null,
    sharedRow: null,
    evidence: {
      snippet: {
        text: 'Installed version : 1.0\n  Fixed version     : 1.2.3\n  Password : [redacted]',
        firstLine: null,
        markedFrom: null,
        markedTo: null,
      },
      dataFlow: [],
      help: null,
      remediation: 'Change the lock.',
      dependencyPaths: [],
    },
  } satisfies ReportFinding);
  assert.ok(!JSON.stringify(report).includes('topsecret'), 'the policy is not read');
  assert.deepEqual(
    report.runs.map(({ tool, toolVersion, category, ranAt, outcome, analysisTypes }) => [
      tool,
      toolVersion,
      category,
      ranAt,
      outcome,
      analysisTypes.join(),
    ]),
    [['nessus', '10.4.1', 'Weekly garden', '2031-01-04T10:00:00.000Z', 'succeeded', 'other,dast']],
  );
});

test('a plug-in is named by host, port and protocol, a compliance check by its name', () => {
  const report = fixture('before');
  assert.deepEqual(keysOf(report), [
    'other 900001 shed.garden.example:443 null',
    'other 19506 shed.garden.example null',
    'other 900002 shed.garden.example:161 udp',
    'dast 900003 [2001:db8::7]:80 null',
    'other 21157: 1.1 Lock the shed 2001:db8::7 null',
  ]);
  const [, information, snmp, web, check] = findingsOf(report);
  assert.deepEqual([information?.severity, web?.severity, check?.severity], ['info', 'critical', 'high']);
  assert.deepEqual([check?.title, check?.description], ['1.1 Lock the shed', 'Sheds stay locked.']);
  assert.deepEqual([check?.evidence?.snippet?.text, check?.evidence?.remediation], ['open', 'Lock it.']);
  assert.equal(snmp?.exploitable, true);
  assert.equal(report.read, 6);
  assert.match(report.warnings.join(), /checks that passed/);
});

test('an item is the same with another name, service and severity, and the scan keeps its series', () => {
  const [before, after] = [fixture('before'), fixture('after')];
  assert.deepEqual(
    [...new Set(keysOf(before)).intersection(new Set(keysOf(after)))],
    ['other 900001 shed.garden.example:443 null'],
  );
  assert.equal(after.runs[0]?.category, before.runs[0]?.category);
});

test('items without most fields are read, and a host that was not finished fails the run', () => {
  const report = fixture('broken');
  assert.deepEqual(
    findingsOf(report).map(({ rule, path, severity }) => [rule, path, severity]),
    [
      ['900004', '192.0.2.9', 'critical'],
      ['Only a name', '192.0.2.9', 'unknown'],
      ['900005', '192.0.2.9', 'info'],
    ],
  );
  assert.deepEqual(
    report.unreadable.map(({ pointer }) => pointer),
    ['/NessusClientData_v2/Report[1]/ReportHost[1]/ReportItem[1]'],
  );
  assert.deepEqual([report.read, report.runs[0]?.outcome], [4, 'failed']);
});

test('a report without hosts scanned nothing', () => {
  const report = fixture('empty');
  assert.deepEqual(
    [report.read, report.runs[0]?.outcome, report.runs[0]?.showsScan],
    [0, 'scanned_nothing', false],
  );
  assert.equal(recognises(nessus, '<NessusClientData><Report/></NessusClientData>'), false);
});
