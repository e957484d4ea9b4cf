import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fieldOf } from '../../../test/support/fields.ts';
import { seedOf } from '../../../test/support/form.ts';
import { type Severity, severities } from '../../domain/packed-state.ts';
import { bySeverityOf } from '../../http/by-severity.ts';
import { walkBack } from './trend.ts';

const dates = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'];
const row = fc.record({
  day: fc.constantFrom(...dates),
  severity: fc.constantFrom(...severities),
  introduced: fc.nat({ max: 9 }),
  fixed: fc.nat({ max: 9 }),
  gained: fc.nat({ max: 9 }),
});
// The rows have the form of the store: one for each day and severity.
const rows = fc.uniqueArray(row, { selector: ({ day, severity }) => `${day} ${severity}` });

test('counting forward from zero and back from today gives the same days', () => {
  fc.assert(
    fc.property(rows, (all) => {
      const current = new Map<Severity, number>();
      const forward = dates.map((date) => {
        const ofDay = all.filter(({ day }) => day === date);
        for (const { severity, gained } of ofDay) {
          current.set(severity, (current.get(severity) ?? 0) + gained);
        }
        const counts = [...current].map(([severity, n]) => ({ severity, n }));
        return {
          date,
          open: counts.reduce((sum, { n }) => sum + n, 0),
          new: ofDay.reduce((sum, { introduced }) => sum + introduced, 0),
          fixed: ofDay.reduce((sum, { fixed }) => sum + fixed, 0),
          open_by_severity: bySeverityOf(counts),
        };
      });
      const now = [...current].map(([severity, n]) => ({ severity, n }));
      assert.deepEqual(walkBack(dates, now, all), forward);
    }),
    { seed: seedOf(20_260_101) },
  );
});

test('a negative number is shown as zero, and the days before are not affected', () => {
  const gains = [2, -3, 4];
  const all = gains.map((gained, i) => ({
    day: dates[i] ?? '',
    severity: 'critical' as const,
    introduced: 0,
    fixed: 0,
    gained,
  }));
  const days = walkBack(dates, [{ severity: 'critical', n: 3 }], all);
  assert.deepEqual(fieldOf(days, 'open'), [2, 0, 3, 3]);
});
