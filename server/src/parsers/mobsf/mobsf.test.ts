import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../../test/support/fields.ts';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  readFixture,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import type { Report, ReportFinding } from '../report.ts';
import { mobsf } from './mobsf.ts';

const fixture = (name: string): Report => readFixture(mobsf, `${name}.json`);
const keysOf = (report: Report): string[] =>
  findingsOf(report).map(({ rule, path, code, severity }) => `${severity} ${rule} ${path} ${code}`);

test('reads a rule of mobsfscan with everything it says: its files are locations of one vulnerability', () => {
  const report = fixture('mobsfscan');
  const [first, second, general] = findingsOf(report);
  assert.deepEqual(first, {
    ...emptyFinding,
    pointer: '/results/android_shed_key',
    type: 'sast',
    severity: 'high',
    title: 'Sheds must not hold their keys.',
    description: 'Sheds must not hold their keys.',
    rule: 'android_shed_key',
    cwes: ['CWE-798'],
    path: 'app/src/Shed.kt',
    line: 10,
    code: 'key = "****"',
    rawCode: 'key = "rake-and-rose"',
    links: ['https://help.example/shed'],
    sharedRow: '/results/android_shed_key',
    evidence: {
      ...emptyEvidence,
      snippet: { text: 'key = "****"', firstLine: 10, markedFrom: 10, markedTo: 11 },
    },
  } satisfies ReportFinding);
  assert.equal(second?.sharedRow, first?.sharedRow);
  assert.deepEqual([general?.path, general?.severity, general?.sharedRow], [null, 'low', null]);
  assert.deepEqual(
    [report.read, report.runs[0]?.tool, report.runs[0]?.toolVersion],
    [2, 'mobsfscan', '0.4.0'],
  );
  assert.deepEqual(report.runs[0]?.gaps, [{ path: 'app/src/Broken.kt' }]);
  assert.deepEqual([fixture('empty').read, fixture('empty').runs[0]?.showsScan], [0, false]);
});

test('reads the sections of an Android app, without checks that passed and without secrets', () => {
  const report = fixture('android');
  assert.deepEqual(keysOf(report), [
    'low permission AndroidManifest.xml garden.permission.WATER',
    'info permission AndroidManifest.xml garden.permission.LOOK',
    'medium gate_open AndroidManifest.xml Gate\nexample.garden.North',
    'high network-plain-text-may-flow null garden.example',
    'info certificate-signed null null',
    'high certificate-shed-key null null',
    'high binary-nx lib/libshed.so null',
    'info binary-pie lib/libshed.so null',
    'medium android_log a/Shed.java null',
    'medium android_log b/Gate.java null',
    'info api_rake a/Rake.java null',
  ]);
  const log = findingsOf(report).find(({ rule }) => rule === 'android_log');
  assert.deepEqual([log?.line, log?.cwes, log?.cvss?.score], [12, ['CWE-532'], 7.5]);
  assert.equal(findingsOf(report)[2]?.title, 'Gate (example.garden.North) is open. [gate:open=true]');
  assert.equal(report.read, 10);
  assert.ok(!JSON.stringify(report).includes('gdn_Zx81'));
  assert.deepEqual(fieldsOf(report.runs, 'tool', 'toolVersion', 'category'), [
    ['mobsf', '3.6.7 Beta', 'example.garden'],
  ]);
});

test('reads the lists of old versions: components of one rule are told apart', () => {
  const report = fixture('android-old');
  assert.deepEqual(keysOf(report), [
    'medium manifest-gate-is-open-two-hinges AndroidManifest.xml Gate\nexample.garden.North',
    'high manifest-gate-is-open-two-hinges AndroidManifest.xml null',
    'medium android_log a/Shed.java null',
  ]);
});

test('reads an iOS app', () => {
  const report = fixture('ios');
  assert.deepEqual(keysOf(report), [
    'low permission Info.plist NSBed',
    'high transport-plain-text-is-allowed Info.plist null',
    'high binary-nx Garden null',
    'high binary-binary-uses-old-rakes null null',
  ]);
  assert.deepEqual([report.read, report.runs[0]?.category], [4, 'example.garden.ios']);
});

test('entries that are no objects are unreadable, the others are read', () => {
  const report = fixture('broken');
  assert.deepEqual(unreadableIn(report), [
    '/permissions/p',
    '/manifest_analysis/manifest_findings/0',
    '/manifest_analysis/manifest_findings/1',
    '/certificate_analysis/certificate_findings/0',
    '/certificate_analysis/certificate_findings/1',
    '/code_analysis/findings/a',
  ]);
  assert.equal(report.read, 6 + findingsOf(report).length);
});
