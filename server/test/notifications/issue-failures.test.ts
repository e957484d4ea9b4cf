/** Tests of issues in trackers that fail: each error is shown, and no issue is lost or created twice. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { pollMs, uncertainMs } from '../../src/notifications/issues/sync-issues.ts';
import { succeeded } from '../support/client.ts';
import { createIssueWorkspace, minuteMs, npm } from './issue-workspace.ts';

const {
  scan,
  owner,
  now,
  current,
  use,
  sync,
  changeAsAdmin,
  pass,
  idOf,
  make,
  linkAlpha,
  issueOf,
  storedTracker,
  only,
} = await createIssueWorkspace();

describe('a tracker that fails', () => {
  let trackerId: string;
  let vulnerability: string;
  beforeEach(async () => {
    trackerId = await use('github');
    await scan([npm('alpha', 1)]);
    vulnerability = await idOf('alpha', 1);
    await make(vulnerability, trackerId);
  });

  test('gets the next request after the time that it names', async () => {
    current.tracker.fault = () => ({ status: 429, headers: { 'retry-after': '600' } });
    await sync();
    const requests = current.tracker.requests.length;
    await pass(9 * minuteMs);
    assert.equal(current.tracker.requests.length, requests);
    current.tracker.fault = null;
    await pass(2 * minuteMs);
    only();
    assert.equal((await storedTracker()).error, null);
  });

  test('GitHub’s 403 with no requests left is a limit, and another 403 is a refusal', async () => {
    await sync();
    current.tracker.fault = () => ({
      status: 403,
      headers: {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.floor(Date.now() / 1_000) + 900),
      },
    });
    await scan([]);
    await sync();
    const { retry_at: retryAt, enabled } = await storedTracker();
    assert.ok(enabled && retryAt !== null && retryAt.getTime() - current.clock > 10 * minuteMs);
    current.tracker.fault = ({ method }) => (method === 'GET' ? null : { status: 403 });
    await pass(20 * minuteMs);
    assert.equal((await issueOf(vulnerability)).error, 'the token may not write this (HTTP 403)');
    assert.ok((await storedTracker()).enabled);
  });

  test('GitHub’s 403 for too many requests in a short time is a limit, also without a time to wait', async () => {
    await sync();
    current.tracker.fault = () => ({
      status: 403,
      body: { message: 'You have exceeded a secondary rate limit. Please wait a few minutes.' },
    });
    await pass(pollMs);
    const { retry_at: retryAt, enabled } = await storedTracker();
    assert.ok(enabled && retryAt !== null);
  });

  test('is asked again soon if its answer has requests left, whenever GitHub counts them anew', async () => {
    const headers = {
      'x-ratelimit-remaining': '4000',
      'x-ratelimit-reset': String(Math.floor(Date.now() / 1_000) + 3_000),
    };
    for (const status of [429, 503]) {
      current.tracker.fault = () => ({ status, headers });
      await pass(2 * minuteMs);
      const { retry_at: retryAt } = await storedTracker();
      assert.ok(
        retryAt !== null && retryAt.getTime() - current.clock <= 2 * minuteMs,
        `${status}: ${retryAt}`,
      );
    }
  });

  test('with 503 gets all requests once it is available again', async () => {
    current.tracker.fault = () => ({ status: 503 });
    await sync();
    assert.match((await storedTracker()).error ?? '', /HTTP 503/);
    current.tracker.fault = null;
    await pass(30 * minuteMs);
    only();
  });

  test('that refuses the token is disabled with the reason, and continues with another token', async () => {
    current.tracker.token = 'tok-2';
    await sync();
    const { enabled, disabled_reason: reason } = await storedTracker();
    assert.deepEqual([enabled, reason], [false, 'The token is wrong, has ended, or was revoked (HTTP 401).']);
    const requests = current.tracker.requests.length;
    await pass(60 * minuteMs);
    assert.equal(current.tracker.requests.length, requests, 'it gets no more requests');
    succeeded(await changeAsAdmin(trackerId, { token: 'tok-2', enabled: true }));
    await pass(uncertainMs);
    only();
  });

  test('whose project is gone is disabled, and its issues do not count as deleted', async () => {
    await sync();
    current.tracker.hasProject = false;
    await scan([]);
    await sync();
    assert.match((await storedTracker()).disabled_reason ?? '', /^The project is not there/);
    assert.equal((await issueOf(vulnerability)).state, 'linked');
  });

  test('whose project everybody can read gets no issue unless its settings allow it', async () => {
    current.tracker.isPublic = true;
    await sync();
    assert.equal(current.tracker.issues.length, 0);
    assert.match((await storedTracker()).disabled_reason ?? '', /^Everybody can read the project/);
    await changeAsAdmin(trackerId, { allows_public: true, enabled: true });
    await sync();
    only();
  });

  test('an error of Merlon is logged and stored with the time of the next attempt, and removed once it is over', async () => {
    await owner.query('alter table linked_issue rename column sending to sending_before');
    const errors: unknown[] = [];
    await sync((error) => errors.push(error));
    await owner.query('alter table linked_issue rename column sending_before to sending');
    const { error, retry_at: retryAt, enabled } = await storedTracker();
    assert.match(error ?? '', /an error of Merlon/);
    assert.ok(enabled && retryAt !== null);
    assert.ok(errors.length > 0);
    await pass(minuteMs);
    only();
    assert.equal((await storedTracker()).error, null);
  });

  test('a page that is no answer of the API is an error with the time of the next attempt', async () => {
    current.tracker.fault = () => ({ status: 200, body: '<html>' });
    await sync();
    const { error, retry_at: retryAt, enabled } = await storedTracker();
    assert.match(error ?? '', /not that of the API/);
    assert.ok(enabled && retryAt !== null);
    current.tracker.fault = null;
    await pass(minuteMs);
    only();
  });

  test('whose answers are long gets the next request only after a time that grows with them', async () => {
    const at = now().toISOString();
    const issue = { number: 1, state: 'open', created_at: at, updated_at: at };
    const pages = [Array.from({ length: 50 }, () => ({ ...issue, x: 'x'.repeat(2_600) })), []];
    const times: number[] = [];
    await sync();
    current.tracker.fault = ({ method, path }) => {
      if (method !== 'GET' || !path.endsWith('/issues')) return null;
      times.push(performance.now());
      return { status: 200, body: pages[times.length - 1] };
    };
    await pass(pollMs);
    const [first = 0, second = 0] = times;
    assert.ok(second - first > 500, `${second - first} ms for 130 KB`);
  });

  test('no redirect is followed', async () => {
    current.tracker.fault = () => ({
      status: 302,
      headers: { location: `${current.tracker.url}/elsewhere` },
    });
    await sync();
    assert.match((await storedTracker()).disabled_reason ?? '', /redirects are not followed/i);
    assert.ok(!current.tracker.requests.some(({ path }) => path === '/elsewhere'));
  });
});

for (const kind of ['gitlab', 'jira'] as const) {
  test(`the status 205, which allows no body, is no answer of the API of ${kind}`, async () => {
    const trackerId = await use(kind);
    await scan([npm('alpha', 1)]);
    await make(await idOf('alpha', 1), trackerId);
    current.tracker.fault = () => ({ status: 205, body: '<html>' });
    await sync();
    assert.match((await storedTracker()).error ?? '', /not that of the API/);
  });
}

test('an issue for which the tracker always has a fault does not stop the creation and the updates of others', async () => {
  const trackerId = await use('gitlab');
  await scan([npm('sigma', 94), npm('tau', 95)]);
  const [faulty, other] = [await idOf('sigma', 94), await idOf('tau', 95)];
  current.tracker.fault = ({ method, body }) =>
    method === 'POST' && String(body.title).includes('sigma') ? { status: 500 } : null;
  await make(faulty, trackerId);
  await make(other, trackerId);
  await sync();
  current.tracker.act(only(), { isClosed: true });
  await pass(pollMs);
  assert.equal((await issueOf(other)).closed, true);
  const { state, error } = await issueOf(faulty);
  assert.deepEqual([state, error], ['waiting', 'the tracker has a fault (HTTP 500)']);
  assert.equal((await storedTracker()).error, null);
  for (let hours = 0; hours < 48; hours++) await pass(60 * minuteMs);
  const writes = current.tracker.writes().length;
  await pass(24 * 60 * minuteMs);
  assert.equal(current.tracker.writes().length, writes, 'it is tried for a day');
});

test('the error shows the field that Jira refuses, or the status that no transition leads to', async () => {
  const { trackerId, vulnerability } = await linkAlpha('jira', {
    issue_type: 'Story',
    closed_status: 'Released',
  });
  assert.match((await issueOf(vulnerability)).error ?? '', /the field issuetype$/);
  await changeAsAdmin(trackerId, { issue_type: 'Bug' });
  await sync();
  await scan([]);
  await sync();
  assert.match((await issueOf(vulnerability)).error ?? '', /leads to no status "Released"/);
  await changeAsAdmin(trackerId, { closed_status: null });
  await pass(uncertainMs * 2);
  assert.deepEqual([only().status, only().comments.length], ['Done', 1]);
});

test('an issue of Jira that was moved to another project gets an error, and no change until it is moved back', async () => {
  const { vulnerability } = await linkAlpha('jira');
  current.tracker.act(only(), { movedTo: 'GREENHOUSE-7' });
  await scan([]);
  await sync();
  assert.equal((await issueOf(vulnerability)).error, 'the issue was moved to another project');
  assert.deepEqual([only().status, only().comments], ['To Do', []]);
  current.tracker.act(only(), { movedTo: null });
  await pass(uncertainMs * 2);
  assert.deepEqual([only().status, only().comments.length], ['Done', 1], 'it is back');
});

test('an issue is still updated after its Jira project got another key', async () => {
  const { vulnerability } = await linkAlpha('jira');
  current.tracker.projectKey = 'STORE';
  await scan([]);
  await sync();
  assert.deepEqual([only().status, only().comments.length], ['Done', 1]);
  assert.equal((await issueOf(vulnerability)).error, null);
});

for (const status of [403, 404, 429]) {
  test(`Jira’s answer ${status} for an issue that it has just created does not lead to a second one`, async () => {
    const trackerId = await use('jira');
    await scan([npm('alpha', 1)]);
    const vulnerability = await idOf('alpha', 1);
    await make(vulnerability, trackerId);
    current.tracker.fault = ({ method, path }) =>
      method === 'GET' && path.endsWith('/issue/SHOP-1')
        ? { status, headers: { 'retry-after': '60' } }
        : null;
    await sync();
    current.tracker.fault = null;
    const { enabled } = await storedTracker();
    if (!enabled) await changeAsAdmin(trackerId, { enabled: true });
    await pass(pollMs);
    only();
    const { state, status: shown, error } = await issueOf(vulnerability);
    assert.deepEqual([enabled, state, shown, error], [true, 'linked', 'To Do', null]);
  });
}
