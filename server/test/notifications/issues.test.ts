/**
 * Tests of issues in trackers: each is created once, closed when all its vulnerabilities are fixed, reopened when one is
 * open again, and changes by people there are shown. The servers implement the documented APIs of GitHub, GitLab and Jira.
 */

import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { importTx, setTenant } from '../../src/db/database.ts';
import { formatId, nilId, type VulnerabilityId } from '../../src/domain/ids.ts';
import { deleteEventsBefore } from '../../src/events/outbox.ts';
import {
  newByRuleInHour,
  pollMs,
  type SyncDependencies,
  syncTracker,
  uncertainMs,
} from '../../src/notifications/issues/sync-issues.ts';
import { syncScheduler } from '../../src/notifications/issues/sync-loop.ts';
import type { TrackerInput } from '../../src/notifications/issues/tracker-input.ts';
import { createTracker } from '../../src/notifications/issues/tracker-service.ts';
import { networksOf } from '../../src/notifications/webhooks/public-address.ts';
import { deleteWorkspace } from '../../src/retention/delete-workspace.ts';
import { blockCritical, createPolicyWorkspace } from '../policies/policy-workspace.ts';
import type { Schemas } from '../support/client.ts';
import { succeeded } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import {
  projectOf,
  type ServedKind,
  type StoredIssue,
  startTracker,
  type TrackerServer,
} from '../support/issue-tracker-server.ts';
import { type PackageResult, sarif, trivy } from '../support/reports.ts';
import { type SessionClient, signInAs } from '../support/session.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const { server, tenant, people, apply, scan } = await createPolicyWorkspace({
  MERLON_WEBHOOK_NETWORKS: '127.0.0.0/8',
});
const { db, secret, owner } = server;
const allowed = networksOf(['127.0.0.0/8']);
const rules = { secret, allowed, allowsHttp: true };
const minuteMs = 60_000;
const cloudUser = 'bot@acme.example';

let member: SessionClient;
let tracker: TrackerServer;
// The clock of Merlon's side and of the trackers. It moves without waiting.
let clock = Date.now();
const now = (): Date => new Date(clock);
before(async () => {
  await apply(blockCritical);
  member = await signInAs(server, people.member.user.id);
});
beforeEach(() => {
  clock = Math.max(clock, Date.now()) + 1_000;
});
afterEach(async () => {
  await tracker.close();
  await owner.query('delete from issue_tracker');
  await scan([]);
});

async function use(kind: ServedKind, more: Partial<TrackerInput> = {}, user: string | null = null) {
  tracker = await startTracker(kind, { now, user });
  const input: TrackerInput = {
    name: 'Tracker',
    kind,
    url: tracker.url,
    project: projectOf[kind],
    token: tracker.token,
    ...(user === null ? {} : { user }),
    ...more,
  };
  const { row } = await importTx(db, tenant.id, (tx) =>
    createTracker(tx, { actorId: people.admin.user.id }, input, rules),
  );
  return formatId('issueTracker', row.id);
}

const dependencies = (failed: SyncDependencies['failed'] = assert.fail): SyncDependencies => ({
  db,
  secret,
  post: { allowed, usesSystemNames: true, timeoutMs: 1_000 },
  publicUrl: 'https://merlon.example.com',
  failed,
  now,
  random: () => 0.5,
});

/** Runs rounds until nothing is due at the time of the clock. */
async function sync(failed?: SyncDependencies['failed']): Promise<void> {
  clock += 1_000;
  const scheduler = syncScheduler(dependencies(failed));
  await scheduler.poll();
  await scheduler.idle();
}

async function changeAsAdmin(trackerId: string, change: object) {
  const admin = await signInAs(server, people.admin.user.id);
  return admin.patch(`/manage/v1/acme/issue-trackers/${trackerId}`, change);
}

async function pass(ms: number): Promise<void> {
  clock += ms;
  await sync();
}

const npm = (name: string, cve: number, more: Partial<PackageResult> = {}): PackageResult => ({
  id: `CVE-2034-${cve}`,
  name,
  version: '1.0.0',
  severity: 'HIGH',
  fixed: '2.0.0',
  ...more,
});

async function idOf(name: string, cve: number): Promise<string> {
  const { rows } = await owner.query<{ id: VulnerabilityId }>(
    'select id from vulnerability where package_name = $1 and advisory = $2',
    [name, `CVE-2034-${cve}`],
  );
  return formatId('vulnerability', rows[0]?.id ?? assert.fail(`no vulnerability of ${name}`));
}

type Issue = Schemas['LinkedIssue'];

const pathOf = (vulnerability: string): string => `/manage/v1/acme/vulnerabilities/${vulnerability}/issues`;

async function requestIssue(vulnerability: string, trackerId: string, group = false) {
  return member.post<Issue>(pathOf(vulnerability), { tracker: trackerId, group });
}

async function make(vulnerability: string, trackerId: string, group = false): Promise<Issue> {
  return succeeded(await requestIssue(vulnerability, trackerId, group), 201);
}

/** A tracker with the issue of one vulnerability of the package alpha. */
async function linkAlpha(...tracker: Parameters<typeof use>) {
  const trackerId = await use(...tracker);
  await scan([npm('alpha', 1)]);
  const vulnerability = await idOf('alpha', 1);
  await make(vulnerability, trackerId);
  await sync();
  return { trackerId, vulnerability };
}

async function issuesOf(vulnerability: string): Promise<Issue[]> {
  const body = succeeded(
    await member.get<{ items: Issue[] }>(`/console/api/v1/acme/vulnerabilities/${vulnerability}/issues`),
  );
  return body.items;
}

async function issueOf(vulnerability: string): Promise<Issue> {
  const [issue] = await issuesOf(vulnerability);
  return issue ?? assert.fail('no issue');
}

interface StoredTracker {
  enabled: boolean;
  disabled_reason: string | null;
  error: string | null;
  retry_at: Date | null;
}
async function storedTracker(): Promise<StoredTracker> {
  const { rows } = await owner.query<StoredTracker>('select * from issue_tracker');
  return rows[0] ?? assert.fail('no tracker');
}

const only = (): StoredIssue => {
  assert.equal(tracker.issues.length, 1);
  return tracker.issues[0] ?? assert.fail('no issue');
};

const kinds: { name: string; kind: ServedKind; user: string | null }[] = [
  { name: 'GitHub', kind: 'github', user: null },
  { name: 'GitLab', kind: 'gitlab', user: null },
  { name: 'Jira Cloud', kind: 'jira', user: cloudUser },
  { name: 'Jira Data Center', kind: 'jira', user: null },
];

for (const { name, kind, user } of kinds) {
  describe(`an issue at ${name}`, () => {
    test('is created by hand, closed when the vulnerability is fixed, and reopened when it is open again', async () => {
      const trackerId = await use(kind, { labels: ['security'] }, user);
      await scan([npm('alpha', 1)]);
      const vulnerability = await idOf('alpha', 1);
      const created = await make(vulnerability, trackerId);
      assert.deepEqual([created.state, created.key], ['waiting', null]);
      await sync();
      const issue = only();
      assert.match(issue.title, /^High: .*\(acme\/shop\)$/);
      assert.ok(issue.labels.includes('security') && issue.labels.includes('merlon'));
      assert.match(issue.body, /Fixed in:.*2\.0\.0/);
      assert.ok(issue.body.includes(`https://merlon.example.com/w/acme/vulnerabilities?v=${vulnerability}`));
      assert.ok(issue.body.includes(`merlon:${created.id}`));
      const shown = await issueOf(vulnerability);
      const page = {
        github: '/acme/shop/issues/1',
        gitlab: '/acme/web/shop/-/issues/1',
        jira: '/browse/SHOP-1',
      };
      assert.equal(shown.url, `${tracker.url}${page[kind]}`);
      assert.deepEqual([shown.state, shown.closed], ['linked', false]);
      assert.equal((await requestIssue(vulnerability, trackerId)).status, 409, 'never two for one');

      await scan([]);
      await sync();
      assert.equal(issue.isClosed, true);
      assert.equal(issue.comments.length, 1);
      assert.match(issue.comments[0]?.body ?? '', /^The vulnerability is fixed, or decided in Merlon\./);
      await scan([npm('alpha', 1)]);
      await sync();
      assert.equal(only().isClosed, false);
      assert.match(issue.comments[1]?.body ?? '', /^The vulnerability is open again\./);

      const writes = tracker.writes().length;
      await pass(pollMs * 2);
      await sync();
      assert.equal(tracker.writes().length, writes, 'what Merlon wrote is no reason to write');
    });

    test('that people close or assign in the tracker is shown with its state, and changes nothing in Merlon', async () => {
      const { vulnerability } = await linkAlpha(kind, {}, user);
      tracker.act(only(), { isClosed: true, status: 'Done', reason: 'not_planned', assignee: 'kim\0' });
      const writes = tracker.writes().length;
      await pass(pollMs);
      const shown = await issueOf(vulnerability);
      assert.deepEqual([shown.closed, shown.assignee, shown.open], [true, 'kim', 1]);
      if (kind === 'github') assert.equal(shown.status, 'closed as not planned');
      const { body } = await member.get<{ status: string }>(
        `/console/api/v1/acme/vulnerabilities/${vulnerability}`,
      );
      assert.equal(body.status, 'open');
      await scan([npm('alpha', 1), npm('beta', 2)]);
      await sync();
      assert.equal(tracker.writes().length, writes, 'Merlon does not open it against the person');
    });

    test('that was deleted in the tracker is shown as deleted, and is created again only after it was unlinked', async () => {
      const trackerId = await use(kind, {}, user);
      await scan([npm('alpha', 1)]);
      const vulnerability = await idOf('alpha', 1);
      const { id } = await make(vulnerability, trackerId);
      await sync();
      tracker.act(only(), { isDeleted: true });
      await scan([]);
      await sync();
      assert.equal((await issueOf(vulnerability)).state, 'deleted');
      await scan([npm('alpha', 1)]);
      await sync();
      only();
      assert.equal((await requestIssue(vulnerability, trackerId)).status, 409);
      assert.equal((await member.delete(`${pathOf(vulnerability)}/${id}`)).status, 204);
      await make(vulnerability, trackerId);
      await sync();
      assert.equal(tracker.issues.length, 2);
    });

    test('whose creation got no answer is found by its marker', async () => {
      const trackerId = await use(kind, {}, user);
      await scan([npm('alpha', 1)]);
      const vulnerability = await idOf('alpha', 1);
      await make(vulnerability, trackerId);
      tracker.fault = ({ method, path }) => (method === 'POST' && /issues?$/.test(path) ? 'lost' : null);
      await sync();
      only();
      tracker.fault = null;
      await pass(uncertainMs - 10_000);
      assert.equal((await issueOf(vulnerability)).state, 'waiting', 'it is too early to say');
      await pass(uncertainMs);
      only();
      assert.equal((await issueOf(vulnerability)).state, 'linked');
    });

    test('whose comment got no answer has the comment once', async () => {
      const trackerId = await use(kind, {}, user);
      await scan([npm('alpha', 1)]);
      await make(await idOf('alpha', 1), trackerId);
      await sync();
      tracker.fault = ({ method, path }) =>
        method === 'POST' && /(?:comments?|notes)$/.test(path) ? 'lost' : null;
      await scan([]);
      await sync();
      assert.deepEqual([only().comments.length, only().isClosed], [1, false]);
      tracker.fault = null;
      await pass(uncertainMs * 2);
      assert.deepEqual([only().comments.length, only().isClosed], [1, true]);
    });

    test('is not created in a project that has become public, until the settings of the tracker allow it', async () => {
      const trackerId = await use(kind, {}, user);
      await scan([npm('alpha', 1), npm('beta', 2)]);
      await make(await idOf('alpha', 1), trackerId);
      await sync();
      tracker.isPublic = true;
      await make(await idOf('beta', 2), trackerId);
      await pass(pollMs);
      only();
      const { enabled, disabled_reason: reason } = await storedTracker();
      assert.deepEqual([enabled, reason?.slice(0, 30)], [false, 'Everybody can read the project']);
      const change = { allows_public: true, enabled: true };
      assert.equal((await changeAsAdmin(trackerId, change)).status, 200);
      await sync();
      assert.equal(tracker.issues.length, 2);
    });

    test('is not linked by an answer without its number, and is found once the tracker gives valid answers', async () => {
      const trackerId = await use(kind, {}, user);
      await scan([npm('alpha', 1), npm('beta', 2)]);
      const vulnerability = await idOf('alpha', 1);
      await make(vulnerability, trackerId);
      await make(await idOf('beta', 2), trackerId);
      // The tracker creates the first issue, and its answer is malformed.
      let answers = 0;
      tracker.fault = ({ method, path }) =>
        method === 'POST' && /issues?$/.test(path) && answers++ === 0 ? 'malformed' : null;
      await sync();
      const { state, error } = await issueOf(vulnerability);
      assert.deepEqual([state, error], ['waiting', 'the answer is not that of the API: check the address']);
      assert.equal((await issueOf(await idOf('beta', 2))).state, 'linked', 'the others are made');
      await pass(uncertainMs * 2);
      assert.equal((await issueOf(vulnerability)).state, 'linked');
      assert.equal(tracker.issues.length, 2);
    });

    test('is updated although another one in the list is malformed, and the error of that one is shown', async () => {
      const trackerId = await use(kind, {}, user);
      await scan([npm('alpha', 1), npm('beta', 2)]);
      const [first, second] = [await idOf('alpha', 1), await idOf('beta', 2)];
      await make(first, trackerId);
      await make(second, trackerId);
      await sync();
      const { key } = await issueOf(second);
      for (const issue of tracker.issues) {
        // No status of an issue is a number.
        const status = { isClosed: true, status: 'Done' };
        tracker.act(
          issue,
          `${issue.number}` === key?.replace('SHOP-', '') ? status : { assignee: 7 as never },
        );
      }
      await pass(pollMs);
      assert.deepEqual([(await issueOf(first)).closed, (await issueOf(second)).closed], [false, true]);
      const { error, retry_at: retryAt, enabled } = await storedTracker();
      assert.match(error ?? '', /not that of the API/);
      assert.ok(enabled && retryAt !== null);
    });

    test('does not count as deleted while the issues of its project are switched off', async () => {
      const { trackerId, vulnerability } = await linkAlpha(kind, {}, user);
      tracker.hasIssues = false;
      await scan([]);
      await sync();
      assert.equal((await issueOf(vulnerability)).state, 'linked');
      assert.match((await storedTracker()).disabled_reason ?? '', /takes no issues/);
      tracker.hasIssues = true;
      assert.equal((await changeAsAdmin(trackerId, { enabled: true })).status, 200);
      await pass(uncertainMs * 2);
      assert.equal(only().isClosed, true);
    });

    test('is updated although thousands of others changed at the same time, in several polls', async () => {
      const { vulnerability } = await linkAlpha(kind, {}, user);
      const made = only();
      const others = Array.from({ length: 2_100 }, (_, i) => ({ ...made, number: i + 1, comments: [] }));
      tracker.issues = [...others, { ...made, number: others.length + 1, isClosed: true, status: 'Done' }];
      const key = `${kind === 'jira' ? 'SHOP-' : ''}${tracker.issues.length}`;
      await owner.query('update linked_issue set issue_key = $1', [key]);
      clock += pollMs;
      for (const issue of tracker.issues) issue.updatedAt = now();
      for (let part = 0; part < 5; part++) await sync();
      assert.equal((await issueOf(vulnerability)).closed, true);
      const requests = tracker.requests.length;
      await sync();
      assert.equal(tracker.requests.length, requests, 'the poll has an end');
    });

    test('about a package gets one comment with the changes of each report', async () => {
      const trackerId = await use(kind, {}, user);
      const three = [npm('alpha', 1), npm('alpha', 2, { fixed: '3.1.0' }), npm('alpha', 3)];
      await scan(three);
      await make(await idOf('alpha', 1), trackerId, true);
      await sync();
      assert.equal(only().title, 'Upgrade alpha to 3.1.0: clears 3 vulnerabilities (acme/shop)');
      await scan([npm('alpha', 1)]);
      await sync();
      assert.equal(only().comments.length, 1);
      assert.match(only().comments[0]?.body ?? '', /^2 of 3 are fixed or decided\./);
      await scan([npm('alpha', 1), npm('alpha', 4)]);
      await sync();
      assert.match(only().comments[1]?.body ?? '', /^1 more has come up\. 2 of 4 are fixed or decided\./);
      await scan([]);
      await sync();
      assert.equal(only().isClosed, true);
      assert.match(only().comments[2]?.body ?? '', /^All 4 vulnerabilities are fixed/);
      const { vulnerabilities, open } = await issueOf(await idOf('alpha', 4));
      assert.deepEqual([vulnerabilities, open], [4, 0]);
    });
  });
}

describe('texts of reports', () => {
  const hostile =
    'x`y ``` @acme/security [a](https://evil.example) ![i](https://evil.example/i.png) <img src=x> {noformat} #12\n/close\n/assign @me';

  for (const kind of ['github', 'gitlab', 'jira'] as const) {
    test(`mention nobody and run no command at ${kind}`, async () => {
      const trackerId = await use(kind);
      const result = { rule: 'rule-1', path: 'src/`a @team/b` .ts', line: 3, message: hostile };
      await importAll(server, 'acme', [
        reportInput({
          ...sarif([result]),
          runs: sarif([result]).runs.map((run) => ({
            ...run,
            tool: {
              driver: {
                ...run.tool.driver,
                rules: [{ id: 'rule-1', shortDescription: { text: hostile } }] as never[],
              },
            },
          })),
        }),
      ]);
      const { rows } = await owner.query<{ id: VulnerabilityId }>(
        "select id from vulnerability where rule = 'rule-1' order by id desc",
      );
      await make(formatId('vulnerability', rows[0]?.id ?? nilId), trackerId);
      await sync();
      const { title, body } = only();
      assert.ok(!/@\w|#\d/.test(title) && !title.includes('\n'), title);
      assert.ok(!/^\s*\//m.test(body), 'no line begins with a quick action');
      if (kind === 'jira')
        assert.equal(body.split('{noformat}').length, 3, 'the block ends where Merlon ends it');
      else {
        // Without the spans of code, nothing of the report is left.
        const outside = body.replaceAll(/(?<!`)(`+)(?!`)(?:[\s\S]*?[^`])\1(?!`)/g, '');
        assert.ok(!/@|evil|<img|!\[/.test(outside), outside);
      }
      await importAll(server, 'acme', [reportInput(sarif([]))]);
    });
  }
});

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
    tracker.fault = () => ({ status: 429, headers: { 'retry-after': '600' } });
    await sync();
    const requests = tracker.requests.length;
    await pass(9 * minuteMs);
    assert.equal(tracker.requests.length, requests);
    tracker.fault = null;
    await pass(2 * minuteMs);
    only();
    assert.equal((await storedTracker()).error, null);
  });

  test('GitHub’s 403 with no requests left is a limit, and another 403 is a refusal', async () => {
    await sync();
    tracker.fault = () => ({
      status: 403,
      headers: {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.floor(Date.now() / 1_000) + 900),
      },
    });
    await scan([]);
    await sync();
    const { retry_at: retryAt, enabled } = await storedTracker();
    assert.ok(enabled && retryAt !== null && retryAt.getTime() - clock > 10 * minuteMs);
    tracker.fault = ({ method }) => (method === 'GET' ? null : { status: 403 });
    await pass(20 * minuteMs);
    assert.equal((await issueOf(vulnerability)).error, 'the token may not write this (HTTP 403)');
    assert.ok((await storedTracker()).enabled);
  });

  test('GitHub’s 403 for too many requests in a short time is a limit, also without a time to wait', async () => {
    await sync();
    tracker.fault = () => ({
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
      tracker.fault = () => ({ status, headers });
      await pass(2 * minuteMs);
      const { retry_at: retryAt } = await storedTracker();
      assert.ok(retryAt !== null && retryAt.getTime() - clock <= 2 * minuteMs, `${status}: ${retryAt}`);
    }
  });

  test('with 503 gets all requests once it is available again', async () => {
    tracker.fault = () => ({ status: 503 });
    await sync();
    assert.match((await storedTracker()).error ?? '', /HTTP 503/);
    tracker.fault = null;
    await pass(30 * minuteMs);
    only();
  });

  test('that refuses the token is disabled with the reason, and continues with another token', async () => {
    tracker.token = 'tok-2';
    await sync();
    const { enabled, disabled_reason: reason } = await storedTracker();
    assert.deepEqual([enabled, reason], [false, 'The token is wrong, has ended, or was revoked (HTTP 401).']);
    const requests = tracker.requests.length;
    await pass(60 * minuteMs);
    assert.equal(tracker.requests.length, requests, 'it gets no more requests');
    succeeded(await changeAsAdmin(trackerId, { token: 'tok-2', enabled: true }));
    await pass(uncertainMs);
    only();
  });

  test('whose project is gone is disabled, and its issues do not count as deleted', async () => {
    await sync();
    tracker.hasProject = false;
    await scan([]);
    await sync();
    assert.match((await storedTracker()).disabled_reason ?? '', /^The project is not there/);
    assert.equal((await issueOf(vulnerability)).state, 'linked');
  });

  test('whose project everybody can read gets no issue unless its settings allow it', async () => {
    tracker.isPublic = true;
    await sync();
    assert.equal(tracker.issues.length, 0);
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
    tracker.fault = () => ({ status: 200, body: '<html>' });
    await sync();
    const { error, retry_at: retryAt, enabled } = await storedTracker();
    assert.match(error ?? '', /not that of the API/);
    assert.ok(enabled && retryAt !== null);
    tracker.fault = null;
    await pass(minuteMs);
    only();
  });

  test('whose answers are long gets the next request only after a time that grows with them', async () => {
    const at = now().toISOString();
    const issue = { number: 1, state: 'open', created_at: at, updated_at: at };
    const pages = [Array.from({ length: 50 }, () => ({ ...issue, x: 'x'.repeat(2_600) })), []];
    const times: number[] = [];
    await sync();
    tracker.fault = ({ method, path }) => {
      if (method !== 'GET' || !path.endsWith('/issues')) return null;
      times.push(performance.now());
      return { status: 200, body: pages[times.length - 1] };
    };
    await pass(pollMs);
    const [first = 0, second = 0] = times;
    assert.ok(second - first > 500, `${second - first} ms for 130 KB`);
  });

  test('no redirect is followed', async () => {
    tracker.fault = () => ({ status: 302, headers: { location: `${tracker.url}/elsewhere` } });
    await sync();
    assert.match((await storedTracker()).disabled_reason ?? '', /redirects are not followed/i);
    assert.ok(!tracker.requests.some(({ path }) => path === '/elsewhere'));
  });
});

for (const kind of ['gitlab', 'jira'] as const) {
  test(`the status 205, which allows no body, is no answer of the API of ${kind}`, async () => {
    const trackerId = await use(kind);
    await scan([npm('alpha', 1)]);
    await make(await idOf('alpha', 1), trackerId);
    tracker.fault = () => ({ status: 205, body: '<html>' });
    await sync();
    assert.match((await storedTracker()).error ?? '', /not that of the API/);
  });
}

test('an issue for which the tracker always has a fault does not stop the creation and the updates of others', async () => {
  const trackerId = await use('gitlab');
  await scan([npm('sigma', 94), npm('tau', 95)]);
  const [faulty, other] = [await idOf('sigma', 94), await idOf('tau', 95)];
  tracker.fault = ({ method, body }) =>
    method === 'POST' && String(body.title).includes('sigma') ? { status: 500 } : null;
  await make(faulty, trackerId);
  await make(other, trackerId);
  await sync();
  tracker.act(only(), { isClosed: true });
  await pass(pollMs);
  assert.equal((await issueOf(other)).closed, true);
  const { state, error } = await issueOf(faulty);
  assert.deepEqual([state, error], ['waiting', 'the tracker has a fault (HTTP 500)']);
  assert.equal((await storedTracker()).error, null);
  for (let hours = 0; hours < 48; hours++) await pass(60 * minuteMs);
  const writes = tracker.writes().length;
  await pass(24 * 60 * minuteMs);
  assert.equal(tracker.writes().length, writes, 'it is tried for a day');
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
  tracker.act(only(), { movedTo: 'GREENHOUSE-7' });
  await scan([]);
  await sync();
  assert.equal((await issueOf(vulnerability)).error, 'the issue was moved to another project');
  assert.deepEqual([only().status, only().comments], ['To Do', []]);
  tracker.act(only(), { movedTo: null });
  await pass(uncertainMs * 2);
  assert.deepEqual([only().status, only().comments.length], ['Done', 1], 'it is back');
});

test('an issue is still updated after its Jira project got another key', async () => {
  const { vulnerability } = await linkAlpha('jira');
  tracker.projectKey = 'STORE';
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
    tracker.fault = ({ method, path }) =>
      method === 'GET' && path.endsWith('/issue/SHOP-1')
        ? { status, headers: { 'retry-after': '60' } }
        : null;
    await sync();
    tracker.fault = null;
    const { enabled } = await storedTracker();
    if (!enabled) await changeAsAdmin(trackerId, { enabled: true });
    await pass(pollMs);
    only();
    const { state, status: shown, error } = await issueOf(vulnerability);
    assert.deepEqual([enabled, state, shown, error], [true, 'linked', 'To Do', null]);
  });
}

test('the deleted issue of a package is shown at its later vulnerabilities, and is created again after it was unlinked', async () => {
  const trackerId = await use('gitlab', { rule: {} });
  await scan([npm('xi', 87)]);
  await sync();
  tracker.act(only(), { isDeleted: true });
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
  assert.equal(tracker.issues.length, 2);
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
  const [ended, stays] = tracker.issues;
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

/** Merges `from` into `into` while an issue with this word in its title is created. Returns what gives the status of the merge. */
async function mergeDuringCreation(word: string, into: string, from: string): Promise<() => number> {
  const admin = await signInAs(server, people.admin.user.id);
  let status = 0;
  tracker.fault = async ({ method, body }) => {
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
  assert.deepEqual([tracker.issues[0]?.isClosed, tracker.issues[0]?.comments], [false, []]);
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
  assert.equal(tracker.issues.length, 2);
  assert.equal((await issueOf(other)).key, '2');
});

test('a workspace that is being deleted does not close its issues as fixed', async () => {
  const ending = await createTestWorkspace(server, 'ending');
  const report = (...cves: number[]) =>
    importAll(server, 'ending', [reportInput(trivy(cves.map((cve) => npm('omicron', cve))))]);
  tracker = await startTracker('gitlab', { now });
  const { url, token } = tracker;
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
  const writes = tracker.writes().length;
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
  assert.deepEqual([only().isClosed, tracker.writes().length], [false, writes]);
});

describe('a rule', () => {
  test('creates one issue for each package with new vulnerabilities, and none for older vulnerabilities', async () => {
    await scan([npm('old', 9)]);
    await use('gitlab', { rule: { least_severity: 'high' } });
    await scan([npm('old', 9), npm('alpha', 1), npm('alpha', 2), npm('low', 3, { severity: 'LOW' })]);
    await sync();
    assert.deepEqual(fieldOf(tracker.issues, 'title'), [
      'Upgrade alpha to 2.0.0: clears 2 vulnerabilities (acme/shop)',
    ]);
    await scan([npm('old', 9), npm('alpha', 1), npm('alpha', 2), npm('beta', 4)]);
    await sync();
    assert.equal(tracker.issues.length, 2);
  });

  test('creates an issue for a reopened vulnerability, even if older unread events were deleted', async () => {
    await scan([npm('back', 10)]);
    await use('gitlab', { rule: {} });
    await scan([]);
    await importTx(db, tenant.id, (tx) => deleteEventsBefore(tx, new Date()));
    await scan([npm('back', 10)]);
    await sync();
    assert.match(only().title, /back/);
  });

  test('for blocking violations only creates no other issues', async () => {
    await use('github', { rule: { blocking_only: true } });
    await scan([npm('alpha', 1), npm('beta', 2, { severity: 'CRITICAL' })]);
    await sync();
    assert.match(only().title, /beta/);
  });

  test('creates a limited number of issues in an hour, and none for vulnerabilities that are fixed before their turn', async () => {
    await use('gitlab', { rule: {} });
    const many = Array.from({ length: newByRuleInHour + 8 }, (_, i) => npm(`pkg-${i}`, 100 + i));
    await scan(many);
    await sync();
    assert.equal(tracker.issues.length, newByRuleInHour);
    await pass(30 * minuteMs);
    assert.equal(tracker.issues.length, newByRuleInHour);
    const made = new Set(tracker.issues.map(({ title }) => /pkg-\d+/.exec(title)?.[0]));
    const kept = many.filter(({ name }) => made.has(name));
    const [waiting, ...fixed] = many.filter(({ name }) => !made.has(name));
    assert.equal(fixed.length, 7);
    await scan([...kept, ...(waiting ? [waiting] : [])]);
    await pass(31 * minuteMs);
    assert.equal(tracker.issues.length, newByRuleInHour + 1);
  });
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
      tracker.issues = [];
      await scan([npm('alpha', 1), npm('alpha', 2), npm('alpha', 3)]);
      await make(await idOf('alpha', 1), trackerId, true);
      let open = 3;
      for (const one of steps) {
        if (one.kind === 'scan') {
          open = one.found.length;
          await scan(one.found.map((cve) => npm('alpha', cve)));
        } else if (one.kind === 'person' && tracker.issues[0]) {
          tracker.act(tracker.issues[0], { isClosed: one.isClosed });
        } else if (one.kind === 'lost') {
          tracker.fault = ({ method }) => (method === 'GET' ? null : 'lost');
          await sync();
          tracker.fault = null;
        }
        await pass(one.kind === 'wait' ? pollMs : 0);
      }
      for (let i = 0; i < 4; i++) await pass(pollMs);
      const writes = tracker.writes().length;
      await pass(pollMs);
      assert.equal(tracker.writes().length, writes);
      // All vulnerabilities were fixed before the first request, so no issue was needed.
      if (tracker.issues.length === 0) return;
      const issue = only();
      const markers = issue.comments.map(({ body }) => /merlon:\S+/.exec(body)?.[0]);
      assert.equal(new Set(markers).size, markers.length, 'no comment twice');
      // Merlon does not undo a person's change of the issue.
      const isChangedByPerson = steps.some(({ kind }) => kind === 'person');
      if (!isChangedByPerson) assert.equal(issue.isClosed, open === 0);
    }),
    { numRuns: 12 },
  );
});
