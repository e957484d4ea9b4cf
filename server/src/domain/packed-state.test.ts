import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isOpenIn,
  openScopes,
  packState,
  type Reach,
  type Status,
  severities,
  severityRank,
  sources,
  sqlIsOpenIn,
  statuses,
  type Traits,
  types,
  unpackState,
} from './packed-state.ts';

test('every combination of traits has its own packed state, which fits a smallint and unpacks to the same traits', () => {
  const seen = new Set<number>();
  const statusesAndReaches = [
    ...statuses.flatMap((status) => (['tracked', 'branches'] as const).map((reach) => ({ status, reach }))),
    { status: 'fixed', reach: 'elsewhere' } as const,
  ];
  for (const severity of severities)
    for (const type of types)
      for (const statusAndReach of statusesAndReaches)
        for (const source of sources)
          for (const confirmed of [false, true])
            for (const triaged of [false, true])
              for (const assigned of [false, true])
                for (const fixKnown of [false, true]) {
                  const traits = {
                    severity,
                    type,
                    ...statusAndReach,
                    source,
                    confirmed,
                    triaged,
                    assigned,
                    fixKnown,
                  };
                  const packedState = packState(traits);
                  assert.ok(packedState >= -32_768 && packedState <= 32_767 && !seen.has(packedState));
                  seen.add(packedState);
                  assert.deepEqual(unpackState(packedState), traits);
                  assert.equal(severities[severityRank(packedState)], severity);
                }
  assert.equal(seen.size, 6 * 9 * 11 * 2 * 2 * 2 * 2 * 2);
});

test('the numbers of stored packed states do not change', () => {
  const traits = {
    severity: 'high',
    type: 'secret',
    status: 'ignored',
    source: 'git_history',
    reach: 'tracked',
  } as const;
  // The number of the first release: a change of the layout would need a migration.
  const proved = { ...traits, confirmed: true, triaged: false, assigned: true };
  assert.equal(packState({ ...proved, fixKnown: false }), 17_213);
  assert.equal(packState({ ...proved, fixKnown: true }), 17_213 - 32_768);
  assert.throws(() => unpackState(32_767), RangeError);
});

test('what lives on branches alone does not count on tracked references, and what is fixed there may live elsewhere', () => {
  const openIn = (status: Status, reach: Reach) =>
    openScopes.filter((scope) => isOpenIn({ status, reach }, scope));
  assert.deepEqual(openIn('open', 'tracked'), ['tracked', 'all']);
  assert.deepEqual(openIn('open', 'branches'), ['all']);
  assert.deepEqual(openIn('fixed', 'elsewhere'), ['all']);
  assert.deepEqual(openIn('fixed', 'tracked'), []);
  assert.deepEqual(openIn('accepted', 'branches'), []);
  assert.equal(sqlIsOpenIn('s', 'tracked'), '(s >> 4 & 15) in (0)');
  assert.equal(sqlIsOpenIn('s', 'all'), '(s >> 4 & 15) in (0, 5, 10)');
  const traits = {
    severity: 'low',
    type: 'sast',
    source: 'current',
    confirmed: false,
    triaged: false,
    assigned: false,
    fixKnown: false,
  };
  assert.throws(() => packState({ ...traits, status: 'open', reach: 'elsewhere' } as Traits), RangeError);
});
