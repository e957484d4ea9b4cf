/**
 * Tests of SIGKILL to a server while a tracker creates an issue or a comment: each exists once in the end.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { importTx, tenantTx } from '../../src/db/database.ts';
import { formatId, nilId, type VulnerabilityId } from '../../src/domain/ids.ts';
import { requestIssue } from '../../src/notifications/issues/linked-issue-service.ts';
import { createTracker } from '../../src/notifications/issues/tracker-service.ts';
import { networksOf } from '../../src/notifications/outbound/public-address.ts';
import { createTestDatabase } from '../support/database.ts';
import { importAll } from '../support/import.ts';
import { projectOf, startTracker } from '../support/issue-tracker-server.ts';
import { exitOf } from '../support/process.ts';
import { trivy } from '../support/reports.ts';
import { nodeSettings, startServing, stop } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { createTestWorkspace, principalAs, reportInput } from '../support/workspace.ts';

const database = await createTestDatabase();
const { db, owner, secret } = database;
const workspace = await createTestWorkspace(database, 'acme');
const { tenant, people } = workspace;
const tracker = await startTracker('gitlab');
after(() => tracker.close());

const settings = { ...nodeSettings(database), MERLON_WEBHOOK_NETWORKS: '127.0.0.0/8', MERLON_PROCESSES: '0' };
const report = (names: string[]) =>
  importAll(database, 'acme', [
    reportInput(trivy(names.map((name) => ({ id: 'CVE-2036-1', name, version: '1.0.0' })))),
  ]);

/** Kills a server once `isDone` is true for the tracker, and before the tracker answers. */
async function killWhen(isDone: () => boolean): Promise<void> {
  tracker.delayMs = 60_000;
  const { child } = await startServing(settings);
  await until(isDone, 'the tracker is changed');
  child.kill('SIGKILL');
  await exitOf(child);
  tracker.delayMs = 0;
  const { rows } = await owner.query('select sending from linked_issue');
  assert.ok(rows[0].sending !== null, 'the server died in the middle of a request');
  // The test skips the rest of the lease, and the time in which a slow tracker may still carry out the request.
  await owner.query('update issue_tracker set leased_until = now()');
  await owner.query(
    `update linked_issue set due_at = now(), sending = sending || jsonb_build_object('since', now() - interval '1 hour')`,
  );
}

test('after a server is killed, neither the issue nor the comment is created twice', async () => {
  await report(['alpha']);
  const { rows } = await owner.query<{ id: VulnerabilityId }>('select id from vulnerability');
  const vulnerability = formatId('vulnerability', rows[0]?.id ?? nilId);
  const { row } = await importTx(db, tenant.id, (tx) =>
    createTracker(
      tx,
      { actorId: people.admin.user.id },
      { name: 'Tracker', kind: 'gitlab', url: tracker.url, project: projectOf.gitlab, token: tracker.token },
      { secret, allowed: networksOf(['127.0.0.0/8']), allowsHttp: true },
    ),
  );
  // The project is checked before an answer takes long.
  await owner.query('update issue_tracker set checked_at = now()');
  await tenantTx(db, tenant.id, (tx) =>
    requestIssue(tx, principalAs(workspace, 'member'), vulnerability, {
      tracker: formatId('issueTracker', row.id),
      group: false,
    }),
  );
  await killWhen(() => tracker.issues.length === 1);
  const second = await startServing(settings);
  await until(isLinked, 'the issue is linked');
  assert.equal(tracker.issues.length, 1);
  await stop(second.child);

  await report([]);
  await killWhen(() => tracker.issues[0]?.comments.length === 1);
  const last = await startServing(settings);
  await until(() => tracker.issues[0]?.isClosed === true, 'the issue is closed');
  await stop(last.child);
  assert.deepEqual([tracker.issues.length, tracker.issues[0]?.comments.length], [1, 1]);
});

async function isLinked(): Promise<boolean> {
  const { rows } = await owner.query("select 1 from linked_issue where state = 'linked'");
  return rows.length === 1;
}
