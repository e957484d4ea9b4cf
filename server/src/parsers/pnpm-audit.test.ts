import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findingsOf,
  packageKeys,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import { npmAudit } from './npm-audit.ts';
import { pnpmAudit } from './pnpm-audit.ts';
import { ReportError } from './report.ts';
import { yarnAudit } from './yarn-audit.ts';

test('reads an advisory with its versions and paths', () => {
  const report = readFixture(pnpmAudit, 'before.json');
  assert.equal(report.read, 2);
  assert.deepEqual(unreadableIn(report), ['/advisories/1002']);
  const [newer, older] = findingsOf(report);
  assert.deepEqual(newer?.evidence?.dependencyPaths, [['shed', 'rake', '@tools/spade@1.2.0']]);
  assert.deepEqual(older?.evidence?.dependencyPaths, [['garden', '@tools/spade@0.0.8']]);
  assert.deepEqual([newer?.sharedRow, newer?.severity], ['/advisories/1001', 'high']);
  assert.equal(report.runs[0]?.tool, 'pnpm-audit');
});

test('packages have the same identity as those of npm and Yarn, in older reports too', () => {
  const own = packageKeys(readFixture(pnpmAudit, 'before.json'));
  assert.deepEqual(packageKeys(readFixture(pnpmAudit, 'older.json')), own);
  assert.deepEqual([...new Set(packageKeys(readFixture(yarnAudit, 'version1.jsonl')))], own);
  assert.deepEqual(packageKeys(readFixture(npmAudit, 'v6-new-numbers.json')).length, 2);
});

test('an empty report is recognised, and an error is refused', () => {
  assert.equal(readFixture(pnpmAudit, 'empty.json').read, 0);
  const failed = { error: { code: 'ERR_PNPM_AUDIT_NO_LOCKFILE', message: 'No pnpm-lock.yaml found' } };
  assert.ok(recognises(pnpmAudit, failed));
  assert.throws(() => readContent(pnpmAudit, failed), ReportError);
});

test('severities that pnpm counts and does not list are a gap', () => {
  const report = (vulnerabilities: Record<string, number>) => {
    const rope = {
      id: 7,
      module_name: 'rope',
      severity: 'high',
      findings: [{ version: '1.0.0', paths: ['.>rope'] }],
    };
    return readContent(pnpmAudit, { advisories: { 7: rope }, metadata: { vulnerabilities } });
  };
  assert.deepEqual(report({ info: 0, low: 0, moderate: 2, high: 3 }).runs[0]?.gaps, [{ severity: 'medium' }]);
  assert.deepEqual(report({ info: 0, low: 0, moderate: 0, high: 1 }).runs[0]?.gaps, []);
  const ignored = report({ moderate: 0, high: 1, critical: 1 }).runs[0]?.gaps;
  assert.deepEqual(ignored, [], 'a level hides nothing above a severity that is listed');
  const none = { advisories: {}, metadata: { vulnerabilities: { moderate: 2, critical: 1 } } };
  assert.deepEqual(readContent(pnpmAudit, none).runs[0]?.gaps, [
    { severity: 'medium' },
    { severity: 'critical' },
  ]);
});
