/**
 * Reports of a few megabytes whose lists would be read once for each row, location or package. Such a parser would take
 * longer than the time limit of a test file, and so these tests need no clock.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runsWithUnreadableRows } from './report.ts';

const many = 200_000;

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

test('unreadable rows are assigned to their runs', () => {
  const runs = times(many, (index) => ({ pointer: `/runs/${index}` }));
  const rows = times(many, (index) => ({ pointer: `/runs/${many - 1}/results/${index}`, reason: '' }));
  assert.deepEqual([...runsWithUnreadableRows(runs, rows)], [`/runs/${many - 1}`]);
  const nested = ['', '/runs/1', '/runs/10'].map((pointer) => ({ pointer }));
  assert.deepEqual([...runsWithUnreadableRows(nested, [{ pointer: '/runs/10', reason: '' }])].sort(), [
    '',
    '/runs/10',
  ]);
});
