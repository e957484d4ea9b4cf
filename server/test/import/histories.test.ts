/**
 * Tests of random histories: the invariants hold after any events of a repository (support/invariants.ts), a shuffled
 * report is the same report, a person's decision is never lost, and the order of two tools makes no difference.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { unpackState } from '../../src/domain/packed-state.ts';
import { slices } from '../../src/ingest/import/slices.ts';
import { createTestDatabase } from '../support/database.ts';
import { byForm, seedOf } from '../support/form.ts';
import { assertInvariants, fingerprintTables } from '../support/invariants.ts';
import { applyAndEvaluate } from '../support/policies.ts';
import { createTestWorkspace, principalAs } from '../support/workspace.ts';
import {
  createReport,
  formatOf,
  listIds,
  loadOfScores,
  type Place,
  packageScan,
  type Scan,
  scan,
  secretScan,
  step,
  take,
  takeStep,
} from './history-steps.ts';

const database = await createTestDatabase();
// support/invariants.ts repeats these policies by hand.
const policies = `
policies:
  - key: history-severe
    target_type: vulnerability
    enforcement_mode: block
    condition: {all: [{fact: severity, operator: '>=', value: high}]}
  - key: history-path
    target_type: vulnerability
    enforcement_mode: warn
    condition:
      all:
        - {fact: path, operator: matches, value: 'src/*'}
        - {fact: is_default_branch, operator: '==', value: true}
  - key: history-secret
    target_type: vulnerability
    enforcement_mode: warn
    condition:
      all:
        - {fact: type, operator: '==', value: secret}
        - {not: {fact: triaged, operator: '==', value: true}}
`;
// A scan of one reference may change the tools that report a vulnerability on all.
const aboutTools = `  - key: history-seen
    target_type: vulnerability
    enforcement_mode: monitor
    condition:
      all:
        - {fact: fix_available, operator: '==', value: true}
        - {fact: reported_by, operator: contains, value: grype}
`;

const workspaces = [
  await createTestWorkspace(database, 'acme'),
  await createTestWorkspace(database, 'globex'),
] as const;
for (const [i, { tenant }] of workspaces.entries())
  await applyAndEvaluate(database, tenant.id, i === 0 ? policies : policies + aboutTools);

const hour = 3_600_000;

// A history takes a few dozen milliseconds a step.
const runs = Number(process.env.TEST_HISTORIES ?? byForm({ short: 15, ci: 100, full: 1000 }));
const seed = seedOf(20_260_101);
const runOptions = { numRuns: runs, seed, endOnFailure: true };

let histories = 0;

const usualSize = slices.size;
after(() => {
  slices.size = usualSize;
});

/** Reports of every second history are written in slices of three findings. Every third has the policy about tools. */
function newPlace(): Place {
  const number = histories++;
  slices.size = number % 2 === 0 ? usualSize : 3;
  const workspace = workspaces[number % 3 === 0 ? 1 : 0];
  const principal = principalAs(workspace, 'admin');
  return { database, workspace, principal, repository: `acme/history-${number}`, number };
}

test(`any history keeps the invariants (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(loadOfScores, fc.array(step, { minLength: 3, maxLength: 10 }), async (first, steps) => {
      const place = newPlace();
      let clock = Date.now() - 60 * 24 * hour;
      for (const one of [first, ...steps]) {
        clock += hour;
        const decided = await listDecided(place);
        await takeStep(place, one, new Date(clock));
        await assertInvariants(database.owner);
        // An acceptance may end, and people may change their decisions. Nothing else removes a person's decision.
        if (!['decide', 'undo', 'sweep', 'merge'].includes(one.kind))
          assertKept(decided, await listDecided(place));
      }
    }),
    runOptions,
  );
});

interface Decided {
  id: string;
  former: string[];
  status: string;
}

/** Returns the decisions of people, with the ids that were merged into each vulnerability. */
async function listDecided({ repository }: Place): Promise<Decided[]> {
  const { rows } = await database.owner.query<{ id: string; packed_state: number; former: string[] }>(
    `select v.id, v.packed_state, array(select d.id from vulnerability_redirect d where d.vulnerability_id = v.id) as former
       from vulnerability v join repository r on r.id = v.repository_id
      where r.full_name = $1 and v.decided_by = 'person'`,
    [repository],
  );
  return rows.map(({ id, packed_state: packedState, former }) => ({
    id,
    former,
    status: decisionIn(packedState),
  }));
}

// Scans alone decide between open and fixed, so both count as undecided.
function decisionIn(packedState: number): string {
  const { status } = unpackState(packedState);
  return status === 'fixed' ? 'open' : status;
}

function assertKept(before: Decided[], after: Decided[]): void {
  for (const { id, status } of before) {
    const now = after.find((row) => row.id === id || row.former.includes(id));
    assert.ok(now, `the decision about ${id} is lost`);
    // Two vulnerabilities that are merged keep the stronger decision.
    if (now.id === id && now.former.length === 0) assert.equal(now.status, status);
    else if (status !== 'open') assert.notEqual(now.status, 'open');
  }
}

test('a shuffled report gives the same result', async () => {
  const reordered = scan.chain((first) => {
    const rows = first.rows as unknown[];
    const again = fc.shuffledSubarray(rows, { minLength: rows.length });
    return fc.tuple(
      fc.constant(first),
      again.map((list) => ({ ...first, rows: list }) as Scan),
    );
  });
  await fc.assert(
    fc.asyncProperty(reordered, async ([first, again]) => {
      const place = newPlace();
      const at = Date.now() - 10 * 24 * hour;
      await take(place, createReport(first, place.number), { ...formatOf(first), scannedAt: new Date(at) });
      const before = await fingerprintTables(database.owner);
      await take(place, createReport(again, place.number), {
        ...formatOf(again),
        scannedAt: new Date(at + hour),
      });
      assert.deepEqual(await fingerprintTables(database.owner), before);
    }),
    runOptions,
  );
});

test('the order in which two tools arrive makes no difference', async () => {
  const pair = fc.oneof(fc.tuple(packageScan, packageScan), fc.tuple(secretScan, secretScan));
  await fc.assert(
    fc.asyncProperty(pair, async ([one, other]) => {
      fc.pre(one.tool !== other.tool);
      const outcomes = [];
      for (const scans of [
        [one, other],
        [other, one],
      ]) {
        const place = newPlace();
        const at = Date.now() - 10 * 24 * hour;
        for (const [i, each] of scans.entries()) {
          const report = createReport(each, place.number);
          await take(place, report, { ...formatOf(each), scannedAt: new Date(at + i * hour) });
        }
        outcomes.push(await outcomeOf(place));
      }
      assert.deepEqual(outcomes[0], outcomes[1]);
    }),
    runOptions,
  );
});

/** Everything that is shown except ids and times, and without the numbers that separate the advisories of histories. */
async function outcomeOf(place: Place): Promise<unknown[]> {
  const ids = await listIds(place, 'vulnerability');
  const { rows } = await database.owner.query(
    `select v.packed_state, v.fix_version, v.title, v.cvss_score, v.package,
            (select count(*) from vulnerability_location l where l.vulnerability_id = v.id) as places,
            array(select distinct w.tool || ' ' || w.live || ' ' || coalesce(w.title, v.title) from vulnerability_reporter w
                   where w.vulnerability_id = v.id order by 1) as tools
       from vulnerability v where v.id = any($1)`,
    [ids],
  );
  const shown = rows.map((row) => JSON.stringify(row).replace(/\b(CVE|GHSA)-[\w-]+/g, '$1'));
  return shown.sort();
}
