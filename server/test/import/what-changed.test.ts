/**
 * Tests of a change in a report and of Merlon's result. There is one case for each row of the table in
 * docs/identity.md, with the same text: reports of one repository in order, the counts of the last report, and the
 * known vulnerabilities afterwards.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { unpackState } from '../../src/domain/packed-state.ts';
import { parseReference } from '../../src/domain/reference-name.ts';
import { createTestDatabase } from '../support/database.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants, fingerprintTables } from '../support/invariants.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';
import { changesElsewhere } from './changes-elsewhere.ts';
import { changesInCode } from './changes-in-code.ts';
import type { Change, Known } from './report-change.ts';

const database = await createTestDatabase();
await createTestWorkspace(database, 'acme');
const changes: Change[] = [...changesInCode, ...changesElsewhere];

const repositoryOf = ({ change }: Change): string => `acme/${change}`;
// All cases are imported at once, because opening the queue for each would take longer than the reports.
const inputs = changes.flatMap((change) =>
  change.steps.map(({ report, day, ...options }, i) =>
    reportInput(report, {
      ...options,
      repository: repositoryOf(change),
      scannedAt: new Date(Date.UTC(2026, 0, day ?? i + 1)),
      defaultBranch: parseReference('main'),
    }),
  ),
);
const scans = await importAll(database, 'acme', inputs);

for (const row of changes) {
  const { change, counts, known, matchMethods } = row;
  test(change, async () => {
    const repository = repositoryOf(row);
    const mine = scans.filter((_, i) => inputs[i]?.repository.fullName === repository);
    assert.deepEqual(
      fieldOf(mine, 'error'),
      row.steps.map(() => null),
    );
    const last = mine.at(-1)?.counts;
    assert.deepEqual(
      { new: last?.new, unchanged: last?.unchanged, fixed: last?.fixed, reopened: last?.reopened },
      { new: 0, unchanged: 0, fixed: 0, reopened: 0, ...counts },
    );
    const found = await knownOf(repository);
    assert.equal(found.length, known.length, JSON.stringify(found));
    for (const [n, expected] of known.entries()) assert.deepEqual({ ...found[n], ...expected }, found[n]);
    // The order is that of the keys, which are digests.
    if (matchMethods) assert.deepEqual((await matchMethodsOf(repository)).sort(), matchMethods.toSorted());
  });
}

async function knownOf(repository: string): Promise<Known[]> {
  const { rows } = await database.owner.query(
    `select v.packed_state, v.decided_by, v.title,
            (select json_object_agg(regexp_replace(full_ref, '^refs/heads/', ''), packed_state)
               from vulnerability_reference r where r.vulnerability_id = v.id) as refs,
            (select count(*)::int from vulnerability_location l
              where l.vulnerability_id = v.id and l.fixed_at is null) as places,
            array(select distinct w.tool from vulnerability_reporter w
                   where w.vulnerability_id = v.id and w.live order by 1) as tools
       from vulnerability v join repository p on p.id = v.repository_id where p.full_name = $1 order by v.id`,
    [repository],
  );
  return rows.map((row) => {
    const refs = Object.entries(row.refs as Record<string, number>);
    return {
      status: unpackState(row.packed_state).status,
      on: Object.fromEntries(refs.map(([ref, packedState]) => [ref, unpackState(packedState).status])),
      decidedBy: row.decided_by,
      severity: unpackState(row.packed_state).severity,
      title: row.title,
      places: row.places,
      tools: row.tools,
    };
  });
}

/** The locations that the series of the newest scan sees. */
async function matchMethodsOf(repository: string): Promise<string[]> {
  const { rows } = await database.owner.query(
    `select g.match_method from location_observation g join scan_series s on s.id = g.series_id join repository r on r.id = s.repository_id
      where r.full_name = $1 and g.until_seq is null
        and s.last_scanned_at = (select max(last_scanned_at) from scan_series n where n.repository_id = r.id)`,
    [repository],
  );
  return rows.map((row) => row.match_method);
}

test('the cases without a change write nothing', async () => {
  const nothing = ['nothing', 'results in another order', 'the same result twice', 'version of the tool'];
  const same = changes.filter(({ change }) => nothing.includes(change));
  assert.equal(same.length, nothing.length);
  for (const [i, { change, steps }] of same.entries()) {
    const pair = steps.map(({ report }) => reportInput(report, { repository: `acme/same-${i}` }));
    await importAll(database, 'acme', pair.slice(0, 1));
    const before = await fingerprintTables(database.owner);
    await importAll(database, 'acme', pair.slice(1));
    assert.deepEqual(await fingerprintTables(database.owner), before, change);
  }
});

test('the table in docs/identity.md and the cases have the same rows', () => {
  const page = readFileSync(new URL('../../../docs/identity.md', import.meta.url), 'utf8');
  const section = page.split('\n## What changed in the report')[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| (.+?) \| (.+?) \|$/gm)].map(([, change, says]) => [change, says]);
  assert.deepEqual(rows, [['change', 'Merlon says'], ...changes.map(({ change, says }) => [change, says])]);
  assert.equal(new Set(changes.map(({ change }) => change)).size, changes.length);
});

test('the data of this file breaks no invariant', () => assertInvariants(database.owner));
