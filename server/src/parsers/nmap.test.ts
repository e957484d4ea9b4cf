import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../test/support/fields.ts';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  readContent,
  readFixture,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import { nmap } from './nmap.ts';
import type { Report, ReportFinding } from './report.ts';

const fixture = (name: string): Report => readFixture(nmap, `${name}.xml`);
const keysOf = (report: Report): string[] =>
  findingsOf(report).map(({ rule, path, code }) => `${rule} ${path} ${code}`);

test('reads an open port with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/nmaprun/host[1]/ports[1]/port[1]',
    type: 'other',
    severity: 'info',
    title: 'Open port 80/tcp: http',
    description: 'Gardend 2.4 (Roses)',
    rule: 'open-port',
    path: 'shed.garden.example:80',
    evidence: {
      ...emptyEvidence,
      snippet: {
        text: 'http-title: Welcome to the shed',
        firstLine: null,
        markedFrom: null,
        markedTo: null,
      },
    },
  } satisfies ReportFinding);
  assert.deepEqual([report.read, report.unreadable.length], [2, 0]);
  assert.deepEqual(fieldsOf(report.runs, 'tool', 'toolVersion', 'outcome'), [['nmap', '7.95', 'succeeded']]);
});

test('the vulnerabilities of vulners are findings of the port, its exploits are not', () => {
  const report = fixture('before');
  assert.deepEqual(keysOf(report), [
    'open-port shed.garden.example:80 null',
    'CVE-2031-0003 shed.garden.example:80 cpe:/a:garden:gardend',
    'open-port shed.garden.example:161 udp',
  ]);
  const [, vulnerability] = findingsOf(report);
  assert.deepEqual(
    [
      vulnerability?.severity,
      vulnerability?.title,
      vulnerability?.relatedAdvisories,
      vulnerability?.cvss?.score,
    ],
    ['high', 'CVE-2031-0003 in a:garden:gardend:2.4', ['CVE-2031-0003'], 7.5],
  );
});

test('a port is the same at another address and with another service, and an interrupted scan has failed', () => {
  const after = fixture('after');
  assert.deepEqual(keysOf(after), [
    'open-port shed.garden.example:80 null',
    'open-port [2001:db8::7]:443 null',
  ]);
  assert.equal(after.runs[0]?.outcome, 'failed');
});

test('ports without a host or a number are unreadable, the others are read', () => {
  const report = fixture('broken');
  assert.deepEqual(unreadableIn(report), [
    '/nmaprun/host[1]/ports[1]/port[1]',
    '/nmaprun/host[2]/ports[1]/port[1]',
  ]);
  assert.deepEqual(
    [report.read, keysOf(report)],
    [3, ['open-port 192.0.2.9:8080 null', 'RAKE-1 192.0.2.9:8080 null']],
  );
});

test('a scan without a host that is up has scanned nothing', () => {
  assert.deepEqual([fixture('empty').read, fixture('empty').runs[0]?.outcome], [0, 'scanned_nothing']);
});

test('a scan that gave up on a host has failed, and names the host', () => {
  const host = (address: string, rest: string, attributes = ''): string =>
    `<host${attributes}><status state="up"/><address addr="${address}" addrtype="ipv4"/>${rest}</host>`;
  const port = '<ports><port protocol="tcp" portid="80"><state state="open"/></port></ports>';
  const scan = (hosts: string): string =>
    `<nmaprun version="7.95">${hosts}<runstats><finished exit="success"/></runstats></nmaprun>`;
  const finished = host('192.0.2.7', port);
  const report = readContent(nmap, scan(finished + host('192.0.2.8', '', ' timedout="true"')));
  assert.deepEqual([report.runs[0]?.outcome, keysOf(report)], ['failed', ['open-port 192.0.2.7:80 null']]);
  assert.match(report.warnings.join(), /192\.0\.2\.8/);
  const whole = readContent(nmap, scan(finished + host('192.0.2.8', '', ' timedout="false"')));
  assert.deepEqual([whole.runs[0]?.outcome, whole.warnings], ['succeeded', []]);
});
