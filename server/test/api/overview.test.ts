/**
 * Tests of the overview and the trend of a workspace with a history of fixed dates: every number is compared with the
 * history, and with the list behind it.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { tenantTx } from '../../src/db/database.ts';
import { nilId } from '../../src/domain/ids.ts';
import { sweepViolations } from '../../src/policies/evaluation/sweep.ts';
import { clientOf, type Page, queryOf, type Schemas, succeeded, walk } from '../support/client.ts';
import { fieldOf, fieldsOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { markKevLoaded } from '../support/kev.ts';
import { passMidnight } from '../support/midnight.ts';
import { applyAndEvaluate, policiesOf, policyOf } from '../support/policies.ts';
import { sarif, trivy } from '../support/reports.ts';
import { grype } from '../support/scanner-reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

type TrendDay = Schemas['Trend']['days'][number];
type Trend = Schemas['Trend'];
type Overview = Schemas['Overview'];
interface Item {
  id: string;
  title: string;
}
type Violation = Schemas['PolicyViolation'];

const dayMs = 24 * 3600_000;
const nobody = { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
await passMidnight();
const startOfToday = Math.floor(Date.now() / dayMs) * dayMs;
/** Ten in the morning, UTC. */
const daysAgo = (days: number): Date => new Date(startOfToday - days * dayMs + 10 * 3600_000);
const dateOf = (days: number): string => daysAgo(days).toISOString().slice(0, 10);

const server = await createTestServer();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const client = clientOf(server.app, people.admin.key);

const found = (name: string, severity: string) => ({
  id: `CVE-2030-${1000 + name.charCodeAt(0)}`,
  name,
  version: '1.0.0',
  severity,
});
const report = (days: number, packages: ReturnType<typeof found>[], repository = 'acme/shop', ref = 'main') =>
  reportInput(trivy(packages), { repository, ref, scannedAt: daysAgo(days) });

await tenantTx(server.db, tenant.id, (tx) =>
  applyInventory(tx, {
    organizations: [{ full_path: 'acme' }],
    repositories: [{ full_name: 'acme/quiet' }],
    applications: [{ name: 'Store', repositories: ['acme/quiet'] }],
  }),
);
await applyAndEvaluate(
  server,
  tenant.id,
  policiesOf(
    policyOf('severe', "{fact: severity, operator: '>=', value: critical}", { window: '12d' }),
    policyOf('some', "{fact: severity, operator: '==', value: medium}", { mode: 'warn', window: '8d' }),
    policyOf('any', "{fact: type, operator: '==', value: dependency}", { mode: 'monitor' }),
  ),
);
// Some of them are known to be exploited.
await server.owner.query(
  `insert into kev (cve, added_on, vendor, product, name) select v, '2026-01-01', 'v', 'p', 'n'
     from unnest(array['CVE-2030-1098', 'CVE-2030-1101']) v`,
);
await importAll(server, 'acme', [
  report(40, [found('a', 'CRITICAL'), found('b', 'HIGH'), found('c', 'LOW')]),
  // c is fixed, b is more severe, d is new.
  report(30, [found('a', 'CRITICAL'), found('b', 'CRITICAL'), found('d', 'HIGH')]),
  // a is fixed,
  report(20, [found('b', 'CRITICAL'), found('d', 'HIGH')]),
  // a comes back.
  report(10, [found('a', 'CRITICAL'), found('b', 'CRITICAL'), found('d', 'HIGH')]),
  // This report is late. It shows f, which the newest report, of ten days ago, does not show.
  report(35, [found('a', 'CRITICAL'), found('f', 'UNKNOWN')]),
  report(5, [found('e', 'MEDIUM')], 'acme/api'),
  // No scan has checked the code since.
  reportInput(sarif([]), { scannedAt: daysAgo(40) }),
  // This is a separate series. Its second scan shows too little, so its closing is held.
  reportInput(trivy(Array.from({ length: 24 }, (_, i) => found(String.fromCharCode(200 + i), 'LOW'))), {
    repository: 'acme/many',
    scannedAt: daysAgo(4),
  }),
  reportInput(trivy([]), { repository: 'acme/many', scannedAt: daysAgo(3) }),
  reportInput('{"no": "report"}', { repository: 'acme/api' }),
]);

const list = '/api/v1/acme/vulnerabilities';
const idOf = async (title: string): Promise<string> => {
  const items = await walk<Item>(client, list);
  const item = items.find((one) => one.title.startsWith(`${title}: `));
  assert.ok(item, title);
  return item.id;
};
const decide = async (action: string, title: string): Promise<void> => {
  const { status, text } = await client.post('/manage/v1/acme/vulnerabilities/decisions', {
    action,
    reason: 'known',
    vulnerabilities: [{ id: await idOf(title) }],
  });
  assert.equal(status, 200, text);
};
await decide('accept', 'd');

async function readOverview(): Promise<Overview> {
  return succeeded(await client.get<Overview>('/api/v1/acme/overview'));
}

const readSla = async () => (await readOverview()).sla;

async function readTrend(query: Record<string, string | number> = {}): Promise<Trend> {
  return succeeded(await client.get<Trend>(`/api/v1/acme/trend${queryOf(query)}`));
}

async function summaryOf(query: Record<string, string>) {
  const { body } = await client.get<{ summary: { total: number; by_severity: Record<string, number> } }>(
    `${list}${queryOf(query)}`,
  );
  return body.summary;
}

describe('the trend', () => {
  test('of a repository has the open, new and fixed vulnerabilities of each day', async () => {
    const { repository, days } = await readTrend({ repo: 'acme/shop' });
    assert.equal(repository?.full_name, 'acme/shop');
    assert.equal(days.length, 90);
    const expected: [number, Partial<TrendDay['open_by_severity']>, number, number][] = [
      [89, {}, 0, 0],
      [41, {}, 0, 0],
      [40, { critical: 1, high: 1, low: 1 }, 3, 0],
      [36, { critical: 1, high: 1, low: 1 }, 0, 0],
      [35, { critical: 1, high: 1, low: 1, unknown: 1 }, 1, 0],
      [30, { critical: 2, high: 1, unknown: 1 }, 1, 1],
      [21, { critical: 2, high: 1, unknown: 1 }, 0, 0],
      [20, { critical: 1, high: 1, unknown: 1 }, 0, 1],
      [10, { critical: 2, high: 1 }, 0, 1],
      [1, { critical: 2, high: 1 }, 0, 0],
      [0, { critical: 2 }, 0, 0],
    ];
    for (const [ago, open, introduced, fixed] of expected) {
      const day = days.find((one) => one.date === dateOf(ago));
      const bySeverity = { ...nobody, ...open };
      const total = Object.values(bySeverity).reduce((sum, n) => sum + n, 0);
      assert.deepEqual(day, {
        date: dateOf(ago),
        open: total,
        new: introduced,
        fixed,
        open_by_severity: bySeverity,
      });
    }
    const named = expected.map(([ago]) => dateOf(ago));
    const others = days.filter((day) => !named.includes(day.date));
    assert.deepEqual(
      others.filter((day) => day.new + day.fixed > 0),
      [],
    );
  });

  test('of the workspace sums all repositories up to today', async () => {
    const { repository, days } = await readTrend();
    assert.equal(repository, null);
    const each = await Promise.all(
      ['acme/shop', 'acme/api', 'acme/many', 'acme/quiet'].map((repo) => readTrend({ repo })),
    );
    for (const [i, day] of days.entries()) {
      for (const what of ['open', 'new', 'fixed'] as const) {
        assert.equal(
          day[what],
          each.reduce((sum, one) => sum + (one.days[i]?.[what] ?? 0), 0),
          `${what} on ${day.date}`,
        );
      }
    }
    const today = days.at(-1);
    const summary = await summaryOf({ state: 'open' });
    assert.deepEqual([today?.open, today?.open_by_severity], [summary.total, summary.by_severity]);
  });

  test('begins with the first scan, and its weeks run back from today', async () => {
    const { since, days, weeks } = await readTrend();
    assert.equal(since, dateOf(40));
    assert.deepEqual(
      fieldsOf(weeks, 'from', 'to'),
      [
        [40, 35],
        [34, 28],
        [27, 21],
        [20, 14],
        [13, 7],
        [6, 0],
      ].map((week) => week.map(dateOf)),
    );
    for (const week of weeks) {
      const own = days.filter(({ date }) => date >= week.from && date <= week.to);
      assert.deepEqual(
        [week.open, week.new, week.fixed],
        [
          own.at(-1)?.open,
          own.reduce((sum, day) => sum + day.new, 0),
          own.reduce((sum, day) => sum + day.fixed, 0),
        ],
      );
    }
    const unscanned = await readTrend({ repo: 'acme/quiet' });
    assert.deepEqual([unscanned.since, unscanned.weeks], [null, []]);
  });

  test('has as many days as requested, each once', async () => {
    const whole = await readTrend({ days: 365 });
    assert.equal(whole.days.length, 365);
    assert.equal(new Set(whole.days.map((day) => day.date)).size, 365);
    for (const days of [1, 15, 41]) {
      assert.deepEqual((await readTrend({ days })).days, whole.days.slice(-days));
    }
    for (const days of ['0', '366', 'x']) {
      assert.equal((await client.get(`/api/v1/acme/trend?days=${days}`)).status, 422, days);
    }
  });
});

describe('the overview', () => {
  test('shows the numbers of the lists behind it', async () => {
    const { open, repositories } = await readOverview();
    const summary = await summaryOf({ state: 'open' });
    assert.deepEqual(open, { total: summary.total, by_severity: summary.by_severity });
    assert.deepEqual(fieldsOf(repositories, 'full_name', 'score'), [
      ['acme/shop', 2 * 125],
      ['acme/many', 24],
      ['acme/api', 5],
    ]);
    for (const repository of repositories) {
      const behind = await summaryOf({ repo: repository.id, state: 'open' });
      assert.deepEqual([repository.open, repository.by_severity], [behind.total, behind.by_severity]);
    }
  });

  test('counts violations as their lists do', async () => {
    const violations = (
      await Promise.all(
        ['acme/shop', 'acme/api', 'acme/many'].map((repo) =>
          walk<Violation>(client, '/api/v1/acme/policy-violations', { repo }),
        ),
      )
    ).flat();
    const countOf = (isSo: (violation: Violation) => boolean): number => violations.filter(isSo).length;
    const stands = ({ status }: Violation): boolean => status === 'open' || status === 'pending_review';
    const expected = {
      open: countOf(stands),
      blocking: countOf((one) => one.blocking),
      overdue: countOf((one) => stands(one) && one.remaining_seconds < 0),
      due_soon: countOf(
        (one) => stands(one) && one.remaining_seconds >= 0 && one.remaining_seconds < 7 * 86_400,
      ),
    };
    assert.deepEqual((await readOverview()).violations, expected);
    const behind = async (query: Record<string, string>): Promise<number> =>
      (
        await client.get<{ summary: { total: number } }>(
          `/api/v1/acme/policy-violations/all${queryOf(query)}`,
        )
      ).body.summary.total;
    assert.deepEqual(expected, {
      open: await behind({ status: 'open,pending_review' }),
      blocking: await behind({ blocking: 'yes' }),
      overdue: await behind({ due: 'overdue' }),
      due_soon: await behind({ due: 'soon' }),
    });
    // Fixed or accepted vulnerabilities have violations too, but these are not active.
    assert.ok(expected.open < violations.length);
    for (const [what, n] of Object.entries(expected)) assert.ok(n > 0 && n <= expected.open, what);
  });

  test('a snoozed violation does not block, and still counts as open', async () => {
    const before = (await readOverview()).violations;
    const { body } = await client.get<Page<Violation>>('/api/v1/acme/policy-violations?repo=acme%2Fshop');
    const blocking = body.items.find((one) => one.blocking);
    const act = (action: string, rest: object = {}) =>
      client.post('/manage/v1/acme/policy-violations/decisions', {
        action,
        reason: 'next week',
        violations: [{ id: blocking?.id }],
        ...rest,
      });
    const until = new Date(Date.now() + 5 * dayMs).toISOString();
    assert.equal((await act('snooze', { until })).status, 200);
    assert.deepEqual((await readOverview()).violations, { ...before, blocking: before.blocking - 1 });
    assert.equal((await act('wake')).status, 200);
    assert.deepEqual((await readOverview()).violations, before);
  });

  test('shows the time to fix', async () => {
    const day = 86_400;
    assert.deepEqual((await readOverview()).fix_time, [
      { severity: 'critical', fixed: 1, mean_seconds: 20 * day },
      { severity: 'high', fixed: 0, mean_seconds: null },
      { severity: 'medium', fixed: 0, mean_seconds: null },
      { severity: 'low', fixed: 1, mean_seconds: 10 * day },
      { severity: 'info', fixed: 0, mean_seconds: null },
      { severity: 'unknown', fixed: 1, mean_seconds: 25 * day },
    ]);
  });

  test('compares the last seven days with the seven before', async () => {
    // e was found five days ago, and 24 four days ago. a came back ten days ago, so it is not new.
    assert.deepEqual((await readOverview()).week, { new: 25, new_before: 0, fixed: 0, fixed_before: 1 });
  });

  test('counts violations that were resolved, and those resolved by their due date', async () => {
    const { rows } = await server.owner.query<{ resolved: number; kept: number }>(
      `select count(*)::int as resolved, count(*) filter (where resolved_at <= due_at)::int as kept
         from policy_violation v where tenant_id = $1 and resolved_at is not null and tracked
          and not exists (select 1 from vulnerability d where d.tenant_id = $1 and d.id = v.target_id and d.decided_by is not null)`,
      [tenant.id],
    );
    const { resolved = 0, kept = 0 } = rows[0] ?? {};
    // Both violations of the critical a were resolved too late, and it has come back since.
    assert.ok(kept > 0);
    assert.deepEqual(await readSla(), {
      resolved: resolved + 2,
      kept,
      percent: Math.floor((100 * kept) / (resolved + 2)),
    });
  });

  test('counts exploitable vulnerabilities and waiting exceptions', async () => {
    const { exploitable, exceptions_requested, kev_loaded: before } = await readOverview();
    const behind = await summaryOf({ state: 'open', exploitable: 'yes' });
    assert.deepEqual([exploitable, exceptions_requested, exploitable > 0], [behind.total, 0, true]);
    await markKevLoaded(server);
    assert.deepEqual([before, (await readOverview()).kev_loaded], [false, true]);
  });

  test('shows the state of scans', async () => {
    // The failed scan ends last, and is not the last completed one.
    await server.owner.query(
      "update scan set finished_at = finished_at + interval '1 hour' where status = 'failed' and tenant_id = $1",
      [tenant.id],
    );
    const { scans } = await readOverview();
    const all = await walk<{ finished_at: string; status: string }>(client, '/api/v1/acme/scans');
    assert.deepEqual(scans, {
      last_finished_at: all
        .filter((scan) => scan.status === 'completed')
        .map((scan) => scan.finished_at)
        .toSorted()
        .at(-1),
      failed_week: 1,
      held_closures: 1,
      stale_series: 1,
    });
    const seriesList = await walk<{ id: string; stale: boolean; held: object | null }>(
      client,
      '/manage/v1/acme/scan-series',
      { repo: 'acme/shop' },
    );
    const stale = seriesList.filter((series) => series.stale);
    assert.equal(stale.length, 1);
    const [held] = (
      await walk<{ id: string; held: { scan_id: string } | null }>(client, '/manage/v1/acme/scan-series', {
        repo: 'acme/many',
      })
    ).filter((series) => series.held !== null);
    const decided = await client.post(`/manage/v1/acme/scan-series/${held?.id}/held-closure`, {
      action: 'release',
      scan_id: held?.held?.scan_id,
    });
    assert.deepEqual(decided.body, { fixed: 24 });
    assert.equal((await client.post(`/manage/v1/acme/scan-series/${stale[0]?.id}/retire`, {})).status, 200);
    const after = await readOverview();
    assert.deepEqual([after.scans.held_closures, after.scans.stale_series], [0, 0]);
    assert.deepEqual(fieldOf(after.repositories, 'full_name'), ['acme/shop', 'acme/api']);
  });

  test('a scan that failed before the week, and a dry run, are not counted', async () => {
    const before = (await readOverview()).scans;
    await importAll(server, 'acme', [
      reportInput('{"no": "report"}', { repository: 'acme/api', dryRun: true }),
    ]);
    assert.deepEqual((await readOverview()).scans, before);
    const { rows } = await server.owner.query<{ id: string }>(
      "select id from scan where status = 'failed' and not dry_run",
    );
    assert.equal(rows.length, 1);
    // An id contains the time of its creation.
    const eightDaysAgo = (Date.now() - 8 * dayMs).toString(16).padStart(12, '0');
    const id = `${eightDaysAgo.slice(0, 8)}-${eightDaysAgo.slice(8)}${rows[0]?.id.slice(13)}`;
    await server.owner.query('update scan set id = $2 where id = $1', [rows[0]?.id, id]);
    assert.equal((await readOverview()).scans.failed_week, 0);
  });
});

test('the open counts of repositories match their lists, in the requested order', async () => {
  const repositories = (
    await walk<{ id: string; full_name: string }>(client, '/api/v1/acme/repositories')
  ).reverse();
  const unknown = 'repo_00000000000000000000000000';
  const ids = [...repositories.map(({ id }) => id), unknown, 'nonsense'].join(',');
  const { body } = await client.get<{ items: { id: string; open: number; by_severity: object }[] }>(
    `/api/v1/acme/repository-counts?ids=${ids}`,
  );
  const lists = [];
  for (const { id, full_name } of repositories) {
    const list = await client.get<{ summary: { total: number; by_severity: object } }>(
      `/api/v1/acme/vulnerabilities${queryOf({ repo: full_name, state: 'open' })}`,
    );
    const { total, by_severity } = list.body.summary;
    lists.push({ id, open: total, by_severity: { ...nobody, ...by_severity } });
  }
  assert.deepEqual(body.items, lists);
  assert.ok(lists.some(({ open }) => open > 0));
});

describe('the status report', () => {
  interface Report extends Overview {
    organization: { full_path: string } | null;
    application: { name: string } | null;
    weeks: Trend['weeks'];
    risks: { id: string; severity: string; title: string; repository: { full_name: string } }[];
    parts: (Overview['repositories'][number] & { name: string; fixed: number; sla: Overview['sla'] })[];
  }
  const readReport = async (query: Record<string, string> = {}): Promise<Report> => {
    return succeeded(await client.get<Report>(`/api/v1/acme/status-report${queryOf(query)}`));
  };
  const figuresOf = ({ open, violations, week, exploitable, sla, fix_time, repositories }: Overview) => ({
    open,
    violations,
    week,
    exploitable,
    sla,
    fix_time,
    repositories,
  });

  test('has the figures of the overview and the weeks of the trend', async () => {
    const report = await readReport();
    assert.deepEqual(figuresOf(report), figuresOf(await readOverview()));
    assert.deepEqual(report.weeks, (await readTrend()).weeks);
    assert.deepEqual([report.organization, report.application], [null, null]);
    assert.deepEqual(
      report.risks.map(({ severity, title }) => [severity, title.split(':')[0]]),
      (
        await walk<Item & { severity: string }>(client, `${list}?state=open&exploitable=yes&sort=severity`)
      ).map(({ severity, title }) => [severity, title.split(':')[0]]),
    );
  });

  test('of the only organization has the figures of the workspace, and is its only part', async () => {
    const whole = await readReport();
    const report = await readReport({ organization: 'ACME' });
    assert.deepEqual(
      { ...figuresOf(report), risks: report.risks },
      { ...figuresOf(whole), risks: whole.risks },
    );
    assert.deepEqual([report.organization?.full_path, report.parts], ['acme', []]);
    const [part, ...others] = whole.parts;
    assert.deepEqual(
      [part?.name, part?.open, part?.by_severity, part?.sla, others],
      ['acme', whole.open.total, whole.open.by_severity, whole.sla, []],
    );
    assert.equal(
      part?.fixed,
      whole.fix_time.reduce((sum, { fixed }) => sum + fixed, 0),
    );
  });

  test('of an application counts its repositories only', async () => {
    const application = async (full_names: string[]) => {
      await tenantTx(server.db, tenant.id, (tx) =>
        applyInventory(tx, {
          organizations: [],
          repositories: [],
          applications: [{ name: 'Store', repositories: full_names }],
        }),
      );
      return readReport({ application: 'store' });
    };
    const quiet = await application(['acme/quiet']);
    assert.deepEqual([quiet.open.total, quiet.weeks, quiet.repositories, quiet.risks], [0, [], [], []]);
    assert.deepEqual((await readReport({ by: 'application' })).parts, []);
    const shop = await application(['acme/shop']);
    const [repository] = (await readOverview()).repositories;
    assert.deepEqual([shop.application?.name, shop.repositories], ['Store', [repository]]);
    assert.deepEqual(shop.weeks, (await readTrend({ repo: 'acme/shop' })).weeks);
    // All 24 that were released in another repository were resolved in time.
    const { resolved, kept } = await readSla();
    assert.deepEqual([shop.sla.resolved, shop.sla.kept], [resolved - 24, kept - 24]);
    const { body } = await client.get<{ summary: { total: number } }>(
      '/api/v1/acme/policy-violations/all?repo=acme%2Fshop&status=open,pending_review',
    );
    assert.equal(shop.violations.open, body.summary.total);
    assert.deepEqual(fieldsOf((await readReport({ by: 'application' })).parts, 'name', 'open'), [
      ['Store', shop.open.total],
    ]);
  });

  test('refuses an organization together with an application, and unknown ones', async () => {
    const statusOf = async (query: string) =>
      (await client.get(`/api/v1/acme/status-report?${query}`)).status;
    assert.deepEqual(
      [
        await statusOf('organization=acme&application=store'),
        await statusOf('organization=no'),
        await statusOf('application=no'),
      ],
      [422, 404, 404],
    );
  });
});

test('an empty workspace has zeros, for every day', async () => {
  const other = await createTestWorkspace(server, 'empty');
  const viewer = clientOf(server.app, other.people.viewer.key);
  const { body } = await viewer.get<Overview>('/api/v1/empty/overview');
  assert.deepEqual(
    { ...body, fix_time: body.fix_time.map(({ fixed, mean_seconds }) => [fixed, mean_seconds]) },
    {
      open: { total: 0, by_severity: nobody },
      violations: { open: 0, blocking: 0, overdue: 0, due_soon: 0 },
      repositories: [],
      fix_time: Array(6).fill([0, null]),
      scans: { last_finished_at: null, failed_week: 0, held_closures: 0, stale_series: 0 },
      week: { new: 0, new_before: null, fixed: 0, fixed_before: null },
      exploitable: 0,
      kev_loaded: true,
      exceptions_requested: 0,
      sla: { resolved: 0, kept: 0, percent: null },
    },
  );
  const trend = await viewer.get<Trend>('/api/v1/empty/trend?days=2');
  assert.deepEqual(fieldsOf(trend.body.days, 'open', 'open_by_severity'), [
    [0, nobody],
    [0, nobody],
  ]);
});

describe('in a workspace with decisions and administrative ends', () => {
  const ended = async (key: string) => {
    const { tenant, people } = await createTestWorkspace(server, key);
    const admin = clientOf(server.app, people.admin.key);
    const overview = async () => succeeded(await admin.get<Overview>(`/api/v1/${key}/overview`));
    const idOf = async (title: string) => {
      const items = await walk<Item>(admin, `/api/v1/${key}/vulnerabilities`);
      return items.find((one) => one.title.startsWith(`${title}: `))?.id;
    };
    const decide = async (action: string, title: string) => {
      const vulnerabilities = [{ id: await idOf(title) }];
      const body = { action, reason: 'known', vulnerabilities };
      assert.equal((await admin.post(`/manage/v1/${key}/vulnerabilities/decisions`, body)).status, 200);
    };
    return { tenant, admin, overview, decide };
  };

  test('a violation counts as kept only if its vulnerability was fixed, not if somebody has decided about it', async () => {
    const { tenant, overview, decide } = await ended('decided');
    const inventory = (is_private: boolean) =>
      tenantTx(server.db, tenant.id, (tx) =>
        applyInventory(tx, { repositories: [{ full_name: 'acme/shop', is_private }] }),
      );
    await inventory(false);
    await applyAndEvaluate(
      server,
      tenant.id,
      policiesOf(
        policyOf('severe', "{fact: severity, operator: '>=', value: critical}", { window: '12d' }),
        policyOf('public', "{fact: repository.is_private, operator: '==', value: false}", {
          target: 'repository',
        }),
      ),
    );
    const all = ['p', 'q', 'r'].map((name) => found(name, 'CRITICAL'));
    await importAll(server, 'decided', [report(3, all)]);
    await decide('accept', 'p');
    await decide('reject', 'q');
    assert.deepEqual((await overview()).sla, { resolved: 0, kept: 0, percent: null });
    await importAll(server, 'decided', [report(0, all.slice(0, 2))]);
    assert.deepEqual((await overview()).sla, { resolved: 1, kept: 1, percent: 100 });
    // A policy about anything else than vulnerabilities counts whenever its condition is no longer met.
    await inventory(true);
    await sweepViolations(server.db, tenant.id, new Date());
    assert.deepEqual((await overview()).sla, { resolved: 2, kept: 2, percent: 100 });
  });

  test('a violation that main fixes first counts when the last pull request fixes it too', async () => {
    const { tenant, overview } = await ended('rebased');
    await applyAndEvaluate(
      server,
      tenant.id,
      policyOf('severe', "{fact: severity, operator: '>=', value: critical}"),
    );
    const ref = 'refs/pull/1/head';
    const all = ['p', 'q'].map((name) => found(name, 'CRITICAL'));
    await importAll(server, 'rebased', [report(3, all), report(3, all, 'acme/shop', ref)]);
    await importAll(server, 'rebased', [report(2, all.slice(0, 1))]);
    assert.equal((await overview()).sla.resolved, 0);
    await importAll(server, 'rebased', [report(1, all.slice(0, 1), 'acme/shop', ref)]);
    assert.deepEqual((await overview()).sla, { resolved: 1, kept: 1, percent: 100 });
    // Another tool makes a vulnerability of main critical, as long as it reports it on the pull request.
    const mild = found('r', 'MEDIUM');
    await importAll(server, 'rebased', [report(1, [...all.slice(0, 1), mild])]);
    const byGrype = (rows: Parameters<typeof grype>[0]) =>
      reportInput(grype(rows), { repository: 'acme/shop', ref, scannedAt: new Date() });
    const claim = { ...mild, aliases: [], package: mild.name, severity: 'critical' as const, fixed: '2.0.0' };
    await importAll(server, 'rebased', [byGrype([claim])]);
    assert.equal((await overview()).violations.open, 2);
    await importAll(server, 'rebased', [byGrype([])]);
    assert.equal((await overview()).violations.open, 1);
    assert.equal((await overview()).sla.resolved, 1);
  });

  test('only what a report no longer shows counts as fixed, and every end lowers the open ones', async () => {
    const { admin, overview } = await ended('ends');
    const counts = async () => {
      const { open, fix_time, week } = await overview();
      const fixed = fix_time.reduce((sum, one) => sum + one.fixed, 0);
      const { days } = succeeded(await admin.get<Trend>('/api/v1/ends/trend?days=7'));
      const ofDays = days.reduce((sum, day) => sum + day.fixed, 0);
      assert.deepEqual([week.fixed, ofDays, days.at(-1)?.open], [fixed, fixed, open.total]);
      return [open.total, fixed];
    };
    const flaw = { rule: 'sqli', path: 'a.js', line: 1, code: 'query(x)' };
    const shown = (days: number, ...names: string[]) =>
      reportInput(trivy(names.map((name) => found(name, 'HIGH'))), { scannedAt: daysAgo(days) });
    await importAll(server, 'ends', [
      shown(3, 'p', 'q'),
      reportInput(trivy([found('b', 'HIGH')]), { ref: 'release/1', scannedAt: daysAgo(3) }),
      reportInput(trivy([found('s', 'HIGH')]), { category: 'old', scannedAt: daysAgo(3) }),
      reportInput(sarif([flaw]), { scannedAt: daysAgo(3) }),
    ]);
    assert.deepEqual(await counts(), [5, 0]);
    const { body: series } = await admin.get<Page<{ id: string; category: string }>>(
      '/manage/v1/ends/scan-series?repo=acme/shop',
    );
    const { body: references } = await admin.get<Page<{ id: string; ref: string }>>(
      '/api/v1/ends/references?repo=acme/shop',
    );
    const old = series.items.find(({ category }) => category === 'old');
    succeeded(await admin.post(`/manage/v1/ends/scan-series/${old?.id}/retire`, {}));
    assert.deepEqual(await counts(), [4, 0], 'a series was retired');
    const branch = references.items.find(({ ref }) => ref === 'release/1');
    succeeded(await admin.patch(`/manage/v1/ends/references/${branch?.id}`, { deleted: true }));
    assert.deepEqual(await counts(), [3, 0], 'a branch was deleted');
    // The sender may not decide, so the suppression hides the location and nothing more.
    const suppressed = sarif([{ ...flaw, suppressed: true }]);
    await importAll(server, 'ends', [reportInput(suppressed, { mayDecide: false, scannedAt: daysAgo(2) })]);
    assert.deepEqual(await counts(), [2, 0], 'a location was suppressed');
    await importAll(server, 'ends', [shown(1, 'p')]);
    assert.deepEqual(await counts(), [1, 1], 'a report no longer shows it');
  });
});

test('violations of pull requests and of disabled policies do not count for the time to fix', async () => {
  const before = await readOverview();
  const onBranch = { ref: 'refs/pull/7/head', scannedAt: daysAgo(1) };
  await importAll(server, 'acme', [
    reportInput(trivy([found('x', 'CRITICAL')]), { repository: 'acme/api', ...onBranch }),
  ]);
  const { violations } = await readOverview();
  assert.equal(violations.open, before.violations.open + 2);
  const { body: list } = await client.get<{ summary: { total: number } }>(
    '/api/v1/acme/policy-violations/all?status=open,pending_review',
  );
  assert.equal(violations.open, list.summary.total);
  // The status report counts on tracked references only.
  for (const query of ['', '?organization=acme']) {
    const report = succeeded(await client.get<Overview>(`/api/v1/acme/status-report${query}`));
    assert.deepEqual(report.violations, before.violations);
  }
  await importAll(server, 'acme', [
    reportInput(trivy([]), { repository: 'acme/api', ...onBranch, scannedAt: daysAgo(0) }),
  ]);
  await applyAndEvaluate(
    server,
    tenant.id,
    `
policies:
  - key: some
    status: disabled
    target_type: vulnerability
    enforcement_mode: warn
    condition: {all: [{fact: severity, operator: '==', value: medium}]}
`,
  );
  const after = await readOverview();
  assert.ok(after.violations.open < before.violations.open);
  assert.deepEqual(after.sla, before.sla);
});

test('the data of this file breaks no invariant', () => assertInvariants(server.owner));

// This test is the last one, because it breaks the invariants.
test('without stored days, as before the upgrade, the trend is the present count', async () => {
  const before = await readTrend();
  await server.owner.query('delete from vulnerability_day where tenant_id = $1', [tenant.id]);
  const { days } = await readTrend();
  assert.deepEqual(days.at(-1)?.open, before.days.at(-1)?.open);
  const today = days.at(-1);
  assert.deepEqual(
    days.map((day) => ({ ...day, date: '' })),
    days.map(() => ({ ...today, date: '', new: 0, fixed: 0 })),
  );
  // An event that a fast clock has dated into tomorrow counts as today's.
  await server.owner.query(
    `insert into vulnerability_day (tenant_id, scope, key, day, severity, introduced, opened)
     values ($1, 'workspace', '${nilId}', $2, 'critical', 2, 1)`,
    [tenant.id, dateOf(-1)],
  );
  const ahead = (await readTrend({ days: 2 })).days;
  assert.deepEqual(fieldsOf(ahead, 'date', 'open', 'new'), [
    [dateOf(1), (today?.open ?? 0) - 1, 0],
    [dateOf(0), today?.open, 2],
  ]);
});

test('an organization or application has the sum of what is open in its repositories, and their strongest verdict', async () => {
  await tenantTx(server.db, tenant.id, async (tx) => {
    const rows = await tx.query<{ full_name: string }>(
      'select full_name from repository where tenant_id = $1',
      [tx.tenantId],
    );
    await applyInventory(tx, {
      applications: [
        { name: 'All of it', repositories: rows.map((row) => row.full_name) },
        { name: 'Nothing' },
      ],
    });
  });
  const repositories = await walk<{ id: string; org: { id: string } }>(client, '/api/v1/acme/repositories');
  const { body: counts } = await client.get<{ items: { id: string; open: number }[] }>(
    `/api/v1/acme/repository-counts?ids=${repositories.map(({ id }) => id)}`,
  );
  const { body: scans } = await client.get<{ items: { id: string; verdict: string | null }[] }>(
    `/api/v1/acme/repository-scans?ids=${repositories.map(({ id }) => id)}`,
  );
  const verdictOf = (org?: string) => {
    const members = repositories.filter((one) => org === undefined || one.org.id === org).map(({ id }) => id);
    const found = scans.items.filter(({ id }) => members.includes(id)).map(({ verdict }) => verdict);
    return ['block', 'warn', 'pass'].find((verdict) => found.includes(verdict)) ?? null;
  };
  const openIn = (org?: string) =>
    repositories
      .filter((one) => org === undefined || one.org.id === org)
      .reduce((sum, { id }) => sum + (counts.items.find((one) => one.id === id)?.open ?? 0), 0);
  for (const kind of ['organization', 'application'] as const) {
    const groups = (await walk<{ id: string; name: string }>(client, `/api/v1/acme/${kind}s`)).filter(
      ({ name }) => kind === 'organization' || ['All of it', 'Nothing'].includes(name),
    );
    const ids = [...groups.map(({ id }) => id), 'org_00000000000000000000000000', 'nonsense'];
    const { body } = await client.get<{
      items: { id: string; open: number; by_severity: Record<string, number>; verdict: string | null }[];
    }>(`/api/v1/acme/${kind}-open?ids=${ids}`);
    assert.deepEqual(
      fieldsOf(body.items, 'id', 'open', 'verdict'),
      groups.map(({ id, name }) => {
        const organization = kind === 'organization' ? id : undefined;
        return name === 'Nothing' ? [id, 0, null] : [id, openIn(organization), verdictOf(organization)];
      }),
    );
    assert.ok(body.items.some(({ verdict }) => verdict !== null));
    for (const { open, by_severity: bySeverity } of body.items) {
      assert.equal(
        Object.values(bySeverity).reduce((sum, n) => sum + n, 0),
        open,
      );
    }
    assert.ok(body.items.some(({ open }) => open > 0));
  }
});
