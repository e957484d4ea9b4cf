/**
 * Tests of decisions over time: no report changes a decision, and an acceptance with an end date ends by the clock
 * alone.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import { importAll } from '../support/import.ts';
import { secretReport, trivyReport } from '../support/tool-reports.ts';
import { reportInput } from '../support/workspace.ts';
import { createDecisionWorkspace } from './decision-workspace.ts';

const { server, tenant, createOpenVulnerabilities, decideOne, detailOf, totals } =
  await createDecisionWorkspace();

describe('decisions and scans', () => {
  test('no report changes a decision: the same again, one without the finding, one with it again, another tool', async () => {
    const { repo, ids, rows } = await createOpenVulnerabilities(5);
    const actions = ['accept', 'ignore', 'reject', 'confirm'] as const;
    for (const [i, action] of actions.entries()) await decideOne(ids[i] ?? '', { action });
    const decided = async (): Promise<unknown[]> =>
      (await Promise.all(ids.slice(0, 3).map(detailOf))).map((detail) => [
        detail.status,
        detail.resolution,
        detail.status_version,
        detail.history.filter((event) => event.actor !== null).length,
      ]);
    const before = await decided();
    const all = trivyReport({ packages: rows });
    for (const report of [all, trivyReport({}), all, secretReport([]), trivyReport({})]) {
      await importAll(server, 'acme', [reportInput(report, { repository: repo })]);
      assert.deepEqual(await decided(), before);
    }
    await importAll(server, 'acme', [reportInput(all, { repository: repo, ref: 'other' })]);
    assert.deepEqual(await decided(), before);
    assert.equal(
      await totals(`repo=${repo}&ref=other&state=accepted`),
      1,
      'a decision holds on every reference',
    );
    const confirmed = await detailOf(ids[3] ?? '');
    assert.deepEqual([confirmed.status, confirmed.confirmed, confirmed.triaged], ['fixed', true, true]);
  });

  test('a decided vulnerability without findings becomes fixed when the decision is removed', async () => {
    const { repo, ids } = await createOpenVulnerabilities(1);
    const [id = ''] = ids;
    await decideOne(id, { action: 'ignore' });
    await importAll(server, 'acme', [reportInput(trivyReport({}), { repository: repo })]);
    assert.equal((await detailOf(id)).status, 'ignored');
    const reopened = await decideOne(id, { action: 'reopen' });
    assert.deepEqual([reopened.status, reopened.resolution], ['fixed', 'fixed']);
  });
});

describe('an acceptance with an end', () => {
  test('an expired acceptance is reopened by the clock, once', async () => {
    const { repo, ids } = await createOpenVulnerabilities(3);
    const [ending = '', later = '', endless = ''] = ids;
    const day = 24 * 3600_000;
    const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();
    await decideOne(ending, { action: 'accept', until: inDays(10) });
    await decideOne(later, { action: 'accept', until: inDays(30) });
    await decideOne(endless, { action: 'accept' });
    const before = await detailOf(ending);
    assert.equal(
      (await sweepTenant(server.db, tenant.id, new Date(Date.now() + 9 * day), 30)).acceptancesEnded,
      0,
    );
    const clock = new Date(Date.now() + 11 * day);
    assert.equal((await sweepTenant(server.db, tenant.id, clock, 30)).acceptancesEnded, 1);
    assert.equal((await sweepTenant(server.db, tenant.id, clock, 30)).acceptancesEnded, 0);
    const after = await detailOf(ending);
    assert.deepEqual([after.status, after.resolution, after.accepted_until], ['open', null, null]);
    assert.notEqual(after.status_version, before.status_version);
    assert.deepEqual([after.history[0]?.event, after.history[0]?.actor], ['acceptance_ended', null]);
    assert.equal(await totals(`repo=${repo}&state=accepted`), 2);
    assert.equal(await totals(`repo=${repo}&ref=HEAD&state=open`), 1);
  });
});
