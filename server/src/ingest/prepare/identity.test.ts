import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newFinding, newRun } from '../../parsers/reading/finding.ts';
import type { Report, ReportFinding } from '../../parsers/report.ts';
import { prepareReport } from './prepare-report.ts';

function reportOf(findings: ReportFinding[]): Report {
  const runs = [newRun({ tool: 'rake', findings })];
  return { format: 'sarif', read: findings.length, runs, unreadable: [], statements: [], warnings: [] };
}

test('of rows that differ only in the reason of their suppression, the same one counts in any order', () => {
  const rows = ['No bed.', 'A bed of stone.', 'Beds of stone and sand.'].map((reason) =>
    newFinding({
      pointer: '/0',
      type: 'sast',
      severity: 'low',
      title: 'Bed',
      rule: 'R1',
      path: 'bed.ts',
      code: 'dig()',
      suppression: { by: 'file', reason, expiresAt: null },
    }),
  );
  const prepared = (findings: ReportFinding[]): unknown =>
    prepareReport(reportOf(findings), Buffer.alloc(32)).runs[0]?.findings;
  assert.deepEqual(prepared(rows.toReversed()), prepared(rows));
  assert.notDeepEqual(prepared(rows), prepared(rows.slice(0, 1)));
});
