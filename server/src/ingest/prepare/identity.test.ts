import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TenantId } from '../../domain/ids.ts';
import { newFinding, newRun } from '../../parsers/reading/finding.ts';
import type { Report, ReportFinding } from '../../parsers/report.ts';
import { FindingReader } from './finding-reader.ts';
import { withoutNumber } from './identity.ts';
import { prepareReport } from './prepare-report.ts';

const bed = {
  pointer: '/0',
  type: 'sast',
  severity: 'low',
  title: 'Bed',
  rule: 'R1',
  path: 'bed.ts',
  code: 'dig()',
} as const;

function reportOf(findings: ReportFinding[]): Report {
  const runs = [newRun({ tool: 'rake', findings })];
  return { format: 'sarif', read: findings.length, runs, unreadable: [], statements: [], warnings: [] };
}

test('of rows that differ only in the reason of their suppression, the same one counts in any order', () => {
  const rows = ['No bed.', 'A bed of stone.', 'Beds of stone and sand.'].map((reason) =>
    newFinding({ ...bed, suppression: { by: 'file', reason, expiresAt: null } }),
  );
  const prepared = (findings: ReportFinding[]): unknown =>
    prepareReport(reportOf(findings), Buffer.alloc(32)).runs[0]?.findings;
  assert.deepEqual(prepared(rows.toReversed()), prepared(rows));
  assert.notDeepEqual(prepared(rows), prepared(rows.slice(0, 1)));
});

test('the keys of equal fingerprints, and of those that a tool has numbered, differ in their last group alone', () => {
  const keysOf = (scheme: string, ...values: string[]): string[] => {
    const findings = values.map((value, at) =>
      newFinding({ ...bed, line: at + 1, fingerprint: { scheme, value, pathFree: false } }),
    );
    const [run] = prepareReport(reportOf(findings), Buffer.alloc(32)).runs;
    assert.ok(run);
    const reader = new FindingReader(run.findings, new Map(), '1' as TenantId);
    return reader.codeKeysOf(reader.ordinals).map(({ fingerprintKey }) => fingerprintKey ?? '');
  };
  for (const [scheme, ...values] of [
    ['brakeman', 'spade'],
    ['matchBasedId/v1', 'spade_0', 'spade_1', 'spade_12'],
    ['primaryLocationLineHash', 'spade:1', 'spade:2'],
  ] as const) {
    const keys = keysOf(scheme, ...values, ...values);
    assert.equal(new Set(keys).size, 2 * values.length, scheme);
    assert.equal(new Set(keys.map(withoutNumber)).size, 1, scheme);
  }
  const others = keysOf('brakeman', 'spade_0', 'spade_1', 'rake');
  assert.equal(new Set(others.map(withoutNumber)).size, 3);
});
