/**
 * Tests of issues in trackers: each is created once, closed when all its vulnerabilities are fixed, reopened when one
 * is open again, and changes by people there are shown. The servers implement the documented APIs of GitHub, GitLab and
 * Jira.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { importTx } from '../../src/db/database.ts';
import { formatId, nilId, type VulnerabilityId } from '../../src/domain/ids.ts';
import { deleteEventsBefore } from '../../src/events/outbox.ts';
import { newByRuleInHour, pollMs, uncertainMs } from '../../src/notifications/issues/sync-issues.ts';
import { sweepViolations } from '../../src/policies/evaluation/sweep.ts';
import { blockCritical } from '../policies/policy-workspace.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import type { ServedKind } from '../support/issue-tracker-server.ts';
import { sarif } from '../support/reports.ts';
import { reportInput } from '../support/workspace.ts';
import { createIssueWorkspace, minuteMs, npm, pathOf } from './issue-workspace.ts';

const {
  server,
  tenant,
  scan,
  db,
  owner,
  now,
  current,
  member,
  use,
  sync,
  changeAsAdmin,
  pass,
  idOf,
  requestIssue,
  make,
  linkAlpha,
  issueOf,
  storedTracker,
  only,
  apply,
  client,
  violations,
} = await createIssueWorkspace();

const cloudUser = 'bot@acme.example';
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
      assert.equal(shown.url, `${current.tracker.url}${page[kind]}`);
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

      const writes = current.tracker.writes().length;
      await pass(pollMs * 2);
      await sync();
      assert.equal(current.tracker.writes().length, writes, 'what Merlon wrote is no reason to write');
    });

    test('that people close or assign in the tracker is shown with its state, and changes nothing in Merlon', async () => {
      const { vulnerability } = await linkAlpha(kind, {}, user);
      current.tracker.act(only(), {
        isClosed: true,
        status: 'Done',
        reason: 'not_planned',
        assignee: 'kim\0',
      });
      const writes = current.tracker.writes().length;
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
      assert.equal(current.tracker.writes().length, writes, 'Merlon does not open it against the person');
    });

    test('that was deleted in the tracker is shown as deleted, and is created again only after it was unlinked', async () => {
      const trackerId = await use(kind, {}, user);
      await scan([npm('alpha', 1)]);
      const vulnerability = await idOf('alpha', 1);
      const { id } = await make(vulnerability, trackerId);
      await sync();
      current.tracker.act(only(), { isDeleted: true });
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
      assert.equal(current.tracker.issues.length, 2);
    });

    test('whose creation got no answer is found by its marker', async () => {
      const trackerId = await use(kind, {}, user);
      await scan([npm('alpha', 1)]);
      const vulnerability = await idOf('alpha', 1);
      await make(vulnerability, trackerId);
      current.tracker.fault = ({ method, path }) =>
        method === 'POST' && /issues?$/.test(path) ? 'lost' : null;
      await sync();
      only();
      current.tracker.fault = null;
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
      current.tracker.fault = ({ method, path }) =>
        method === 'POST' && /(?:comments?|notes)$/.test(path) ? 'lost' : null;
      await scan([]);
      await sync();
      assert.deepEqual([only().comments.length, only().isClosed], [1, false]);
      current.tracker.fault = null;
      await pass(uncertainMs * 2);
      assert.deepEqual([only().comments.length, only().isClosed], [1, true]);
    });

    test('is not created in a project that has become public, until the settings of the tracker allow it', async () => {
      const trackerId = await use(kind, {}, user);
      await scan([npm('alpha', 1), npm('beta', 2)]);
      await make(await idOf('alpha', 1), trackerId);
      await sync();
      current.tracker.isPublic = true;
      await make(await idOf('beta', 2), trackerId);
      await pass(pollMs);
      only();
      const { enabled, disabled_reason: reason } = await storedTracker();
      assert.deepEqual([enabled, reason?.slice(0, 30)], [false, 'Everybody can read the project']);
      const change = { allows_public: true, enabled: true };
      assert.equal((await changeAsAdmin(trackerId, change)).status, 200);
      await sync();
      assert.equal(current.tracker.issues.length, 2);
    });

    test('is not linked by an answer without its number, and is found once the tracker gives valid answers', async () => {
      const trackerId = await use(kind, {}, user);
      await scan([npm('alpha', 1), npm('beta', 2)]);
      const vulnerability = await idOf('alpha', 1);
      await make(vulnerability, trackerId);
      await make(await idOf('beta', 2), trackerId);
      // The tracker creates the first issue, and its answer is malformed.
      let answers = 0;
      current.tracker.fault = ({ method, path }) =>
        method === 'POST' && /issues?$/.test(path) && answers++ === 0 ? 'malformed' : null;
      await sync();
      const { state, error } = await issueOf(vulnerability);
      assert.deepEqual([state, error], ['waiting', 'the answer is not that of the API: check the address']);
      assert.equal((await issueOf(await idOf('beta', 2))).state, 'linked', 'the others are made');
      await pass(uncertainMs * 2);
      assert.equal((await issueOf(vulnerability)).state, 'linked');
      assert.equal(current.tracker.issues.length, 2);
    });

    test('is updated although another one in the list is malformed, and the error of that one is shown', async () => {
      const trackerId = await use(kind, {}, user);
      await scan([npm('alpha', 1), npm('beta', 2)]);
      const [first, second] = [await idOf('alpha', 1), await idOf('beta', 2)];
      await make(first, trackerId);
      await make(second, trackerId);
      await sync();
      const { key } = await issueOf(second);
      for (const issue of current.tracker.issues) {
        // No status of an issue is a number.
        const status = { isClosed: true, status: 'Done' };
        current.tracker.act(
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
      current.tracker.hasIssues = false;
      await scan([]);
      await sync();
      assert.equal((await issueOf(vulnerability)).state, 'linked');
      assert.match((await storedTracker()).disabled_reason ?? '', /takes no issues/);
      current.tracker.hasIssues = true;
      assert.equal((await changeAsAdmin(trackerId, { enabled: true })).status, 200);
      await pass(uncertainMs * 2);
      assert.equal(only().isClosed, true);
    });

    test('is updated although thousands of others changed at the same time, in several polls', async () => {
      const { vulnerability } = await linkAlpha(kind, {}, user);
      const made = only();
      const others = Array.from({ length: 2_100 }, (_, i) => ({ ...made, number: i + 1, comments: [] }));
      current.tracker.issues = [
        ...others,
        { ...made, number: others.length + 1, isClosed: true, status: 'Done' },
      ];
      const key = `${kind === 'jira' ? 'SHOP-' : ''}${current.tracker.issues.length}`;
      await owner.query('update linked_issue set issue_key = $1', [key]);
      current.clock += pollMs;
      for (const issue of current.tracker.issues) issue.updatedAt = now();
      for (let part = 0; part < 5; part++) await sync();
      assert.equal((await issueOf(vulnerability)).closed, true);
      const requests = current.tracker.requests.length;
      await sync();
      assert.equal(current.tracker.requests.length, requests, 'the poll has an end');
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

describe('a rule', () => {
  test('creates one issue for each package with new vulnerabilities, and none for older vulnerabilities', async () => {
    await scan([npm('old', 9)]);
    await use('gitlab', { rule: { least_severity: 'high' } });
    await scan([npm('old', 9), npm('alpha', 1), npm('alpha', 2), npm('low', 3, { severity: 'LOW' })]);
    await sync();
    assert.deepEqual(fieldOf(current.tracker.issues, 'title'), [
      'Upgrade alpha to 2.0.0: clears 2 vulnerabilities (acme/shop)',
    ]);
    await scan([npm('old', 9), npm('alpha', 1), npm('alpha', 2), npm('beta', 4)]);
    await sync();
    assert.equal(current.tracker.issues.length, 2);
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

  test('for blocking violations only creates an issue when a snooze ends, or after another policy at the next report', async () => {
    await use('github', { rule: { blocking_only: true } });
    await scan([npm('mild', 11), npm('severe', 12, { severity: 'CRITICAL' })]);
    const blocking = (await violations()).find((violation) => violation.blocking);
    const snoozed = await client.post('/manage/v1/acme/policy-violations/decisions', {
      action: 'snooze',
      violations: [{ id: blocking?.id }],
      reason: 'release week',
      until: new Date(Date.now() + 24 * 60 * minuteMs).toISOString(),
    });
    assert.equal(snoozed.status, 200, snoozed.text);
    await sync();
    assert.deepEqual(current.tracker.issues, []);
    await sweepViolations(db, tenant.id, new Date(Date.now() + 48 * 60 * minuteMs));
    await sync();
    assert.match(only().title, /severe/);

    await apply(blockCritical.replaceAll('warn', 'block'));
    await scan([npm('mild', 11), npm('severe', 12, { severity: 'CRITICAL' })]);
    await sync();
    assert.equal(current.tracker.issues.length, 2);
    await apply(blockCritical);
  });

  test('creates a limited number of issues in an hour, and none for vulnerabilities that are fixed before their turn', async () => {
    await use('gitlab', { rule: {} });
    const many = Array.from({ length: newByRuleInHour + 8 }, (_, i) => npm(`pkg-${i}`, 100 + i));
    await scan(many);
    await sync();
    assert.equal(current.tracker.issues.length, newByRuleInHour);
    await pass(30 * minuteMs);
    assert.equal(current.tracker.issues.length, newByRuleInHour);
    const made = new Set(current.tracker.issues.map(({ title }) => /pkg-\d+/.exec(title)?.[0]));
    const kept = many.filter(({ name }) => made.has(name));
    const [waiting, ...fixed] = many.filter(({ name }) => !made.has(name));
    assert.equal(fixed.length, 7);
    await scan([...kept, ...(waiting ? [waiting] : [])]);
    await pass(31 * minuteMs);
    assert.equal(current.tracker.issues.length, newByRuleInHour + 1);
  });
});
