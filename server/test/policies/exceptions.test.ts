/** Tests who may request, review and withdraw exceptions, snooze and decide, and the effect on the violation. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createWorkspaceKey } from '../../src/access/api-keys/service.ts';
import { addMember } from '../../src/access/members/service.ts';
import { createUser } from '../../src/access/users/service.ts';
import { installTx, tenantTx } from '../../src/db/database.ts';
import { getId, parseId } from '../../src/domain/ids.ts';
import { scopes } from '../../src/http/principal.ts';
import { sweepViolations } from '../../src/policies/evaluation/sweep.ts';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import { type Answer, clientOf, type Json, succeeded } from '../support/client.ts';
import { createTestKey, createTestWorkspaceKey } from '../support/workspace.ts';
import { blockCritical, createPolicyWorkspace, onCitus, vulnerable } from './policy-workspace.ts';

const { server, tenant, people, apply, scan, gate, violations, refuseEvaluations } =
  await createPolicyWorkspace();
await apply(blockCritical);
const manage = '/manage/v1/acme';
const reason = 'Looked at it.';
const day = 24 * 3600 * 1000;
const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();

// A second admin: nobody approves their own request.
const otherUser = await installTx(server.db, (tx) =>
  createUser(tx, 'other@acme.example', 'Other admin', null),
);
await tenantTx(server.db, tenant.id, (tx) => addMember(tx, otherUser.id, 'admin'));
const other = (await createTestKey(server, { userId: otherUser.id, role: 'admin' })).key;
const keys = { viewer: people.viewer.key, member: people.member.key, admin: people.admin.key, other };
type Who = keyof typeof keys | { key: string };

let repositories = 0;

interface Problem {
  repo: string;
  violation: string;
  vulnerability: string;
}

/** A repository of its own with one problem: critical (it blocks) or high (it warns). */
async function createProblem(severity: 'CRITICAL' | 'HIGH' = 'CRITICAL'): Promise<Problem> {
  repositories++;
  const repo = `acme/repo-${repositories}`;
  await scan([vulnerable('lodash', severity)], { repository: repo });
  const [violation] = await violations({ repo });
  assert.ok(violation);
  return { repo, violation: violation.id, vulnerability: violation.target.id };
}

/** Posts as one of the people, or with another key. */
const post = (who: Who, path: string, body: Json): Promise<Answer> =>
  clientOf(server.app, typeof who === 'string' ? keys[who] : who.key).post(`${manage}${path}`, body);

const sendRequest = (who: Who, problem: Problem, more: Json = {}) =>
  post(who, '/exceptions', { violations: [problem.violation], reason, ...more });
const decideViolation = (who: Who, { violation }: Problem, decision: Json) =>
  post(who, '/policy-violations/decisions', { violations: [{ id: violation }], ...decision });
const snooze = (who: Who, problem: Problem, until = inDays(5)) =>
  decideViolation(who, problem, { action: 'snooze', reason, until });
const wake = (who: Who, problem: Problem) => decideViolation(who, problem, { action: 'wake', reason });
const undo = (who: Who, problem: Problem) => decideViolation(who, problem, { action: 'undo' });
const accept = (who: Who, problem: Problem, more: Json = {}) =>
  post(who, '/vulnerabilities/decisions', {
    action: 'accept',
    vulnerabilities: [{ id: problem.vulnerability }],
    reason,
    ...more,
  });
const review = (who: Who, exception: string, decision: 'approve' | 'refuse') =>
  post(who, `/exceptions/${exception}/review`, { decision, reason });
const withdraw = (who: Who, exception: string) => post(who, `/exceptions/${exception}/withdraw`, { reason });

async function requestException(who: Who, problem: Problem, more: Json = {}): Promise<string> {
  const body = succeeded(await sendRequest(who, problem, more));
  const [item] = (body as { items: { id: string; status: string }[] }).items;
  assert.ok(item);
  return item.id;
}

async function stateOf({ repo, violation }: Problem) {
  const [item] = (await violations({ repo })).filter((one) => one.id === violation);
  assert.ok(item);
  const { verdict } = await gate({ repo });
  return { status: item.status, mode: item.enforcement_mode, blocking: item.blocking, verdict };
}

const blocked = { status: 'open', mode: 'block', blocking: true, verdict: 'block' };
const pending = { ...blocked, status: 'pending_review' };
const waived = { status: 'waived', mode: null, blocking: false, verdict: 'pass' };

describe('an exception', () => {
  test('that is requested still blocks, and once another person approves it, it waives', async () => {
    const problem = await createProblem();
    assert.deepEqual(await stateOf(problem), blocked);
    const id = await requestException('member', problem);
    assert.deepEqual(await stateOf(problem), pending);
    assert.equal(
      await requestException('member', problem),
      id,
      'a repeated request gives the same exception',
    );
    assert.equal((await review('admin', id, 'approve')).status, 200);
    assert.deepEqual(await stateOf(problem), waived);
  });

  test('that is refused or withdrawn leaves the violation open', async () => {
    const problem = await createProblem();
    assert.equal((await review('admin', await requestException('member', problem), 'refuse')).status, 200);
    assert.deepEqual(await stateOf(problem), blocked);
    assert.equal((await withdraw('member', await requestException('member', problem))).status, 200);
    assert.deepEqual(await stateOf(problem), blocked);
  });

  test('is found by words of the title of its vulnerability, whatever its status', async () => {
    const repo = 'acme/searched';
    await scan([vulnerable('zebrafish', 'CRITICAL'), vulnerable('quagga', 'CRITICAL')], { repository: repo });
    const found = await violations({ repo });
    const problemOf = (name: string): Problem => {
      const item = found.find(({ target }) => target.title?.startsWith(name));
      assert.ok(item, name);
      return { repo, violation: item.id, vulnerability: item.target.id };
    };
    const [zebrafish, quagga] = ['zebrafish', 'quagga'].map(problemOf) as [Problem, Problem];
    const refused = await requestException('member', zebrafish);
    assert.equal((await review('admin', refused, 'refuse')).status, 200);
    const again = await requestException('member', zebrafish);
    const waiting = await requestException('member', quagga);
    const read = async (query: string) => {
      const answer = await clientOf(server.app, keys.viewer).get<{ items: { id: string }[] }>(
        `${manage}/exceptions?${query}`,
      );
      return answer.status === 200 ? answer.body.items.map(({ id }) => id) : answer.status;
    };
    assert.deepEqual(await read('q=zebra'), [again, refused]);
    assert.deepEqual(await read('q=zebra&status=refused'), [refused]);
    assert.deepEqual(await read(`q=quagga&repo=${repo}`), [waiting]);
    assert.deepEqual(await read('q=quagga+zebra'), []);
    assert.equal(await read('q=ab'), 422);
  });

  test('that lowers the mode leaves the violation open, with a warning', async () => {
    const problem = await createProblem();
    const id = await requestException('member', problem, { mode: 'downgrade', enforcement_mode: 'warn' });
    await review('admin', id, 'approve');
    assert.deepEqual(await stateOf(problem), {
      status: 'open',
      mode: 'warn',
      blocking: false,
      verdict: 'warn',
    });
  });

  test('of a policy in a repository covers later violations there, and none elsewhere', async () => {
    const [here, there] = [await createProblem(), await createProblem()];
    const answer = await post('member', '/exceptions', { policy: 'critical', repo: here.repo, reason });
    const [item] = (answer.body as { items: { id: string }[] }).items;
    assert.deepEqual(await stateOf(here), pending);
    await review('other', item?.id ?? '', 'approve');
    assert.deepEqual(await stateOf(here), waived);
    assert.deepEqual(await stateOf(there), blocked);
    assert.equal(
      await scan([vulnerable('lodash'), vulnerable('minimist')], { repository: here.repo }),
      'pass',
    );
  });

  test('that ends opens the violation again, with its old due date', async () => {
    const problem = await createProblem();
    const [before] = await violations({ repo: problem.repo });
    await review('admin', await requestException('member', problem, { until: inDays(2) }), 'approve');
    assert.deepEqual(await stateOf(problem), waived);
    await sweepViolations(server.db, tenant.id, new Date(Date.now() + day));
    assert.deepEqual(await stateOf(problem), waived);
    await sweepViolations(server.db, tenant.id, new Date(Date.now() + 3 * day));
    assert.deepEqual(await stateOf(problem), blocked);
    const [after] = await violations({ repo: problem.repo });
    assert.equal(after?.due_at, before?.due_at);
  });

  test('stays while its target is missing, and applies when it returns', async () => {
    const problem = await createProblem();
    const id = await requestException('member', problem);
    await scan([], { repository: problem.repo });
    assert.equal((await stateOf(problem)).status, 'resolved');
    await scan([vulnerable('lodash')], { repository: problem.repo });
    assert.deepEqual(await stateOf(problem), pending);
    await review('admin', id, 'approve');
    await scan([], { repository: problem.repo });
    await scan([vulnerable('lodash')], { repository: problem.repo });
    assert.deepEqual(await stateOf(problem), waived);
  });

  test('stays requested when its requester leaves, so the violation does not pass', async () => {
    const problem = await createProblem();
    const leaver = await installTx(server.db, (tx) => createUser(tx, 'leaver@acme.example', 'Leaver', null));
    await tenantTx(server.db, tenant.id, (tx) => addMember(tx, leaver.id, 'member'));
    const { key } = await createTestKey(server, { userId: leaver.id, role: 'member' });
    assert.equal((await sendRequest({ key }, problem)).status, 200);
    await server.owner.query('delete from member where tenant_id = $1 and user_id = $2', [
      tenant.id,
      leaver.id,
    ]);
    await sweepViolations(server.db, tenant.id, new Date());
    assert.deepEqual(await stateOf(problem), pending);
    assert.equal((await sendRequest({ key }, problem)).status, 403);
  });
});

describe('nobody approves their own request', () => {
  test('with another key of the requester, or with a workspace key that they made, is refused', async () => {
    const problem = await createProblem();
    const id = await requestException('admin', problem);
    assert.equal((await review('admin', id, 'approve')).status, 403);
    const second = await createTestKey(server, { userId: people.admin.user.id, role: 'admin' });
    assert.equal((await review({ key: second.key }, id, 'approve')).status, 403);
    const made = await tenantTx(server.db, tenant.id, (tx) =>
      createWorkspaceKey(tx, {
        name: 'ci',
        scopes: [...scopes].filter((scope) => scope !== 'tenants:read'),
        expires: '90d',
        createdBy: people.admin.user.id,
        tenantId: tenant.id,
        role: 'admin',
      }),
    );
    const machine = { key: made.key };
    assert.equal((await review(machine, id, 'approve')).status, 403, 'a machine is nobody’s second look');
    // If a workspace key requests an exception, the person who made the key counts as the requester.
    const byKey = await createProblem();
    const requested = await requestException(machine, byKey);
    assert.equal((await review('admin', requested, 'approve')).status, 403);
    assert.deepEqual(await stateOf(byKey), pending);
    assert.equal((await review('other', requested, 'approve')).status, 200);
    assert.deepEqual(await stateOf(byKey), waived);
    // Everyone who may review may also refuse.
    assert.equal((await review('admin', id, 'refuse')).status, 200);
  });

  test('with a workspace key of an admin is refused', async () => {
    const problem = await createProblem();
    const id = await requestException('member', problem);
    const { key } = await createTestWorkspaceKey(server, tenant, 'admin');
    const answer = await review({ key }, id, 'approve');
    assert.deepEqual([answer.status, answer.body.code], [403, 'TOKEN_ABILITY_DENIED']);
    assert.deepEqual(await stateOf(problem), pending);
  });
});

describe('every invalid transition is refused, and changes nothing', () => {
  const invalid = (answer: Answer) =>
    assert.deepEqual([answer.status, answer.body.code], [409, 'INVALID_TRANSITION'], answer.text);

  test('of an exception is refused', async () => {
    const problem = await createProblem();
    const id = await requestException('member', problem);
    await review('admin', id, 'approve');
    invalid(await review('other', id, 'approve'));
    invalid(await review('other', id, 'refuse'));
    invalid(await sendRequest('member', problem));
    assert.equal((await withdraw('member', id)).status, 403, 'what is approved is an admin’s to take back');
    assert.deepEqual(await stateOf(problem), waived);
    assert.equal((await withdraw('other', id)).status, 200);
    assert.deepEqual(await stateOf(problem), blocked);
    invalid(await withdraw('other', id));
    invalid(await review('other', id, 'approve'));
    const mine = await requestException('admin', problem);
    assert.equal((await withdraw('member', mine)).status, 403, 'of somebody else');
    const late = await createProblem();
    const ending = await requestException('member', late, { until: inDays(1) });
    await server.owner.query('update policy_exception set ends_at = now() where id = $1', [
      getId('exception', ending),
    ]);
    invalid(await review('admin', ending, 'approve'));
  });

  test('of a snooze is refused', async () => {
    const problem = await createProblem();
    const id = await requestException('member', problem);
    await review('admin', id, 'approve');
    invalid(await snooze('admin', problem));
    await withdraw('admin', id);
    await scan([], { repository: problem.repo });
    invalid(await snooze('admin', problem));
  });

  test('by an incomplete or too long request is refused', async () => {
    const problem = await createProblem();
    const bodies: [Json, string][] = [
      [{ violations: [problem.violation], reason: '  ' }, 'reason'],
      [{ violations: [problem.violation] }, 'reason'],
      [{ reason }, 'violations'],
      [{ policy: 'critical', reason }, 'violations'],
      [{ violations: [problem.violation], policy: 'critical', repo: problem.repo, reason }, 'violations'],
      [{ violations: [problem.violation], mode: 'downgrade', reason }, 'enforcement_mode'],
      [{ violations: [problem.violation], enforcement_mode: 'warn', reason }, 'enforcement_mode'],
      [{ violations: [problem.violation], until: '2020-01-01T00:00:00Z', reason }, 'until'],
      [{ violations: [problem.violation], until: 'soon', reason }, 'until'],
    ];
    for (const [body, field] of bodies) {
      const answer = await post('member', '/exceptions', body);
      assert.equal(answer.status, 422, JSON.stringify(body));
      const { errors } = answer.body.details as { errors: Record<string, string[]> };
      assert.ok(errors[field], `${JSON.stringify(body)}: ${answer.text}`);
    }
    assert.deepEqual(await stateOf(problem), blocked);
  });
});

describe('a snooze', () => {
  test('of an admin stops the block until it ends, and the time to fix goes on', async () => {
    const problem = await createProblem();
    const [before] = await violations({ repo: problem.repo });
    assert.equal((await snooze('admin', problem)).status, 200);
    assert.deepEqual(await stateOf(problem), {
      status: 'open',
      mode: 'block',
      blocking: false,
      verdict: 'warn',
    });
    const [asleep] = await violations({ repo: problem.repo });
    assert.deepEqual([asleep?.snoozed, asleep?.snooze_count, asleep?.due_at], [true, 1, before?.due_at]);
    assert.equal(await scan([vulnerable('lodash')], { repository: problem.repo }), 'warn');
    await sweepViolations(server.db, tenant.id, new Date(Date.now() + 6 * day));
    assert.deepEqual(await stateOf(problem), blocked);
  });

  test('ends when a person wakes the violation', async () => {
    const problem = await createProblem();
    await snooze('admin', problem);
    assert.equal((await wake('member', problem)).status, 200);
    assert.deepEqual(await stateOf(problem), blocked);
  });

  test('and a wake are taken back by the same person alone, and everything is as before', async () => {
    const problem = await createProblem();
    const snoozed = async () => {
      const [item] = await violations({ repo: problem.repo });
      return [item?.snoozed, item?.snooze_count, (await gate({ repo: problem.repo })).verdict];
    };
    assert.equal((await undo('admin', problem)).status, 409, 'nothing was done');
    await snooze('admin', problem);
    assert.equal((await undo('other', problem)).status, 409, 'it is not theirs');
    assert.equal((await undo('admin', problem)).status, 200);
    assert.deepEqual(await snoozed(), [false, 0, 'block']);
    assert.equal((await undo('admin', problem)).status, 409, 'an undo is not undone');
    await snooze('admin', problem);
    // A member ends the admin's snooze by mistake. The undo is not a snooze by the member.
    assert.equal((await wake('member', problem)).status, 200);
    assert.deepEqual(await snoozed(), [false, 1, 'block']);
    assert.equal((await undo('admin', problem)).status, 409, 'a member has woken it since');
    assert.equal((await undo('member', problem)).status, 200);
    assert.deepEqual(await snoozed(), [true, 1, 'warn']);
    assert.equal(await scan([vulnerable('lodash')], { repository: problem.repo }), 'warn', 'it still counts');
    await wake('admin', problem);
    await server.owner.query(
      `update policy_violation set snooze_undo = snooze_undo || jsonb_build_object('at', now() - interval '16 minutes')
        where tenant_id = $1 and snooze_undo is not null`,
      [tenant.id],
    );
    assert.equal((await undo('admin', problem)).status, 409, 'it is too long ago');
  });

  test('by a member is not restored once its policy blocks', async () => {
    const problem = await createProblem('HIGH');
    assert.equal((await snooze('member', problem)).status, 200);
    assert.equal((await wake('member', problem)).status, 200);
    const setMode = (mode: string) =>
      server.owner.query('update policy set enforcement_mode = $2 where tenant_id = $1 and key = $3', [
        tenant.id,
        mode,
        'high',
      ]);
    await setMode('block');
    const answer = await undo('member', problem);
    await setMode('warn');
    assert.equal(answer.status, 409, answer.text);
    assert.match(answer.text, /The policy of .* blocks now/);
  });

  test('is limited in days, in number and by the policy', async () => {
    const problem = await createProblem();
    assert.equal((await snooze('admin', problem, inDays(91))).status, 422);
    assert.equal((await snooze('admin', problem, inDays(-1))).status, 422);
    assert.deepEqual(await stateOf(problem), blocked);
    for (const days of [1, 2, 89]) assert.equal((await snooze('admin', problem, inDays(days))).status, 200);
    assert.equal((await snooze('admin', problem)).status, 422, 'a fourth time');
    await apply(`
key: strict
target_type: vulnerability
enforcement_mode: warn
config: {snooze: {max_days: 7, max_count: 1}}
condition: {all: [{fact: severity, operator: '==', value: low}]}
`);
    const repo = 'acme/strict';
    await scan([vulnerable('low', 'LOW')], { repository: repo });
    const [low] = await violations({ repo });
    const strict = { repo, violation: low?.id ?? '', vulnerability: low?.target.id ?? '' };
    assert.equal((await snooze('admin', strict, inDays(8))).status, 422);
    assert.equal((await snooze('admin', strict, inDays(6))).status, 200);
    assert.equal((await snooze('admin', strict, inDays(6))).status, 422);
  });

  test('applies to all violations of the request or to none', async () => {
    const [one, two] = [await createProblem(), await createProblem()];
    const both = (id: string) =>
      post('admin', '/policy-violations/decisions', {
        action: 'snooze',
        violations: [{ id: one.violation }, { id }],
        reason,
        until: inDays(1),
      });
    assert.equal((await both('pvl_00000000000000000000000000')).status, 404);
    await scan([], { repository: two.repo });
    assert.equal((await both(two.violation)).status, 409);
    assert.deepEqual(await stateOf(one), blocked);
  });
});

/** The answer for each role and action, for a vulnerability with a blocking policy and for one without. */
const table: Record<string, { act: (who: Who, problem: Problem) => Promise<Answer>; expected: string[] }> = {
  // viewer, member, admin where it blocks; viewer, member, admin where it warns.
  'request an exception': {
    act: sendRequest,
    expected: ['403', 'requests', 'requests', '403', 'requests', 'requests'],
  },
  snooze: { act: snooze, expected: ['403', 'requests', 'does', '403', 'does', 'does'] },
  decide: {
    act: (who, problem) => accept(who, problem),
    expected: ['403', 'requests', 'does', '403', 'does', 'does'],
  },
  approve: {
    act: async (who, problem) => review(who, await requestException('other', problem), 'approve'),
    expected: ['403', '403', 'does', '403', '403', 'does'],
  },
  refuse: {
    act: async (who, problem) => review(who, await requestException('other', problem), 'refuse'),
    expected: ['403', '403', 'refuses', '403', '403', 'refuses'],
  },
  'take back what is approved': {
    act: async (who, problem) => {
      const id = await requestException('member', problem);
      await review('other', id, 'approve');
      return withdraw(who, id);
    },
    expected: ['403', '403', 'reopens', '403', '403', 'reopens'],
  },
};

describe('who may do what', () => {
  for (const [act, { act: perform, expected }] of Object.entries(table)) {
    test(act, async () => {
      const seen: string[] = [];
      for (const severity of ['CRITICAL', 'HIGH'] as const) {
        for (const who of ['viewer', 'member', 'admin'] as const) {
          const problem = await createProblem(severity);
          const open = await stateOf(problem);
          const answer = await perform(who, problem);
          const after = await stateOf(problem);
          seen.push(outcome(answer, open, after));
          if (answer.status === 403) assert.equal(answer.body.code, 'TOKEN_ABILITY_DENIED');
        }
      }
      assert.deepEqual(seen, expected);
    });
  }

  function outcome(
    answer: Answer,
    open: { verdict: string | null },
    after: Awaited<ReturnType<typeof stateOf>>,
  ) {
    if (answer.status !== 200) return String(answer.status);
    // A requested exception does not change the verdict.
    if (after.status === 'pending_review') {
      assert.equal(after.verdict, open.verdict);
      return 'requests';
    }
    if (answer.body.status === 'refused') return 'refuses';
    if (answer.body.status === 'withdrawn') return 'reopens';
    return 'does';
  }

  test('a member’s decision about several becomes requests for those that block, and applies to the others', async () => {
    const [blocking, warning] = [await createProblem(), await createProblem('HIGH')];
    const answer = await post('member', '/vulnerabilities/decisions', {
      action: 'reject',
      vulnerabilities: [{ id: blocking.vulnerability }, { id: warning.vulnerability }],
      reason,
    });
    const { items } = answer.body as { items: { status: string; exceptions: string[] }[] };
    assert.deepEqual(
      items.map((item) => [item.status, item.exceptions.length]),
      [
        ['open', 1],
        ['rejected', 0],
      ],
    );
    assert.deepEqual(await stateOf(blocking), pending);
    assert.equal((await stateOf(warning)).status, 'resolved');
    await review('admin', items[0]?.exceptions[0] ?? '', 'approve');
    assert.deepEqual(await stateOf(blocking), waived);
  });

  test('an exception or a snooze that will end does not let a member decide', async () => {
    const exempt = await createProblem();
    await review('admin', await requestException('member', exempt, { until: inDays(1) }), 'approve');
    await accept('member', exempt);
    await sweepViolations(server.db, tenant.id, new Date(Date.now() + 2 * day));
    assert.equal((await stateOf(exempt)).verdict, 'block');
    const asleep = await createProblem();
    await snooze('admin', asleep);
    await accept('member', asleep);
    await sweepViolations(server.db, tenant.id, new Date(Date.now() + 6 * day));
    assert.equal((await stateOf(asleep)).verdict, 'block');
  });
});

describe('before the sweep has ended what has reached its end,', () => {
  test('an exception does not count for what a report shows', async () => {
    const { repo } = await createProblem();
    const answer = await post('member', '/exceptions', {
      policy: 'critical',
      repo,
      reason,
      until: inDays(1),
    });
    const [item] = (answer.body as { items: { id: string }[] }).items;
    assert.equal((await review('admin', item?.id ?? '', 'approve')).status, 200);
    await server.owner.query('update policy_exception set ends_at = now() where id = $1', [
      getId('exception', item?.id ?? ''),
    ]);
    assert.equal(await scan([vulnerable('lodash'), vulnerable('minimist')], { repository: repo }), 'block');
  });

  const grants: Record<string, { grant: (problem: Problem) => Promise<unknown>; end: string }> = {
    'an exception': {
      grant: async (problem) =>
        review('admin', await requestException('member', problem, { until: inDays(2) }), 'approve'),
      end: 'update policy_exception set ends_at = now() where violation_id = $1',
    },
    'a snooze': {
      grant: (problem) => snooze('admin', problem, inDays(2)),
      end: 'update policy_violation set snoozed_until = now() where id = $1',
    },
    'an acceptance': {
      grant: (problem) => accept('admin', problem, { until: inDays(2) }),
      end: `update vulnerability set accepted_until = now()
             where id = (select target_id from policy_violation where id = $1)`,
    },
  };
  for (const [name, { grant, end }] of Object.entries(grants)) {
    test(`the gate says that the verdict may change because of ${name}`, async () => {
      const problem = await createProblem();
      await grant(problem);
      const before = await gate({ repo: problem.repo });
      assert.deepEqual([before.verdict === 'block', before.policies_pending], [false, false]);
      await server.owner.query(end, [parseId('violation', problem.violation)]);
      const after = await gate({ repo: problem.repo });
      assert.deepEqual([after.verdict, after.policies_pending], [before.verdict, true]);
      await sweepTenant(server.db, tenant.id, new Date(), 30);
      await sweepViolations(server.db, tenant.id, new Date());
      const { verdict, policies_pending } = await gate({ repo: problem.repo });
      assert.deepEqual([verdict, policies_pending], ['block', false]);
    });
  }
});

describe('what is granted in another repository than one whose evaluation fails ends:', {
  skip: onCitus,
}, () => {
  const grants: Record<string, (problem: Problem) => Promise<unknown>> = {
    'an exception': async (problem) =>
      review('admin', await requestException('member', problem, { until: inDays(2) }), 'approve'),
    'a snooze': (problem) => snooze('admin', problem, inDays(2)),
    'an acceptance': (problem) => accept('admin', problem, { until: inDays(2) }),
  };
  for (const [name, grant] of Object.entries(grants)) {
    test(name, async () => {
      const problems = [await createProblem(), await createProblem(), await createProblem()];
      for (const problem of problems) await grant(problem);
      const { repository } = await gate({ repo: problems[1]?.repo });
      const allow = await refuseEvaluations(`new.repository_id = '${parseId('repository', repository.id)}'`);
      const failures: unknown[] = [];
      const sweep = async (failed?: (error: unknown) => void) => {
        const later = new Date(Date.now() + 3 * day);
        await sweepTenant(server.db, tenant.id, later, 30, failed);
        await sweepViolations(server.db, tenant.id, later, failed);
        return Promise.all(problems.map(async ({ repo }) => (await gate({ repo })).verdict));
      };
      const [first, failing, last] = await sweep((error) => failures.push(error));
      await allow();
      assert.deepEqual([first, last], ['block', 'block']);
      assert.notEqual(failing, 'block');
      assert.ok(failures.length > 0);
      assert.deepEqual(await sweep(), ['block', 'block', 'block']);
    });
  }
});
