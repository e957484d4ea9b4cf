/** Tests that the sweep visits exactly the workspaces with due work, and that one process sweeps for all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { importTx } from '../../src/db/database.ts';
import { startDatabaseClock } from '../../src/db/database-clock.ts';
import { listDueTenants } from '../../src/db/due-tenants.ts';
import { formatId, newId } from '../../src/domain/ids.ts';
import { dayMs } from '../../src/domain/time.ts';
import { scansDue, sweepScans } from '../../src/ingest/scans/sweep.ts';
import { outboundRules } from '../../src/notifications/outbound/outbound-rules.ts';
import { startDelivering } from '../../src/notifications/webhooks/delivery-loop.ts';
import { createWebhook, replay, withDefaults } from '../../src/notifications/webhooks/webhook-service.ts';
import { evaluatePolicies } from '../../src/policies/evaluation/evaluate-policies.ts';
import { dueConditions, matchForTurn, startSweeping, sweepWorkspace } from '../../src/sweep.ts';
import { fieldOf } from '../support/fields.ts';
import { testConfig } from '../support/import.ts';
import { policyOf } from '../support/policies.ts';
import { until } from '../support/until.ts';
import { createTestWorkspace } from '../support/workspace.ts';
import { createPolicyWorkspace, vulnerable } from './policy-workspace.ts';

const { server, tenant, people, apply, scan } = await createPolicyWorkspace();
const { db, owner, secret } = server;
const config = testConfig;
const log = { warn: (data: unknown) => console.error(data) };
const dependencies = { db, config, openQueue: server.queue.open, log };
const conditions = dueConditions(config);

await apply(policyOf('severe', `{fact: severity, operator: '>=', value: high}`));
await apply(policyOf('aged', '{fact: age_days, operator: ">=", value: 30}'));
await apply(
  '{key: unscanned, target_type: analysis, enforcement_mode: warn, condition: {all: [{fact: days_since_last_scan, operator: ">=", value: 40}]}}',
);
await scan([vulnerable('a'), vulnerable('b')]);
await createTestWorkspace(server, 'other');

// Citus has no trigger on a table of workspaces.
const onCitus = process.env.TEST_CITUS_NODES !== undefined;

const { id } = tenant;
const dueNow = (only = conditions): Promise<string[]> => listDueTenants(db, only, new Date());
async function sweep(of = id): Promise<void> {
  assert.equal(await sweepWorkspace(dependencies, of, new Date()), true);
  assert.equal(await matchForTurn(dependencies, of, new Date()), 'done');
}

async function change(statement: string, ...values: unknown[]): Promise<void> {
  const { rowCount } = await owner.query(statement, [id, ...values]);
  assert.ok((rowCount ?? 0) > 0, statement);
}

const aVulnerability = '(select id from vulnerability where tenant_id = $1 order by id limit 1)';

const matchNoMore = () =>
  change(`update tenant set settings = settings || '{"advisory_matching": "off"}' where id = $1`);
const markReference = `insert into reference_to_match (tenant_id, reference_id, repository_id, created_at)
   select tenant_id, id, repository_id, now() from reference where tenant_id = $1 limit 1`;

/** A cause that makes each condition of `dueConditions` true, in their order: a statement with its values, or steps. */
const causes: [what: string, cause: string | (() => Promise<void>), ...values: string[]][] = [
  [
    'an assignee has left',
    `update vulnerability set assignee_id = $2 where tenant_id = $1 and id = ${aVulnerability}`,
    newId(),
  ],
  [
    'a CODEOWNERS file has changed',
    `with file as (
       insert into code_owners (tenant_id, repository_id, path, content, owners, set_by_admin, updated_at)
       select tenant_id, id, 'CODEOWNERS', '* @acme/web', '{@acme/web}', true, now()
         from repository where tenant_id = $1 order by id limit 1 returning tenant_id, repository_id)
     insert into teams_due (tenant_id, repository_id, id, after_path)
       select tenant_id, repository_id, $2, '' from file`,
    newId(),
  ],
  [
    'an acceptance ends',
    `update vulnerability set accepted_until = now() - interval '1 second' where tenant_id = $1 and id = ${aVulnerability}`,
  ],
  [
    'a branch had no scan for long',
    async () => {
      await scan([vulnerable('a')], { ref: 'topic' });
      await change(
        `update reference set last_scanned_at = now() - interval '1000 days' where tenant_id = $1 and full_ref = 'refs/heads/topic'`,
      );
    },
  ],
  ['tracked branches have changed', 'update repository set tracking_changed = true where tenant_id = $1'],
  [
    'the report of a final scan is kept no longer',
    `insert into scan_report (tenant_id, scan_id, piece, ciphertext, created_at)
       select tenant_id, id, 0, '', now() - interval '2 days' from scan where tenant_id = $1 limit 1`,
  ],
  [
    'a report was abandoned',
    `insert into scan_report (tenant_id, scan_id, piece, ciphertext, created_at)
       values ($1, $2, 0, '', now() - interval '2 days')`,
    newId(),
  ],
  [
    'a merge is pending',
    'insert into pending_merge (tenant_id, repository_id) select tenant_id, id from repository where tenant_id = $1',
  ],
  [
    'a catalogue has changed',
    `insert into intel_change (tenant_id, cve, created_at, reconciled)
       values ($1, 'CVE-2031-1', date_trunc('milliseconds', now()) - interval '1 hour', true)`,
  ],
  [
    'packages of a reference are not matched any more',
    async () => {
      await matchNoMore();
      await change(markReference);
    },
  ],
  [
    'the program has other builtin policies',
    `update policy_clock set builtins = 'others' where tenant_id = $1`,
  ],
  [
    'an exception ends',
    `insert into policy_exception
         (tenant_id, id, policy_id, repository_id, mode, status, reason, requested_by, ends_at)
       select tenant_id, $2, policy_id, repository_id, 'exempt', 'approved', 'test', $3, now() - interval '1 second'
         from policy_violation where tenant_id = $1 limit 1`,
    newId(),
    people.admin.user.id,
  ],
  [
    'a snooze ends',
    `update policy_violation set snoozed_until = now() - interval '1 second' where tenant_id = $1 and resolved_at is null`,
  ],
  [
    'a repository waits for its evaluation',
    'update repository_evaluation set marks = marks + 1 where tenant_id = $1',
  ],
  [
    'a policy waits for its evaluation',
    `update policy set revision = revision + 1 where tenant_id = $1 and key = 'severe'`,
  ],
  [
    'a vulnerability reaches an age that a policy names',
    `update vulnerability set introduced_at = now() - interval '30 days 2 milliseconds' where tenant_id = $1 and id = ${aVulnerability}`,
  ],
  [
    'the last scan reaches an age that a policy names',
    `update scan_series set succeeded_at = now() - interval '40 days 2 milliseconds' where tenant_id = $1`,
  ],
  ['the workspace has no event clock yet', 'delete from event_clock where tenant_id = $1'],
  [
    'a violation becomes overdue',
    async () => {
      await change(`update event_clock set swept_until = now() - interval '1 hour' where tenant_id = $1`);
      await change(
        `update policy_violation set due_at = now() - interval '1 second', snoozed_until = null
          where tenant_id = $1 and resolved_at is null`,
      );
    },
  ],
  [
    'a sweep has left out violations that are due at one time',
    'update event_clock set swept_id = gen_random_uuid() where tenant_id = $1',
  ],
  [
    'events are older than they are kept',
    `update event_batch set created_at = now() - interval '1000 days'
        where tenant_id = $1 and first_number = (select min(first_number) from event_batch where tenant_id = $1)`,
  ],
  [
    'a scan has lost its job',
    `update scan set status = 'queued', updated_at = now() - interval '1 hour' where tenant_id = $1`,
  ],
];

test('a workspace is due once after it is made, and not again', async () => {
  assert.equal((await dueNow()).length, 2);
  for (const each of await dueNow()) await sweep(each as typeof id);
  assert.deepEqual(await dueNow(), []);
});

test('a workspace is due for each of its reasons, and not after the sweep', async (t) => {
  assert.equal(causes.length, conditions.length);
  for (const [i, [what, cause, ...values]] of causes.entries()) {
    await t.test(what, async () => {
      await (typeof cause === 'string' ? change(cause, ...values) : cause());
      assert.deepEqual(await dueNow(conditions.slice(i, i + 1)), [id]);
      assert.deepEqual(await dueNow(), [id]);
      await sweep();
      // A job does the remaining work of these two.
      if (what === 'a policy waits for its evaluation') await evaluatePolicies(db, id);
      if (what === 'a scan has lost its job')
        await change(`update scan set status = 'completed' where tenant_id = $1`);
      assert.deepEqual(await dueNow(), []);
    });
  }
});

test('packages that are marked again and again are matched for a turn only', { skip: onCitus }, async () => {
  await matchNoMore();
  await owner.query(`
    create function mark_again() returns trigger language plpgsql as $$
      begin insert into package_to_match select old.*; return null; end $$;
    create trigger mark_again after delete on package_to_match for each row execute function mark_again()`);
  await change(
    `insert into package_to_match (tenant_id, package_id, created_at) values ($1, $2, now())`,
    newId(),
  );
  assert.equal(await matchForTurn(dependencies, id, new Date(), 300), 'unfinished');
  await owner.query('drop trigger mark_again on package_to_match');
  await sweep();
  assert.deepEqual(await dueNow(), []);
});

test('a reference of a locked repository is matched by a later sweep', async () => {
  await matchNoMore();
  await change(markReference);
  const lock = await owner.connect();
  await lock.query('begin');
  await lock.query('select 1 from repository where tenant_id = $1 for no key update', [id]);
  await sweep();
  assert.deepEqual(await dueNow(), [id]);
  await lock.query('rollback');
  lock.release();
  await sweep();
  assert.deepEqual(await dueNow(), []);
});

test('a pending merge of a locked repository is done by a later sweep', { timeout: 30_000 }, async (t) => {
  await change(
    'insert into pending_merge (tenant_id, repository_id) select tenant_id, id from repository where tenant_id = $1',
  );
  const lock = await owner.connect();
  t.after(() => lock.release(true));
  await lock.query('begin');
  await lock.query('select 1 from repository where tenant_id = $1 for no key update', [id]);
  await sweep();
  assert.deepEqual(await dueNow(), [id]);
  await lock.query('rollback');
  await sweep();
  assert.deepEqual(await dueNow(), []);
});

test('a report is kept for its days, and one without a scan only if no sweep found it in time', async () => {
  const keepReportsDays = 30;
  const due = async (daysLater = 0): Promise<string[]> =>
    listDueTenants(db, scansDue(keepReportsDays), new Date(Date.now() + daysLater * dayMs));
  const insertReport = async (scanId: string, days: number): Promise<void> => {
    await change(
      `insert into scan_report (tenant_id, scan_id, piece, ciphertext, created_at)
         values ($1, $2, 0, '', now() - make_interval(days => $3))`,
      scanId,
      days,
    );
  };
  const { rows: scans } = await owner.query<{ id: string }>('select id from scan where tenant_id = $1', [id]);
  const [kept = '', old = ''] = scans.map((row) => row.id);
  await change(
    `update scan set finished_at = now() - interval '31 days' where tenant_id = $1 and id = $2`,
    old,
  );
  const [abandoned, missed] = [newId(), newId()];
  await insertReport(kept, 20);
  assert.deepEqual(await due(), []);
  await insertReport(missed, 20);
  assert.deepEqual(await due(), []);
  for (const [scanId, days] of [
    [old, 32],
    [abandoned, 2],
  ] as const) {
    await insertReport(scanId, days);
    assert.deepEqual(await due(), [id]);
    await sweepScans(db, id, new Date(), keepReportsDays, assert.ifError);
    assert.deepEqual(await due(), []);
    const { rows } = await owner.query<{ id: string }>('select scan_id as id from scan_report order by 1');
    assert.deepEqual(fieldOf(rows, 'id'), [kept, missed].sort());
  }
  assert.deepEqual(await due(11), [id]);
  await sweepScans(db, id, new Date(Date.now() + 11 * dayMs), keepReportsDays, assert.ifError);
  const { rows: left } = await owner.query<{ id: string }>('select scan_id as id from scan_report');
  assert.deepEqual(fieldOf(left, 'id'), [kept]);
  await change('delete from scan_report where tenant_id = $1');
});

/** A process that sweeps, once it has swept all that is due. */
async function sweepOnce(of = dependencies) {
  const sweeping = startSweeping(of, 1);
  await until(sweeping.hasSwept, 'all that is due is swept');
  return sweeping;
}

test('one process sweeps, and another once that one has ended', async () => {
  const holder = async (): Promise<string | undefined> =>
    (await owner.query('select holder from sweep_lead where held_until > now()')).rows[0]?.holder;
  const first = await sweepOnce();
  const leader = await holder();
  assert.ok(leader);
  const second = await sweepOnce();
  assert.equal(await holder(), leader);
  await second.stop();
  assert.equal(await holder(), leader, 'only its holder gives it up');
  await first.stop();
  assert.equal(await holder(), undefined);
  const third = await sweepOnce();
  assert.ok(await holder());
  await third.stop();
});

test('a process keeps the lead while it sweeps one workspace for long', async () => {
  await change(
    `update scan set status = 'queued', updated_at = now() - interval '1 hour' where tenant_id = $1`,
  );
  const opening = Promise.withResolvers<never>();
  let isOpening = false;
  const openQueue = (): Promise<never> => {
    isOpening = true;
    return opening.promise;
  };
  const sweeping = startSweeping({ ...dependencies, openQueue, log: { warn: () => {} } }, 1);
  await until(() => isOpening, 'the sweep is in the workspace');
  const heldUntil = async (): Promise<Date> =>
    (await owner.query('select held_until from sweep_lead')).rows[0].held_until;
  const before = await heldUntil();
  await until(async () => (await heldUntil()) > before, 'the lead is renewed', 30_000).finally(() =>
    opening.reject(new Error('no queue')),
  );
  await sweeping.stop();
});

test('a process that stops during a renewal of its lead lets another process lead', {
  skip: onCitus,
}, async () => {
  await change(
    `update scan set status = 'queued', updated_at = now() - interval '1 hour' where tenant_id = $1`,
  );
  const opening = Promise.withResolvers<never>();
  let isOpening = false;
  const openQueue = (): Promise<never> => {
    isOpening = true;
    return opening.promise;
  };
  const sweeping = startSweeping({ ...dependencies, openQueue, log: { warn: () => {} } }, 1);
  await until(() => isOpening, 'the sweep is in the workspace');
  await owner.query(`
    create function renew_slowly() returns trigger language plpgsql as
      $$ begin perform pg_sleep(2); return new; end $$;
    create trigger renew_slowly before insert on sweep_lead for each row execute function renew_slowly()`);
  const isRenewing = async (): Promise<boolean> =>
    (
      await owner.query(
        "select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()",
      )
    ).rows.length > 0;
  await until(isRenewing, 'the lead is being renewed', 30_000);
  const stopped = sweeping.stop();
  opening.reject(new Error('no queue'));
  await stopped;
  await until(async () => !(await isRenewing()), 'the renewal has ended');
  await owner.query('drop function renew_slowly cascade');
  const { rows } = await owner.query('select 1 from sweep_lead where held_until > now()');
  assert.equal(rows.length, 0);
});

test('a sweep says in how many workspaces it has failed', async () => {
  await change(
    `update scan set status = 'queued', updated_at = now() - interval '1 hour' where tenant_id = $1`,
  );
  const failures = async (openQueue: typeof dependencies.openQueue): Promise<number> => {
    await (await sweepOnce({ ...dependencies, openQueue, log: { warn: () => {} } })).stop();
    return (await owner.query('select workspaces_failed as n from sweep_lead')).rows[0].n;
  };
  assert.equal(await failures(() => Promise.reject(new Error('no queue'))), 1);
  assert.equal(await failures(server.queue.open), 0);
});

test('a sweep on a node whose clock is an hour ahead ends nothing early', async (t) => {
  await change(
    `update vulnerability set accepted_until = now() + interval '30 minutes' where tenant_id = $1 and id = ${aVulnerability}`,
  );
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 });
  await (await sweepOnce()).stop();
  const { rows } = await owner.query('select 1 from vulnerability where accepted_until is not null');
  assert.equal(rows.length, 1);
});

test('a delivery is timed by the clock of the database, whatever that of the node is', async (t) => {
  // They have lost their reports above.
  await change(`update scan set status = 'completed' where tenant_id = $1`);
  const fields = withDefaults({ name: 'Nobody', url: 'http://127.0.0.1:9/' });
  const rules = outboundRules({ webhookNetworks: ['127.0.0.0/8'] }, secret);
  const actor = { actorId: people.admin.user.id };
  const { row } = await importTx(db, id, (tx) => createWebhook(tx, actor, fields, rules));
  await scan([vulnerable('c')]);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 });
  const warnings: unknown[] = [];
  const log = { warn: (data: unknown) => warnings.push(data) };
  const clock = startDatabaseClock(db, log);
  assert.throws(() => clock.now(), /has not told its time yet/);
  const delivering = startDelivering({
    db,
    secret,
    config: { webhookNetworks: ['127.0.0.0/8'], publicUrl: null },
    log,
    now: clock.now,
  });
  t.after(async () => {
    clock.stop();
    await delivering.stop();
  });
  const attempts = async () => {
    const { rows } = await owner.query<{ is_near: boolean }>(
      `select abs(extract(epoch from last_attempt_at - now())) < 600 and abs(extract(epoch from due_at - now())) < 600 as is_near
         from webhook_delivery where tenant_id = $1 and attempts > 0`,
      [id],
    );
    return rows;
  };
  for (let i = 0; i < 200 && (await attempts()).length === 0; i++) await sleep(100);
  const found = await attempts();
  assert.ok(found.length > 0);
  assert.ok(found.every(({ is_near }) => is_near));
  assert.deepEqual(warnings, []);
  await delivering.stop();
  await change(`update webhook_delivery set status = 'failed' where tenant_id = $1`);
  const again = await importTx(db, id, (tx) => replay(tx, actor, formatId('webhook', row.id), 'failed'));
  const { rows } = await owner.query(
    `select 1 from webhook_delivery d join webhook w on w.tenant_id = d.tenant_id and w.id = d.webhook_id
      where d.tenant_id = $1 and d.attempts = 0 and greatest(d.due_at, w.due_at) < now() + interval '10 minutes'`,
    [id],
  );
  assert.equal(rows.length, again);
});

test('the clock of a database that does not answer has no time, and is read again', async (t) => {
  let answers = false;
  const warnings: unknown[] = [];
  const pool = Object.create(db.pool, {
    connect: { value: () => (answers ? db.pool.connect() : Promise.reject(new Error('away'))) },
  });
  const clock = startDatabaseClock({ ...db, pool }, { warn: (data: unknown) => warnings.push(data) });
  t.after(() => clock.stop());
  for (let i = 0; i < 200 && warnings.length === 0; i++) await sleep(10);
  assert.throws(() => clock.now(), /has not told its time yet/);
  answers = true;
  const hasTime = (): boolean => {
    try {
      return clock.now() instanceof Date;
    } catch {
      return false;
    }
  };
  for (let i = 0; i < 100 && !hasTime(); i++) await sleep(100);
  assert.ok(hasTime());
  assert.equal(warnings.length, 1);
});
