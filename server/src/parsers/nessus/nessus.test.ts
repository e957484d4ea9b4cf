import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../../test/support/fields.ts';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import type { Report, ReportFinding } from '../report.ts';
import { nessus } from './nessus.ts';

const fixture = (name: string): Report => readFixture(nessus, `${name}.xml`);
const keysOf = (report: Report): string[] =>
  findingsOf(report).map(({ type, rule, path, code }) => `${type} ${rule} ${path} ${code}`);

test('reads an item with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/NessusClientData_v2/Report[1]/ReportHost[1]/ReportItem[1]',
    type: 'other',
    severity: 'medium',
    title: 'Rusty Lock on the Gate',
    description: 'The gate has a weak lock.\n\nThe lock of the gate is older\nthan the garden.',
    rule: '900001',
    relatedAdvisories: ['CVE-2031-0001', 'CVE-2031-0002'],
    fixedVersions: ['1.2.3'],
    cvss: { score: 7.5, vector: 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' },
    cwes: ['CWE-326', 'CWE-327'],
    path: 'shed.garden.example:443',
    links: ['https://lock.example/a', 'https://lock.example/b'],
    evidence: {
      ...emptyEvidence,
      snippet: {
        text: 'Installed version : 1.0\n  Fixed version     : 1.2.3\n  Password : [redacted]',
        firstLine: null,
        markedFrom: null,
        markedTo: null,
      },
      remediation: 'Change the lock.',
    },
  } satisfies ReportFinding);
  assert.ok(!JSON.stringify(report).includes('topsecret'), 'the policy is not read');
  assert.deepEqual(
    report.runs.map(({ tool, toolVersion, category, outcome, analysisTypes }) => [
      tool,
      toolVersion,
      category,
      outcome,
      analysisTypes.join(),
    ]),
    [['nessus', '10.4.1', 'Weekly garden', 'succeeded', 'other,dast']],
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
  assert.deepEqual(fieldsOf(findingsOf(report), 'rule', 'path', 'severity'), [
    ['900004', '192.0.2.9', 'critical'],
    ['Only a name', '192.0.2.9', 'unknown'],
    ['900005', '192.0.2.9', 'info'],
  ]);
  assert.deepEqual(unreadableIn(report), ['/NessusClientData_v2/Report[1]/ReportHost[1]/ReportItem[1]']);
  assert.deepEqual([report.read, report.runs[0]?.outcome], [4, 'failed']);
});

test('what local checks found stays open on a host that they could not run on', () => {
  const item = (port: number, plugin: number) =>
    `<ReportItem port="${port}" protocol="tcp" severity="3" pluginID="${plugin}" pluginName="A patch"/>`;
  const report = (...items: string[]) =>
    readContent(
      nessus,
      `<NessusClientData_v2><Report name="Garden"><ReportHost name="shed.garden.example">
       ${items.join('')}</ReportHost></Report></NessusClientData_v2>`,
    );
  const local = findingsOf(report(item(0, 900006), item(445, 900007))).map(({ path }) => ({ path }));
  const failed = report(item(0, 21745), item(443, 900001));
  assert.deepEqual(failed.runs[0]?.gaps, local);
  assert.equal(findingsOf(failed).length, 2);
  assert.match(failed.warnings.join(), /local checks/);
  assert.deepEqual(report(item(443, 900001)).runs[0]?.gaps, []);
  const inCsv = 'Plugin ID,Risk,Host,Protocol,Port,Name\n21745,None,shed.garden.example,tcp,0,A failure\n';
  assert.deepEqual(readContent(nessus, inCsv).runs[0]?.gaps, local);
});

test('a report without hosts scanned nothing', () => {
  const report = fixture('empty');
  assert.deepEqual(
    [report.read, report.runs[0]?.outcome, report.runs[0]?.showsScan],
    [0, 'scanned_nothing', false],
  );
  assert.equal(recognises(nessus, '<NessusClientData><Report/></NessusClientData>'), false);
});

const csv = (name: string): Report => readFixture(nessus, `${name}.csv`);

test('CSV names the same findings as .nessus, and rows for several CVEs are one of them', () => {
  const report = csv('before');
  assert.deepEqual(keysOf(report), [
    'other 900001 shed.garden.example:443 null',
    'other 900001 shed.garden.example:443 null',
    'other 19506 shed.garden.example null',
    'other 900002 shed.garden.example:161 udp',
    'other 21157: 1.1 Lock the shed 2001:db8::7 null',
  ]);
  const [lock] = findingsOf(report);
  const [inXml] = findingsOf(fixture('before'));
  // CSV has no vectors and no type of the score.
  assert.deepEqual(lock, {
    ...inXml,
    pointer: '/1',
    severity: 'high',
    cvss: { score: 7.5, vector: null },
  });
  const [, , information, snmp, check] = findingsOf(report);
  assert.deepEqual(
    [information?.severity, snmp?.severity, snmp?.evidence, check?.severity, check?.title],
    ['info', 'high', null, 'high', '1.1 Lock the shed'],
  );
  assert.deepEqual([report.read, report.runs[0]?.toolVersion, unreadableIn(report)], [8, '10.4.1', ['/9']]);
  assert.match(report.warnings.join(), /checks that passed.*one finding|one finding.*checks that passed/);
  assert.deepEqual(keysOf(csv('after')).sort(), [
    'other 19506 shed.garden.example null',
    'other 900001 shed.garden.example:443 null',
  ]);
});

test('Security Center and both exports of Tenable are read by their own columns', () => {
  const report = csv('security-center');
  const [lock, search] = findingsOf(report);
  assert.deepEqual(
    [lock?.path, lock?.severity, lock?.cvss, lock?.cwes, lock?.relatedAdvisories],
    [
      '192.0.2.7:443',
      'high',
      { score: 7.5, vector: 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' },
      ['CWE-310'],
      ['CVE-2031-0001', 'CVE-2031-0002'],
    ],
  );
  assert.deepEqual([lock?.evidence?.snippet?.text, lock?.suppression], ['The lock is old.', null]);
  assert.deepEqual(
    [search?.type, search?.path, search?.exploitable, search?.suppression?.reason],
    ['dast', 'shed.garden.example:80', false, 'The shed is torn down in May.'],
  );
  const tenable = csv('tenable');
  const [shed, accepted, ...fixed] = findingsOf(tenable);
  assert.deepEqual(fixed, []);
  assert.deepEqual(
    [shed?.path, shed?.severity, shed?.exploitable, shed?.cwes, shed?.evidence?.snippet?.text],
    ['shed:443', 'low', true, ['CWE-326', 'CWE-327'], 'The lock is old.'],
  );
  assert.deepEqual([accepted?.path, accepted?.suppression?.reason], ['192.0.2.8', 'A museum piece.']);
  assert.equal(tenable.read, 3);
  assert.match(tenable.warnings.join(), /fixed/);
  assert.deepEqual(keysOf(csv('web')), ['dast 900200 https://garden.example/search null']);
});

test('CSV without rows scanned nothing, and other CSV with a plug-in is not taken', () => {
  assert.deepEqual([csv('empty').read, csv('empty').runs[0]?.outcome], [0, 'scanned_nothing']);
  assert.equal(recognises(nessus, 'plugin,severity,host\nroses,high,garden\n'), false);
});
