/** Tests of violations, exceptions and assignments: decisions from a script, against the real server. */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { describe, test } from 'node:test';
import { fieldOf, fieldsOf } from '../../server/test/support/fields.ts';
import { importAll } from '../../server/test/support/import.ts';
import { applyAndEvaluate } from '../../server/test/support/policies.ts';
import { runHere } from './../../server/test/support/run-here.ts';
import { createTestServer } from '../../server/test/support/server.ts';
import { trivyReport } from '../../server/test/support/tool-reports.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { main } from './../src/main.ts';
import { endOf } from '../src/parse-end-date.ts';
import { blockCritical } from './support/policies.ts';
import type { Run } from './support/run-merlon.ts';

const server = await createTestServer();
const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
const { tenant, people } = await createTestWorkspace(server, 'acme');
await applyAndEvaluate(server, tenant.id, blockCritical);
const packages = [1, 2, 3, 4].map((n) => ({
  id: `CVE-2030-${n}`,
  package: `package-${n}`,
  severity: n === 4 ? ('HIGH' as const) : ('CRITICAL' as const),
  title: `Flaw ${n}`,
}));
await importAll(server, 'acme', [reportInput(trivyReport({ packages }))]);

type Role = 'admin' | 'member' | 'viewer';

/** Runs `merlon` with the words of the line. A word in double quotes may hold blanks. */
function merlon(role: Role, line: string): Promise<Run> {
  const args = Array.from(line.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
  const env = { MERLON_URL: url, MERLON_TOKEN: people[role].key, MERLON_WORKSPACE: 'acme' };
  return runHere(main, args, { cwd: tmpdir(), env });
}

async function ended(code: number, role: Role, line: string): Promise<Run> {
  const run = await merlon(role, line);
  assert.equal(run.code, code, `${line}\n${run.stdout}${run.stderr}`);
  return run;
}

async function json(role: Role, line: string) {
  return JSON.parse((await ended(0, role, `${line} --json`)).stdout);
}

const { items } = await json('viewer', 'violations --repo acme/shop');
const byTitle = (title: string) =>
  items.find(({ target }: { target: { title: string } }) => target.title === title);
const [first, second, third, high] = [1, 2, 3, 4].map((n) => byTitle(`Flaw ${n}`).id as string);

async function verdict(): Promise<string> {
  const run = await merlon('viewer', 'gate --repo acme/shop --ref main --json');
  const { summary } = JSON.parse(run.stdout);
  return `${run.code} ${summary.blocking}`;
}

describe('violations', () => {
  test('the list applies its filters and its limit', async () => {
    const table = await ended(0, 'viewer', 'violations --repo acme/shop --limit 3');
    assert.match(
      table.stdout,
      /^SEVERITY +STATUS +MODE +DUE +POLICY +TARGET +REF +ID\ncritical +blocking +block +\d{4}-\d{2}-\d{2} +no-critical +Flaw \d +main +pvl_\w+\n/,
    );
    assert.equal(table.stdout.trimEnd().split('\n').length, 4);
    assert.match(table.stderr, /^3 of 4; --limit shows more$/m);
    const warned = await json('viewer', 'violations --repo acme/shop --enforcement warn');
    assert.deepEqual(fieldOf(warned.items, 'id'), [high]);
    for (const filter of [
      '--status resolved',
      '--target-type package',
      '--policy no-high --enforcement block',
    ]) {
      const none = await json('viewer', `violations --repo acme/shop --ref main ${filter}`);
      assert.deepEqual(none.items, [], filter);
    }
  });

  test('the list reads every page up to the limit', async () => {
    const many = Array.from({ length: 450 }, (_, i) => ({
      id: `CVE-2029-${i}`,
      package: `many-${i}`,
      severity: 'HIGH' as const,
    }));
    const input = reportInput(trivyReport({ packages: many }), { repository: 'acme/many' });
    await importAll(server, 'acme', [input]);
    const all = await json('viewer', 'violations --repo acme/many --limit 1000');
    assert.deepEqual(
      [new Set(all.items.map(({ id }: { id: string }) => id)).size, all.next_cursor],
      [450, null],
    );
    const some = await json('viewer', 'violations --repo acme/many --limit 250');
    assert.equal(some.items.length, 250);
    assert.ok(some.next_cursor);
  });

  test('show prints one violation in full', async () => {
    const { stdout } = await ended(0, 'viewer', `violations show ${first}`);
    for (const line of [
      /^target +Flaw 1$/m,
      /^status +open, blocks$/m,
      /^policy +No critical .*\(no-critical\)$/m,
    ]) {
      assert.match(stdout, line);
    }
    assert.match(stdout, /^scan +scan_\w+ of main$/m);
    assert.equal((await json('viewer', `violations show ${first}`)).violation.id, first);
    await ended(3, 'viewer', 'violations show pvl_nonsense');
  });

  test('a violation that an admin snoozes does not block until it is woken', async () => {
    assert.equal(await verdict(), '1 3');
    const snooze = `violations snooze ${first} ${second} --reason "next release"`;
    const dayBefore = endOf('14d').slice(0, 10);
    const slept = await ended(0, 'admin', `${snooze} --until 14d`);
    const dayAfter = endOf('14d').slice(0, 10);
    assert.match(
      slept.stdout,
      new RegExp(
        `^${first}: open, snoozed until (?:${dayBefore}|${dayAfter})T.*\\(snoozes so far: 1\\)$`,
        'm',
      ),
    );
    assert.equal(await verdict(), '1 1');
    const woken = await json('admin', `violations wake ${first} ${second} --reason released`);
    assert.deepEqual(fieldsOf(woken.items, 'blocking', 'snoozed'), [
      [true, false],
      [true, false],
    ]);
    assert.equal(await verdict(), '1 3');
    const tooLong = await ended(2, 'admin', `${snooze} --until 2999-01-01`);
    assert.match(tooLong.stderr, /--until: Must be within 90 days: the policy of pvl_\w+/);
    assert.match((await ended(2, 'admin', snooze)).stderr, /--until/);
    await ended(3, 'viewer', `${snooze} --until 14d`);
  });

  test("a member's snooze of a blocking violation becomes a request for an exception, and the command says so", async () => {
    const run = await ended(0, 'member', `violations snooze ${third} --until 7d --reason later`);
    assert.match(
      run.stdout,
      new RegExp(
        `^${third}: pending review, blocks\n {2}not snoozed: its policy blocks, so it requested an exception: ovr_\\w+; it blocks until another admin approves$`,
        'm',
      ),
    );
    assert.equal(await verdict(), '1 3');
  });
});

describe('exceptions', () => {
  test('an exception is requested, listed and approved by another person, and then the violation does not block', async () => {
    const asked = await ended(0, 'member', `exception request ${first} --reason "not reached" --until 30d`);
    assert.match(
      asked.stdout,
      new RegExp(
        `^ovr_\\w+: requested: exempt of ${first}, until .*; it blocks until another admin approves$`,
        'm',
      ),
    );
    assert.equal(await verdict(), '1 3');
    const list = await ended(0, 'viewer', 'exception list --status requested --repo acme/shop');
    assert.match(
      list.stdout,
      /^STATUS +MODE +POLICY +REPOSITORY +VIOLATION +UNTIL +REQUESTED BY +REASON +ID$/m,
    );
    assert.match(
      list.stdout,
      /^requested +exempt +no-critical +acme\/shop +pvl_\w+ +\d{4}-\d{2}-\d{2} +member@acme\.example +not reached +ovr_/m,
    );
    const { items: requested } = await json('viewer', 'exception list --status requested');
    const id = requested.find((item: { violation_id: string }) => item.violation_id === first).id;
    assert.match((await ended(3, 'member', `exception approve ${id} --reason ok`)).stderr, /may not do this/);
    const approved = await ended(0, 'admin', `exception approve ${id} --reason "looked at it"`);
    assert.match(approved.stdout, new RegExp(`^${id}: approved: exempt of ${first}, until `));
    assert.equal(await verdict(), '1 2');
    await ended(3, 'admin', `exception refuse ${id} --reason "too late"`);
    const withdrawn = await json('admin', `exception withdraw ${id} --reason fixed`);
    assert.equal(withdrawn.status, 'withdrawn');
    assert.equal(await verdict(), '1 3');
  });

  test('nobody can approve their own request', async () => {
    const { items: own } = await json('admin', `exception request ${second} --reason mine`);
    const [{ id }] = own;
    const run = await ended(3, 'admin', `exception approve ${id} --reason mine`);
    assert.match(run.stderr, /Somebody else has to approve your own request/);
    assert.equal((await json('admin', `exception refuse ${id} --reason no`)).status, 'refused');
  });

  test('an exception for a policy in a repository may downgrade the mode instead of exempting', async () => {
    const whole = 'exception request --policy no-critical --repo acme/shop --reason "replaced soon"';
    const { items: asked } = await json('member', `${whole} --downgrade warn`);
    assert.deepEqual(
      [asked.length, asked[0].mode, asked[0].enforcement_mode, asked[0].violation_id],
      [1, 'downgrade', 'warn', null],
    );
    const approved = await ended(0, 'admin', `exception approve ${asked[0].id} --reason fine`);
    assert.match(approved.stdout, /: approved: downgrade to warn of no-critical in acme\/shop$/m);
    assert.equal(await verdict(), '0 0');
    await ended(0, 'admin', `exception withdraw ${asked[0].id} --reason done`);
    for (const line of [
      'exception request --reason x',
      'exception request --policy no-critical --reason x',
      `exception request ${first} --policy no-critical --repo acme/shop --reason x`,
      `exception request ${first} --reason x --downgrade block`,
      `exception request ${first}`,
    ]) {
      await ended(2, 'member', line);
    }
  });
});

test("a member's decision on a blocked vulnerability becomes a request for an exception, another decision applies at once", async () => {
  const { items: vulnerabilities } = await json('viewer', 'vulns --repo acme/shop');
  const idOf = (title: string): string =>
    vulnerabilities.find((item: { title: string }) => item.title === title).id;
  const blocked = await ended(0, 'member', `triage reject ${idOf('Flaw 2')} --reason "constant input"`);
  assert.match(
    blocked.stdout,
    /^vc_\w+: open\n {2}not decided: a policy blocks, so it requested an exception: ovr_\w+; it blocks until another admin approves$/m,
  );
  assert.equal(await verdict(), '1 3');
  const taken = await ended(0, 'member', `triage reject ${idOf('Flaw 4')} --reason "constant input"`);
  assert.match(taken.stdout, /^vc_\w+: rejected \(false_positive\)$/m);
  assert.ok(!taken.stdout.includes('exception'));
});

test('a vulnerability is assigned to a person and unassigned', async () => {
  const { items: vulnerabilities } = await json('viewer', 'vulns --repo acme/shop');
  const [{ id }] = vulnerabilities;
  assert.match(
    (await ended(0, 'member', `assign ${id} me`)).stdout,
    /^vc_\w+: member of acme <member@acme\.example>$/m,
  );
  assert.match((await ended(0, 'member', `assign ${id} --none`)).stdout, /^vc_\w+: unassigned$/m);
  await ended(2, 'member', `assign ${id}`);
  await ended(2, 'member', `assign ${id} me --none`);
});

test('--until takes a day as a whole and a number of days from now', () => {
  assert.equal(endOf('2027-03-31'), '2027-03-31T23:59:59Z');
  assert.equal(endOf('14d', Date.UTC(2027, 0, 1, 12)), '2027-01-15T11:59:00Z');
  for (const text of ['2027-01-31T12:00:00+01:00', '14', 'soon', '999999d']) assert.equal(endOf(text), text);
});

describe('series', () => {
  test('replaced series are listed, and an admin retires one', async () => {
    const report = (category: string, count: number) =>
      reportInput(trivyReport({ packages: packages.slice(0, count) }), {
        repository: 'acme/series',
        category,
      });
    await importAll(server, 'acme', [report('nightly', 4), report('night', 3)]);
    const listed = await ended(0, 'viewer', 'series --state replaced');
    assert.match(listed.stdout, /^acme\/series +main +trivy +nightly +- +\S+ +replaced +ser_/m);
    assert.doesNotMatch(listed.stdout, / night /);
    const [, id = ''] = /(ser_\w+)/.exec(listed.stdout) ?? [];
    const refused = await ended(3, 'member', `series retire ${id}`);
    assert.match(refused.stderr, /./);
    const retired = await ended(0, 'admin', `series retire ${id} --reason renamed`);
    assert.match(retired.stdout, new RegExp(`^Retired ${id}: 1 fixed`));
    assert.deepEqual((await json('viewer', 'series --state replaced')).items, []);
  });
});
