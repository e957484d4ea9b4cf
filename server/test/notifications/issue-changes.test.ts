/**
 * Tests of issues whose vulnerabilities change in Merlon: by reports, by a merge, or by the deletion of the workspace.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { importTx, setTenant } from '../../src/db/database.ts';
import { deleteEventsBefore } from '../../src/events/outbox.ts';
import { pollMs, syncTracker } from '../../src/notifications/issues/sync-issues.ts';
import type { TrackerInput } from '../../src/notifications/issues/tracker-input.ts';
import { createTracker } from '../../src/notifications/issues/tracker-service.ts';
import { deleteWorkspace } from '../../src/retention/delete-workspace.ts';
import { seedOf } from '../support/form.ts';
import { importAll } from '../support/import.ts';
import { projectOf, startTracker } from '../support/issue-tracker-server.ts';
import { trivy } from '../support/reports.ts';
import { signInAs } from '../support/session.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';
import { createIssueWorkspace, minuteMs, npm, pathOf } from './issue-workspace.ts';

const {
  server,
  tenant,
  people,
  scan,
  db,
  owner,
  rules,
  now,
  current,
  member,
  use,
  dependencies,
  sync,
  pass,
  idOf,
  requestIssue,
  make,
  issueOf,
  only,
} = await createIssueWorkspace();

test('the deleted issue of a package is shown at its later vulnerabilities, and is created again after it was unlinked', async () => {
  const trackerId = await use('gitlab', { rule: {} });
  await scan([npm('xi', 87)]);
  await sync();
  current.tracker.act(only(), { isDeleted: true });
  await scan([]);
  await sync();
  await scan([npm('xi', 88)]);
  await sync();
  const later = await idOf('xi', 88);
  const { id, state } = await issueOf(later);
  assert.equal(state, 'deleted');
  const refused = await requestIssue(later, trackerId, true);
  assert.equal(refused.status, 409);
  assert.match(refused.text, /unlink it first/);
  await pass(minuteMs);
  only();
  assert.equal((await member.delete(`${pathOf(later)}/${id}`)).status, 204);
  await make(later, trackerId, true);
  await sync();
  assert.equal(current.tracker.issues.length, 2);
});

async function merge(into: string, one: string): Promise<void> {
  const admin = await signInAs(server, people.admin.user.id);
  const merged = await admin.post(`/manage/v1/acme/vulnerabilities/${into}/merge`, {
    others: [one],
    reason: 'The same.',
  });
  assert.equal(merged.status, 200, merged.text);
}

test('an issue is closed, and not as fixed, when its vulnerability is merged into another that has an issue', async () => {
  const trackerId = await use('gitlab');
  await scan([npm('nu', 85), npm('nu', 86)]);
  const [one, other] = [await idOf('nu', 85), await idOf('nu', 86)];
  await make(one, trackerId);
  await make(other, trackerId);
  await sync();
  await merge(other, one);
  await sync();
  const [ended, stays] = current.tracker.issues;
  assert.deepEqual([ended?.isClosed, stays?.isClosed], [true, false]);
  assert.match(ended?.comments[0]?.body ?? '', /^What this issue was about is part of another vulnerability/);
});

for (const [number, when] of [
  [81, ''],
  [83, ', also if the event of the merge is not kept any more'],
] as const) {
  test(`an issue follows a vulnerability that was merged into another${when}`, async () => {
    const trackerId = await use('gitlab');
    await scan([npm('mu', number), npm('mu', number + 1)]);
    const [one, other] = [await idOf('mu', number), await idOf('mu', number + 1)];
    const { id } = await make(one, trackerId);
    await sync();
    await merge(other, one);
    if (when !== '')
      await importTx(db, tenant.id, (tx) => deleteEventsBefore(tx, new Date(Date.now() + minuteMs)));
    await sync();
    assert.equal((await issueOf(other)).id, id);
    assert.equal(only().isClosed, false);
    await scan([]);
    await sync();
    assert.equal(only().isClosed, true);
  });
}

/**
 * Merges `from` into `into` while an issue with this word in its title is created. Returns what gives the status of the
 * merge.
 */
async function mergeDuringCreation(word: string, into: string, from: string): Promise<() => number> {
  const admin = await signInAs(server, people.admin.user.id);
  let status = 0;
  current.tracker.fault = async ({ method, body }) => {
    if (method !== 'POST' || status !== 0 || !String(body.title).includes(word)) return null;
    const others = { others: [from], reason: 'The same.' };
    status = (await admin.post(`/manage/v1/acme/vulnerabilities/${into}/merge`, others)).status;
    return null;
  };
  return () => status;
}

test('a merge of its vulnerability during a round does not close an issue', async () => {
  const trackerId = await use('gitlab');
  await scan([npm('pi', 91), npm('pi', 92), npm('rho', 93)]);
  const [one, other, slow] = [await idOf('pi', 91), await idOf('pi', 92), await idOf('rho', 93)];
  await make(one, trackerId);
  await sync();
  await make(slow, trackerId);
  // The linked issue is due after the other one. The merge happens while the other one is created.
  await owner.query(`update linked_issue set due_at = $1 where state = 'linked'`, [now()]);
  const merged = await mergeDuringCreation('rho', other, one);
  await sync();
  await sync();
  assert.equal(merged(), 200);
  assert.deepEqual([current.tracker.issues[0]?.isClosed, current.tracker.issues[0]?.comments], [false, []]);
  assert.equal((await issueOf(other)).key, '1');
});

test('an issue that waits in a round while its vulnerability is merged describes the survivor', async () => {
  const trackerId = await use('gitlab');
  await scan([npm('sigma', 95), npm('sigma', 96), npm('tau', 97)]);
  const [one, other, slow] = [await idOf('sigma', 95), await idOf('sigma', 96), await idOf('tau', 97)];
  await make(slow, trackerId);
  await make(one, trackerId);
  const merged = await mergeDuringCreation('tau', other, one);
  await sync();
  await sync();
  assert.equal(merged(), 200);
  assert.equal(current.tracker.issues.length, 2);
  assert.equal((await issueOf(other)).key, '2');
});

test('a workspace that is being deleted does not close its issues as fixed', async () => {
  const ending = await createTestWorkspace(server, 'ending');
  const report = (...cves: number[]) =>
    importAll(server, 'ending', [reportInput(trivy(cves.map((cve) => npm('omicron', cve))))]);
  current.tracker = await startTracker('gitlab', { now });
  const { url, token } = current.tracker;
  const input: TrackerInput = {
    name: 'Tracker',
    kind: 'gitlab',
    url,
    project: projectOf.gitlab,
    token,
    rule: {},
  };
  const { row } = await importTx(db, ending.tenant.id, (tx) =>
    createTracker(tx, { actorId: ending.people.admin.user.id }, input, rules),
  );
  await report(89, 90);
  await sync();
  await report(89);
  const writes = current.tracker.writes().length;
  // The deletion has deleted the vulnerabilities and then waits for this row.
  const holding = new pg.Client(server.ownerUrl);
  await holding.connect();
  await holding.query('begin');
  await setTenant(holding, ending.tenant.id);
  await holding.query('select 1 from repository where tenant_id = $1 for update', [ending.tenant.id]);
  const emptied = Promise.withResolvers<void>();
  const deletion = deleteWorkspace(server.ownerUrl, 'ending', ({ table }) => {
    if (table === 'vulnerability') emptied.resolve();
  });
  await emptied.promise;
  await syncTracker(dependencies(), ending.tenant.id, row.id);
  await holding.end();
  await deletion;
  assert.deepEqual([only().isClosed, current.tracker.writes().length], [false, writes]);
});

test('after any reports and acts there is one issue with the right state, and without a change nothing is written', async () => {
  const trackerId = await use('github');
  const step = fc.oneof(
    fc.record({ kind: fc.constant('scan' as const), found: fc.subarray([1, 2, 3]) }),
    fc.record({ kind: fc.constant('person' as const), isClosed: fc.boolean() }),
    fc.record({ kind: fc.constant('lost' as const) }),
    fc.record({ kind: fc.constant('wait' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      await owner.query('delete from linked_issue');
      current.tracker.issues = [];
      await scan([npm('alpha', 1), npm('alpha', 2), npm('alpha', 3)]);
      await make(await idOf('alpha', 1), trackerId, true);
      let open = 3;
      for (const one of steps) {
        if (one.kind === 'scan') {
          open = one.found.length;
          await scan(one.found.map((cve) => npm('alpha', cve)));
        } else if (one.kind === 'person' && current.tracker.issues[0]) {
          current.tracker.act(current.tracker.issues[0], { isClosed: one.isClosed });
        } else if (one.kind === 'lost') {
          current.tracker.fault = ({ method }) => (method === 'GET' ? null : 'lost');
          await sync();
          current.tracker.fault = null;
        }
        await pass(one.kind === 'wait' ? pollMs : 0);
      }
      for (let i = 0; i < 4; i++) await pass(pollMs);
      const writes = current.tracker.writes().length;
      await pass(pollMs);
      assert.equal(current.tracker.writes().length, writes);
      // All vulnerabilities were fixed before the first request, so no issue was needed.
      if (current.tracker.issues.length === 0) return;
      const issue = only();
      const markers = issue.comments.map(({ body }) => /merlon:\S+/.exec(body)?.[0]);
      assert.equal(new Set(markers).size, markers.length, 'no comment twice');
      // Merlon does not undo a person's change of the issue.
      const isChangedByPerson = steps.some(({ kind }) => kind === 'person');
      if (!isChangedByPerson) assert.equal(issue.isClosed, open === 0);
    }),
    { numRuns: 12, seed: seedOf(20_260_101) },
  );
});
