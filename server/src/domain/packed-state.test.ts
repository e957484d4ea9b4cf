import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  packState,
  severities,
  severityRank,
  sources,
  statuses,
  types,
  unpackState,
} from './packed-state.ts';

test('every combination of traits has its own packed state, which fits a smallint and unpacks to the same traits', () => {
  const seen = new Set<number>();
  for (const severity of severities)
    for (const type of types)
      for (const status of statuses)
        for (const source of sources)
          for (const confirmed of [false, true])
            for (const triaged of [false, true])
              for (const assigned of [false, true]) {
                const traits = { severity, type, status, source, confirmed, triaged, assigned };
                const packedState = packState(traits);
                assert.ok(packedState >= 0 && packedState <= 32_767 && !seen.has(packedState));
                seen.add(packedState);
                assert.deepEqual(unpackState(packedState), traits);
                assert.equal(severities[severityRank(packedState)], severity);
              }
  assert.equal(seen.size, 6 * 9 * 5 * 2 * 2 * 2 * 2);
});

test('the numbers of stored packed states do not change', () => {
  const traits = { severity: 'high', type: 'secret', status: 'ignored', source: 'git_history' } as const;
  // The number of the first release: a change of the layout would need a migration.
  assert.equal(packState({ ...traits, confirmed: true, triaged: false, assigned: true }), 8637);
  assert.throws(() => unpackState(32_767), RangeError);
});
